package import Core

extension Learnable {
    /// What students say about themselves. On the student's stream.
    package enum Profile {
        /// The given fields of the profile changed; null clears one (FR-012).
        package struct Edited: StudentEvent {
            package static let type = "learnable.profile.edited"
            package static let streams = ["student"]
            package static let sentence = "A profile was edited."
            package internal(set) var student = StudentID.none
            package internal(set) var name: Title??
            package internal(set) var occupation: Title??
            package internal(set) var workplace: Title??
            package internal(set) var bio: Body??

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.optionalPersonal("name", &name)
                coder.optionalPersonal("occupation", &occupation)
                coder.optionalPersonal("workplace", &workplace)
                coder.optionalPersonal("bio", &bio)
            }
        }
    }

    /// How the app looks. On the student's stream.
    package enum Appearance {
        package enum Area: String, Choice {
            case systemLayout = "system-layout"
            case subjectMaterial = "subject-material"
            case chatAssistant = "chat-assistant"
        }

        /// The font size and style now in force for an area of the app (FR-012).
        package struct Chosen: StudentEvent {
            package static let type = "learnable.appearance.chosen"
            package static let streams = ["student"]
            package static let sentence = "Fonts were chosen."
            package internal(set) var student = StudentID.none
            package internal(set) var area = Area.systemLayout
            package internal(set) var fontSize = ""
            package internal(set) var fontStyle = ""

            package init() {}
        }
    }

    /// The typing modes. On the student's stream.
    package enum Keyboard {
        /// Both typing modes as they now are (FR-012).
        package struct Configured: StudentEvent {
            package static let type = "learnable.keyboard.configured"
            package static let streams = ["student"]
            package static let sentence = "The keyboard was configured."
            package internal(set) var student = StudentID.none
            package internal(set) var codeBlock = true
            package internal(set) var mathLatex = true

            package init() {}
        }
    }
}
