import Core
import Engine
import HTTPTypes
import Hummingbird
import Products

/// The API's table as OpenAPI 3.1.
struct OpenAPI {
    private let table: [(prefix: String, endpoint: Endpoint)]

    init(_ table: [(prefix: String, endpoint: Endpoint)]) { self.table = table }

    var document: JSON {
        var paths: [String: [(String, JSON)]] = [:]
        for (prefix, endpoint) in table {
            let path = (prefix + endpoint.path).replacing("+}", with: "}")
            paths[path, default: []].append(
                (endpoint.method.rawValue.lowercased(), operation(prefix, endpoint)))
        }
        return .object(of: [
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object(of: [
                    ("title", .string("Sijill")), ("version", .string("1")),
                    ("summary", .string("Commands in, read models and events out, with proofs.")),
                ])
            ),
            ("paths", .object(of: paths.map { ($0.key, JSON.object(of: $0.value)) })),
            (
                "components",
                .object(of: [
                    (
                        "securitySchemes",
                        .object(of: [
                            (
                                "token",
                                .object(of: [
                                    ("type", .string("http")), ("scheme", .string("bearer")),
                                ])
                            ),
                            ("certificate", .object(of: [("type", .string("mutualTLS"))])),
                        ])
                    ),
                    ("schemas", .object(of: schemas)),
                ])
            ),
            (
                "security",
                .array([
                    .object(of: [("token", .array([]))]),
                    .object(of: [("certificate", .array([]))]),
                    .object([]),
                ])
            ),
        ])
    }

    /// Commands, events and read models by their names, and what holds them.
    private var schemas: [(String, JSON)] {
        let commands = (try? [Product].all.commands()) ?? []
        let command = JSON.object(of: [
            ("type", .string("object")), ("required", .array([.string("command")])),
            (
                "properties",
                .object(of: [
                    (
                        "id",
                        .object(of: [
                            ("type", .string("string")), ("minLength", .integer(1)),
                            ("maxLength", .integer(128)),
                        ])
                    ),
                    ("command", .object(of: [("enum", .array(commands.map { .string($0.name) }))])),
                    ("at", SchemaOfText.schema(of: "instant")), ("by", Self.text),
                    ("device", SchemaOfText.schema(of: "id")),
                    ("data", .object(of: [("type", .string("object"))])),
                ])
            ),
        ])
        let event = SchemaOfText.schema(
            of:
                "{position:position,stream:string,revision:int,type:string,version:int,at:instant,recordedAt:instant,by:string|null,"
                + "device:string|null,command:string|null,cause:position|null,tags:[string],data:json}"
        )
        let outcome = SchemaOfText.schema(
            of:
                "{id:string|null,status:(accepted|rejected|duplicate),code?:string,message?:string,messageAr?:string,events?:[json]}"
        )
        return [
            ("Command", command), ("Event", event), ("Outcome", outcome), ("Problem", Self.problem),
        ]
            + commands.map { command in
                let fields = command.fields.map {
                    "\($0.name)\($0.isOptional ? "?" : ""):\($0.form)"
                }
                return (
                    "command.\(command.name)",
                    SchemaOfText.schema(of: "{\(fields.joined(separator: ","))}")
                )
            }
            + [Product].all.eventSchemas.map {
                ("event.\($0.name)", SchemaOfText.schema(of: $0.schema))
            }
            + documentShapes.map {
                ("model.\($0.key)", SchemaOfText.schema(of: $0.value + "|null"))
            }
    }

    private func operation(_ prefix: String, _ endpoint: Endpoint) -> JSON {
        let named = prefix.contains("{") ? ["journal"] : []
        let inPath = (named + endpoint.names).map { name in
            JSON.object(of: [
                ("in", .string("path")), ("name", .string(name)), ("required", .bool(true)),
                ("schema", Self.text),
            ])
        }
        let inQuery = endpoint.query.map { parameter in
            JSON.object(of: [
                ("in", .string("query")), ("name", .string(parameter.name)),
                ("description", .string(parameter.summary)),
                ("schema", Self.schema(parameter.form)),
            ])
        }
        var members: [(String, JSON)] = [
            ("operationId", .string(Self.name(prefix, endpoint))),
            ("summary", .string(endpoint.summary)),
            ("parameters", .array(inPath + inQuery)),
            (
                "responses",
                .object(
                    of: statuses(of: endpoint, isOfNamed: !named.isEmpty).map {
                        ("\($0)", response($0, endpoint))
                    })
            ),
            ("x-right", .string(endpoint.right.rawValue)),
        ]
        if endpoint.takesArguments { members.append(("x-arguments", .bool(true))) }
        if !endpoint.body.isEmpty {
            let content = endpoint.body.map { type in
                (
                    type,
                    JSON.object(of: [
                        (
                            "schema",
                            type == "application/json"
                                ? .object(of: [("type", .string("object"))]) : Self.text
                        )
                    ])
                )
            }
            members.append(
                (
                    "requestBody",
                    .object(of: [("required", .bool(true)), ("content", .object(of: content))])
                ))
        }
        return .object(of: members)
    }

    /// Its own, and those that the way to it may answer.
    private func statuses(of endpoint: Endpoint, isOfNamed: Bool) -> [Int] {
        if endpoint.right == .open { return endpoint.answers }
        let onTheWay =
            [400, 401, 403, 404, 429, 503] + (isOfNamed ? [307] : [])
            + (endpoint.body.isEmpty ? [] : [415])
        return Set(endpoint.answers + onTheWay).sorted()
    }

    private static func name(_ prefix: String, _ endpoint: Endpoint) -> String {
        let words = (prefix + endpoint.path).split { "/{}+-.".contains($0) }.filter { $0 != "v1" }
        return endpoint.method.rawValue.lowercased()
            + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private func response(_ status: Int, _ endpoint: Endpoint) -> JSON {
        let what = HTTPResponse.Status(code: status).reasonPhrase
        guard status != 304, status != 204 else {
            return .object(of: [("description", .string(what))])
        }
        let types = status < 300 ? endpoint.media : ["application/problem+json"]
        let schema: JSON =
            status < 300
            ? .object([]) : .object(of: [("$ref", .string("#/components/schemas/Problem"))])
        let content = types.map { ($0, JSON.object(of: [("schema", schema)])) }
        return .object(of: [("description", .string(what)), ("content", .object(of: content))])
    }

    private static let text = JSON.object(of: [("type", .string("string"))])

    private static func schema(_ form: Endpoint.Parameter.Form) -> JSON {
        switch form {
        case .text: text
        case .flag: .object(of: [("type", .string("boolean"))])
        case .position: .object(of: [("type", .string("integer")), ("minimum", .integer(0))])
        case .instant: .object(of: [("type", .string("string")), ("format", .string("date-time"))])
        case .moment: .object(of: [("type", .array([.string("integer"), .string("string")]))])
        case .number(let range):
            .object(of: [
                ("type", .string("integer")), ("minimum", .integer(Int64(range.lowerBound))),
                ("maximum", .integer(Int64(range.upperBound))),
            ])
        }
    }

    /// RFC 9457, with the service's own members.
    private static let problem = JSON.object(of: [
        ("type", .string("object")),
        ("required", .array(["type", "title", "status", "detail", "code"].map { .string($0) })),
        (
            "properties",
            .object(of: [
                ("type", text), ("title", text),
                ("status", .object(of: [("type", .string("integer"))])),
                ("detail", text), ("code", text), ("requestId", text),
                ("outcome", .object(of: [("type", .string("object"))])),
            ])
        ),
    ])
}
