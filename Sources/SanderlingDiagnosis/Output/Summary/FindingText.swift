extension Finding {
  var isProven: Bool {
    if case .proven = outcome { true } else { false }
  }

  /// The label before the fix; a rejected fix has another label.
  var fixLabel: String {
    if case .triedNotBetter = outcome { "Tried" } else { "Fix" }
  }

  /// The gain of the fix, for a narrow column.
  var gainText: String {
    switch outcome {
    case .proven: FindingGain(outcome)?.text ?? "proven"
    case .triedNotBetter: "not better"
    case .notMeasured: "–"
    }
  }
}

extension Fix {
  /// The fix in the words of each library that has one.
  var codes: [(name: String, code: String)] {
    [("GRDB", grdb), ("Sanderling", sanderling), ("Core Data", coreData)].compactMap { name, code in
      code.map { (name, $0) }
    }
  }
}
