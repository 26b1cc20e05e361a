import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// What is the table of contents? (R14)
    static let contentsView = ReadModel<State>(
        "learnable.contents", "What is the table of contents?", key: "subject",
        keys: { $0.subjectKeys },
        basis: .on(.stream("subject").each("student", Grounds.life), Grounds.policy)
    ) { state, request, output in
        guard let (subject, row) = state.subject(request.key) else { return false }
        state.writeContents(subject, row, at: request.now, to: &output)
        return true
    }

    /// What is on the topic's page? (R14, R16)
    static let lectureView = ReadModel<State>(
        "learnable.lecture", "What is on the topic's page?", key: "subject", arguments: ["topic"],
        keys: { $0.subjectKeys }, basis: .on(Grounds.subject, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        let topic = try request.topic()
        guard let (subject, row) = state.subject(request.key) else { return false }
        let index =
            try topic.map { topic throws(WrongArgument) in try row.known(topic) }
            ?? row.current ?? 0
        state.writeLecture(subject, row, index, to: &output)
        return true
    }
}

private let noTopic = WrongArgument("topic", "expected a topic of the subject, such as 2.1")

extension ViewRequest {
    fileprivate func topic() throws(WrongArgument) -> Learnable.TopicNumber? {
        guard let text = arguments["topic"] else { return nil }
        guard let topic = Learnable.TopicNumber(text) else { throw noTopic }
        return topic
    }
}

extension Learnable.SubjectRow {
    fileprivate func known(_ topic: Learnable.TopicNumber) throws(WrongArgument) -> Int {
        guard let index = index(of: topic) else { throw noTopic }
        return index
    }
}

extension Learnable.State {

    func writeContents(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, at now: Instant,
        to output: inout JSONOutput
    ) {
        let today = day(of: row.student, at: now)
        var dueByTopic: [Int: Int] = [:]
        for question in due(row.epoch, on: today) {
            guard
                let topic = questions.read(question, { $0.subject == subject ? $0.topic : nil })
                    ?? nil
            else { continue }
            dueByTopic[topic, default: 0] += 1
        }
        let first = firstOpenTopic(subject, row)
        let current = row.current ?? 0
        output.object { output in
            var index = 0
            let chapters = chapters(of: subject)
            output.array("chapters", row.chapterTopics.enumerated()) { output, chapter in
                output.object { output in
                    output.member("number", chapter.offset + 1)
                    output.member("title", chapters.title(ofChapter: chapter.offset))
                    output.array("topics", 0..<chapter.element) { output, _ in
                        let topic = row.topic(at: index)
                        output.object { output in
                            output.member("current", index == current)
                            output.member("quizDue", dueByTopic[index] ?? 0)
                            output.member("state", topicState(subject, index, first: first))
                            output.member("title", chapters.title(of: topic))
                            output.member("topic", topic)
                        }
                        index += 1
                    }
                }
            }
            output.member("current", row.topic(at: current))
            output.member("message", "Topic not yet unlocked")
            output.member("progress", row.progress)
            output.member("subject", subject)
            output.member("title", title(of: subject, row))
        }
    }

    /// Whether a topic is completed, unlocked or still locked (R14).
    private func topicState(
        _ subject: Learnable.SubjectID, _ index: Int, first: Int?
    ) -> String {
        isCompleted(subject, index) ? "completed" : index == first ? "unlocked" : "locked"
    }

    /// What a topic shows; of a locked one no content.
    func page(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, _ index: Int
    ) -> (state: String, content: Learnable.TopicContent, progress: Learnable.TopicRow) {
        let state = topicState(subject, index, first: firstOpenTopic(subject, row))
        let content = state == "locked" ? .init() : content(of: row, index)
        return (state, content, topic(subject, index))
    }

    func writeLecture(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, _ index: Int,
        to output: inout JSONOutput
    ) {
        let page = page(subject, row, index)
        let (content, progress) = (page.content, page.progress)
        let isLocked = page.state == "locked"
        output.object { output in
            output.member("blocks", content.blocks)
            output.member("bookmark", isLocked ? nil : progress.bookmark ?? 0)
            let isAnswered = !row.addOns.engagementQuestion || !progress.replies.isEmpty
            output.member(
                "canProceed",
                row.state == .ready && row.current == index && !progress.isCompleted && isAnswered)
            writeEngagement(progress.asked(content), progress, to: &output)
            output.member("extraQuestion", extraQuestion(row, progress))
            output.member("project", content.project)
            output.member("state", page.state)
            output.member("subject", subject)
            output.member("title", topicTitle(of: subject, row, index))
            output.member("topic", row.topic(at: index))
            output.member("voice", content.voice)
        }
    }
}
