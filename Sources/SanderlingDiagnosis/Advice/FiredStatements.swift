import SanderlingSQL

/// The statements that SQLite runs beside a write: the statements of the fired triggers, and of triggers that those
/// statements and cascades fire.
///
/// No query plan shows these statements. Each statement runs once for each written row.
struct FiredStatements {
  let schema: DatabaseSchema

  struct Statement: Sendable {
    /// Parameters replace the trigger's references to values of the row.
    var sql: String
    var shape: QueryShape
  }

  /// The greatest number of statements. Further statements are ignored.
  static let maximum = 16

  /// The fired statements, in the order in which they are found. O(length of the triggers).
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

/// A write that fires triggers, or the event that a trigger waits for.
struct TriggerEvent: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable { case insert = "INSERT", update = "UPDATE", delete = "DELETE" }

  var kind: Kind
  /// The table's name, in lower case like the columns.
  var table: String
  /// The columns of an update; empty for all.
  var columns: [String] = []

  /// Whether a write fires a trigger that waits for this event.
  func isFired(by event: TriggerEvent) -> Bool {
    kind == event.kind && table == event.table
      && (columns.isEmpty || event.columns.isEmpty || !Set(columns).isDisjoint(with: event.columns))
  }
}

/// The event, the condition and the statements of a CREATE TRIGGER statement. Each statement can be read by itself.
struct TriggerText {
  var event: TriggerEvent
  /// The columns of the written row that the trigger reads, in lower case.
  var rowColumns: Set<String> = []
  /// The trigger's condition as a SELECT, and then the statements of the trigger's body.
  var statements: [String]
  private let text: SQLText
  /// The position at which the event ends.
  private let endOfEvent: Int

  /// Reads a trigger; nil if its text isn't understood.
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
    // References to values of the row become parameters.
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

  /// The statement that creates the trigger for updates of some columns. The present trigger must be one for updates of
  /// all columns.
  func creation(of columns: [String]) -> String {
    var rewriter = SQLRewriter(text)
    rewriter.insert(" OF \(columns.map(\.quotedIdentifier).joined(separator: ", "))", at: endOfEvent)
    return rewriter.rewritten()
  }
}
