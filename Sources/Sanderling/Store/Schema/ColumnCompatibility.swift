import SanderlingSQL

extension DeclaredColumn {
  /// Whether values can be written to an existing column and read back unchanged.
  ///
  /// - Parameter isOwned: Whether Sanderling made the column, or may have. Then the library's own types count as such,
  ///   and another type means that the property changed.
  func isCompatible(with column: ActualColumn, inStrictTable isStrict: Bool, isOwned: Bool) -> Bool {
    let declaredType = column.type.uppercased()
    if isStrict && isFolded { return declaredType == "ANY" }
    if isStrict { return strictTypes.contains(declaredType) }
    if isOwned, ColumnType(rawValue: declaredType) != nil { return declaredType == type.rawValue }
    let affinity = Affinity(declaredType: declaredType)
    if affinity.keepsAll(of: type) { return true }
    // GRDB and others declare columns DATETIME that hold texts. No text that has the form of a date or a UUID looks like a
    // number.
    guard type == .text, affinity == .numeric else { return false }
    return form.isUUID || declaredType.contains("DATE") || declaredType.contains("TIME")
  }

  /// The types in a STRICT table, which accept no others.
  private var strictTypes: Set<String> {
    switch type {
    case .integer: ["INT", "INTEGER", "ANY"]
    case .real: ["REAL", "ANY"]
    case .text: ["TEXT", "ANY"]
    case .blob: ["BLOB", "ANY"]
    }
  }
}
