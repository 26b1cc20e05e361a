import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

/// The rows of an export of results or of the audit trail, before they become CSV or a page (R34).
struct ExportTable {
    var title = ""
    let columns: [String]
    private(set) var rows: [[String?]] = []

    init(_ columns: [String]) {
        self.columns = columns
    }

    mutating func add(_ row: [String?]) {
        rows.append(row)
    }

    /// Earlier tables did not guard against spreadsheet formulas, and their digests are recorded.
    func document(
        _ format: ExamRoom.Export.Format, isForSpreadsheets: Bool
    ) -> ExportDocument {
        let text =
            format == .html ? page : csv(isForSpreadsheets: isForSpreadsheets)
        return ExportDocument(records: rows.count, text: text)
    }

    private func csv(isForSpreadsheets: Bool) -> [UInt8] {
        var csv = CSVWriter()
        csv.line(columns)
        for row in rows {
            csv.line(
                isForSpreadsheets ? row.map { $0.map(SpreadsheetTable.harmless) } : row)
        }
        return (isForSpreadsheets ? [0xEF, 0xBB, 0xBF] : []) + csv.bytes
    }

    /// A page that can be printed; right-to-left where the title is.
    private var page: [UInt8] {
        var html = HTMLWriter()
        html.literal("<!DOCTYPE html>\n")
        html.element("html", [("dir", isRightToLeft ? "rtl" : "ltr")]) { html in
            html.literal("<head><meta charset=\"utf-8\">")
            html.element("title", [], title)
            html.literal("<style>body{font-family:sans-serif}table{border-collapse:collapse}")
            html.literal("th,td{border:1px solid #999;padding:2px 6px;text-align:start}")
            html.literal("thead{display:table-header-group}tr{break-inside:avoid}</style></head>")
            html.element("body") { html in
                html.element("h1") { $0.recorded(title) }
                html.element("table") { html in
                    html.element("thead") { html in
                        html.element("tr") { html in
                            for column in columns { html.element("th", [], column) }
                        }
                    }
                    html.element("tbody") { html in
                        for row in rows {
                            html.element("tr") { html in
                                for field in row {
                                    html.element("td", [("dir", "auto")], field ?? "")
                                }
                            }
                        }
                    }
                }
            }
        }
        html.newline()
        return html.bytes
    }

    /// By the first letter that has a direction: Hebrew, Arabic and the scripts between and beside them.
    private var isRightToLeft: Bool {
        let first = title.unicodeScalars.first { $0.properties.isAlphabetic }
        return first.map {
            0x0590...0x08FF ~= $0.value || 0xFB1D...0xFDFF ~= $0.value
                || 0xFE70...0xFEFF ~= $0.value || 0x10800...0x10FFF ~= $0.value
                || 0x1E800...0x1EFFF ~= $0.value
        } ?? false
    }
}

extension ExportDocument {
    static func results(_ exam: ExamRoom.ExamID, _ state: ExamRoom.State) -> ExportTable {
        var table = ExportTable([
            "attempt", "student", "name", "number", "startedAt", "closedAt", "how", "score",
            "maxScore", "percent", "passed", "extended",
        ])
        table.title = state.exams.read(exam) { $0.details.title } ?? ""
        let names = state.names
        let completed = state.countingAttempts(at: exam).filter {
            state.attempts.read($0) { $0.course != .open } ?? false
        }
        for attempt in completed {
            let line = ResultLine(attempt, state)
            let row = line.row
            table.add([
                state.text(attempt), state.text(row.student), line.name,
                line.number.csvField(names), row.startedAt.csvField(names),
                row.closing?.closedAt.csvField(names), row.closing?.how.rawValue,
                row.score.csvField(names), row.maxScore.csvField(names),
                row.percent.csvField(names), row.isPassed.csvField(names),
                (row.extra != nil).csvField(names),
            ])
        }
        return table
    }

    static func audit(
        _ filters: ExamRoom.Export.Filters, hasOccasionalEntries: Bool, _ state: ExamRoom.State,
        _ history: any History
    ) -> ExportTable {
        var table = ExportTable([
            "entry", "at", "user", "role", "action", "exam", "attempt", "device", "ip", "details",
        ])
        let names = state.names
        let trail = AuditTrail(
            filters, hasOccasionalEntries: hasOccasionalEntries, state: state, history: history)
        for entry in trail.all {
            table.add([
                entry.position.csvField(names), entry.at.csvField(names), entry.user, entry.role,
                entry.action, entry.exam, entry.attempt, entry.device, entry.ip,
                String(decoding: entry.details.canonical, as: UTF8.self),
            ])
        }
        return table
    }
}
