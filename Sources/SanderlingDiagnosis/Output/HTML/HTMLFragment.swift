/// A piece of a page. Interpolated values are escaped, unless they are pieces of a page themselves.
struct HTMLFragment: ExpressibleByStringInterpolation, Sendable {
  private(set) var text: String

  static let empty = HTMLFragment("")

  init(stringLiteral text: String) {
    self.text = text
  }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  init(_ fragment: HTMLFragment) {
    self = fragment
  }

  static func += (fragment: inout HTMLFragment, other: HTMLFragment) {
    fragment.text += other.text
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var text: String

    init(literalCapacity: Int, interpolationCount: Int) {
      text = ""
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// Appends text for use between tags or inside a quoted attribute.
    mutating func appendInterpolation(_ string: String) {
      for scalar in string.visibleLines(limit: 1_000_000).unicodeScalars {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }

    mutating func appendInterpolation(_ number: Int) {
      text += String(number)
    }

    mutating func appendInterpolation(_ fragment: HTMLFragment) {
      text += fragment.text
    }

    mutating func appendInterpolation(_ fragments: [HTMLFragment]) {
      for fragment in fragments { text += fragment.text }
    }

    /// Appends a length of a drawing, with at most two fractional digits.
    mutating func appendInterpolation(length: Double) {
      guard length.isFinite, abs(length) < 1e9 else { return text += "0" }
      text += "\((length * 100).rounded() / 100)"
    }
  }
}
