import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// The indices in an epoch's pool whose questions left it (R20).
    struct PoolGaps: Record {
        /// Consecutive indices.
        struct Run: Record {
            var first = 0
            var count = 0

            var end: Int { first + count }
        }

        /// Ascending; no two touch.
        private var runs: [Run] = []

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("runs", &runs)
        }

        mutating func add(_ index: Int) {
            var run = Run.with { ($0.first, $0.count) = (index, 1) }
            var next = runs.insertionIndex { $0.first <= index }
            if next < runs.count, runs[next].first == run.end {
                run.count += runs.remove(at: next).count
            }
            if next > 0, runs[next - 1].end == index {
                next -= 1
                let former = runs.remove(at: next)
                run.first = former.first
                run.count += former.count
            }
            runs.insert(run, at: next)
        }

        /// The indices left in a pool to which `total` questions were added; of these only those in `range`,
        /// counted without the gaps.
        func remaining(_ range: Range<Int>, of total: Int) -> [Range<Int>] {
            var found: [Range<Int>] = []
            var start = 0
            var passed = 0
            for gap in runs + [.with { $0.first = total }] where passed < range.upperBound {
                let low = start + max(range.lowerBound - passed, 0)
                let high = min(start + range.upperBound - passed, gap.first)
                if low < high { found.append(low..<high) }
                passed += gap.first - start
                start = gap.end
            }
            return found
        }
    }
}

extension Learnable.State {
    /// Takes a question out of the pool, since it or its subject is deleted (R20).
    func leavePool(_ question: Learnable.QuestionID) {
        guard let row = questions[question], !row.isDeleted else { return }
        unlist(question)
        questions.updateExisting(question) { $0.isDeleted = true }
        epochs.updateExisting(row.epoch) { $0.inPool -= 1 }
        poolGaps.update(row.epoch) { $0.add(row.number.denseNumber) }
        subjects.updateExisting(row.subject) { $0.inPool = max(0, $0.inPool - 1) }
        topics.updateExisting(.init(row.subject, Ordinal(row.topic))) {
            $0.inPool -= 1
            if row.isMastered { $0.mastered -= 1 }
        }
    }

    /// The epoch's questions in the pool, in order of pooling: all, or only a range of them, in which case
    /// the others are not read.
    package func pool(
        _ epoch: Ordinal, in range: Range<Int>? = nil
    ) -> [Learnable.QuestionID] {
        guard let row = epochs[epoch] else { return [] }
        let gaps = poolGaps[epoch] ?? Learnable.PoolGaps()
        return gaps.remaining(range ?? 0..<row.inPool, of: row.pooled).flatMap {
            pools.elements(of: epoch, in: $0)
        }
    }

    package func isInPool(_ question: Learnable.QuestionID) -> Bool {
        questions.read(question) { !$0.isDeleted } ?? false
    }
}
