import Foundation
import Sanderling
import Testing

@Suite @MainActor struct UndoStackTests {
  let store: Store
  let stack: UndoStack

  init() throws {
    store = try Store(inMemory: birdSchema)
    stack = UndoStack(store, limit: 3)
  }

  private func add(_ ring: String) async throws {
    try await stack.write("Add \(ring)") { try $0.insert(Bird(ring: ring, species: "knot")) }
  }

  private var rings: [String] {
    get async throws { try await store.birds.map(\.ring) }
  }

  @Test func takesBackAndDoesAgainInOrder() async throws {
    #expect(stack.undoName == nil && stack.redoName == nil)
    try await stack.undo()
    try await stack.redo()
    for ring in ["a", "b"] { try await add(ring) }
    #expect(stack.undoName == "Add b" && stack.redoName == nil)
    try await stack.undo()
    #expect(stack.undoName == "Add a" && stack.redoName == "Add b")
    #expect(try await rings == ["a"])
    try await stack.undo()
    #expect(stack.undoName == nil && stack.redoName == "Add a")
    try await stack.redo()
    try await stack.redo()
    #expect(try await rings == ["a", "b"])
    try await stack.undo()
    // A new write replaces the writes that could be redone.
    try await add("c")
    #expect(stack.undoName == "Add c" && stack.redoName == nil)
    stack.removeAll()
    #expect(stack.undoName == nil)
  }

  @Test func keepsTheLastOperations() async throws {
    for ring in ["a", "b", "c", "d", "e"] { try await add(ring) }
    while stack.undoName != nil { try await stack.undo() }
    #expect(try await rings == ["a", "b"])
  }

  @Test func operationWithoutChangesIsNotPushed() async throws {
    try await stack.write("Nothing") { try $0.delete(Bird.query) }
    #expect(stack.undoName == nil)
    let written = try await store.writeUndoably("Elsewhere") { try $0.insert(Bird(ring: "a", species: "knot")) }
    stack.push(written.inverse)
    #expect(stack.undoName == "Elsewhere")
  }

  @Test func refusedOperationIsRemovedFromTheStack() async throws {
    for ring in ["a", "b"] { try await add(ring) }
    try await store.write { try $0.update(Bird.where { $0.ring == "b" }, .set(\.species, to: "stint")) }
    await #expect(throws: UndoError.self) { try await stack.undo() }
    #expect(stack.undoName == "Add a")
    try await stack.undo()
    #expect(try await rings == ["b"])
    #expect(stack.undoName == nil && stack.redoName == "Add a")
  }

  @Test func otherErrorsKeepTheOperation() async throws {
    try await add("a")
    try store.close()
    await #expect(throws: StoreError.closed) { try await stack.undo() }
    #expect(stack.undoName == "Add a" && stack.redoName == nil)
  }
}
