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
        /// CSV or HTML, in UTF-8.
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

    init(records: Int, text: [UInt8]) {
        content = .text(text)
        self.records = records
        digest = SHA256Digest.hex(of: text)
    }

    /// Makes the document of a scope.
    ///
    /// - Parameters:
    ///   - exam: for the scopes `exam` and `results`.
    ///   - filters: for the scope `audit`; all entries without.
    ///   - isForSpreadsheets: false for tables of version 1.
    ///   - hasOccasionalEntries: false for an audit trail of versions 1 and 2.
    ///   - state: the state before the export's own events.
    ///   - history: the events up to there, for the scope `audit`.
    package static func make(
        scope: ExamRoom.Export.Scope, format: ExamRoom.Export.Format, exam: ExamRoom.ExamID?,
        filters: ExamRoom.Export.Filters?, isForSpreadsheets: Bool = true,
        hasOccasionalEntries: Bool = true, state: ExamRoom.State, history: any History
    ) -> ExportDocument {
        switch scope {
        case .exam: single(exam ?? .none, state)
        case .all: archive(state)
        case .results:
            results(exam ?? .none, state).document(format, isForSpreadsheets: isForSpreadsheets)
        case .audit:
            audit(filters ?? .init(), hasOccasionalEntries: hasOccasionalEntries, state, history)
                .document(format, isForSpreadsheets: isForSpreadsheets)
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
            if row.counts, row.course != .open { completed.append(id) }
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
