import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// The table of contents.
    static let contentsView = ReadModel<State>(
        "learnable.contents", "What is the table of contents?", key: "subject",
        keys: { $0.subjectKeys },
        basis: .on(.stream("subject").each("student", Grounds.life), Grounds.policy)
    ) { state, request, output in
        guard let (subject, row) = state.subject(request.key) else { return false }
        state.writeContents(subject, row, at: request.now, to: &output)
        return true
    }

    /// What is on the topic's page?
    static let lectureView = ReadModel<State>(
        "learnable.lecture", "What is on the topic's page?", key: "subject", arguments: ["topic"],
        keys: { $0.subjectKeys }, basis: .on(Grounds.subject, Grounds.policy)
    ) { state, request, output throws(WrongArgument) in
        guard let (subject, row) = state.subject(request.key) else { return false }
        let index = try request.topic(of: row) ?? row.current ?? 0
        state.writeLecture(subject, row, index, to: &output)
        return true
    }

    /// The conversation about the current topic.
    static let chatView = ReadModel<State>(
        "learnable.chat", "What was said about the current topic?", key: "subject",
        keys: { $0.subjectKeys }, basis: .on(Grounds.subject)
    ) { state, request, output in
        guard let (subject, row) = state.subject(request.key) else { return false }
        let index = row.current ?? 0
        output.object { output in
            state.writeMessages(of: state.topic(subject, index).said, to: &output)
            output.member("topic", row.place(of: index))
        }
        return true
    }
}

extension ViewRequest {
    fileprivate func topic(of row: Learnable.SubjectRow) throws(WrongArgument) -> Int? {
        guard let text = arguments["topic"] else { return nil }
        guard let place = Learnable.TopicPlace(text), let index = row.index(of: place) else {
            throw WrongArgument("topic", "expected a topic of the subject, such as 2.1")
        }
        return index
    }
}

extension Learnable.TopicRow {
    /// The messages that are not erased, each with its blocks.
    var said: [(entry: Learnable.ChatEntry, blocks: Learnable.Blocks?)] {
        chat.enumerated().map { place, entry in
            (entry, chatBlocks.indices.contains(place) ? chatBlocks[place] : nil)
        }
    }
}

extension Learnable.State {
    func writeMessages(
        of said: [(entry: Learnable.ChatEntry, blocks: Learnable.Blocks?)],
        to output: inout JSONOutput
    ) {
        output.array("messages", said) { output, said in
            output.object { output in
                output.member("at", said.entry.at)
                output.member("blocks", said.blocks)
                output.member("from", said.entry.from)
                output.member("message", said.entry.message)
            }
        }
    }

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
            output.array("chapters", row.chapters.enumerated()) { output, chapter in
                output.object { output in
                    output.member("number", chapter.offset + 1)
                    output.member("title", chapter.element.title)
                    output.array("topics", chapter.element.topics) { output, title in
                        output.object { output in
                            output.member("current", index == current)
                            output.member("quizDue", dueByTopic[index] ?? 0)
                            output.member("state", topicState(subject, index, first: first))
                            output.member("title", title)
                            output.member("topic", row.place(of: index))
                        }
                        index += 1
                    }
                }
            }
            output.member("current", row.place(of: current))
            output.member("message", "Topic not yet unlocked")
            output.member("progress", row.progress)
            output.member("subject", subject)
            output.member("title", row.title)
        }
    }

    /// R14.
    private func topicState(
        _ subject: Learnable.SubjectID, _ index: Int, first: Int?
    ) -> String {
        isCompleted(subject, index) ? "completed" : index == first ? "unlocked" : "locked"
    }

    /// What a topic shows: of a locked one nothing.
    func page(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, _ index: Int
    ) -> (state: String, content: Learnable.TopicContent, standing: Learnable.TopicRow) {
        let state = topicState(subject, index, first: firstOpenTopic(subject, row))
        let content = state == "locked" ? .init() : content(of: row, index)
        return (state, content, topic(subject, index))
    }

    func writeLecture(
        _ subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, _ index: Int,
        to output: inout JSONOutput
    ) {
        let page = page(subject, row, index)
        let (content, standing) = (page.content, page.standing)
        let isLocked = page.state == "locked"
        output.object { output in
            output.member("blocks", content.blocks)
            output.member("bookmark", isLocked ? nil : standing.bookmark ?? 0)
            let isAnswered = !row.addOns.engagementQuestion || !standing.replies.isEmpty
            output.member(
                "canProceed",
                row.state == .ready && row.current == index && !standing.isCompleted && isAnswered)
            writeEngagement(standing.asked(content), standing, to: &output)
            output.member("extraQuestion", extraQuestion(row, standing))
            output.member("project", content.project)
            output.member("state", page.state)
            output.member("subject", subject)
            output.member("title", row.topicTitle(of: index))
            output.member("topic", row.place(of: index))
            output.member("voice", content.voice)
        }
    }

    /// The questions asked so far; before the answer nothing is given away.
    func writeEngagement(
        _ forms: [Learnable.Form], _ standing: Learnable.TopicRow, to output: inout JSONOutput
    ) {
        output.array("engagement", forms.enumerated()) { output, form in
            let number = form.offset + 1
            let reply =
                standing.replies.indices.contains(form.offset)
                ? standing.replies[form.offset] : nil
            output.object { output in
                output.member("answer", standing.replyText(number))
                output.member("choice", reply?.choice)
                output.member("correct", reply?.correct)
                output.member("correctChoice", reply == nil ? nil : form.element.correct)
                output.member("explanation", reply == nil ? nil : form.element.explanation)
                output.member("feedback", standing.feedback(number))
                output.member("format", form.element.format)
                output.member("modelAnswer", reply == nil ? nil : form.element.answer)
                output.member("number", number)
                output.member("options", form.element.options)
                output.member("text", form.element.text)
            }
        }
    }

    /// R16: the first that applies.
    private func extraQuestion(
        _ row: Learnable.SubjectRow, _ standing: Learnable.TopicRow
    ) -> String {
        if !row.addOns.engagementQuestion || policy.extraQuestions == 0 { return "off" }
        if standing.replies.isEmpty { return "locked" }
        if standing.replies.count > 1 { return "answered" }
        if standing.another != nil { return "asked" }
        return standing.isAnotherRequested ? "requested" : "available"
    }
}

extension Learnable.TopicRow {
    /// R16: question 1, then the additional one.
    func asked(_ content: Learnable.TopicContent) -> [Learnable.Form] {
        [content.engagement, another].compactMap(\.self)
    }
}
