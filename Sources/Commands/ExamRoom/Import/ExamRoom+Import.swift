import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Imports the exams of a document as drafts (R35, 12.4).
    struct ApplyImport: Command {
        static let type = "examroom.import.apply"

        /// What to do with an exam whose id is in use.
        enum OnExisting: String, Choice {
            case refuse, skip
        }

        var application = ImportID.none
        var document: JSON = .null
        /// Another id for a single exam.
        var renamed: ExamID?
        var onExisting: OnExisting?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("import", &application)
            coder.field("document", &document)
            coder.optional("as", &renamed)
            coder.optional("onExisting", &onExisting)
        }

        func problem(_ names: Names) -> String? {
            document.members == nil ? "expected \"document\" as an object" : nil
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            try context.checkIsFree(application, unless: state.imports.contains(application))
            let format = try format()
            let digest = try digest()
            let objects = try objects(format, in: context)
            let results = try results(format, in: context)
            try context.checkStorage()
            // An id that was ever used is not used again (R1).
            let isUsed = { (object: Document.ExamObject) in
                state.exams.contains(renamed ?? object.exam)
            }
            if onExisting != .skip, objects.contains(where: isUsed) { throw .examExists }
            let brought = objects.filter { !isUsed($0) }
            let skipped = objects.filter(isUsed)
            for object in brought {
                context.recordImport(of: object, as: renamed, by: application)
            }
            let (restored, omitted) = restore(results, in: context)
            let exams = brought.map { renamed ?? $0.exam }
            let questions = brought.reduce(0) { $0 + $1.questions.count }
            context.record(
                Import.Applied(
                    application: application,
                    format: format,
                    digest: digest,
                    exams: exams,
                    skipped: skipped.map { renamed ?? $0.exam },
                    results: restored,
                    omitted: omitted,
                    questions: questions,
                    images: Set(brought.flatMap(\.images).map(\.hash)).count,
                    records: exams.count + questions + restored.count), on: application)
        }

        /// The results of an archive, which are possible ones (R35).
        private func results(
            _ format: Document.Format, in context: Context
        ) throws(Rejection) -> [Document.ResultObject] {
            guard format == .archive else { return [] }
            let archive: Document.Archive = try read(document, context.names, in: context)
            if let result = archive.results.first(where: { !$0.isPossible }) {
                throw invalid(
                    "result \(context.names.text(result.attempt)) breaks a rule for results",
                    in: context)
            }
            if Set(archive.results.map(\.attempt)).count < archive.results.count {
                throw invalid("a result stands in it twice", in: context)
            }
            return archive.results
        }

        /// Brings back the results whose exam and student are here, and whose id was never used (R1, R35).
        private func restore(
            _ results: [Document.ResultObject], in context: Context
        ) -> (restored: [AttemptID], omitted: [AttemptID]) {
            var restored: [AttemptID] = []
            var omitted: [AttemptID] = []
            for result in results {
                guard let exam = context.importableExam(result.exam, for: result.student),
                    !context.state.attempts.contains(result.attempt)
                else {
                    omitted.append(result.attempt)
                    continue
                }
                context.recordImport(of: FormerAttempt(result), at: exam, by: application)
                restored.append(result.attempt)
            }
            return (restored, omitted)
        }

        private func format() throws(Rejection) -> Document.Format {
            guard let format = document["format"]?.string.flatMap(Document.Format.init),
                document["version"]?.wholeNumber == Int64(Document.version)
            else { throw .formatUnsupported }
            return format
        }

        /// The digest of the document without its digest, if it is the one that it carries.
        private func digest() throws(Rejection) -> String {
            let bare = (document.members ?? []).filter { !$0.name.isExactly("digest") }
            let digest = Document.digest(of: .object(bare))
            guard document["digest"]?.string?.isExactly(digest) == true else {
                throw .digestMismatch
            }
            return digest
        }

        /// The exams in the order of the document; `document-invalid` if a form or content is wrong (R35).
        private func objects(
            _ format: Document.Format, in context: Context
        ) throws(Rejection) -> [Document.ExamObject] {
            let state = context.state
            let objects: [Document.ExamObject]
            let images: [Image.File]
            switch format {
            case .exam:
                let single: Document.Single = try read(document, state.names, in: context)
                objects = [single.exam]
                images = single.images
            case .archive:
                if renamed != nil {
                    throw invalid("\"as\" renames a single exam, not an archive", in: context)
                }
                objects = try read(document["exams"] ?? .null, state.names, in: context)
                images = try read(document["images"] ?? .null, state.names, in: context)
            }
            let listed = Set(images.map(\.hash))
            if Set(objects.map(\.exam)).count < objects.count {
                throw invalid("an exam stands in it twice", in: context)
            }
            if let image = images.first(where: { !$0.isAccepted(in: state) }) {
                throw invalid(
                    "image \(state.names.text(image.hash.symbol)) breaks a rule for images",
                    in: context)
            }
            if let object = objects.first(where: { !$0.isAccepted(in: state) }) {
                throw invalid(
                    "exam \(state.names.text(object.exam.symbol)) breaks a rule for exams",
                    in: context)
            }
            let used = objects.flatMap(\.images).map(\.hash)
            if let hash = used.first(where: { !listed.contains($0) }) {
                throw invalid("image \(state.names.text(hash.symbol)) is not in it", in: context)
            }
            return objects
        }

        /// A part of the document; `document-invalid` with the field that has another form.
        private func read<V: FieldValue>(
            _ json: JSON, _ names: Names, in context: Context
        ) throws(Rejection) -> V {
            var input = JSONInput(names: names, path: "document")
            guard let value = V.read(json, from: &input), input.problem == nil else {
                throw invalid(input.problem ?? "it cannot be read", in: context)
            }
            return value
        }

        private func invalid(_ reason: String, in context: Context) -> Rejection {
            context.refuse(.documentInvalid, .words(english: reason))
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Records the draft that an exam object becomes.
    func recordImport(
        of object: ExamRoom.Document.ExamObject, as renamed: ExamRoom.ExamID? = nil,
        by application: ExamRoom.ImportID? = nil, in migration: ExamRoom.MigrationID? = nil
    ) {
        let exam = renamed ?? object.exam
        record(
            ExamRoom.Exam.Imported(
                exam: exam, application: application, migration: migration,
                details: object.details,
                questions: object.questions.map {
                    .init(question: $0.question, content: $0.content, image: $0.image)
                }),
            on: exam)
    }
}

extension ExamRoom.Document.ExamObject {
    /// Breaks none of the codes for details, questions and images, and no question id is there
    /// twice (R1, R35, R36).
    func isAccepted(in state: ExamRoom.State) -> Bool {
        do throws(ExamRoom.Rejection) {
            try details.check(against: state.policy)
            for question in questions { try question.content.check(against: state.policy) }
        } catch {
            return false
        }
        return images.allSatisfy { $0.isAccepted(in: state) }
            && Set(questions.map(\.question)).count == questions.count
    }
}

extension FieldValue {
    /// Reads the value from JSON; nil when the form is another.
    init?(_ json: JSON, _ names: Names) {
        var input = JSONInput(names: names, path: "data")
        guard let value = Self.read(json, from: &input), input.problem == nil else { return nil }
        self = value
    }
}
