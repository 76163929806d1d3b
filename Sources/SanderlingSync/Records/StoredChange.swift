import Sanderling

extension SyncChange {
  /// The stored form of the change.
  var payload: String {
    let version: StorageValue = version.map { .text($0) } ?? .null
    return switch content {
    case .row(let values):
      "{\"content\":\"row\",\"version\":\(StoredJSON.text(version))\(line.map { ",\"line\":\($0)" } ?? "")\(isOfFields ? ",\"fields\":true" : ""),\"values\":\(StoredJSON.text(values))}"
    case .deletion: "{\"content\":\"deletion\",\"version\":\(StoredJSON.text(version))}"
    case .departure: "{\"content\":\"departure\",\"version\":\(StoredJSON.text(version))}"
    }
  }

  /// A change from its stored form.
  init(record: String, key: String, payload: String) throws {
    var reader = JSONReader(payload)
    let members = try reader.object()
    let content: Content
    switch members["content"] {
    case .text("deletion"): content = .deletion
    case .text("departure"): content = .departure
    default:
      guard case .json(let values)? = members["values"] else {
        throw JSONSyntaxError(reason: "a waiting change has no values", offset: 0)
      }
      content = .row(try StoredJSON.row(values))
    }
    var version: String?
    if case .text(let text)? = members["version"] { version = text }
    self.init(record, key: try StoredJSON.values(key), content, version: version)
    if case .integer(let number)? = members["line"] { line = Int(number) }
    isOfFields = members["fields"] == .bool(true)
  }

  /// Merges the change into an earlier change of the record.
  ///
  /// - Returns: Nil if a deletion came first, so that unnamed columns have their defaults.
  func following(_ earlier: SyncChange) -> SyncChange? {
    guard case .row(let values) = content else { return self }
    guard case .row(let before) = earlier.content else { return nil }
    var change = self
    change.content = .row(before.merging(values) { $1 })
    change.version = version ?? earlier.version
    return change
  }
}
