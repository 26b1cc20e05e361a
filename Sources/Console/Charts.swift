import Core

/// Charts as inline SVG, each with its numbers in a table beside. Places are whole numbers: nothing is rounded anywhere.
extension Visit {
    /// A value under its name.
    struct Bar {
        let name: String
        /// In hundredths.
        let value: Int
        let shown: String
        /// Where its name leads.
        var address: String?

        init(_ name: String, _ value: JSON?, address: String? = nil) {
            self.name = name
            self.value = value?.hundredths ?? 0
            shown = value?.shown ?? "—"
            self.address = address
        }
    }

    private static let width = 480
    private static let height = 160

    /// Upright bars in an order: days, weeks, classes of scores. In Arabic the first one stands right.
    ///
    /// - Parameter most: what a bar of full height is worth, in hundredths; the highest bar if nil.
    func bars(_ title: String, _ names: String, _ values: String, _ bars: [Bar], most: Int? = nil)
        -> Markup
    {
        figure(title, names, values, bars) {
            let most = max(1, most ?? bars.map(\.value).max() ?? 1)
            let step = Self.width / max(1, bars.count)
            return element(
                "svg",
                [
                    "viewBox": "0 0 \(Self.width) \(Self.height + 20)", "role": "img",
                    "aria-label": title,
                ]
            ) {
                gridLines()
                for (index, bar) in bars.enumerated() {
                    let length = min(Self.height, bar.value * Self.height / most)
                    let place = language.isRightToLeft ? bars.count - 1 - index : index
                    element(
                        "rect",
                        [
                            "class": "bar", "x": "\(place * step + step / 8)",
                            "y": "\(Self.height - length)",
                            "width": "\(max(1, step * 3 / 4))", "height": "\(length)",
                        ]
                    ) { element("title") { "\(bar.name): \(bar.shown)" } }
                    if bars.count <= 12 || index % (bars.count / 6) == 0 {
                        element(
                            "text",
                            [
                                "x": "\(place * step + step / 2)", "y": "\(Self.height + 15)",
                                "text-anchor": "middle",
                            ]
                        ) { shortened(bar.name) }
                    }
                }
            }
        }
    }

    /// Lines of values from 0 to `most` hundredths, in an order.
    func lines(
        _ title: String, _ heading: String, _ names: [String], most: Int,
        _ lines: [(name: String, values: [JSON])]
    ) -> Markup {
        element("figure") {
            element("figcaption") { title }
            element("div", ["class": "beside"]) {
                element("div") {
                    element(
                        "svg",
                        [
                            "viewBox": "0 0 \(Self.width) \(Self.height + 20)", "role": "img",
                            "aria-label": title,
                        ]
                    ) {
                        gridLines()
                        for (index, line) in lines.enumerated() {
                            let points = points(line.values.map(\.hundredths), most)
                            element("polyline", ["class": "line line-\(index)", "points": points])
                        }
                    }
                    legend(lines.map(\.name))
                }
                table(
                    title, [heading] + lines.map(\.name), numeric: Set(1...max(1, lines.count)),
                    names.enumerated().map { index, name in
                        [Markup(name)]
                            + lines.map {
                                Markup(index < $0.values.count ? $0.values[index].shown : "—")
                            }
                    })
            }
        }
    }

    /// Which line is which, by its dashes and its colour.
    private func legend(_ names: [String]) -> Markup {
        element("ul", ["class": "legend"]) {
            for (index, name) in names.enumerated() {
                element("li") {
                    element(
                        "svg",
                        [
                            "viewBox": "0 0 30 8", "width": "30", "height": "8",
                            "aria-hidden": "true",
                        ]
                    ) {
                        element("polyline", ["class": "line line-\(index)", "points": "0,4 30,4"])
                    }
                    name
                }
            }
        }
    }

    private func points(_ values: [Int], _ most: Int) -> String {
        let step = values.count > 1 ? (Self.width - 20) / (values.count - 1) : 0
        return values.enumerated().map { index, value in
            let x = 10 + index * step
            let y = Self.height - min(Self.height, max(0, value) * Self.height / max(1, most))
            return "\(language.isRightToLeft ? Self.width - x : x),\(y)"
        }.joined(separator: " ")
    }

    private func gridLines() -> Markup {
        element("g", ["class": "grid"]) {
            for part in 0...4 {
                let y = "\(part * Self.height / 4)"
                element("line", ["x1": "0", "x2": "\(Self.width)", "y1": y, "y2": y])
            }
        }
    }

    private func figure(
        _ title: String, _ names: String, _ values: String, _ bars: [Bar], _ chart: () -> Markup
    ) -> Markup {
        let drawn = chart()
        return element("figure") {
            element("figcaption") { title }
            element("div", ["class": "beside"]) {
                drawn
                table(
                    title, [names, values], numeric: [1],
                    bars.map { bar in
                        let name = bar.address.map { link($0) { bar.name } } ?? Markup(bar.name)
                        return [name, Markup(bar.shown)]
                    })
            }
        }
    }

    /// Bars lying in the rows of a table: each value beside its length.
    func meter(_ value: JSON?, most: Int = 10_000) -> Markup {
        guard let value, !value.isNull else { return Markup("—") }
        let length = min(100, max(0, value.hundredths * 100 / max(1, most)))
        return element("span", ["class": "meter"]) {
            element(
                "svg",
                [
                    "viewBox": "0 0 100 10", "width": "100", "height": "10", "aria-hidden": "true",
                    "preserveAspectRatio": "none",
                ]
            ) {
                element("rect", ["class": "rail", "width": "100", "height": "10"])
                element(
                    "rect",
                    [
                        "class": "bar", "width": "\(length)", "height": "10",
                        "x": language.isRightToLeft ? "\(100 - length)" : "0",
                    ])
            }
            element("span") { value.shown }
        }
    }

    /// A small line of how something went on; its words are beside it. In Arabic it runs from the right.
    ///
    /// - Parameter most: what stands at the upper edge; the highest value if nil.
    func sparkline(_ title: String, _ values: [UInt64], most: UInt64? = nil) -> Markup {
        let most = max(1, most ?? values.max() ?? 1)
        let step = values.count > 1 ? 240 / (values.count - 1) : 0
        let points = values.enumerated().map { index, value in
            let x = index * step
            return
                "\(language.isRightToLeft ? 240 - x : x),\(38 - Int(min(value, most) * 36 / most))"
        }.joined(separator: " ")
        return element(
            "svg",
            [
                "class": "spark", "viewBox": "0 0 240 40", "role": "img", "aria-label": title,
                "preserveAspectRatio": "none",
            ]
        ) { element("polyline", ["class": "line line-0", "points": points]) }
    }

    private func shortened(_ name: String) -> String {
        name.utf8.count == 10 && name.utf8.contains(UInt8(ascii: "-"))
            ? String(name.dropFirst(5)) : String(name.prefix(10))
    }
}
