extension DiagnosisReport {
  /// Runs a part of the work. If the budget ends it or SQLite refuses it, a note is added, and the other parts
  /// continue.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled or a trial left the copy changed.
  mutating func noting(_ name: String, _ work: (inout DiagnosisReport) throws -> Void) throws {
    do {
      try work(&self)
    } catch let error as DiagnosisError {
      if error.endsDiagnosis { throw error }
      notes.append("\(name): not all could be tried. \(error)")
    }
  }
}

extension DiagnosisError {
  /// Whether the diagnosis can't continue after this error.
  var endsDiagnosis: Bool { self == .trialNotUndone || self == .stopped(.cancelled) }
}
