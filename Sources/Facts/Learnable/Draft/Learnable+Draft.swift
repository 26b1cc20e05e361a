package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// What the creation wizard knows of a draft.
    package struct DraftRow: Record {
        package enum State: String, Choice {
            case open, submitted, discarded
        }

        package var student = StudentID.none
        package var epoch = Ordinal(0)
        /// Whose key seals what is personal.
        package var person = InternedText.empty
        /// `learnable/draft/DRAFT`.
        package var stream = InternedText.empty
        package var state = State.open
        package var changedAt = Instant.epoch
        /// When the expiry timer is due; nil when it is off.
        package var discards: Instant?
        package var subject: SubjectID?
        package var description: Body?
        /// Stays true when the description can no longer be read.
        package var isDescribed = false
        package var preset: String?
        package var addOns = AddOns()
        // Curriculum (R10)
        package var requests = 0
        /// The request whose proposal is the draft's curriculum; 0 for none.
        package var proposed = 0
        package var title: Title?
        package var chapters: [Chapter]?
        /// What the latest request was made from.
        package var requestedDescription: Body?
        package var requestedPreset: String?
        /// What the draft's curriculum was made from.
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
        package var requestedTopic = TopicNumber.empty
        package var requestedTopicTitle: Title?
        package var previewTone: Body?
        package var previewTonePreset: String?
        package var previewTopic = TopicNumber.empty
        package var previewTopicTitle: Title?
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
            coder.kept("title", &title, of: person.symbol)
            coder.kept("chapters", &chapters, of: person.symbol)
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
            coder.kept("requestedTopicTitle", &requestedTopicTitle, of: person.symbol)
            coder.kept("previewTone", &previewTone, of: person.symbol)
            coder.field("previewTonePreset", &previewTonePreset)
            coder.field("previewTopic", &previewTopic)
            coder.kept("previewTopicTitle", &previewTopicTitle, of: person.symbol)
            coder.field("previewBlocks", &previewBlocks)
        }

        package var hasCurriculum: Bool { proposed > 0 }
        /// Whether the latest request has no proposal yet (R10).
        package var isCurriculumPending: Bool { requests > proposed }
        package var hasTone: Bool { tone != nil || tonePreset != nil }
    }
}

extension Learnable {
    /// The timer that discards a draft (page, Timers).
    package enum DraftTimer {
        package static let name = "draft-expiry"
    }
}

extension Learnable.State {
    static func draftRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Draft.Started.self) { $0.started($1, $2) }
        routes.on(Learnable.Draft.Described.self) { state, event, metadata in
            state.change(event.draft, metadata) {
                $0.description = event.description
                $0.isDescribed = true
                $0.preset = event.preset
            }
        }
        routes.on(Learnable.Draft.Submitted.self) { state, event, metadata in
            state.close(event.draft, .submitted, metadata)
            state.drafts.updateExisting(event.draft) { $0.subject = event.subject }
        }
        routes.on(Learnable.Draft.Discarded.self) { state, event, metadata in
            state.close(event.draft, .discarded, metadata)
        }
    }

    private func started(_ event: Learnable.Draft.Started, _ metadata: EventMetadata) {
        guard let epoch = students.read(event.student, { $0.epoch }) else { return }
        drafts.update(event.draft) {
            $0.student = event.student
            $0.epoch = epoch
            $0.person = InternedText(metadata.subject)
            $0.stream = InternedText(metadata.stream)
            $0.addOns = event.addOns
        }
        change(event.draft, metadata) { _ in }
    }

    /// Changes an open draft, which makes it the one last changed and puts off its expiry by the policy
    /// value in force at this event (page, Timers).
    func change(
        _ draft: Learnable.DraftID, _ metadata: EventMetadata,
        _ body: (inout Learnable.DraftRow) -> Void
    ) {
        guard let row = drafts[draft], row.state == .open else { return }
        let days = policy.draftDays
        let expiry = days == 0 ? nil : metadata.at + days
        drafts.updateExisting(draft) {
            body(&$0)
            $0.changedAt = metadata.at
            $0.discards = expiry
        }
        epochs.updateExisting(row.epoch) { epoch in
            epoch.drafts.removeAll { $0 == draft }
            epoch.drafts.append(draft)
        }
        if let expiry {
            timers.set(
                [.init(Learnable.DraftTimer.name, due: expiry, cause: metadata.position)],
                on: metadata.stream)
        } else {
            timers.cancelAll(on: metadata.stream)
        }
    }

    private func close(
        _ draft: Learnable.DraftID, _ state: Learnable.DraftRow.State, _ metadata: EventMetadata
    ) {
        guard let row = drafts[draft] else { return }
        drafts.updateExisting(draft) {
            $0.state = state
            $0.discards = nil
            $0.changedAt = metadata.at
        }
        epochs.updateExisting(row.epoch) { epoch in epoch.drafts.removeAll { $0 == draft } }
        timers.cancelAll(on: metadata.stream)
    }

    /// Drafts of an epoch that ended do not expire.
    func cancelExpiry(of draft: Learnable.DraftID) {
        if let stream = drafts.read(draft, { $0.stream.symbol }) { timers.cancelAll(on: stream) }
    }
}
