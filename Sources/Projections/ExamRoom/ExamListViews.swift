import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Where an exam stands: archived before published before draft (page, `examroom.exam`).
    enum ExamState: String, Choice {
        case draft, published, archived

        init(_ row: borrowing ExamRow) {
            self = row.isArchived ? .archived : row.isPublished ? .published : .draft
        }
    }

    /// Which exams are there? Deleted ones left out, newest first, then by id.
    static let examsView = ReadModel<State>(
        "examroom.exams", "Which exams are there?", arguments: ["page", "state"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let wanted = try request.choice("state", ExamState.self)
        var exams: [(id: ExamID, row: ExamRow)] = []
        state.exams.forEach { id, row in
            if !row.isDeleted, wanted == nil || ExamState(row) == wanted { exams.append((id, row)) }
        }
        exams.sort { left, right in
            left.row.createdAt == right.row.createdAt
                ? state.precedes(left.id, right.id) : left.row.createdAt > right.row.createdAt
        }
        output.object { output in
            output.array("exams", exams[page.range(of: exams.count)]) { output, exam in
                output.object { write(exam.id, exam.row, to: &$0) }
            }
            page.write(total: exams.count, to: &output)
        }
        return true
    }

    private static func write(_ exam: ExamID, _ row: ExamRow, to output: inout JSONOutput) {
        output.object("attempts") { output in
            output.member("completed", row.completed)
            output.member("open", row.open)
        }
        output.member("closesAt", row.details.window.closesAt)
        output.member("createdAt", row.createdAt)
        output.member("durationMinutes", row.details.durationMinutes)
        output.member("exam", exam)
        output.member("maxScore", row.maxScore)
        output.member("opensAt", row.details.window.opensAt)
        output.member("questions", row.questions)
        output.member("resultsPublished", row.areResultsPublished)
        output.member("state", ExamState(row))
        output.member("title", row.details.title)
    }

    /// Which files belong here? Those that a question refers to (R11), by hash.
    static let imagesView = ReadModel<State>(
        "examroom.images", "Which files belong here?", arguments: ["page"],
        basis: .on(Grounds.allExams)
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        var hashes: [ImageHash] = []
        var totalBytes = 0
        state.images.forEach { hash, row in
            guard row.references > 0 else { return }
            hashes.append(hash)
            totalBytes = totalBytes.addingClamping(row.bytes)
        }
        hashes = state.sorted(hashes)
        output.object { output in
            output.array("images", hashes[page.range(of: hashes.count)]) { output, hash in
                let row = state.images[hash] ?? ImageRow()
                output.object { output in
                    output.member("bytes", row.bytes)
                    output.member("format", row.format)
                    output.member("hash", hash)
                    output.member("references", row.references)
                }
            }
            page.write(total: hashes.count, to: &output)
            output.member("totalBytes", totalBytes)
        }
        return true
    }
}
