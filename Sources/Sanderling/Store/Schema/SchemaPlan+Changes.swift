extension SchemaPlan.Difference {
  private struct Changes: SchemaRemedy {
    let changes: [SchemaChange]
  }

  init(table: String?, summary: String, effect: Effect, steps: [ExplicitStep], changes: [SchemaChange]) {
    self.init(
      table: table, summary: summary, effect: effect, steps: steps,
      remedy: changes.isEmpty ? nil : Changes(changes: changes))
  }

  /// The changes that remove an additive difference.
  var changes: [SchemaChange] {
    guard let remedy = remedy as? Changes else { return [] }
    return remedy.changes
  }

  /// The same difference with further changes.
  func with(more further: [SchemaChange]) -> Self {
    Self(table: table, summary: summary, effect: effect, steps: steps, changes: changes + further)
  }

  func with(steps: [ExplicitStep]) -> Self {
    Self(table: table, summary: summary, effect: effect, steps: steps, remedy: remedy)
  }

  static func additive(_ table: String, _ summary: String, _ changes: SchemaChange...) -> Self {
    Self(table: table, summary: summary, effect: .additive, steps: [], changes: changes)
  }

  static func refused(
    _ table: String?, _ summary: String, because reason: String, _ steps: [ExplicitStep] = []
  ) -> Self {
    Self(table: table, summary: summary, effect: .refused(reason), steps: steps, changes: [])
  }

  static func harmless(_ table: String, _ summary: String, because reason: String) -> Self {
    Self(table: table, summary: summary, effect: .harmless(reason), steps: [], changes: [])
  }
}
