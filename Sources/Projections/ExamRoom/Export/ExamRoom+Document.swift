package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding
import Projections

/// The document of an export, made from the state and the events before the export itself (R34).
package struct ExportDocument {
    package enum Content: Hashable, Sendable {
        /// Canonical JSON without a final newline, its digest included.
        case json([UInt8])
        /// CSV, in UTF-8; `pdf` is drawn from the same.
        case text([UInt8])
    }

    package let content: Content
    /// 1 for an exam, exams and results for an archive, rows for a table.
    package let records: Int
    /// SHA-256 in lower-case hex: of the document without `digest`, or of the CSV.
    package let digest: String

    /// Canonical JSON of the document, once without and once with its digest.
    private init<D: ExamRoom.SignedDocument>(_ document: D, records: Int, names: Names) {
        var bare = JSONOutput(names: names, reservingCapacity: 4096)
        document.write(to: &bare)
        let digest = SHA256Digest.hex(of: bare.json.bytes)
        var signed = document
        signed.digest = digest
        var whole = JSONOutput(names: names, reservingCapacity: bare.json.bytes.count + 100)
        signed.write(to: &whole)
        content = .json(whole.json.bytes)
        self.records = records
        self.digest = digest
    }

    private init(records: Int, csv: CSVWriter) {
        content = .text(csv.bytes)
        self.records = records
        digest = SHA256Digest.hex(of: csv.bytes)
    }

    /// Makes the document of a scope. The formats that a scope takes have the same content.
    ///
    /// - Parameters:
    ///   - exam: for the scopes `exam` and `results`.
    ///   - filters: for the scope `audit`; all entries without.
    ///   - state: the state before the export's own events.
    ///   - history: the events up to there, for the scope `audit`.
    package static func make(
        scope: ExamRoom.Export.Scope, format: ExamRoom.Export.Format, exam: ExamRoom.ExamID?,
        filters: ExamRoom.Export.Filters?, state: ExamRoom.State, history: any History
    ) -> ExportDocument {
        switch scope {
        case .exam: single(exam ?? .none, state)
        case .all: archive(state)
        case .results: results(exam ?? .none, state)
        case .audit: audit(filters ?? .init(), state, history)
        }
    }

    // MARK: JSON

    private static func single(_ exam: ExamRoom.ExamID, _ state: ExamRoom.State) -> ExportDocument {
        let object = ExamRoom.Document.ExamObject(exam, state)
        return ExportDocument(
            ExamRoom.Document.Single(exam: object, images: images(of: [object], state)),
            records: 1, names: state.names)
    }

    /// All exams that are not deleted, and the results of all completed attempts that count.
    private static func archive(_ state: ExamRoom.State) -> ExportDocument {
        let ids = state.exams.allKeys.filter { !state.isDeleted($0) }
        let exams = state.sorted(ids).map { ExamRoom.Document.ExamObject($0, state) }
        var completed: [ExamRoom.AttemptID] = []
        state.attempts.forEach { id, row in
            if row.counts, row.closing != nil { completed.append(id) }
        }
        let results = state.sorted(completed).compactMap {
            ExamRoom.Document.ResultObject($0, state)
        }
        return ExportDocument(
            ExamRoom.Document.Archive(
                exams: exams, results: results, images: images(of: exams, state)),
            records: exams.count + results.count, names: state.names)
    }

    /// The images that the exams' questions refer to, by hash, once each.
    private static func images(
        of exams: [ExamRoom.Document.ExamObject], _ state: ExamRoom.State
    ) -> [ExamRoom.Image.File] {
        var files: [ExamRoom.ImageHash: ExamRoom.Image.File] = [:]
        for file in exams.flatMap(\.images) {
            // R11: format and size are those of the last event that brought the image.
            let last = state.images[file.hash].map {
                ExamRoom.Image.File(hash: file.hash, format: $0.format, bytes: $0.bytes)
            }
            files[file.hash] = last ?? file
        }
        return state.sorted(Array(files.keys)).compactMap { files[$0] }
    }

    // MARK: CSV

    private static func results(_ exam: ExamRoom.ExamID, _ state: ExamRoom.State) -> ExportDocument
    {
        var csv = CSVWriter()
        csv.line([
            "attempt", "student", "name", "number", "startedAt", "closedAt", "how", "score",
            "maxScore", "percent", "passed", "extended",
        ])
        let names = state.names
        let completed = state.countingAttempts(at: exam).filter {
            state.attempts.read($0) { $0.closing != nil } ?? false
        }
        for attempt in completed {
            let line = ResultLine(attempt, state)
            let row = line.row
            csv.line([
                state.text(attempt), state.text(row.student), line.name,
                line.number.csvField(names), row.startedAt.csvField(names),
                row.closing?.closedAt.csvField(names), row.closing?.how.rawValue,
                row.score.csvField(names), row.maxScore.csvField(names),
                row.percent.csvField(names), row.isPassed.csvField(names),
                (row.extra != nil).csvField(names),
            ])
        }
        return ExportDocument(records: completed.count, csv: csv)
    }

    private static func audit(
        _ filters: ExamRoom.Export.Filters, _ state: ExamRoom.State, _ history: any History
    ) -> ExportDocument {
        var csv = CSVWriter()
        csv.line([
            "entry", "at", "user", "role", "action", "exam", "attempt", "device", "ip", "details",
        ])
        let names = state.names
        let entries = AuditTrail(filters, state: state, history: history).all
        for entry in entries {
            csv.line([
                entry.position.csvField(names), entry.at.csvField(names), entry.user, entry.role,
                entry.action, entry.exam, entry.attempt, entry.device, entry.ip,
                String(decoding: entry.details.canonical, as: UTF8.self),
            ])
        }
        return ExportDocument(records: entries.count, csv: csv)
    }
}

extension ExamRoom.Document.ExamObject {
    fileprivate init(_ exam: ExamRoom.ExamID, _ state: ExamRoom.State) {
        self.init(
            exam: exam, details: state.exams[exam]?.details ?? .init(),
            questions: (state.banks[exam]?.ordered(state.names) ?? []).map {
                .init(question: $0.question, content: $0.content, image: $0.image)
            })
    }
}

extension ExamRoom.Document.ResultObject {
    /// Nil for an attempt that is not completed.
    fileprivate init?(_ attempt: ExamRoom.AttemptID, _ state: ExamRoom.State) {
        guard let row = state.attempts[attempt], let closing = row.closing, let score = row.score
        else { return nil }
        self.init()
        self.attempt = attempt
        exam = row.exam
        student = row.student
        startedAt = row.startedAt
        closedAt = closing.closedAt
        how = closing.how
        self.score = score
        maxScore = row.maxScore
        percent = Percent(score, of: row.maxScore)
        passed = row.isPassing(score)
    }
}
