/// The languages that the console speaks.
package enum PageLanguage: String, Sendable {
    case english = "en"
    case arabic = "ar"

    var isRightToLeft: Bool { self == .arabic }
}

/// Something that the console says, in each of its languages.
struct Phrase: Sendable {
    let english: String
    let arabic: String

    init(_ english: String, _ arabic: String) {
        self.english = english
        self.arabic = arabic
    }

    func `in`(_ language: PageLanguage) -> String { language == .arabic ? arabic : english }
}

/// What is said at several places has one name.
extension Phrase {
    static let overview = Phrase("Overview", "نظرة عامة")
    static let events = Phrase("Events", "الأحداث")
    static let event = Phrase("Event", "حدث")
    static let people = Phrase("People", "الأشخاص")
    static let models = Phrase("Read models", "نماذج القراءة")
    static let audit = Phrase("Audit", "التدقيق")
    static let operations = Phrase("Operations", "التشغيل")
    static let products = Phrase("Products", "المنتجات")
    static let product = Phrase("Product", "المنتج")
    static let position = Phrase("Position", "الموضع")
    static let when = Phrase("When", "الوقت")
    static let recorded = Phrase("Recorded", "سُجّل")
    static let who = Phrase("Who", "من")
    static let what = Phrase("What", "ماذا")
    static let type = Phrase("Type", "النوع")
    static let stream = Phrase("Stream", "المجرى")
    static let command = Phrase("Command", "الأمر")
    static let device = Phrase("Device", "الجهاز")
    static let tags = Phrase("Tags", "الوسوم")
    static let older = Phrase("Older", "الأقدم")
    static let newer = Phrase("Newer", "الأحدث")
    static let next = Phrase("Next", "التالي")
    static let previous = Phrase("Previous", "السابق")
    static let present = Phrase("Present", "الحاضر")
    static let show = Phrase("Show", "عرض")
    static let student = Phrase("Student", "الطالب")
    static let students = Phrase("Students", "الطلاب")
    static let name = Phrase("Name", "الاسم")
    static let key = Phrase("Key", "المفتاح")
    static let exam = Phrase("Exam", "الاختبار")
    static let results = Phrase("Results", "النتائج")
    static let count = Phrase("Count", "العدد")
    static let state = Phrase("State", "الحالة")
    static let week = Phrase("Week", "الأسبوع")
    static let day = Phrase("Day", "اليوم")
    static let percent = Phrase("Percent", "النسبة المئوية")
    static let average = Phrase("Average", "المتوسط")
    static let score = Phrase("Score", "الدرجة")
    static let due = Phrase("Due", "يستحق")
    static let timers = Phrase("Timers", "المؤقتات")
    static let jobs = Phrase("Jobs", "المهام")
    static let subscriptions = Phrase("Subscriptions", "الاشتراكات")
    static let checkpoint = Phrase("Checkpoint", "نقطة تحقق")
    static let checkpoints = Phrase("Checkpoints", "نقاط التحقق")
    static let whatIf = Phrase("What if", "ماذا لو")
    static let signIn = Phrase("Sign in", "تسجيل الدخول")
    static let signOut = Phrase("Sign out", "تسجيل الخروج")
    static let nothing = Phrase("Nothing here.", "لا شيء هنا.")
    static let none = Phrase("none", "لا شيء")
    static let yes = Phrase("yes", "نعم")
    static let no = Phrase("no", "لا")
    static let notYours = Phrase("Not for your role.", "ليس من صلاحياتك.")
}

/// Words that documents say of things, as people read them.
enum StateWord {
    private static let arabic = [
        "draft": "مسودة", "published": "منشور", "archived": "مؤرشف", "open": "مفتوح",
        "closed": "مغلق", "completed": "مكتمل", "submitted": "مُسلَّم", "pending": "قيد النظر",
        "approved": "مقبول", "granted": "ممنوح", "denied": "مرفوض", "rejected": "مرفوض",
        "withdrawn": "مسحوب", "expired": "منتهٍ", "abandoned": "متروك", "active": "نشط",
        "inactive": "غير نشط", "blocked": "محظور", "queued": "في الصف", "running": "تعمل",
        "done": "تمّت", "failed": "فشلت", "cancelled": "أُلغيت", "parked": "مُنحّى",
        "retrying": "يُعاد", "in-progress": "جارٍ", "verify": "تحقق", "rebuild": "إعادة بناء",
        "backup": "نسخة احتياطية",
    ]

    /// Nil where it is shown as it is.
    static func inArabic(_ word: String) -> String? { arabic[word] }
}
