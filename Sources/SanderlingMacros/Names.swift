import SwiftSyntax
import SwiftSyntaxBuilder

extension String {
  /// An identifier without the backticks that a keyword needs as a name.
  var withoutBackticks: String {
    count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
  }

  /// An identifier as an argument label, where nearly all keywords need no backticks.
  var asLabel: String {
    let name = withoutBackticks
    return ["inout", "var", "let"].contains(name) ? self : name
  }

  /// The name of a type as the name of a value: `TodoTask` becomes `todoTask`, and `HTTPRequest` `httpRequest`.
  var asValueName: String {
    let capitals = prefix { $0.isUppercase }
    guard !capitals.isEmpty else { return self }
    // The last of several capitals begins the next word. Exception: "URL" has no next word and is one word.
    let endsInWord = dropFirst(capitals.count).first.map { $0.isLetter || $0 == "_" } ?? false
    let lowered = capitals.count > 1 && endsInWord ? capitals.dropLast() : capitals
    return lowered.lowercased() + dropFirst(lowered.count)
  }

  /// The name as SQLite compares it: only ASCII letters compare without case.
  var foldedAsInSQL: String {
    String(decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The text as a string literal.
  var literal: String {
    StringLiteralExprSyntax(content: self).description
  }

  /// The name in the list that this name was probably meant to be.
  func nearest(in names: [String]) -> String? {
    let ranked = names.map { (name: $0, distance: editDistance(to: $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    // A third of the letters may be wrong; beyond that a suggestion confuses.
    return best.distance <= Swift.max(1, count / 3) ? best.name : nil
  }

  /// The number of letters to insert, remove, replace or swap with the next one to get the other text.
  func editDistance(to other: String) -> Int {
    let source = Array(lowercased())
    let target = Array(other.lowercased())
    var beforeLast: [Int] = []
    var last = Array(0...target.count)
    for (i, letter) in source.enumerated() {
      var current = [i + 1]
      for (j, otherLetter) in target.enumerated() {
        var distance = Swift.min(last[j + 1] + 1, current[j] + 1, last[j] + (letter == otherLetter ? 0 : 1))
        if i > 0, j > 0, letter == target[j - 1], source[i - 1] == otherLetter {
          distance = Swift.min(distance, beforeLast[j - 1] + 1)
        }
        current.append(distance)
      }
      beforeLast = last
      last = current
    }
    return last[target.count]
  }
}

extension AttributeListSyntax {
  /// The attribute of this name, with or without the module's name.
  func attribute(named name: String) -> AttributeSyntax? {
    attributes(named: name).first
  }

  /// All attributes of this name; the compiler accepts any number of them.
  func attributes(named name: String) -> [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.name == name }
  }
}

extension AttributeSyntax {
  var name: String? {
    attributeName.nameAndArguments?.name
  }

  /// The labelled and unlabelled arguments between the parentheses.
  var labeledArguments: LabeledExprListSyntax? {
    arguments?.as(LabeledExprListSyntax.self)
  }

  /// The expression with this label, or the one without a label.
  func argument(labeled label: String?) -> ExprSyntax? {
    labeledArguments?.first { $0.label?.text == label }?.expression
  }
}

extension ExprSyntax {
  /// The text of a string literal without interpolations.
  var stringLiteral: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }

  /// `Project` of `Project.self`
  var metatypeBase: ExprSyntax? {
    guard let member = self.as(MemberAccessExprSyntax.self), member.declName.baseName.tokenKind == .keyword(.self)
    else { return nil }
    return member.base
  }

  /// The property of a key path of one component, as in `\.projectID` or `\TodoTask.projectID`.
  var keyPathProperty: TokenSyntax? {
    guard let path = self.as(KeyPathExprSyntax.self), path.components.count == 1,
      let property = path.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
    else { return nil }
    return property.declName.baseName
  }
}
