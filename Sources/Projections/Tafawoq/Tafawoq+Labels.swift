import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.Texts {
    typealias Bilingual = Tafawoq.Bilingual

    /// Labels, by the word that they stand for.
    static let labels: [String: Bilingual] = [
        "verbal": Bilingual(
            "Verbal",
            "اللفظي"),
        "quantitative": Bilingual(
            "Quantitative",
            "الكمي"),
        "easy": Bilingual(
            "Easy",
            "سهل"),
        "medium": Bilingual(
            "Medium",
            "متوسط"),
        "hard": Bilingual(
            "Hard",
            "صعب"),
        "free-tier": Bilingual(
            "Free Tier",
            "الخطة المجانية"),
        "free-plan": Bilingual(
            "Free Plan",
            "الخطة المجانية"),
        "premium": Bilingual(
            "Premium",
            "الخطة الشهرية المدفوعة"),
        "scientific": Bilingual(
            "Scientific Track",
            "المسار العلمي"),
        "literary": Bilingual(
            "Literary Track",
            "المسار الأدبي"),
        "excellent": Bilingual(
            "Excellent",
            "ممتاز"),
        "good": Bilingual(
            "Good",
            "جيد"),
        "average": Bilingual(
            "Average",
            "متوسط"),
        "needs-improvement": Bilingual(
            "Needs Improvement",
            "يحتاج إلى تحسين"),
        "basic_operations": Bilingual(
            "Basic Operations",
            "العمليات الأساسية"),
        "geometry": Bilingual(
            "Geometry",
            "قسم الهندسة"),
        "roots_exponents": Bilingual(
            "Roots & Exponents",
            "قسم الأسس والجذور"),
        "analogies": Bilingual(
            "Analogies",
            "التناظر اللفظي"),
        "sentence_completion": Bilingual(
            "Sentence Completion",
            "إكمال الجمل"),
        "contextual_error": Bilingual(
            "Contextual Error",
            "الخطأ السياقي"),
        "odd_word_out": Bilingual(
            "Odd Word Out",
            "المفردة الشاذة"),
        "reading_comprehension": Bilingual(
            "Reading Comprehension",
            "استيعاب المقروء"),
    ]

    /// The label of a tier; what the free one is called, the policy says.
    static func label(of tier: Tafawoq.Tier, _ policy: Tafawoq.Policy) -> Bilingual {
        label(tier == .free ? policy.freeLabel.rawValue : tier.rawValue)
    }

    /// The label of a word; a word without one is its own.
    static func label(_ word: String) -> Bilingual { labels[word] ?? Bilingual(word, word) }
}
