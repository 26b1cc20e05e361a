package import Events
package import Facts

extension ExamRoom {
    package static let readModels: [ReadModel<Room>] = []
}
