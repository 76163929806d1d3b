import Foundation

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(
      try translation.each(of: sequence, "contains(where:)") { rows in
        rows.contains(try translation.binding(variable, to: .row(rows.row)).truth(test))
      } elements: { elements in
        try .joined(.or, elements.map { try translation.binding(variable, to: $0).truth(test) })
      })
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(
      try translation.each(of: sequence, "allSatisfy(_:)") { rows in
        rows.allSatisfy(try translation.binding(variable, to: .row(rows.row)).truth(test))
      } elements: { elements in
        try .joined(.and, elements.map { try translation.binding(variable, to: $0).truth(test) })
      })
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    try translation.each(of: sequence, "filter(_:)") { rows in
      .rows(rows.filtered(by: try translation.binding(variable, to: .row(rows.row)).truth(filter).isTrue))
    }
  }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let (sequence, element) = try (translation.operand(sequence), translation.operand(element))
    if let elements = sequence.elements { return .truth(try .isAmong(element, elements)) }
    guard case .rows(let rows) = sequence else {
      throw PredicateObstacle("SQL can't look for \(element.name) in \(sequence.name)")
    }
    return .truth(try rows.entering { $0.contains(try PredicateTruth.compare(.equal, .row($0.row), element)) })
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(try .contains(translation.operand(base), translation.operand(other)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(try .hasPrefix(translation.operand(base), translation.operand(prefix)))
  }
}

extension PredicateTranslation {
  /// Translates a closure over associated rows, or over the elements of a captured sequence.
  fileprivate func each<Result>(
    of sequence: some PredicateExpression, _ name: String, _ rows: (AssociatedRows) throws -> Result,
    elements body: (([PredicateOperand]) throws -> Result)? = nil
  ) throws -> Result {
    let operand = try operand(sequence)
    if case .rows(let associated) = operand { return try associated.entering(rows) }
    if let body, let elements = operand.elements { return try body(elements) }
    throw PredicateObstacle(
      "it calls \(name) on \(operand.name): SQL visits only the rows of associations and captured sequences")
  }
}

#if canImport(Darwin)
  // Expressions that Foundation has on Apple's platforms only. They are type-checked against stand-ins, and not tested.

  extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
      let text = try translation.operand(root).value().folded()
      return .truth(try .contains(.value(text), translation.operand(other)))
    }
  }

  extension PredicateExpressions.PredicateEvaluate: TranslatableExpression {
    func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
      guard let inner = translation.constant(predicate) else {
        throw PredicateObstacle("it evaluates a predicate that depends on a row: write its condition")
      }
      var translation = translation
      for (variable, input) in repeat (each inner.variable, each input) {
        translation = translation.binding(variable, to: try translation.operand(input))
      }
      return try translation.operand(inner.expression)
    }
  }
#endif
