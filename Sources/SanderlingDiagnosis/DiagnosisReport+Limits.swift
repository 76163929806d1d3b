extension DiagnosisReport {
  /// Does a part of the work. What its budget stops, or SQLite refuses, leaves a note, and the rest goes on.
  ///
  /// Throws `DiagnosisError` when the diagnosis is cancelled, or a trial left the copy changed.
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
  /// Whether nothing more can be done after it.
  var endsDiagnosis: Bool { self == .trialNotUndone || self == .stopped(.cancelled) }
}
