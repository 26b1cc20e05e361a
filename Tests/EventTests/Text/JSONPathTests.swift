import Core
import Foundation
import TestSupport
import Testing

/// JSONPath as RFC 9535 lays it down, by its own examples and by what it calls not well-formed.
@Suite struct `A JSONPath` {
    private static let store = #"""
        {"store":{"bicycle":{"color":"red","price":399},"book":[
        {"author":"Nigel Rees","category":"reference","price":8.95,"title":"Sayings of the Century"},
        {"author":"Evelyn Waugh","category":"fiction","price":12.99,"title":"Sword of Honour"},
        {"author":"Herman Melville","category":"fiction","isbn":"0-553-21311-3","price":8.99,"title":"Moby Dick"},
        {"author":"J. R. R. Tolkien","category":"fiction","isbn":"0-395-19395-8","price":22.99,
        "title":"The Lord of the Rings"}]}}
        """#

    /// A path, and what it names in the store (RFC 9535, 1.5 and 2.3.5.3).
    private static let named: [(path: String, values: String)] = [
        ("$.store.bicycle.color", #"["red"]"#),
        ("$['store'][\"bicycle\"].price", "[399]"),
        (
            "$.store.book[*].author",
            #"["Nigel Rees","Evelyn Waugh","Herman Melville","J. R. R. Tolkien"]"#
        ),
        ("$..price", "[399,8.95,12.99,8.99,22.99]"),
        ("$..book[2].title", #"["Moby Dick"]"#),
        ("$..book[-1].title", #"["The Lord of the Rings"]"#),
        ("$..book[0,1].price", "[8.95,12.99]"),
        ("$..book[:2].price", "[8.95,12.99]"),
        ("$..book[::-2].price", "[22.99,12.99]"),
        ("$..book[5:0:-3].price", "[22.99]"),
        ("$..book[?@.isbn].price", "[8.99,22.99]"),
        ("$..book[?@.price < 10].title", #"["Sayings of the Century","Moby Dick"]"#),
        ("$..book[?!@.isbn && @.price >= 12.99].title", #"["Sword of Honour"]"#),
        ("$..book[?@.price > $.store.bicycle.price]", "[]"),
        ("$.store.book[?length(@.title) == 9].price", "[8.99]"),
        ("$[?count(@.book[*]) == 4].bicycle.color", #"["red"]"#),
        ("$[?value(@..color) == 'red'].bicycle.price", "[399]"),
        ("$ .store\n['book'] [ 0 ].price", "[8.95]"),
        ("$.nothing", "[]"),
        ("$.store.book[9]", "[]"),
        ("$.store.book[::0]", "[]"),
    ]

    @Test(arguments: named)
    func `names the values of the RFC's examples`(path: String, values: String) throws {
        let store = try JSON(parsing: Self.store)
        let found = try JSONPath(path).nodes(in: store).map(\.value)
        #expect(try JSON.array(found) == JSON(parsing: values))
    }

    @Test(arguments: [
        "", "store", "$.", "$..", "$ ", " $", "$.1", "$[", "$[]", "$[01]", "$[-0]", "$[1 2]",
        "$['a]",
        #"$["\x"]"#, #"$["\ud800"]"#, "$[9007199254740992]", "$[?]", "$[?1]", "$[?@.a == ]",
        "$[?@.a = 1]", "$[?@.* == 1]", "$[?@..a == 1]", "$[?length(@.*) == 1]", "$[?count(1) == 1]",
        "$[?length(@.a)]", "$[?match(@.a, 'b')]", "$[?@.a == 01]", "$[?(@.a]", "$.a&&$.b",
        "$[?true]",
    ])
    func `refuses what is not well-formed, and says where`(path: String) throws {
        #expect(throws: JSONError.self, "\(path)") { try JSONPath(path) }
    }

    @Test func `nests as deep as it says and no deeper`() throws {
        let deep = String(repeating: "(", count: 60) + "$.a" + String(repeating: ")", count: 60)
        #expect(try JSONCondition(deep).holds(for: JSON(parsing: #"{"a":0}"#)))
        #expect(throws: JSONError.self) {
            try JSONCondition(String(repeating: "(", count: 10_000) + "$.a")
        }
    }

    @Test(arguments: [
        ("$.streak < 3", true), ("$.streak == 2", true), ("$.streak == 2.0", true),
        ("$.streak == 20e-1", true), ("$.streak < 1.99", false), ("$.name < 'b'", true),
        ("$.name < 3", false), ("$.none == $.other", true), ("$.none == null", false),
        ("$.gone == null", true), ("$.none <= $.other", true), ("$.gone", true), ("!$.none", true),
        ("$.list == [1]", nil), ("$.list == $.same", true), ("$.list[0] == 1 || $.x", true),
        ("!($.name == 'a' && $.streak > 5)", true), ("$.list[?@ > 1]", true),
        (" length($.name) >= 1 ", true), ("count($.list[*]) == 2", true),
        ("value($.list) != 1", true),
    ])
    func `a condition compares as the RFC does`(text: String, holds: Bool?) throws {
        let document = try JSON(
            parsing: #"{"gone":null,"list":[1,2],"name":"a","same":[1.0,2],"streak":2}"#)
        #expect((try? JSONCondition(text))?.holds(for: document) == holds, "\(text)")
    }

    @Test func `where a value stands is said as a normalized path and as a pointer`() throws {
        let document = try JSON(parsing: #"{"a":[{"b c":1,"d/~":2,"it's":3}]}"#)
        let nodes = try JSONPath("$.a[0].*").nodes(in: document)
        #expect(
            nodes.map(\.location.pathText) == [
                "$.a[0]['b c']", "$.a[0]['d/~']", #"$.a[0]['it\'s']"#,
            ])
        #expect(nodes.map(\.location.pointer) == ["/a/0/b c", "/a/0/d~1~0", "/a/0/it's"])
        for node in nodes {
            let found = try JSONPath(node.location.pathText).nodes(in: document)
            #expect(found == [node])
        }
    }

    /// The cases of the official suite that use neither `match` nor `search`; where they are from says the licence beside them.
    @Test func `passes the compliance suite but for regular expressions`() throws {
        let suite = try Tree.text("Tests/EventTests/Fixtures/jsonpath-compliance.jsonl")
        var count = 0
        for line in suite.split(separator: "\n") {
            let test = try JSON(parsing: Array(line.utf8))
            let selector = try #require(test["selector"]?.string)
            let name = try #require(test["name"]?.string)
            count += 1
            guard test["invalid_selector"]?.bool != true else {
                #expect(throws: JSONError.self, "\(name)") { try JSONPath(selector) }
                continue
            }
            let document = test["document"] ?? .null
            let found = JSON.array(try JSONPath(selector).nodes(in: document).map(\.value))
            let wanted = test["result"].map { [$0] } ?? test["results"]?.array ?? []
            #expect(wanted.contains { Self.isSame($0, found) }, "\(name): \(selector)")
        }
        #expect(count == 647)
    }

    /// Members of objects come in any order, so that lists of values may as well.
    private static func isSame(_ left: JSON, _ right: JSON) -> Bool {
        guard let left = left.array, let right = right.array else { return false }
        return left.map(\.description).sorted() == right.map(\.description).sorted()
    }
}
