import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.Texts {
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
            "Your payment failed. You stay on the {free}.",
            "فشلت عملية الدفع. ما زلت على {free}."),
        "downgraded": Bilingual(
            "You are on the {free} now.",
            "أنت الآن على {free}."),
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
            "Subscription ends in {days}.",
            "ينتهي الاشتراك خلال {days}."),
        "generation-failed": Bilingual(
            "The questions could not be generated. Please try again.",
            "تعذّر توليد الأسئلة. يرجى المحاولة مرة أخرى."),
        "insufficient-resources": Bilingual(
            "There is not enough material for this choice. Choose another difficulty or other categories.",
            "المواد غير كافية لهذا الاختيار. اختر مستوى آخر أو تصنيفات أخرى."),
    ]

    /// The text of a notification or notice; one without a text is its own name.
    static func notice(_ name: String) -> Bilingual { notices[name] ?? Bilingual(name, name) }

    /// What a notification says, filled with its facts.
    static func text(
        of kind: Tafawoq.Notification.Kind, _ facts: JSON, _ policy: Tafawoq.Policy
    ) -> Bilingual {
        var text = notice(kind.rawValue).filling("free", with: label(of: .free, policy))
        for member in facts.members ?? [] {
            guard let value = member.value.string else { continue }
            text = text.filling(
                member.name,
                with: member.name == "milestone" ? milestone(value) : Bilingual(value, value))
        }
        return text
    }
}
