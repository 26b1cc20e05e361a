import Core

/// Styles and scripts, which are in the program itself: nothing is asked of anywhere else.
package enum Assets {
    /// A file and where it is: its address changes with what is in it, so that it can be kept for ever.
    private struct Asset {
        let name: String
        let type: String
        let body: [UInt8]
        let digest: String

        init(_ name: String, _ type: String, _ body: [UInt8]) {
            self.name = name
            self.type = type
            self.body = body
            digest = String(SHA256Digest.hex(of: body).prefix(16))
        }
    }

    private static let all = [
        Asset("console.css", "text/css; charset=utf-8", PackageResources.console_css),
        Asset("icon.svg", "image/svg+xml", PackageResources.icon_svg),
        Asset("job.js", "text/javascript; charset=utf-8", PackageResources.job_js),
        Asset("live.js", "text/javascript; charset=utf-8", PackageResources.live_js),
        Asset("slider.js", "text/javascript; charset=utf-8", PackageResources.slider_js),
        Asset("tlog.js", "text/javascript; charset=utf-8", PackageResources.tlog_js),
        Asset("verify.js", "text/javascript; charset=utf-8", PackageResources.verify_js),
        Asset("wait.js", "text/javascript; charset=utf-8", PackageResources.wait_js),
    ]

    static func address(_ name: String) -> String {
        let digest = all.first { $0.name == name }?.digest ?? ""
        return "/ui/assets/\(digest)/\(name)"
    }

    static func answer(_ digest: String, _ name: String) -> PageAnswer? {
        // Modules import each other by their names alone, from whichever folder they are in.
        guard let asset = all.first(where: { $0.name == name }) else { return nil }
        var answer = PageAnswer()
        answer.contentType = asset.type
        answer.body = asset.body
        answer.isImmutable = asset.digest == digest
        return answer
    }

    /// The check of the audit page as one file, which works from a disk without the service.
    static var savedCheck: PageAnswer {
        let tlog = String(decoding: PackageResources.tlog_js, as: UTF8.self)
        let page = String(decoding: PackageResources.check_html, as: UTF8.self)
        let parts = page.split(separator: "/*tlog.js*/", maxSplits: 1)
        let whole =
            parts.count == 2 ? parts[0] + tlog.replacing("export ", with: "") + parts[1] : page[...]
        var answer = PageAnswer()
        answer.body = Array(whole.utf8)
        answer.fileName = "sijill-check.html"
        return answer
    }
}
