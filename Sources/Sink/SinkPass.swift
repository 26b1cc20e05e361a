import Core
import Engine
import Products

/// A sink on one connection: it opens the tables, then takes one step after the other. What throws ends it; nothing that it
/// knows is good any more then.
final class SinkPass {
    /// The models of which something is written.
    let models: [String]
    let tables: SinkTables
    private let engine: EventEngine
    private let feed: DocumentFeed
    private let wanted: [SinkTables.Table]
    private let hidesPersonal: Bool

    /// So many bytes of rows go in one statement, so many rows in one commit of a table that is being filled.
    private static let statementBytes = 4 << 20
    private static let statementRows = 1000
    private static let commitRows = 4000

    /// - Parameter fence: that of the sink's connection before; nil takes a new one.
    init(
        _ engine: EventEngine, _ database: any Database, models names: [String],
        hidesPersonal: Bool, fence: Int?
    ) throws(SinkFailure) {
        self.engine = engine
        self.hidesPersonal = hidesPersonal
        let tables = SinkTables(database)
        self.tables = tables
        try tables.create()
        try tables.read()
        if let fence, fence != tables.standing.fence {
            throw .fenced(SinkTables.fencedMessage)
        }
        let standing = tables.standing
        try Self.check(standing, engine)
        if fence == nil { try tables.takeFence() }
        let kept = Set(tables.tables.filter { $0.value != .former }.map(\.key.model))
        let models =
            names.isEmpty && kept.isEmpty
            ? engine.documentModels : kept.union(names).sorted { $0.precedes($1) }
        self.models = models
        (feed, wanted) = try otherErrors {
            let feed = try DocumentFeed(
                engine, models: models, after: Position(standing.position))
            let wanted = try models.map { model in
                SinkTables.Table(
                    model: model, version: try Self.version(of: model, feed, hidesPersonal))
            }
            return (feed, wanted)
        }
        try prepare()
    }

    /// Another journal, or an earlier state of this one, must not be written over this one's documents.
    private static func check(
        _ standing: SinkTables.Standing, _ engine: EventEngine
    ) throws(SinkFailure) {
        guard standing.position > 0 else { return }
        let head = try otherErrors { try engine.position() }
        guard head.number >= standing.position else {
            throw .other(
                EngineError(
                    .checkFailed,
                    "the tables stand at \(standing.position), the journal ends at \(head): it is an earlier "
                        + "state or another one; name the right journal, or another schema"))
        }
        let root = try otherErrors { try engine.root(through: Position(standing.position)) }
        guard root == standing.root else {
            throw .other(
                EngineError(
                    .checkFailed,
                    "the tables hold another journal's documents, or those of other events up to "
                        + "\(standing.position); name the right journal, or another schema"))
        }
    }

    /// What a table's documents hang on, in eight hexadecimal digits.
    private static func version(
        of model: String, _ feed: DocumentFeed, _ hidesPersonal: Bool
    ) throws -> String {
        let parts = [
            Hex.text(try feed.fingerprint(of: model)), documentShapes[model] ?? "",
            hidesPersonal ? "sealed" : "personal",
        ]
        return Hex.text(SHA256Digest.of(parts.joined(separator: "\n")).prefix(4))
    }

    /// Makes the tables that are missing, and learns what those that are there hold.
    private func prepare() throws(SinkFailure) {
        for table in tables.tables.keys where !wanted.contains(table) {
            // What an earlier build began to fill, nobody reads.
            guard tables.tables[table] == .building else { continue }
            try tables.fenced { () throws(SinkFailure) in try tables.drop(table) }
            tables.didDrop(table)
        }
        let present = tables.tables
        // All at once: which models are kept is known by their tables. What an earlier build left behind as former is
        // older than what is read.
        try tables.fenced { () throws(SinkFailure) in
            for table in wanted where present[table] == .former { try tables.drop(table) }
            for table in wanted where present[table].map({ $0 == .former }) ?? true {
                try tables.build(table)
            }
        }
        tables.didBuild(wanted.filter { present[$0].map { $0 == .former } ?? true })
        for table in wanted where tables.tables[table] == present[table] {
            try tables.forEachRow(of: table, "digest") { row throws(SinkFailure) in
                feed.know(row[0] ?? "", of: table.model, digest: row[1] ?? "")
            }
        }
    }

    // MARK: Steps

    /// Whether the journal has something that the tables have not.
    func isBehind() throws(SinkFailure) -> Bool { try otherErrors { try feed.isBehind } }

    /// Brings the tables to where the journal is now.
    func step(_ goesOn: () throws -> Void) throws(SinkFailure) -> SinkStep {
        let step = try otherErrors { try feed.catchUp() }
        defer { feed.finish() }
        let place = DocumentPlace(position: "\(step.position)", at: "\(step.at)")
        var next = tables.standing
        next.position = step.position.number
        next.root = try otherErrors { try engine.root(through: step.position) }
        next.journal = engine.identity
        next.isPersonal = !hidesPersonal
        var result = SinkStep(position: step.position.number, isErasure: step.isErasure)
        let building = wanted.filter { tables.tables[$0] == .building }
        for table in building { try fill(table, place, &result, goesOn) }
        try tables.fenced { () throws(SinkFailure) in
            for table in wanted where tables.tables[table] == .current {
                try write(table, place, &result)
            }
            for table in building { try tables.switchOver(to: table) }
            if step.isErasure {
                for (table, state) in tables.tables
                where state == .former || state == .current && !wanted.contains(table) {
                    try tables.drop(table)
                }
            }
            try tables.move(to: next)
        }
        tables.didMove(to: next)
        for table in building where tables.didSwitch(to: table) {
            result.switched.append(table.model)
        }
        if step.isErasure {
            for (table, state) in tables.tables where state == .former { tables.didDrop(table) }
            try databaseErrors { () throws(DatabaseError) in
                try tables.database.clearUp(wanted.map(tables.name))
            }
        }
        try tables.dropFormer()
        return result
    }

    /// Fills a table that nobody reads yet, in commits of a few thousand rows.
    private func fill(
        _ table: SinkTables.Table, _ place: DocumentPlace, _ result: inout SinkStep,
        _ goesOn: () throws -> Void
    ) throws(SinkFailure) {
        var buffer = RowBuffer(table, of: tables, place)
        try changes(of: table, &buffer, most: Self.commitRows) { buffer throws(SinkFailure) in
            do { try goesOn() } catch { throw SinkFailure.other(error) }
            try tables.fenced { () throws(SinkFailure) in try buffer.write(to: tables.database) }
        }
        try tables.fenced { () throws(SinkFailure) in try buffer.write(to: tables.database) }
        result.rows += buffer.written
    }

    private func write(
        _ table: SinkTables.Table, _ place: DocumentPlace, _ result: inout SinkStep
    ) throws(SinkFailure) {
        var buffer = RowBuffer(table, of: tables, place)
        try changes(of: table, &buffer, most: Self.statementRows) { buffer throws(SinkFailure) in
            try buffer.write(to: tables.database)
        }
        try buffer.write(to: tables.database)
        result.rows += buffer.written
    }

    private func changes(
        of table: SinkTables.Table, _ buffer: inout RowBuffer, most: Int,
        _ full: (inout RowBuffer) throws(SinkFailure) -> Void
    ) throws(SinkFailure) {
        var failure: SinkFailure?
        do {
            try feed.changes(of: table.model) { change in
                buffer.add(change)
                guard buffer.count >= most || buffer.bytes >= Self.statementBytes else { return }
                do throws(SinkFailure) { try full(&buffer) } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            throw failure ?? .other(error)
        }
    }

    /// Rows on their way.
    private struct RowBuffer {
        let table: String
        let dialect: Dialect
        let place: DocumentPlace
        private var rows: [DocumentRow] = []
        private var gone: [String] = []
        private(set) var bytes = 0
        private(set) var written = 0

        init(_ table: SinkTables.Table, of tables: SinkTables, _ place: DocumentPlace) {
            self.table = tables.name(table)
            dialect = tables.database.dialect
            self.place = place
        }

        var count: Int { rows.count + gone.count }

        mutating func add(_ change: DocumentFeed.Change) {
            guard let document = change.document else {
                gone.append(change.name)
                return
            }
            let row = DocumentRow(
                name: change.name, document: dialect.stored(document.text), digest: change.digest)
            rows.append(row)
            bytes += row.size
        }

        mutating func write(to database: any Database) throws(SinkFailure) {
            try databaseErrors { () throws(DatabaseError) in
                try database.put(rows, place, into: table)
                try database.remove(gone, from: table)
            }
            written += count
            rows = []
            gone = []
            bytes = 0
        }
    }
}

/// What a step did.
struct SinkStep {
    let position: UInt64
    let isErasure: Bool
    /// Rows that were written or removed.
    var rows = 0
    /// Models of which another table is read from here on.
    var switched: [String] = []
}

func otherErrors<R>(_ body: () throws -> R) throws(SinkFailure) -> R {
    do { return try body() } catch { throw .other(error) }
}
