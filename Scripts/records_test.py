#!/usr/bin/env python3
"""What records.py writes, and leaves alone. `make lint` runs it."""

import pathlib
import tempfile
import unittest

import records

CORE = """\
public protocol Record: FieldValue {
    mutating func fields<C: Coder>(_ coder: inout C)
}
public protocol Payload: Record {}
"""
COMMANDS = """\
public protocol ProductCommand: Record
where Product: Rules {
    static var type: String { get }
}
"""
NAMESPACE = """\
package enum School {
    package typealias PupilID = Identifier<Pupil>
    package enum Pupil {
        package enum Kind: String, Choice { case day }
    }
}
"""


class RecordsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, records, "SOURCES", records.SOURCES)
        records.SOURCES = pathlib.Path(folder.name)
        self.put("Core/Coder.swift", CORE)
        self.put("Commands/ProductCommand.swift", COMMANDS)
        self.put("Events/School/School.swift", NAMESPACE)

    def put(self, path, text):
        file = records.SOURCES / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def written(self, room, text):
        self.put(f"{room}/School/School+Sample.swift", text)
        return list(records.lines(room, "School"))

    def test_an_event_gets_its_list_and_an_initialiser_of_all_fields(self):
        self.assertEqual(self.written("Events", """\
extension School.Pupil {
    package struct Enrolled: Payload {
        package static let type = "school.pupil.enrolled"
        package internal(set) var pupil: Own<PupilID> = .none
        package internal(set) var name: Personal<String> = nil  // as it was given
        package internal(set) var kind = Kind.day
        package internal(set) var `class`: Int?
        package var isDay: Bool { kind == .day }

        package init() {}
    }
}
"""), [
            "extension School.Pupil.Enrolled { package init(pupil: Own<School.PupilID>, name: Personal<String>, "
            "kind: School.Pupil.Kind, class: Int?) { self.init(); self.pupil = pupil; self.name = name; "
            "self.kind = kind; self.class = `class` }; "
            "@specialized(where C == BinaryReader) @specialized(where C == BinaryWriter) "
            "package mutating func fields<C: Coder>(_ coder: inout C) { "
            'coder.own("pupil", &pupil); coder.personal("name", &name); coder.field("kind", &kind); '
            'coder.field("class", &`class`) } }'])

    def test_an_optional_field_of_a_command_may_be_left_out(self):
        self.assertEqual(self.written("Commands", """\
extension School {
    protocol Command: ProductCommand where Product == School {}

    struct Enrol: Command {
        static let type = "school.pupil.enrol"
        var name: Filled = ""
        var nickname: Filled?
        var age: Int?
    }
}
"""), [
            "extension School.Enrol { mutating func fields<C: Coder>(_ coder: inout C) { "
            'coder.filled("name", &name); coder.optionalFilled("nickname", &nickname); '
            'coder.optionalNumber("age", &age) } }'])

    def test_a_row_without_fields_has_an_empty_list(self):
        self.assertEqual(
            self.written("Facts", "extension School {\n    package struct Mark: Record {\n    }\n}\n"),
            ["extension School.Mark { package mutating func fields<C: Coder>(_ coder: inout C) {} }"])

    def test_who_lists_the_fields_by_hand_or_by_a_protocol_keeps_its_list(self):
        self.assertEqual(self.written("Facts", """\
extension School {
    package protocol Dated: Record {
        var day: Int { get set }
    }

    package struct Lesson: Dated {
        package var day = 0
    }

    package struct Visit: Record {
        package var name = ""

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("visitor", &name)
        }
    }

    private struct Draft: Record {
        var name = ""
    }

    package struct Plain {
        package var name = ""
    }
}

extension School.Dated {
    package mutating func fields<C: Coder>(_ coder: inout C) { coder.field("day", &day) }
}
"""), [])

    def test_an_event_that_hides_a_field_says_how_it_is_made(self):
        self.assertEqual(self.written("Events", """\
extension School.Pupil {
    package struct Named: Payload {
        package static let type = "school.pupil.named"
        private var name = ""
        package init() {}
        package mutating func fields<C: Coder>(_ coder: inout C) { coder.field("name", &name) }
    }
}
"""), [])

    def test_a_field_whose_type_cannot_be_told_is_named(self):
        with self.assertRaisesRegex(SystemExit, "what type has this\\? .*made"):
            self.written("Facts", "struct Row: Record {\n    var name = make() + 1  // made\n}\n")


if __name__ == "__main__":
    unittest.main()
