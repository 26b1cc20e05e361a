import HTTPTypes
import Hummingbird

/// What a browser asks for a page of another site is refused, where no token is asked for: the browser itself has the right then,
/// by its certificate or its machine, and the page has not (docs/service/access.md, Pages of other sites).
struct SiteScreen {
    /// Without a policy everybody on this machine may do everything.
    private let isLocal: Bool
    /// Where browsers find the service, by its settings.
    private let address: String?

    init(_ configuration: ServiceConfiguration) {
        isLocal = configuration.access == nil
        address = configuration.consoleAddress
    }

    func admit(_ request: Request) throws {
        try admitHost(request)
        // A page of another site knows no token.
        guard request.method != .get, request.method != .head,
            request.headers[.authorization] == nil
        else { return }
        // A page cannot say of itself where it is from; what the browser says needs no second opinion.
        let isOwn =
            request.headers[.fetchSite].map { ["same-origin", "none"].contains($0) }
            ?? isOwn(request.headers[.origin], request)
        guard isOwn else {
            throw Problem.forbidden(
                "a page of another site sent this, without an access token: send it with one")
        }
    }

    /// Whether a request comes from a page of the service, or from none.
    private func isOwn(_ origin: String?, _ request: Request) -> Bool {
        guard let origin else { return true }
        guard let found = Self.authority(of: origin) else { return false }
        return found == request.head.authority?.lowercased()
            || found == address.flatMap(Self.authority)
    }

    /// A name that others gave this machine makes a page of theirs one of the service, for a browser (DNS rebinding).
    func admitHost(_ request: Request) throws {
        guard isLocal, let authority = request.head.authority, !Self.isOfThisMachine(authority)
        else { return }
        if let address, Self.authority(of: address) == authority.lowercased() { return }
        throw Problem.forbidden(
            "without a policy this is for 127.0.0.1, [::1] and localhost, not for \(authority)")
    }

    /// What stands behind `https://`; nil where nothing does.
    private static func authority(of address: String) -> String? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        return address[scheme.upperBound...].prefix { $0 != "/" }.lowercased()
    }

    /// Whether an authority is a loopback address or `localhost`, with any port.
    private static func isOfThisMachine(_ authority: String) -> Bool {
        var host = authority.lowercased()[...]
        if let colon = host.lastIndex(of: ":"),
            host[colon...].dropFirst().allSatisfy({ $0.isWholeNumber })
        {
            host = host[..<colon]
        }
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
