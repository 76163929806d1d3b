/// Makes names for new indexes, such as `task_on_projectID_dueAt`. A name is free in the schema, has at most 40
/// characters, and is always the same for the same index.
final class IndexNames {
  private var taken: Set<String>
  private var names: [IndexCandidate: String] = [:]

  init(schema: DatabaseSchema) {
    taken = Set(
      (schema.tables.map(\.name) + schema.views.map(\.name) + schema.triggers.map(\.name)
        + schema.indexes.map(\.name)).map(\.asciiLowercased))
  }

  func name(of index: IndexCandidate) -> String {
    if let name = names[index] { return name }
    var parts = index.keys.map { key in
      (key.column ?? Self.words(of: key.sql)) + (key.collation.map { "_" + $0.asciiLowercased } ?? "")
        + (key.isDescending ? "_desc" : "")
    }
    if let condition = index.condition { parts += ["where", Self.words(of: condition)] }
    let base = Self.shortened(index.table + "_on_" + parts.joined(separator: "_"))
    var name = base
    var number = 2
    while !taken.insert(name.asciiLowercased).inserted {
      let ending = "_\(number)"
      name = base.prefix(Self.maximumLength - ending.count) + ending
      number += 1
    }
    names[index] = name
    return name
  }

  /// The longest name, in characters.
  static let maximumLength = 40

  /// The beginning of a longer name, up to the end of a word if possible, and a number that makes the name unique.
  private static func shortened(_ name: String) -> String {
    guard name.count > maximumLength else { return name }
    let digest = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % 46_656
    let ending = "_" + String(digest, radix: 36)
    var beginning = name.prefix(maximumLength - ending.count)
    if let end = beginning.lastIndex(of: "_"), beginning.distance(from: end, to: beginning.endIndex) <= 12 {
      beginning = beginning[..<end]
    }
    return beginning + ending
  }

  /// The letters and digits of an expression, without those of its strings, which may be private.
  private static func words(of expression: String) -> String {
    let names = expression.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? String($0.element) : nil }.joined(separator: " ")
    let words = names.prefix(200).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
    return words.isEmpty ? "expression" : String(words.prefix(40))
  }
}
