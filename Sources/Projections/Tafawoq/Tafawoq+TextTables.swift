import Core
import Projections
import TafawoqEvents

extension Tafawoq {
    /// A text in both languages.
    struct Bilingual {
        let english: String
        let arabic: String

        init(_ english: String, _ arabic: String) {
            self.english = english
            self.arabic = arabic
        }

        /// With `{name}` filled.
        func filling(_ name: String, with value: Bilingual) -> Bilingual {
            Bilingual(
                english.replacing("{\(name)}", with: value.english),
                arabic.replacing("{\(name)}", with: value.arabic))
        }

        func filling(_ name: String, with value: String) -> Bilingual {
            filling(name, with: Bilingual(value, value))
        }
    }

    /// The tables of the page's Texts.
    enum Texts {}
}

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
        "free": Bilingual(
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

    /// What notifications and notices say, by name.
    static let notices: [String: Bilingual] = [
        "session-replaced": Bilingual(
            "You were signed out because of a new sign-in on this device.",
            "تم تسجيل خروجك بسبب دخول جديد من هذا الجهاز."),
        "premium-unlocked": Bilingual(
            "Premium is active until {until}.",
            "تم تفعيل الخطة المدفوعة حتى {until}."),
        "payment-failed": Bilingual(
            "Your renewal payment failed. Update your payment by {accessUntil} to keep Premium.",
            "فشلت عملية تجديد الاشتراك. حدّث بيانات الدفع قبل {accessUntil} للاحتفاظ بالخطة المدفوعة."
        ),
        "checkout-failed": Bilingual(
            "Your payment failed. You stay on the Free Plan.",
            "فشلت عملية الدفع. ما زلت على الخطة المجانية."),
        "downgraded": Bilingual(
            "You are on the Free Plan now.",
            "أنت الآن على الخطة المجانية."),
        "exam-reminder": Bilingual(
            "Time for this week's exam.",
            "حان وقت اختبار هذا الأسبوع."),
        "study-reminder": Bilingual(
            "Your study time begins at {startsAt}.",
            "يبدأ وقت مذاكرتك في {startsAt}."),
        "milestone": Bilingual(
            "Well done! You reached {milestone}.",
            "أحسنت! حققت إنجازًا جديدًا: {milestone}."),
        "engagement": Bilingual(
            "We miss you. Continue your preparation today.",
            "اشتقنا إليك. واصل استعدادك اليوم."),
        "dashboard-empty": Bilingual(
            "Take your first exam to see your progress here.",
            "خض اختبارك الأول لترى تقدّمك هنا."),
        "weekly-exam-used": Bilingual(
            "You've completed your free weekly exam! Upgrade to Premium for unlimited exams, detailed explanations and advanced analytics.",
            "أكملت اختبارك الأسبوعي المجاني! اشترك في الخطة المدفوعة لاختبارات بلا حدود وشروح مفصّلة وتحليلات متقدمة."
        ),
        "activation-delayed": Bilingual(
            "Payment received, subscription activation in progress. Please refresh in a few minutes.",
            "تم استلام الدفع وجارٍ تفعيل الاشتراك. يرجى التحديث بعد دقائق."),
        "diagram-unavailable": Bilingual(
            "Diagram unavailable – question presented in text format.",
            "الرسم غير متاح – عُرض السؤال نصيًا."),
        "trial-ends": Bilingual(
            "Subscription ends in {days} days.",
            "ينتهي الاشتراك خلال {days} أيام."),
        "generation-failed": Bilingual(
            "The questions could not be generated. Please try again.",
            "تعذّر توليد الأسئلة. يرجى المحاولة مرة أخرى."),
        "insufficient-resources": Bilingual(
            "There is not enough material for this choice. Choose another difficulty or other categories.",
            "المواد غير كافية لهذا الاختيار. اختر مستوى آخر أو تصنيفات أخرى."),
    ]

    /// What advice says, by code.
    static let advice: [String: Bilingual] = [
        "focus-section": Bilingual(
            "Give the {section} section the most of your time.",
            "امنح القسم {section} معظم وقتك."),
        "practise-category": Bilingual(
            "Practise {category} for {minutes} minutes a week.",
            "تدرّب على {category} لمدة {minutes} دقيقة أسبوعيًا."),
        "practise-category-again": Bilingual(
            "Practise {category} again.",
            "أعد التدرّب على {category}."),
        "answer-all": Bilingual(
            "Answer every question: {count} were left open.",
            "أجب عن كل الأسئلة: تركت {count} دون إجابة."),
        "work-faster": Bilingual(
            "Work a little faster than you do now.",
            "حاول أن تجيب بوتيرة أسرع قليلًا."),
        "keep-going": Bilingual(
            "Keep going like this.",
            "واصل على هذا المستوى."),
        "raise-difficulty": Bilingual(
            "Try the level {difficulty}.",
            "جرّب المستوى: {difficulty}."),
        "lower-difficulty": Bilingual(
            "Build the basics at the level {difficulty}.",
            "عزّز الأساسيات في المستوى: {difficulty}."),
        "keep-difficulty": Bilingual(
            "Stay at the level {difficulty}.",
            "استمر في المستوى: {difficulty}."),
        "try-full-exam": Bilingual(
            "Take a full exam.",
            "خض اختبارًا كاملًا."),
        "review-basics": Bilingual(
            "Go back over the basics.",
            "راجع الأساسيات."),
        "related-section": Bilingual(
            "The full exam tests this in its {section} section.",
            "يقيس الاختبار الكامل هذا في القسم {section}."),
    ]
}
