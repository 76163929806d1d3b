import SanderlingSQL

/// The statements that SQLite runs beside a write: those of the triggers that it fires, and of what these and cascades fire in
/// turn.
///
/// No plan shows them, and each runs once for each row that is written.
struct FiredStatements {
  let schema: DatabaseSchema

  struct Statement: Sendable {
    /// With parameters where the trigger has values of the row.
    var sql: String
    var shape: QueryShape
  }

  /// Of very many triggers, the first ones count.
  static let maximum = 16

  /// In the order in which they are found. O(length of the triggers).
  func statements(beside shape: QueryShape) -> [Statement] {
    guard !schema.triggers.isEmpty, let event = Self.event(of: shape.kind) else { return [] }
    var (found, seen, events): ([Statement], Set<TriggerEvent>, [TriggerEvent]) = ([], [event], [event])
    let description = schema.description
    let triggers = schema.triggers.compactMap(TriggerText.init)
    func note(_ event: TriggerEvent?) {
      if let event, seen.insert(event).inserted { events.append(event) }
    }
    while let event = events.popLast() {
      for trigger in triggers where trigger.event.isFired(by: event) {
        for sql in trigger.statements {
          guard found.count < Self.maximum, let shape = try? ShapeReader.shape(of: sql, in: description) else {
            continue
          }
          found.append(Statement(sql: sql, shape: shape))
          note(Self.event(of: shape.kind))
        }
      }
      guard event.kind == .delete else { continue }
      for child in schema.tables {
        for key in child.foreignKeys where key.parentTable.asciiLowercased == event.table {
          switch key.onDelete.uppercased() {
          case "CASCADE": note(TriggerEvent(kind: .delete, table: child.name.asciiLowercased))
          case "SET NULL", "SET DEFAULT":
            note(
              TriggerEvent(
                kind: .update, table: child.name.asciiLowercased, columns: key.columns.map(\.asciiLowercased)))
          default: break
          }
        }
      }
    }
    return found
  }

  private static func event(of kind: QueryShape.Kind) -> TriggerEvent? {
    switch kind {
    case .select: nil
    case .insert(let table): TriggerEvent(kind: .insert, table: table.asciiLowercased)
    case .delete(let table): TriggerEvent(kind: .delete, table: table.asciiLowercased)
    case .update(let table, let columns):
      TriggerEvent(kind: .update, table: table.asciiLowercased, columns: columns.map(\.asciiLowercased))
    }
  }
}

/// What fires triggers, or what one waits for.
struct TriggerEvent: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable { case insert = "INSERT", update = "UPDATE", delete = "DELETE" }

  var kind: Kind
  /// In small letters, as the columns.
  var table: String
  /// The columns of an update; empty for all.
  var columns: [String] = []

  /// Whether a trigger that waits for this is fired by what happens.
  func isFired(by event: TriggerEvent) -> Bool {
    kind == event.kind && table == event.table
      && (columns.isEmpty || event.columns.isEmpty || !Set(columns).isDisjoint(with: event.columns))
  }
}

/// What a CREATE TRIGGER statement says, as far as its statements can be read by themselves.
struct TriggerText {
  var event: TriggerEvent
  /// The columns of the row that it reads, in small letters.
  var rowColumns: Set<String> = []
  /// Its condition, as a SELECT, and then the statements of its body.
  var statements: [String]
  private let text: SQLText
  /// Where the event ends.
  private let endOfEvent: Int

  /// Nil where the statement isn't understood.
  init?(_ trigger: TriggerSchema) {
    let text = SQLText(trigger.sql)
    self.text = text
    let tokens = SQLTokenizer(text).filter { !$0.isTrivia }
    func word(_ place: Int) -> String {
      tokens.indices.contains(place) && tokens[place].kind == .word ? text[tokens[place].range].asciiUppercased : ""
    }
    guard let start = tokens.indices.first(where: { TriggerEvent.Kind(rawValue: word($0)) != nil && $0 > 1 }),
      let kind = TriggerEvent.Kind(rawValue: word(start)),
      let body = tokens.indices.first(where: { $0 > start && word($0) == "BEGIN" }),
      let end = tokens.indices.last(where: { $0 > body && word($0) == "END" })
    else { return nil }
    event = TriggerEvent(kind: kind, table: trigger.table.asciiLowercased)
    endOfEvent = tokens[start].range.upperBound
    if word(start + 1) == "OF", let on = tokens.indices.first(where: { $0 > start && word($0) == "ON" }) {
      event.columns = tokens[(start + 2)..<on].filter { $0.kind != .symbol(.comma) }
        .map { text[$0.range].withoutQuotes.asciiLowercased }
    }
    // Values of the row are what a caller would bind.
    var rewriter = SQLRewriter(text)
    for place in tokens.indices.dropLast(2) where tokens[place + 1].kind == .symbol(.dot) {
      guard ["new", "old"].contains(text[tokens[place].range].withoutQuotes.asciiLowercased),
        place == 0 || tokens[place - 1].kind != .symbol(.dot)
      else { continue }
      rewriter.replace(tokens[place].range.lowerBound..<tokens[place + 2].range.upperBound, with: "?")
      rowColumns.insert(text[tokens[place + 2].range].withoutQuotes.asciiLowercased)
    }
    statements = []
    if let when = tokens.indices.first(where: { $0 > start && $0 < body && word($0) == "WHEN" }), when + 1 < body {
      let condition = tokens[when + 1].range.lowerBound..<tokens[body - 1].range.upperBound
      statements.append("SELECT 1 WHERE \(rewriter.rewritten(condition))")
    }
    let inner = rewriter.rewritten(tokens[body].range.upperBound..<tokens[end].range.lowerBound)
    statements += StatementSplitter.split(inner).map(\.sql)
  }

  /// The statement that makes it for updates of some columns only, where it is one for updates of all.
  func creation(of columns: [String]) -> String {
    var rewriter = SQLRewriter(text)
    rewriter.insert(" OF \(columns.map(\.quotedIdentifier).joined(separator: ", "))", at: endOfEvent)
    return rewriter.rewritten()
  }
}
