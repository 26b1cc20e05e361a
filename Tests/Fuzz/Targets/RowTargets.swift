import Products
#if DEBUG || FUZZING || TESTABLE
    import Core
    import Folding

    @testable import Engine

    /// A table as it reads a row that is stored.
    private protocol RowProbe {
        /// The row as it is written again; nil if it cannot be read.
        func written(_ stored: [UInt8]) -> [UInt8]?
    }

    extension Table: RowProbe {
        fileprivate func written(_ stored: [UInt8]) -> [UInt8]? {
            var reader = BinaryReader(stored)
            let row = Row.read(from: &reader)
            guard reader.isComplete else { return nil }
            var writer = BinaryWriter()
            row.write(to: &writer)
            return writer.bytes
        }
    }

    /// Rows of `views.mdb`.
    enum RowTargets {
        static let all = [FuzzTarget("row", longest: 2048, row)]

        /// Every table of every product; the first two bytes of an input choose one.
        static func tables() -> [any StoredTable] {
            let names = Names()
            return [Product].all.flatMap { $0.makeRuntime(TableSpace(), names).space.tables }
        }

        private struct Tables: @unchecked Sendable {
            let all = RowTargets.tables().compactMap { $0 as? any RowProbe }
        }

        private static let known = Tables()

        @Sendable private static func row(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let table = known.all[Int(parts.number(2)) % known.all.count]
            guard let written = table.written(Array(parts.rest)) else { return }
            try expect(
                table.written(written) == written, "a row that is written again says otherwise")
        }
    }
#endif
