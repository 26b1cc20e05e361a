package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Takes the exams of a document in, as drafts (R35, 12.4).
    package struct ApplyImport: Command {
        package static let type = "examroom.import.apply"

        enum OnExisting: String, Choice {
            case refuse, skip
        }

        var application = ImportID.none
        var document: JSON = .null
        /// Another id for a single exam.
        var renamed: ExamID?
        var onExisting: OnExisting?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("import", &application)
            coder.field("document", &document)
            coder.optional("as", &renamed)
            coder.optional("onExisting", &onExisting)
        }

        package func problem(_ names: Names) -> String? {
            document.members == nil ? "expected \"document\" as an object" : nil
        }

        package func who(in room: Room) -> Who { .admin }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            if room.imports.contains(application) { throw .alreadyExists }
            let format = try format()
            let digest = try digest()
            let objects = try objects(format, room)
            try scene.checkStorage()
            // R1: an id that was ever used is not used again.
            let isUsed = { (object: Document.ExamObject) in
                room.exams.contains(renamed ?? object.exam)
            }
            if onExisting != .skip, objects.contains(where: isUsed) { throw .examExists }
            let brought = objects.filter { !isUsed($0) }
            let skipped = objects.filter(isUsed)
            for object in brought {
                scene.recordImport(of: object, as: renamed, by: application)
            }
            var fact = Import.Applied()
            fact.application = application
            fact.format = format
            fact.digest = digest
            fact.exams = brought.map { renamed ?? $0.exam }
            fact.skipped = skipped.map { renamed ?? $0.exam }
            fact.questions = brought.reduce(0) { $0 + $1.questions.count }
            fact.images = Set(brought.flatMap(\.images).map(\.hash)).count
            fact.records = fact.exams.count + fact.questions
            scene.record(fact, on: "examroom/import/\(scene.names.text(application))")
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

        /// The exams in the order of the document, which is right in form and content.
        private func objects(
            _ format: Document.Format, _ room: Room
        ) throws(Rejection) -> [Document.ExamObject] {
            let objects: [Document.ExamObject]
            let images: [Image.File]
            switch format {
            case .exam:
                guard let single = Document.Single(document, room.names) else {
                    throw .documentInvalid
                }
                objects = [single.exam]
                images = single.images
            case .archive:
                // Results are looked at and left: their ids are not for the journal's own names.
                guard renamed == nil, Document.Archive(document, Names()) != nil,
                    let exams = [Document.ExamObject](document["exams"] ?? .null, room.names),
                    let files = [Image.File](document["images"] ?? .null, room.names)
                else { throw .documentInvalid }
                objects = exams
                images = files
            }
            let listed = Set(images.map(\.hash))
            guard Set(objects.map(\.exam)).count == objects.count,
                images.allSatisfy({ $0.isAccepted(in: room) }),
                objects.allSatisfy({ $0.isAccepted(in: room) }),
                objects.flatMap(\.images).allSatisfy({ listed.contains($0.hash) })
            else { throw .documentInvalid }
            return objects
        }
    }
}

extension FieldValue {
    /// The value that the JSON stands for; nil when it has another form.
    init?(_ json: JSON, _ names: Names) {
        var input = JSONInput(names: names, path: "data")
        guard let value = Self.read(json, from: &input), input.problem == nil else { return nil }
        self = value
    }
}

extension ExamRoom.Document.ExamObject {
    /// Breaks none of the codes for details, questions and images, and no question id is there
    /// twice (R35, R36).
    func isAccepted(in room: ExamRoom.Room) -> Bool {
        do throws(ExamRoom.Rejection) {
            try details.check(against: room.policy)
            for question in questions { try question.content.check(against: room.policy) }
        } catch {
            return false
        }
        return images.allSatisfy { $0.isAccepted(in: room) }
            && Set(questions.map(\.question)).count == questions.count  // R1
    }
}

extension ExamRoom.Image.File {
    /// Breaks no code, and its hash is one.
    func isAccepted(in room: ExamRoom.Room) -> Bool {
        do throws(ExamRoom.Rejection) {
            try check(against: room.policy)
        } catch {
            return false
        }
        return room.names.isHash(hash)
    }
}

extension Scene<ExamRoom.Room> {
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
            on: examStream(exam))
    }
}
