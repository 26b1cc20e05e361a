package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// Who practised the same: one group for each difficulty and set of categories (R47).
    package struct PeerGroup: Record {
        package var students = 0

        package init() {}

        /// A bit for each category, above them the difficulty.
        static func number(_ difficulty: Difficulty, _ categories: [Category]) -> Ordinal {
            let set = Set(categories).reduce(0) { $0 | 1 << $1.catalogueIndex }
            let level = Difficulty.allCases.firstIndex(of: difficulty) ?? 0
            return Ordinal(level << Category.allCases.count | set)
        }
    }

    /// The score of a student's last practice of the group.
    package struct PeerScore: Record {
        package var score = Percent.zero

        package init() {}
    }
}

extension Tafawoq.State {
    /// Takes a completed practice into its group.
    func compare(_ key: Tafawoq.SittingKey, of student: Tafawoq.StudentID, _ score: Percent) {
        guard let row = sittings[key] else { return }
        let group = Tafawoq.PeerGroup.number(row.difficulty, row.chosen)
        if !peerScores.contains(.init(group, student)) {
            let count = peerGroups.update(group) { group -> Int in
                group.students += 1
                return group.students - 1
            }
            peers.append(student, to: group, at: count)
        }
        peerScores.update(.init(group, student)) { $0.score = score }
    }

    /// The scores of the others who practised the same as the owner of the practice (R47).
    package func peers(of row: Tafawoq.SittingRow) -> [Percent] {
        let group = Tafawoq.PeerGroup.number(row.difficulty, row.chosen)
        return peers.elements(of: group, count: peerGroups[group]?.students ?? 0)
            .filter { $0 != row.student && exists($0) }
            .compactMap { peerScores[.init(group, $0)]?.score }
    }
}
