// SQL takes texts for equal that a collation does not tell apart, and numbers of two storage classes, as 3 and 3.0.
extension String {
  /// The SQL that is true only if two expressions have the identical value: not for NULL, and not for values that only a
  /// collation or a comparison of numbers treats as equal.
  package func isIdenticalSQL(to other: String) -> String {
    "\(self) = \(other) AND \(self) = \(other) COLLATE BINARY AND typeof(\(self)) = typeof(\(other))"
  }

  /// The SQL that is true if two expressions have different values, or values of different storage classes.
  package func differsSQL(from other: String) -> String {
    "\(self) IS NOT \(other) COLLATE BINARY OR typeof(\(self)) <> typeof(\(other))"
  }
}
