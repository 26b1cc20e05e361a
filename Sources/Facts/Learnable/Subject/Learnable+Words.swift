package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// What a subject, its chapters and its topics are called. It comes from what a person typed, so it is
    /// personal, and sealed where rows are stored (R48).
    package struct SubjectWords: Record {
        /// Whose key seals them.
        package var person = InternedText.empty
        /// Of a copy: nil until the student gives it a title of their own.
        package var title: Title?
        package var chapters: [Chapter]?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("person", &person)
            coder.kept("title", &title, of: person.symbol)
            coder.kept("chapters", &chapters, of: person.symbol)
        }
    }

    /// What an offer says of its subject; personal, too (R48).
    package struct OfferWords: Record {
        /// Whose key seals them.
        package var person = InternedText.empty
        package var title: Title?
        package var summary: Body?
        package var chapters: [Chapter]?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("person", &person)
            coder.kept("title", &title, of: person.symbol)
            coder.kept("summary", &summary, of: person.symbol)
            coder.kept("chapters", &chapters, of: person.symbol)
        }
    }

    /// What a copy is called that has no title of its own, once its author's words are gone (R41).
    package static let neutralTitle = Title("Acquired subject")
}

extension Learnable.State {
    /// What a subject is called: by its student; a copy that was given no title by its offer while that can be
    /// read, else neutrally (R41).
    package func title(
        of subject: Learnable.SubjectID, _ row: Learnable.SubjectRow
    ) -> Learnable.Title {
        ownTitle(of: subject) ?? row.offer.flatMap { words(of: $0)?.title }
            ?? Learnable.neutralTitle
    }

    /// The title that the student gave, not that of an offer.
    package func ownTitle(of subject: Learnable.SubjectID) -> Learnable.Title? {
        subjectWords.read(subject) { $0.title } ?? nil
    }

    package func chapters(of subject: Learnable.SubjectID) -> [Learnable.Chapter] {
        (subjectWords.read(subject) { $0.chapters } ?? nil) ?? []
    }

    /// What the topic at an index is called; nil where its title cannot be read.
    package func topicTitle(
        of subject: Learnable.SubjectID, _ row: Learnable.SubjectRow, _ index: Int
    ) -> Learnable.Title? {
        chapters(of: subject).title(of: row.topic(at: index))
    }

    /// Nil once the author has started over or left: then nobody reads what they wrote (R45, R46).
    package func words(of offer: Learnable.OfferID) -> Learnable.OfferWords? {
        guard let row = offers[offer], isCurrent(row.student, row.epoch) else { return nil }
        return offerWords[offer]
    }
}

extension [Learnable.Chapter] {
    /// What the chapter at an index is called, by its number where its title cannot be read.
    package func title(ofChapter index: Int) -> Learnable.Title {
        indices.contains(index) ? self[index].title : Learnable.Title("Chapter \(index + 1)")
    }

    /// What a topic is called; nil where its chapter cannot be read.
    package func title(of topic: Learnable.TopicNumber) -> Learnable.Title? {
        guard indices.contains(topic.chapter - 1),
            self[topic.chapter - 1].topics.indices.contains(topic.number - 1)
        else { return nil }
        return self[topic.chapter - 1].topics[topic.number - 1]
    }
}
