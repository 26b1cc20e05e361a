import Products
#if DEBUG || FUZZING || TESTABLE
    import Commands
    import Core
    import Folding

    @testable import Engine

    /// What callers send: JSON, and lines of commands.
    enum TextTargets {
        static let all = [
            FuzzTarget("json", json), FuzzTarget("command", command),
        ]

        @Sendable private static func json(_ bytes: [UInt8]) throws {
            let json = try JSON(parsing: bytes)
            let canonical = json.canonical
            guard let again = try? JSON(parsing: canonical) else {
                throw Finding("the canonical form is no JSON")
            }
            try expect(again.canonical == canonical, "the canonical form has another one")
        }

        /// The envelope, and the data as each product reads it.
        @Sendable private static func command(_ bytes: [UInt8]) throws {
            let line = try CommandEnvelope(bytes)
            let names = Names()
            for product in [Product].all where line.command.hasPrefix(product.name + ".") {
                let runtime = product.makeRuntime(TableSpace(), names)
                var input = JSONInput(names: names, path: "data")
                let isRead = runtime.prepare(line.command, line.data, &input) != nil
                runtime.space.dissolve()
                try expect(
                    isRead || input.problem != nil || !runtime.knows(line.command),
                    "refused without a reason")
            }
        }
    }
#endif
