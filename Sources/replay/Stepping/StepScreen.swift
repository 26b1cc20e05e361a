internal import Engine

/// What a stepper shows: on a wide screen the events and what the one at hand changed to the left, the document to the right;
/// on a narrow one the document below.
extension Stepper {
    /// A text for each row, no wider than the screen.
    var screen: [String] {
        guard size.width > 0, size.height > 0 else { return [] }
        return rows.map { $0.fitted(to: size.width).painted(palette) }
    }

    /// Below so many columns two panes are too narrow.
    private static let wide = 90
    private static let divider = " │ "
    /// So many events are listed at most.
    private static let mostListed = 9
    /// What a change takes beside the document; all of it is shown alone.
    private static let rowsOfChange = 4

    private var rows: [ScreenLine] {
        // On the smallest screens the heading goes first, then the keys.
        if size.height < 2 { return [heading] }
        if size.height < 5 { return Array((body + [footer]).suffix(size.height)) }
        return [heading] + body + [footer]
    }

    private var bodyHeight: Int { size.height < 5 ? size.height - 1 : size.height - 2 }

    private var isWide: Bool { size.width >= Self.wide }

    private var sideWidth: Int { min(60, size.width * 2 / 5) }

    private var body: [ScreenLine] {
        let pane = pane
        let shown = Array(pane.lines.dropFirst(pane.top).prefix(pane.height))
        if showsChangesAlone { return filled(shown, bodyHeight) }
        guard isWide else { return summary + filled(shown, pane.height) }
        let side = filled(listed + [ScreenLine()] + about(isWhole: false), bodyHeight)
        return zip(side, filled(shown, bodyHeight)).map { side, line in
            side.fitted(to: sideWidth) + ScreenLine(Self.divider, .faint) + line
        }
    }

    private func filled(_ lines: [ScreenLine], _ height: Int) -> [ScreenLine] {
        Array((lines + Array(repeating: ScreenLine(), count: height)).prefix(height))
    }

    // MARK: Heading and keys

    private var heading: ScreenLine {
        let many = "\(steps.places.count)\(steps.mayGoOn ? " or more" : "")"
        let place = "\(index + 1) of \(many), as of \(step.cause.event.position)"
        // Where there is no room for both, the place is what is not said elsewhere.
        let room = size.width - place.count - 2
        let name = room < 6 ? "" : Printable.shortened(title, to: room)
        return spread(ScreenLine(name, .heading), ScreenLine(place, .heading))
    }

    /// One text to the left, one to the right.
    private func spread(_ left: ScreenLine, _ right: ScreenLine) -> ScreenLine {
        let room = size.width - left.width - right.width
        return left + ScreenLine(String(repeating: " ", count: max(0, room))) + right
    }

    private static let keys = [
        "n next  p back  g first  G last  / to a position  d only what changed  ↑↓ scroll  q end",
        "n next  p back  g first  G last  / position  d changes  q end",
        "n p g G / d q",
    ]

    private var footer: ScreenLine {
        if let entry { return ScreenLine("position or instant: \(entry)█", .notice) }
        if let message { return ScreenLine(Printable.line(message), .notice) }
        let pane = pane
        let end = min(pane.top + pane.height, pane.lines.count)
        let rows =
            pane.height > 0 && pane.height < pane.lines.count
            ? "rows \(pane.top + 1) to \(end) of \(pane.lines.count)" : ""
        let room = size.width - (rows.isEmpty ? 0 : rows.count + 2)
        guard let keys = Self.keys.first(where: { Printable.columns(of: $0) <= room }) else {
            return ScreenLine(rows.isEmpty ? "q end" : rows, .faint)
        }
        return spread(ScreenLine(keys, .faint), ScreenLine(rows, .faint))
    }

    // MARK: The events

    /// Those around the one at hand.
    private var listed: [ScreenLine] {
        let places = steps.places
        let count = min(Self.mostListed, max(1, bodyHeight / 3), places.count)
        let first = max(0, min(index - count / 2, places.count - count))
        let digits = places.last.map { "\($0.position)".count } ?? 0
        return (first..<first + count).map { each in
            let place = places[each]
            let position = "\(place.position)"
            let space = String(repeating: " ", count: digits - position.count)
            let isHere = each == index
            // The product is that of the document.
            let type = place.type.drop { $0 != "." }.dropFirst()
            let text = "\(space)\(position)  \(place.at)  \(type)"
            return ScreenLine(isHere ? "▸ " : "  ", .notice)
                + ScreenLine(text, isHere ? .heading : .faint)
        }
    }

    /// The event at hand: what, when, by whom, and what it changed.
    private func about(isWhole: Bool) -> [ScreenLine] {
        let width = isWide && !showsChangesAlone ? sideWidth : size.width
        let cause = step.cause
        let heading = Changes.heading(cause, Palette(isColoured: true))
        var lines = ScreenLine(painted: heading).wrapped(to: width)
        for change in step.cause.changes {
            let line = ScreenLine(painted: Changes.line(change, Palette(isColoured: true)))
            let wrapped = line.wrapped(to: width)
            if !isWhole, wrapped.count > Self.rowsOfChange {
                lines += wrapped.prefix(Self.rowsOfChange - 1)
                lines.append(wrapped[Self.rowsOfChange - 1] + ScreenLine("…"))
            } else {
                lines += wrapped
            }
        }
        return lines
    }

    /// The same where the document stands below: at most half of the screen, with a line under it. Of the smallest
    /// screens it is all there is room for.
    private var summary: [ScreenLine] {
        let isAlone = bodyHeight < 4
        let most = isAlone ? bodyHeight : (bodyHeight - 1) / 2
        let lines = about(isWhole: false)
        let cut =
            lines.count > most && most > 1
            ? lines.prefix(most - 1) + [ScreenLine("… d shows all", .faint)] : lines.prefix(most)
        if isAlone { return filled(Array(cut), bodyHeight) }
        return cut + [ScreenLine(String(repeating: "─", count: size.width), .faint)]
    }

    // MARK: The document

    /// What can be scrolled.
    struct Pane {
        let lines: [ScreenLine]
        /// How many rows there are for it.
        let height: Int
        /// The first line that is shown.
        let top: Int
    }

    var pane: Pane {
        if showsChangesAlone {
            let lines = about(isWhole: true)
            return Pane(
                lines: lines, height: bodyHeight,
                top: max(0, min(scroll ?? 0, lines.count - bodyHeight)))
        }
        let height = isWide ? bodyHeight : max(0, bodyHeight - summary.count)
        let width = isWide ? size.width - sideWidth - Self.divider.count : size.width
        let (lines, first) = document(in: width)
        // The first change is in sight, with something before it.
        let automatic = first.map { $0 < height ? 0 : $0 - height / 3 } ?? 0
        let top = max(0, min(scroll ?? automatic, lines.count - height))
        return Pane(lines: lines, height: height, top: top)
    }

    /// The document as `show` lays it out, lines that the event changed marked, and the first of these.
    private func document(in width: Int) -> (lines: [ScreenLine], firstMarked: Int?) {
        guard !step.new.value.isNull else {
            return ([ScreenLine("  nothing is known any more", .faint)], nil)
        }
        let laidOut = [step.old, step.new].map { document in
            var layout = Layout(
                palette: Palette(isColoured: true), width: max(20, width - Self.mark.count))
            layout.order = document.memberOrder
            return layout.lines(document.value).map { ScreenLine(painted: $0) }
        }
        let marked = LineMarks.changed(from: laidOut[0].map(\.text), to: laidOut[1].map(\.text))
        var lines: [ScreenLine] = []
        var first: Int?
        for (line, isMarked) in zip(laidOut[1], marked) {
            if isMarked, first == nil { first = lines.count }
            let mark = ScreenLine(isMarked ? Self.mark : "  ", .good)
            lines += (isMarked ? line.toned(.good) : line)
                .wrapped(to: max(1, width - Self.mark.count)).map { mark + $0 }
        }
        return (lines, first)
    }

    private static let mark = "▌ "
}

/// Which lines of a text another one has not.
enum LineMarks {
    /// In longer texts lines are compared wherever they stand.
    private static let mostCompared = 2000

    /// Of each new line whether it is another than before. How many spaces stand between words does not matter: a
    /// column gets wider with its longest text.
    static func changed(from old: [String], to new: [String]) -> [Bool] {
        let (old, new) = (old.map(words), new.map(words))
        let most = min(old.count, new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix(most - start).prefix { $0 == $1 }.count
        let (before, after) = (old[start..<old.count - end], new[start..<new.count - end])
        var changed = [Bool](repeating: false, count: new.count)
        if before.count + after.count > mostCompared {
            let known = Set(before)
            for (index, line) in zip(after.indices, after) {
                changed[index] = !known.contains(line)
            }
        } else {
            for change in Array(after).difference(from: Array(before)).insertions {
                if case .insert(let offset, _, _) = change { changed[start + offset] = true }
            }
        }
        return changed
    }

    private static func words(_ line: String) -> [Substring] { line.split(separator: " ") }
}
