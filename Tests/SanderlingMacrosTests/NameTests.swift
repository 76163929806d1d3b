import Testing

#if canImport(SanderlingMacros)
  @testable import SanderlingMacros

  @Suite("Names")
  struct NameTests {
    @Test(
      "A type's name becomes a value's name",
      arguments: [
        ("Project", "project"), ("TodoTask", "todoTask"), ("HTTPRequest", "httpRequest"), ("URL", "url"),
        ("X", "x"), ("SHA256Digest", "sha256Digest"), ("alreadyLow", "alreadyLow"), ("_Hidden", "_Hidden"),
        ("ÄpfelKiste", "äpfelKiste"),
      ])
    func valueNames(type: String, value: String) {
      #expect(type.asValueName == value)
    }

    @Test(
      "The edit distance counts letters that are inserted, removed, replaced or swapped",
      arguments: [
        ("title", "title", 0), ("titel", "title", 1), ("titles", "title", 1), ("tile", "title", 1),
        ("", "title", 5), ("projectId", "projectID", 0), ("kitten", "sitting", 3),
      ])
    func editDistance(name: String, other: String, distance: Int) {
      #expect(name.editDistance(to: other) == distance)
      #expect(other.editDistance(to: name) == distance)
    }

    @Test("Only a similar name is suggested")
    func nearestName() {
      #expect("titel".nearest(in: ["id", "tile", "title"]) == "title")
      #expect("somethingElse".nearest(in: ["id", "title"]) == nil)
      #expect("title".nearest(in: []) == nil)
    }
  }
#endif
