import Engine
import HTTPTypes
import Hummingbird

/// The default journal as a transparency log, for any monitor or mirror that reads C2SP tlog-tiles
/// (docs/service/auditor.md). A leaf has no personal value in clear (docs/audit.md).
extension Routes {
    var log: [Endpoint] {
        let right: Right = configuration.logIsPublic ? .open : .audit
        return [
            Endpoint(
                method: .get, path: "/log/checkpoint", summary: "The newest signed checkpoint.",
                right: right, answers: [200, 403, 404, 503], media: ["text/plain"],
                run: newestCheckpoint),
            Endpoint(
                method: .get, path: "/log/tile/{place+}",
                summary:
                    "A tile, LEVEL/INDEX, or the entries below one, entries/INDEX; a partial one ends in .p/WIDTH.",
                right: right, answers: [200, 400, 403, 404, 503],
                media: ["application/octet-stream"], run: tile),
        ]
    }

    @Sendable private func newestCheckpoint(_ call: Call) async throws -> Response {
        let engine = call.journal.engine
        let kept = try await call.journal.proving.run(within: pastDeadline) {
            try engine.keptCheckpoints()
        }
        let newest = if let signer { signer.newest(of: kept) } else { kept.last }
        guard let newest else { throw Problem.notFound("a checkpoint") }
        return .note(newest.bytes, cached: "\(cacheScope), max-age=2")
    }

    @Sendable private func tile(_ call: Call) async throws -> Response {
        guard let place = TilePlace(call.part("place")) else {
            throw Problem.notFound("the tile \(call.part("place"))")
        }
        let engine = call.journal.engine
        let bytes = try await call.journal.proving.run(within: pastDeadline) {
            guard let level = place.level else {
                return try engine.leaves(ofTile: place.index, width: place.width).map(Self.bundle)
            }
            return try engine.tile(level: level, index: place.index, width: place.width)
        }
        guard let bytes else { throw Problem.notFound("the tile \(call.part("place"))") }
        var headers = HTTPFields()
        headers[.contentType] = "application/octet-stream"
        headers[.cacheControl] = "\(cacheScope), max-age=31536000, immutable"
        return Response(status: .ok, headers: headers, body: .bytes(bytes))
    }

    /// A cache that others share must not hand out what only auditors may read.
    private var cacheScope: String { configuration.logIsPublic ? "public" : "private" }

    /// Leaves, each behind its length in two bytes.
    private static func bundle(_ leaves: [[UInt8]]) throws -> [UInt8] {
        try leaves.flatMap { leaf in
            guard let length = UInt16(exactly: leaf.count) else {
                throw Problem(
                    .notFound, "leaf-too-large",
                    "a leaf here has \(leaf.count) bytes, more than the 65535 of a bundle: ask for its proof"
                )
            }
            return [UInt8(length >> 8), UInt8(length & 0xFF)] + leaf
        }
    }
}

/// Where a tile is: the path behind `tile/`.
struct TilePlace: Equatable {
    /// Nil for entries.
    let level: Int?
    let index: Int
    /// Of 256 hashes or leaves.
    let width: Int

    /// Each tile has one path: groups of three digits, all but the last behind an `x`; `x001/x234/067.p/112`.
    init?(_ path: String) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2 else { return nil }
        let first = parts.removeFirst()
        if first == "entries" {
            level = nil
        } else {
            guard let number = Self.number(first), number < 64 else { return nil }
            level = number
        }
        if parts.count >= 2, parts[parts.count - 2].hasSuffix(".p") {
            guard let number = Self.number(parts.removeLast()), (1...255).contains(number) else {
                return nil
            }
            width = number
            parts[parts.count - 1] = parts[parts.count - 1].dropLast(2)
        } else {
            width = 256
        }
        guard parts.count <= 5 else { return nil }
        var index = 0
        for (place, part) in parts.enumerated() {
            var digits = part
            if place < parts.count - 1 {
                guard digits.popFirst() == "x" else { return nil }
            }
            guard digits.utf8.count == 3, let number = Self.digits(digits),
                place > 0 || parts.count == 1 || number > 0
            else { return nil }
            index = index * 1_000 + number
        }
        self.index = index
    }

    /// A number without a sign or leading zeros.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 3, text == "0" || text.first != "0" else { return nil }
        return digits(text)
    }

    private static func digits(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}
