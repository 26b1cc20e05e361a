import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

extension Learnable.State {
    /// The promotions that the notification bar shows, by beginning, then id (R39).
    func promotions(_ access: Learnable.Access, at now: Instant) -> [BarEntry] {
        var found: [(id: String, row: Learnable.PromotionRow)] = []
        promotions.forEach { id, row in
            guard !row.isWithdrawn, row.from <= now, now < row.until,
                row.audience == .all || access != .subscribed
            else { return }
            found.append((names.text(id), row))
        }
        found.sort { left, right in
            left.row.from != right.row.from
                ? left.row.from < right.row.from : left.id.precedes(right.id)
        }
        return found.map {
            BarEntry(kind: "promotion", target: $0.row.target.text, text: $0.row.message.text)
        }
    }
}
