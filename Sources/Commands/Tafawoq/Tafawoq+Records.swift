// Written by Scripts/records.py from the fields that the records declare (ADR 0003).
// swift-format-ignore-file
import Core
import TafawoqEvents

extension Tafawoq.CancelStudy { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("study", &study) } }
extension Tafawoq.ExportReport { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("report", &report) } }
extension Tafawoq.LeavePractice { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("practice", &practice) } }
extension Tafawoq.ReportPerformance { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("of", &of); coder.field("id", &id); coder.field("metrics", &metrics) } }
extension Tafawoq.ReportQuota { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("usedPercent", &usedPercent); coder.field("resetsAt", &resetsAt) } }
extension Tafawoq.StartExam { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("student", &student); coder.field("exam", &exam) } }
extension Tafawoq.VoidQuestion { mutating func fields<C: Coder>(_ coder: inout C) { coder.field("of", &of); coder.field("id", &id); coder.field("question", &question) } }
