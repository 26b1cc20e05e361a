import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable.State {
    /// The questions asked so far; nothing is given away before the answer (R16).
    func writeEngagement(
        _ forms: [Learnable.Form], _ progress: Learnable.TopicRow, to output: inout JSONOutput
    ) {
        output.array("engagement", forms.enumerated()) { output, form in
            let number = form.offset + 1
            let reply =
                progress.replies.indices.contains(form.offset)
                ? progress.replies[form.offset] : nil
            output.object { output in
                output.member("answer", progress.replyText(number))
                output.member("choice", reply?.choice)
                output.member("correct", reply?.correct)
                output.member("correctChoice", reply == nil ? nil : form.element.correct)
                output.member("explanation", reply == nil ? nil : form.element.explanation)
                output.member("feedback", progress.feedback(number))
                output.member("format", form.element.format)
                output.member("modelAnswer", reply == nil ? nil : form.element.answer)
                output.member("number", number)
                output.member("options", form.element.options)
                output.member("text", form.element.text)
            }
        }
    }

    /// Whether the additional question can be had: the first word that applies (R16).
    func extraQuestion(
        _ row: Learnable.SubjectRow, _ progress: Learnable.TopicRow
    ) -> String {
        if !row.addOns.engagementQuestion || policy.extraQuestions == 0 { return "off" }
        if progress.replies.isEmpty { return "locked" }
        if progress.replies.count > 1 { return "answered" }
        if progress.another != nil { return "asked" }
        return progress.isAnotherRequested ? "requested" : "available"
    }
}

extension Learnable.TopicRow {
    /// The questions asked so far: question 1, then the additional one (R16).
    func asked(_ content: Learnable.TopicContent) -> [Learnable.Form] {
        [content.engagement, another].compactMap(\.self)
    }
}
