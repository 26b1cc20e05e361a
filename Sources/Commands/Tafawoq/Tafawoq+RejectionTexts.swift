import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq.Rejection {
    /// A code with its message in both languages.
    struct Text {
        let code: String
        let english: String
        let arabic: String

        init(_ code: String, _ english: String, _ arabic: String) {
            self.code = code
            self.english = english
            self.arabic = arabic
        }
    }

    /// The table of error codes (page, Texts).
    static let texts: [Text] = [
        .init(
            "malformed", "The request is not well formed.",
            "الطلب غير صحيح الصياغة."),
        .init(
            "unknown-command", "There is no such command.",
            "هذا الأمر غير معروف."),
        .init(
            "forbidden", "You may not do this.",
            "لا يُسمح لك بهذا الإجراء."),
        .init(
            "not-found", "It does not exist.",
            "العنصر المطلوب غير موجود."),
        .init(
            "already-exists", "It is there already.",
            "العنصر موجود من قبل."),
        .init(
            "id-reused", "This request number was used for something else.",
            "استُخدم رقم الطلب هذا لطلب آخر."),
        .init(
            "clock-behind", "The time given is earlier than what is already recorded.",
            "الوقت المذكور أقدم مما سُجّل سابقًا."),
        .init(
            "clock-ahead", "The time given lies too far ahead.",
            "الوقت المذكور يسبق الوقت الحالي بكثير."),
        .init(
            "too-large", "This is too large to be recorded.",
            "حجم الطلب أكبر من أن يُسجَّل."),
        .init(
            "session-required", "You are signed out. Sign in again.",
            "أنت غير مسجّل الدخول. سجّل الدخول من جديد."),
        .init(
            "email-taken",
            "This e-mail address is registered already. Sign in or reset your password.",
            "هذا البريد مسجّل من قبل. سجّل الدخول أو استعد كلمة المرور."),
        .init(
            "terms-not-accepted", "Please accept the terms of service and the privacy policy.",
            "يرجى الموافقة على شروط الخدمة وسياسة الخصوصية."),
        .init(
            "weak-password", "The password is too weak.",
            "كلمة المرور ضعيفة."),
        .init(
            "already-accepted", "You have accepted this version already.",
            "وافقت على هذه النسخة من قبل."),
        .init(
            "already-verified", "This e-mail address is verified already.",
            "تم التحقق من هذا البريد من قبل."),
        .init(
            "otp-cooldown", "Please wait before asking for another code.",
            "انتظر قليلًا قبل طلب رمز جديد."),
        .init(
            "otp-missing", "Ask for a code first.",
            "اطلب رمز تحقق أولًا."),
        .init(
            "otp-expired", "The code has expired. Ask for a new one.",
            "انتهت صلاحية الرمز. اطلب رمزًا جديدًا."),
        .init(
            "otp-exhausted", "Too many wrong tries. Ask for a new code.",
            "محاولات خاطئة كثيرة. اطلب رمزًا جديدًا."),
        .init(
            "otp-wrong", "The code is wrong.",
            "رمز التحقق غير صحيح."),
        .init(
            "email-unverified", "Please verify your e-mail address first.",
            "يرجى التحقق من بريدك الإلكتروني أولًا."),
        .init(
            "wrong-credentials", "The e-mail address or the password is wrong.",
            "البريد الإلكتروني أو كلمة المرور غير صحيحة."),
        .init(
            "account-locked", "Too many failed sign-ins. Try again later.",
            "محاولات دخول فاشلة كثيرة. حاول لاحقًا."),
        .init(
            "device-required", "The device is missing.",
            "معرّف الجهاز مفقود."),
        .init(
            "session-ended", "This session has ended. Sign in again.",
            "انتهت الجلسة. سجّل الدخول من جديد."),
        .init(
            "profile-incomplete", "Choose your academic track first.",
            "اختر مسارك الدراسي أولًا."),
        .init(
            "already-complete", "The profile is complete already.",
            "الملف الشخصي مكتمل من قبل."),
        .init(
            "same-track", "This is your track already.",
            "هذا هو مسارك الحالي."),
        .init(
            "no-picture", "There is no picture to remove.",
            "لا توجد صورة لإزالتها."),
        .init(
            "already-finished", "The tour was finished before.",
            "أُكملت الجولة التعريفية من قبل."),
        .init(
            "not-enrolled", "This device receives no push messages.",
            "هذا الجهاز غير مسجّل للإشعارات."),
        .init(
            "already-premium", "You have Premium already.",
            "لديك اشتراك مدفوع بالفعل."),
        .init(
            "checkout-settled", "This payment has been settled.",
            "تمت تسوية عملية الدفع هذه."),
        .init(
            "already-confirmed", "This payment was confirmed before.",
            "أُكّدت عملية الدفع هذه من قبل."),
        .init(
            "signature-unverified", "The provider's signature could not be verified.",
            "تعذّر التحقق من توقيع مزوّد الدفع."),
        .init(
            "bad-occurrence", "The provider's event lies in the future.",
            "تاريخ حدث مزوّد الدفع في المستقبل."),
        .init(
            "not-premium", "You have no Premium subscription.",
            "ليس لديك اشتراك مدفوع."),
        .init(
            "already-cancelled", "It was cancelled before.",
            "أُلغي من قبل."),
        .init(
            "exam-in-progress", "Finish or leave your current exam first.",
            "أكمل اختبارك الحالي أو غادره أولًا."),
        .init(
            "weekly-exam-limit",
            "You have used your exams of this week. Upgrade to Premium for unlimited exams.",
            "استنفدت اختباراتك لهذا الأسبوع. اشترك في الخطة المدفوعة لاختبارات بلا حدود."),
        .init(
            "rate-limited", "Too many requests. Wait a moment.",
            "طلبات كثيرة. انتظر لحظة."),
        .init(
            "generation-unavailable",
            "Questions cannot be generated at the moment because of high demand. Try again in {minutes}.",
            "توليد الأسئلة غير متاح مؤقتًا بسبب كثرة الطلب. حاول بعد {minutes}."),
        .init(
            "generation-closed", "This request for questions is closed.",
            "أُغلق طلب توليد الأسئلة هذا."),
        .init(
            "bad-question", "A question is not valid.",
            "أحد الأسئلة غير صالح."),
        .init(
            "wrong-composition", "The questions do not fit what was asked for.",
            "الأسئلة لا تطابق المطلوب."),
        .init(
            "duplicate-questions", "Questions repeat ones seen lately.",
            "توجد أسئلة مكرّرة ظهرت مؤخرًا."),
        .init(
            "exam-not-open", "This exam is not open.",
            "هذا الاختبار غير مفتوح."),
        .init(
            "practice-not-open", "This practice is not open.",
            "جلسة التدريب هذه غير مفتوحة."),
        .init(
            "unknown-question", "This question is not part of it.",
            "هذا السؤال ليس ضمن الاختبار."),
        .init(
            "bad-choice", "There is no such option.",
            "هذا الخيار غير موجود."),
        .init(
            "bad-finish-time", "The finishing time is not possible.",
            "وقت الإنهاء غير ممكن."),
        .init(
            "time-expired", "The time for this exam is up.",
            "انتهى وقت الاختبار."),
        .init(
            "sync-closed", "It is too late to hand in this exam.",
            "فات وقت تسليم هذا الاختبار."),
        .init(
            "exam-superseded", "You have started another exam since.",
            "بدأت اختبارًا آخر بعد هذا الاختبار."),
        .init(
            "not-suspended", "This exam is not waiting to be resumed.",
            "هذا الاختبار ليس موقوفًا لاستئنافه."),
        .init(
            "voiding-off", "Questions cannot be left out.",
            "لا يمكن استبعاد الأسئلة."),
        .init(
            "not-visual", "This question has no diagram.",
            "هذا السؤال بلا رسم."),
        .init(
            "already-voided", "This question was left out before.",
            "استُبعد هذا السؤال من قبل."),
        .init(
            "already-answered", "This question was answered; it stays in the score.",
            "أُجيب عن هذا السؤال، فيبقى محتسبًا."),
        .init(
            "void-limit", "No more than {questions} can be left out.",
            "لا يمكن استبعاد أكثر من {questions}."),
        .init(
            "last-question", "At least one question must be scored.",
            "يجب أن يبقى سؤال واحد على الأقل محتسبًا."),
        .init(
            "practice-in-progress", "Finish or leave your current practice first.",
            "أكمل تدريبك الحالي أو غادره أولًا."),
        .init(
            "bad-categories", "The categories do not fit the section.",
            "التصنيفات لا تناسب القسم المختار."),
        .init(
            "too-few-questions", "Choose at least one question for each category.",
            "اختر سؤالًا واحدًا على الأقل لكل تصنيف."),
        .init(
            "practice-question-limit",
            "Your plan allows at most {questions}. Upgrade to Premium for more.",
            "خطتك لا تسمح بأكثر من {questions}. اشترك في الخطة المدفوعة للمزيد."),
        .init(
            "practice-category-limit",
            "Your plan allows at most {categories}. Upgrade to Premium for more.",
            "خطتك لا تسمح بأكثر من {categories}. اشترك في الخطة المدفوعة للمزيد."),
        .init(
            "already-enabled", "This is switched on already.",
            "هذا الخيار مفعّل من قبل."),
        .init(
            "already-disabled", "This is switched off already.",
            "هذا الخيار معطّل من قبل."),
        .init(
            "already-dispatched", "This notification was sent before.",
            "أُرسل هذا الإشعار من قبل."),
        .init(
            "already-opened", "This notification was read before.",
            "قُرئ هذا الإشعار من قبل."),
        .init(
            "scheduling-off", "Study times are not offered.",
            "جدولة أوقات المذاكرة غير متاحة."),
        .init(
            "premium-only", "This is part of Premium.",
            "هذه الميزة ضمن الخطة المدفوعة."),
        .init(
            "bad-schedule", "The study time must lie in the future.",
            "يجب أن يكون موعد المذاكرة في المستقبل."),
        .init(
            "unknown-policy", "There is no such policy.",
            "لا توجد سياسة بهذا الاسم."),
        .init(
            "policy-value-invalid", "This value is not possible.",
            "هذه القيمة غير ممكنة."),
    ]
}
