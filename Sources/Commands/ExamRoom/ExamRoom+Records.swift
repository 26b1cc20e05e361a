// Written by Scripts/records.py from the fields that the records declare (ADR 0003).
// swift-format-ignore-file
import Core
import ExamRoomEvents

extension ExamRoom.ApproveAccommodation { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("request", &request); coder.optional("kind", &kind); coder.optionalNumber("value", &value) } }
extension ExamRoom.AttachImage { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam); coder.field("question", &question); coder.field("hash", &hash); coder.text("format", &format); coder.number("bytes", &bytes); coder.optionalNumber("originalBytes", &originalBytes) } }
extension ExamRoom.BeginMigration { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("migration", &migration); coder.text("source", &source); coder.field("items", &items) } }
extension ExamRoom.BeginSync { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("device", &device); coder.field("trigger", &trigger) } }
extension ExamRoom.ChangeCredential { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("account", &account); coder.text("digest", &digest); coder.field("credential", &credential) } }
extension ExamRoom.ChoosePreference { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("account", &account); coder.field("changes", &changes) } }
extension ExamRoom.CompleteSync { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("device", &device); coder.field("through", &through) } }
extension ExamRoom.DeleteAccount { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("account", &account); coder.optionalText("reason", &reason) } }
extension ExamRoom.DenyAccommodation { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("request", &request); coder.optionalText("reason", &reason) } }
extension ExamRoom.DuplicateExam { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam); coder.field("copy", &copy); coder.optionalText("title", &title) } }
extension ExamRoom.EndSession { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session) } }
extension ExamRoom.FailItem { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("migration", &migration); coder.field("item", &item); coder.text("reason", &reason) } }
extension ExamRoom.FailSync { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("device", &device); coder.text("reason", &reason) } }
extension ExamRoom.FinishMigration { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("migration", &migration) } }
extension ExamRoom.ImportItem { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("migration", &migration); coder.field("item", &item); coder.field("content", &content) } }
extension ExamRoom.MakeExport { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("export", &export); coder.field("scope", &scope); coder.field("format", &format); coder.optional("exam", &exam); coder.optional("filters", &filters) } }
extension ExamRoom.MergeDevice { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("device", &device); coder.field("batch", &batch); coder.field("seen", &seen); coder.field("commands", &commands) } }
extension ExamRoom.ModifyGrade { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("attempt", &attempt); coder.number("score", &score); coder.text("reason", &reason) } }
extension ExamRoom.ObserveConnection { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("device", &device); coder.field("network", &network) } }
extension ExamRoom.ReplaceCredential { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("account", &account); coder.field("credential", &credential) } }
extension ExamRoom.ResolveConflict { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("conflict", &conflict); coder.text("choice", &choice) } }
extension ExamRoom.ReviseExam { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam); coder.field("changes", &changes) } }
extension ExamRoom.ReviseQuestion { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("exam", &exam); coder.field("question", &question); coder.field("changes", &changes) } }
extension ExamRoom.SkipItem { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("migration", &migration); coder.field("item", &item) } }
extension ExamRoom.StartAttempt { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("attempt", &attempt); coder.field("exam", &exam); coder.field("student", &student) } }
extension ExamRoom.StartSession { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("session", &session); coder.field("account", &account); coder.field("method", &method); coder.optionalText("digest", &digest); coder.optionalText("deviceInfo", &deviceInfo); coder.optionalText("ip", &ip) } }
