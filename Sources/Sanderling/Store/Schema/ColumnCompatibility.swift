import SanderlingSQL

extension DeclaredColumn {
  /// Whether values can be written to an existing column and read back unchanged.
  ///
  /// - Parameter isOwned: Whether a store created the column, or may have. Then a type of ``ColumnType`` was declared
  ///   by a property, and another type means that the property changed.
  func isCompatible(with column: ActualColumn, inStrictTable isStrict: Bool, isOwned: Bool) -> Bool {
    let declaredType = column.type.uppercased()
    if isStrict && isFolded { return declaredType == "ANY" }
    if isStrict { return strictTypes.contains(declaredType) }
    if isOwned, ColumnType(rawValue: declaredType) != nil { return declaredType == type.rawValue }
    let affinity = Affinity(declaredType: declaredType)
    if affinity.keepsAll(of: type) { return true }
    // GRDB and other programs declare columns DATETIME that store texts. No text in the form of a date or a UUID looks
    // like a number, so the affinity changes none.
    guard type == .text, affinity == .numeric else { return false }
    return form.isUUID || declaredType.contains("DATE") || declaredType.contains("TIME")
  }

  /// The declared types that fit in a STRICT table, which accepts only values of its declared types.
  private var strictTypes: Set<String> {
    switch type {
    case .integer: ["INT", "INTEGER", "ANY"]
    case .real: ["REAL", "ANY"]
    case .text: ["TEXT", "ANY"]
    case .blob: ["BLOB", "ANY"]
    }
  }
}
