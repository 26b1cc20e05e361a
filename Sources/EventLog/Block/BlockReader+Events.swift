import Core

extension BlockReader {
    /// Visits the events with indices in `range`, in order or reversed, until `visit` answers false;
    /// answers whether it always answered true. Their chunks must be open.
    func forEachEvent(
        in range: Range<Int>, reversed: Bool, record: inout EventRecord,
        _ visit: (EventRecord, [UInt8]) throws -> Bool
    ) throws -> Bool {
        let range = range.clamped(to: 0..<eventCount)
        guard !range.isEmpty else { return true }
        let (body, rows, frames) = (self.body, self.rows, self.frames)
        var frame = frameIndex(of: reversed ? range.upperBound - 1 : range.lowerBound)
        if reversed {
            for index in range.reversed() {
                while frames[frame].firstEvent > index { frame -= 1 }
                rows.fill(&record, index)
                frames[frame].fillPlace(of: &record)
                guard try visit(record, body) else { return false }
            }
            return true
        }
        for index in range {
            while frames[frame].firstEvent + frames[frame].eventCount <= index { frame += 1 }
            rows.fill(&record, index)
            frames[frame].fillPlace(of: &record)
            guard try visit(record, body) else { return false }
        }
        return true
    }

    /// Visits the wanted events in order, see above; the others are passed over, and not even decoded.
    func forEachEvent(
        in range: Range<Int>, of wanted: WantedTypes, passed: inout PassedOver,
        record: inout EventRecord,
        _ visit: (EventRecord, [UInt8], PassedOver) throws -> Bool
    ) throws -> Bool {
        let range = range.clamped(to: 0..<eventCount)
        guard !range.isEmpty else { return true }
        let (body, rows, frames) = (self.body, self.rows, self.frames)
        var frame = frameIndex(of: range.lowerBound)
        for index in range where wanted.contains(rows.pass(index, &passed)) {
            while frames[frame].firstEvent + frames[frame].eventCount <= index { frame += 1 }
            rows.fill(&record, index)
            frames[frame].fillPlace(of: &record)
            guard try visit(record, body, passed) else { return false }
            passed.didVisit()
        }
        return true
    }

    /// Decodes one event, whose chunk must be open.
    func event(_ index: Int, into record: inout EventRecord) {
        rows.fill(&record, index)
        frames[frameIndex(of: index)].fillPlace(of: &record)
    }

    /// The frame that holds the event with this index.
    private func frameIndex(of event: Int) -> Int {
        var (low, high) = (0, frames.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if frames[middle].firstEvent + frames[middle].eventCount <= event {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
