import Sanderling

/// Inputs of a search field: mostly parts of existing texts.
extension ValuePool {
  func input(using random: inout SeededGenerator) -> String {
    switch random.number(0..<100) {
    case 0..<6: return random.element(of: Self.strangeInputs)
    case 6..<12: return text(using: &random)
    case 12..<26: return random.element(of: Self.edgeInputs)
    default: break
    }
    let text = random.chance(50) ? text(using: &random) : random.element(of: Self.sentences)
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.randomElement(using: &random), let second = words.randomElement(using: &random) else {
      return text
    }
    let other = random.element(of: random.element(of: Self.sentences).split(separator: " ")).description
    switch random.number(0..<19) {
    case 0..<3: return first
    case 18: return String(String.UnicodeScalarView(first.unicodeScalars.suffix(random.number(1..<3))))
    // The first characters without the last letter's mark.
    case 16, 17: return String(first.unicodeScalars.dropLast())
    case 3..<6: return Self.part(of: first, from: 0, using: &random)
    case 6..<8: return Self.part(of: text, from: random.number(0..<text.unicodeScalars.count), using: &random)
    case 8: return "\(second) \(first)"
    case 9: return "\"\(text)\(random.element(of: ["\"", "\"", "\" ", ""]))"
    case 10:
      let excluded = random.chance(50) ? other : Self.part(of: second, from: 0, using: &random)
      return "\(first) -\(excluded)"
    case 11: return "-\(first)" + (random.chance(40) ? " \(second)" : "")
    case 12: return first + " "
    case 13: return random.chance(50) ? first.uppercased() : first.lowercased()
    case 14: return "\(first) \(Self.part(of: other, from: 0, using: &random))"
    default: return "-\"\(second) \(first)\"" + (random.chance(50) ? " \(second)" : "")
    }
  }

  private static func part(of text: String, from start: Int, using random: inout SeededGenerator) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(start).prefix(random.number(1..<6))))
  }

  /// Texts of several words; many share some words.
  static let sentences = [
    "fish soup", "soup  fish", "Fishing", "fish", "a fish and a soup", "e-mail", "E Mail", "email fish", "don't",
    "dont a",
    "3.14 fish", "3 14", "Straße in Ærø", "strasse aero", "Über den Wolken", "uber", "мир и война", "Война и миръ",
    "Ёлка и ель",
    "Ελλάς φως", "ΦΩΣ ελλας", "京都大学", "東京都 大学", "หมี", "หม", "กี่ ก", "กี หมี", "2024年度 大学", "２年 京都", "หมีกินปลา", "หม หมี",
    "שלום עולם", "צה\"ל שָׁלוֹם",
    "한국어 사전", "한국 말", "हिन्दी भाषा", "हिन", "fish AND soup", "NOT fish", "-fish soup", "\"fish soup\"", "fish* (soup)",
    "c0 : fish",
    "a b", "b a", "ab ba", "a,b", "１４ fish", "👩‍👩‍👧 fish", "fish\0soup", "fish\nsoup",
    "x" + String(repeating: "yz", count: 40) + " a",
  ]

  /// Texts that end or continue at the end of a likely input.
  static let edgeTexts = ["京都大学", "กี หมี", "かき がき", "fishing soup", "한국어"]

  private static let edgeInputs = [
    "学", "都大", "หมี -ก", "ก", "หม", "か", "fish", "어",
  ]

  private static let strangeInputs = [
    "", " ", "\"", "\"\"", "-", "--", "*", "a*", "AND", "NEAR(fish soup)", "fish OR soup", "c0:fish", "{c0} : fish",
    "^fish", "(",
    "fish \"", "-\"", "'", "fish\0soup", "\0", "\u{301}", "fi fish f", "-fish -soup", "fish -fish", "a -",
    "  fish  soup  ", "%", "_",
    "fish soup fish soup fish", "\u{FFFD}", "ﬁsh", "-ab", "…",
  ]
}
