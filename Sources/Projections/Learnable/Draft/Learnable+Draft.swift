import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable {
    /// How far is the draft in the wizard? (R10-R12)
    static let draftView = ReadModel<State>(
        "learnable.draft", "Where does the wizard stand?", key: "draft",
        keys: { $0.draftKeys },
        basis: .on(
            .stream("draft").each("student", Grounds.student), Grounds.policy)
    ) { state, request, output in
        guard let (_, row) = state.draft(request.key) else { return false }
        let policy = state.policy
        output.object { output in
            output.member("addOns", row.addOns)
            if row.hasCurriculum {
                output.object("curriculum") { output in
                    output.member("chapters", row.chapters)
                    output.member(
                        "outdated",
                        row.description != row.proposedDescription
                            || !same(row.preset, row.proposedPreset))
                    output.member("request", row.proposed)
                    output.member("title", row.title)
                }
            } else {
                output.member("curriculum", String?.none)
            }
            output.member("curriculumPending", row.isCurriculumPending)
            output.member("description", row.description)
            output.member("discards", row.discards)
            var missing: [String] = []
            if !row.isDescribed { missing.append("description") }
            if !row.hasCurriculum { missing.append("curriculum") }
            if policy.toneRequired, !row.hasTone { missing.append("tone") }
            output.member("missing", missing)
            output.member("preset", row.preset)
            output.object("presets") { output in
                output.member("curriculum", policy.curriculumPresets)
                output.member("tone", policy.tonePresets)
            }
            writePreview(row, to: &output)
            output.member("state", row.state)
            output.member("subject", row.subject)
            output.member("tone", row.tone)
            output.member("tonePreset", row.tonePreset)
        }
        return true
    }

    /// The latest sample that was delivered (R11).
    private static func writePreview(_ row: DraftRow, to output: inout JSONOutput) {
        guard row.previewed > 0 else {
            output.member("preview", String?.none)
            output.member("previewOutdated", false)
            return
        }
        output.object("preview") { output in
            output.member("blocks", row.previewBlocks)
            output.member("request", row.previewed)
            output.member("topic", row.previewTopic)
            output.member("topicTitle", row.previewTopicTitle)
        }
        output.member(
            "previewOutdated",
            row.tone != row.previewTone || !same(row.tonePreset, row.previewTonePreset))
    }

    private static func same(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.isExactly(right)
    }
}
