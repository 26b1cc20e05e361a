import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
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
