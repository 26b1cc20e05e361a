package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// The creation wizard's draft.
    package struct DraftRow: Record {
        package enum State: String, Choice {
            case open, submitted, discarded
        }

        package var student = StudentID.none
        package var epoch = Ordinal(0)
        /// Whose key seals what is personal.
        package var person = Word.empty
        /// `learnable/draft/DRAFT`.
        package var stream = Word.empty
        package var state = State.open
        package var changedAt = Instant.epoch
        /// When the expiry timer is due; nil when it is off.
        package var discards: Instant?
        package var subject: SubjectID?
        package var description: Body?
        /// Stays so when the description can no longer be read.
        package var isDescribed = false
        package var preset: String?
        package var addOns = AddOns()
        // Curriculum (R10)
        package var requests = 0
        /// The request whose proposal is the draft's curriculum; 0 for none.
        package var proposed = 0
        package var title = Title.empty
        package var chapters: [Chapter] = []
        /// What the latest request was made of.
        package var requestedDescription: Body?
        package var requestedPreset: String?
        /// What the curriculum at hand was made of.
        package var proposedDescription: Body?
        package var proposedPreset: String?
        // Tone (R11)
        package var tone: Body?
        package var tonePreset: String?
        package var previewRequests = 0
        /// The request that the latest sample answers; 0 for none.
        package var previewed = 0
        package var requestedTone: Body?
        package var requestedTonePreset: String?
        package var requestedTopic = TopicPlace.empty
        package var requestedTopicTitle = Title.empty
        package var previewTone: Body?
        package var previewTonePreset: String?
        package var previewTopic = TopicPlace.empty
        package var previewTopicTitle = Title.empty
        package var previewBlocks = Blocks.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("epoch", &epoch)
            coder.field("person", &person)
            coder.field("stream", &stream)
            coder.field("state", &state)
            coder.field("changedAt", &changedAt)
            coder.field("discards", &discards)
            coder.field("subject", &subject)
            coder.kept("description", &description, of: person.symbol)
            coder.field("isDescribed", &isDescribed)
            coder.field("preset", &preset)
            coder.field("addOns", &addOns)
            coder.field("requests", &requests)
            coder.field("proposed", &proposed)
            coder.field("title", &title)
            coder.field("chapters", &chapters)
            coder.kept("requestedDescription", &requestedDescription, of: person.symbol)
            coder.field("requestedPreset", &requestedPreset)
            coder.kept("proposedDescription", &proposedDescription, of: person.symbol)
            coder.field("proposedPreset", &proposedPreset)
            coder.kept("tone", &tone, of: person.symbol)
            coder.field("tonePreset", &tonePreset)
            coder.field("previewRequests", &previewRequests)
            coder.field("previewed", &previewed)
            coder.kept("requestedTone", &requestedTone, of: person.symbol)
            coder.field("requestedTonePreset", &requestedTonePreset)
            coder.field("requestedTopic", &requestedTopic)
            coder.field("requestedTopicTitle", &requestedTopicTitle)
            coder.kept("previewTone", &previewTone, of: person.symbol)
            coder.field("previewTonePreset", &previewTonePreset)
            coder.field("previewTopic", &previewTopic)
            coder.field("previewTopicTitle", &previewTopicTitle)
            coder.field("previewBlocks", &previewBlocks)
        }

        package var hasCurriculum: Bool { proposed > 0 }
        /// R10: the latest request has no proposal.
        package var isCurriculumPending: Bool { requests > proposed }
        package var hasTone: Bool { tone != nil || tonePreset != nil }
    }
}
