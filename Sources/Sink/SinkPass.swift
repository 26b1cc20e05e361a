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
    private var doubts: [SinkTables.Table: [String: Doubt]] = [:]

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
        try tables.takeFence(engine, known: fence) {}
        let standing = tables.standing
        let kept = Set(tables.tables.filter { $0.value != .former }.map(\.key.model))
        // All of them the first time alone: who had the last one forgotten wants none.
        let models =
            names.isEmpty && kept.isEmpty && standing.position == 0
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
        for (table, state) in tables.tables where state == .building && !wanted.contains(table) {
            try tables.abandon(table)
        }
        let present = tables.tables
        let there = try tables.relations()
        // What an earlier build left behind as former is older than what is read; what somebody dropped is filled anew.
        let fresh = wanted.filter { table in
            guard let state = present[table] else { return true }
            return state == .former || !there.contains(table.name)
        }
        // All at once: which models are kept is known by their tables.
        try tables.fenced { () throws(SinkFailure) in
            for table in fresh {
                if present[table] == nil {
                    try tables.build(table)
                } else {
                    try tables.buildAnew(table)
                }
            }
            for table in wanted where present[table] == .current && there.contains(table.name) {
                if !there.contains(table.model) { try tables.showView(of: table) }
            }
        }
        tables.didBuild(fresh)
        for table in wanted where !fresh.contains(table) { try learn(table) }
    }

    /// Goes by the documents that the rows have, not by the digests beside them: somebody may have changed the one without the
    /// other.
    private func learn(_ table: SinkTables.Table) throws(SinkFailure) {
        var doubtful: [String: Doubt] = [:]
        try tables.forEachRow(of: table, "document, digest") { row throws(SinkFailure) in
            let name = row[0] ?? ""
            let doubt = Doubt(stored: Sink.digest(of: row[1] ?? ""), digest: row[2] ?? "")
            if doubt.stored == doubt.digest {
                feed.know(name, of: table.model, digest: doubt.digest)
            } else {
                feed.know(name, of: table.model, digest: "")
                doubtful[name] = doubt
            }
        }
        doubts[table] = doubtful
    }

    /// Of a row that the first step makes anew, since its document and its digest differ.
    private struct Doubt {
        let stored: String?
        let digest: String
    }

    /// Whether a row that was made anew has what it must have: where the database takes no document as it is.
    private func isAsStored(
        _ change: DocumentFeed.Change, in table: SinkTables.Table
    ) -> Bool {
        guard let doubt = doubts[table]?.removeValue(forKey: change.name),
            let document = change.document, doubt.digest == change.digest
        else { return false }
        let stored = tables.database.dialect.stored(document.text)
        return doubt.stored == Sink.digest(of: stored)
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
        let clears = self.clears(behindErasure: step.isErasure)
        var gone: [SinkTables.Table] = []
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
                    if try tables.dropUnlessBuiltOn(table, isEmptied: true) { gone.append(table) }
                }
            }
            if clears { try tables.markClearing() }
            try tables.move(to: next)
        }
        tables.didMove(to: next)
        if clears { tables.didMarkClearing() }
        for table in building where tables.didSwitch(to: table) {
            result.switched.append(table.model)
        }
        for table in gone { tables.didDrop(table) }
        try tables.dropFormer()
        doubts = [:]
        return result
    }

    /// Whether a step takes something of persons out of the tables that must not stay in the database's files.
    private func clears(behindErasure isErasure: Bool) -> Bool {
        let standing = tables.standing
        if isErasure {
            return standing.isPersonal || !hidesPersonal || tables.tables.values.contains(.former)
        }
        // Personal values are wanted no longer. Of a table that PostgreSQL drops, nothing is left.
        guard case .sqlite = tables.database.dialect else { return false }
        return standing.isPersonal && hidesPersonal
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
                guard !isAsStored(change, in: table) else { return }
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
