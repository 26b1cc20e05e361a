import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// An answer to an engagement question.
    package struct Reply: Record {
        package var format = Format.multipleChoice
        package var choice: Int?
        package var correct: Bool?
        package var isAssessed = false

        package init() {}
    }
}

extension Learnable.State {
    static func engagementRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Engagement.Answered.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { row in
                row.replies.append(
                    .with {
                        $0.format = event.format
                        $0.choice = event.verdict.choice
                        $0.correct = event.verdict.correct
                    })
                row.set(event.verdict.answer, at: event.number, in: \.replyTexts)
            }
        }
        routes.on(Learnable.Engagement.Assessed.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { row in
                guard row.replies.indices.contains(event.number - 1) else { return }
                row.replies[event.number - 1].correct = event.correct
                row.replies[event.number - 1].isAssessed = true
                row.set(event.feedback, at: event.number, in: \.feedbacks)
            }
        }
        routes.on(Learnable.Engagement.AnotherRequested.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.isAnotherRequested = true }
        }
        routes.on(Learnable.Engagement.AnotherAsked.self) { state, event, metadata in
            state.change(event.topic, of: event.subject, metadata) { $0.another = event.question }
        }
    }
}

extension Learnable.TopicRow {
    /// Sets what belongs to an engagement question, counted from 1.
    mutating func set<V>(
        _ value: V?, at number: Int, in path: WritableKeyPath<Learnable.TopicRow, [V?]>
    ) {
        guard (1...2).contains(number) else { return }
        while self[keyPath: path].count < number { self[keyPath: path].append(nil) }
        self[keyPath: path][number - 1] = value
    }

    package func replyText(_ number: Int) -> Learnable.AnyString? {
        replyTexts.indices.contains(number - 1) ? replyTexts[number - 1] : nil
    }

    package func feedback(_ number: Int) -> Learnable.Body? {
        feedbacks.indices.contains(number - 1) ? feedbacks[number - 1] : nil
    }
}
