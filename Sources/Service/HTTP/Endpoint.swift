import HTTPTypes
import Hummingbird

/// One line of the API's table: `/openapi.json`, the routes and the matrix of who may what are made from it.
struct Endpoint: Sendable {
    /// A parameter of the query.
    struct Parameter: Sendable {
        enum Form: Sendable {
            case text, position, moment, instant, flag
            case number(ClosedRange<Int>)
        }

        let name: String
        let form: Form
        let summary: String
    }

    let method: HTTPRequest.Method
    /// `{name}` stands for a part of the path, `{name+}` at its end for all the rest.
    let path: String
    let summary: String
    let right: Right
    var query: [Parameter] = []
    /// Takes further names in the query: a read model's arguments.
    var takesArguments = false
    /// What the body may be; none if empty.
    var body: [String] = []
    /// The schema of a JSON body, by its name in `/openapi.json`.
    var schema: String?
    /// The statuses that it answers, and the media types of those of 200 and 201.
    var answers: [Int]
    var media: [String] = ["application/json"]
    let run: @Sendable (Call) async throws -> Response

    /// The names in the path.
    var names: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            String(part.dropFirst().dropLast(part.hasSuffix("+}") ? 2 : 1))
        }
    }
}

extension Substring {
    /// A part of a path, or of what else is named, without its percent-encoding.
    func percentDecoded(_ place: String = "the path") throws -> String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        guard let decoded = String(self).removingPercentEncodingStrictly else {
            throw Problem.badRequest(
                "\(place) has a percent sign without two hexadecimal digits of UTF-8: \(self)")
        }
        return decoded
    }
}

extension String {
    /// Nil where a percent sign has no two digits, or what comes of it is no UTF-8 (RFC 3986, 2.1).
    var removingPercentEncodingStrictly: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit),
                let low = rest.popFirst().flatMap(Self.digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
