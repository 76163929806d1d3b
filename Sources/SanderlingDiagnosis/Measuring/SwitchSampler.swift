/// Gives switch parameters the values that turn their filters on: without a filter there is nothing to diagnose.
struct SwitchSampler {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  let shape: QueryShape

  private static let choices: [BoundValue] = [.integer(0), .integer(1), .text(""), .null]

  /// Returns the values, changed for parameters that only switch conditions. The values of `chosen` stay. O(nodes).
  func values(_ values: [Int: BoundValue], keeping chosen: Set<Int>) -> [Int: BoundValue] {
    guard !ConditionSwitch.all(of: shape.resolved).isEmpty, let sql = MovableStatement.numbered(shape),
      let shape = try? ShapeReader.shape(of: sql, in: schema.description)
    else { return values }
    var values = values
    for part in ConditionSwitch.all(of: shape.resolved) where !isOn(part, values, shape) {
      let free = part.parameters.subtracting(chosen)
      for choice in Self.choices where !free.isEmpty {
        let others = values.merging(free.map { ($0, choice) }) { $1 }
        guard isOn(part, others, shape) else { continue }
        values = others
        break
      }
    }
    return values
  }

  private func isOn(_ part: ConditionSwitch, _ values: [Int: BoundValue], _ shape: QueryShape) -> Bool {
    let sql = "SELECT (\(part.off)) IS NOT TRUE"
    guard let statement = try? connection.prepare(sql, authority: .reading),
      (try? statement.bind(MovableStatement.values(values, named: shape.parameterNames, for: sql))) != nil,
      (try? statement.step()) == true
    else { return true }
    return statement.integer(at: 0) == 1
  }
}
