import SanderlingTerminal

/// The singular and the plural of English nouns, as names of tables use them.
enum EnglishNoun {
  /// Returns the singular of a plural, and other words unchanged.
  static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    if uncountable.contains(lower) || singulars.contains(lower) { return word }
    if let irregular = singularsOfPlurals[lower] { return cased(irregular, as: word) }
    if NameWords.isInitialism(word) { return NameWords.initialisms.contains(lower) ? word : String(word.dropLast()) }
    // A compound ends in a shorter plural: `bookshelves`.
    if let pair = pairs.first(where: { $0.plural.count > 5 && lower.hasSuffix($0.plural) }) {
      return word.dropLast(pair.plural.count) + pair.singular
    }
    if lower.hasSuffix("ies") {
      let isWithE = lower.count == 4 || nounsInIE.contains { String(lower.dropLast()).hasSuffix($0) }
      return isWithE ? String(word.dropLast()) : word.dropLast(3) + "y"
    }
    if lower.hasSuffix("es") {
      let stem = String(lower.dropLast(2))
      let isSibilant =
        ["ss", "x", "sh", "zz"].contains(where: stem.hasSuffix)
        || stem.hasSuffix("ch") && !nounsInCHE.contains { stem.hasSuffix($0) }
        || stem.hasSuffix("o") && !nounsInOE.contains(stem)
      if isSibilant || singulars.contains(where: { $0.count > 2 && stem == $0 }) { return String(word.dropLast(2)) }
    }
    let isSingular =
      !lower.hasSuffix("s") || ["ss", "us", "is"].contains(where: lower.hasSuffix) || lower.count < 3
    return isSingular ? word : String(word.dropLast())
  }

  /// Returns the plural of a singular.
  static func plural(_ word: String) -> String {
    let lower = word.lowercased()
    if uncountable.contains(lower) { return word }
    if let irregular = pluralsOfSingulars[lower] { return cased(irregular, as: word) }
    if NameWords.isInitialism(word) { return word + "s" }
    let letterBefore = lower.dropLast().last
    if lower.hasSuffix("y"), let letterBefore, !"aeiou".contains(letterBefore) { return word.dropLast() + "ies" }
    let takesES =
      ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) || nounsWithOES.contains(where: lower.hasSuffix)
    return word + (takesES ? "es" : "s")
  }

  private static func cased(_ noun: String, as word: String) -> String {
    word.first?.isUppercase == true ? noun.capitalizedFirst : noun
  }

  private static let uncountable: Set<String> = [
    "aircraft", "by", "data", "equipment", "feedback", "fish", "hardware", "history", "info", "information", "media",
    "meta",
    "metadata", "money", "music", "news", "series", "sheep", "software", "species", "spacecraft", "staff", "traffic",
    "usage", "weather",
  ]

  /// Singulars that end in "s".
  private static let singulars: Set<String> = [
    "alias", "atlas", "bias", "bonus", "bus", "campus", "canvas", "census", "chaos", "chorus", "circus", "consensus",
    "corpus", "cosmos", "focus", "gas", "lens", "minus", "nexus", "plus", "radius", "status", "surplus", "syllabus",
    "tennis", "terminus", "virus", "yes",
  ]

  private static let pairs: [(plural: String, singular: String)] = [
    ("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman"), ("mice", "mouse"),
    ("feet", "foot"), ("teeth", "tooth"), ("geese", "goose"), ("indices", "index"), ("vertices", "vertex"),
    ("matrices", "matrix"), ("appendices", "appendix"), ("analyses", "analysis"), ("axes", "axis"),
    ("crises", "crisis"), ("diagnoses", "diagnosis"), ("hypotheses", "hypothesis"), ("synopses", "synopsis"),
    ("theses", "thesis"), ("wolves", "wolf"), ("leaves", "leaf"), ("halves", "half"), ("shelves", "shelf"),
    ("selves", "self"), ("elves", "elf"), ("calves", "calf"), ("loaves", "loaf"), ("thieves", "thief"),
    ("scarves", "scarf"), ("knives", "knife"), ("lives", "life"), ("wives", "wife"), ("criteria", "criterion"),
    ("phenomena", "phenomenon"), ("bacteria", "bacterium"), ("schemata", "schema"), ("curricula", "curriculum"),
    ("alumni", "alumnus"), ("cacti", "cactus"), ("fungi", "fungus"), ("loci", "locus"), ("nuclei", "nucleus"),
    ("radii", "radius"), ("stimuli", "stimulus"), ("formulae", "formula"), ("antennae", "antenna"),
    ("larvae", "larva"), ("quizzes", "quiz"), ("oxen", "ox"), ("dice", "die"), ("menus", "menu"),
    ("gurus", "guru"), ("bureaus", "bureau"), ("wikis", "wiki"), ("taxis", "taxi"), ("emojis", "emoji"),
  ]

  private static let singularsOfPlurals = Dictionary(uniqueKeysWithValues: pairs.map { ($0.plural, $0.singular) })

  /// The usual plurals. Tables of the field have `indexes` and `schemas` as often as the foreign plurals.
  private static let pluralsOfSingulars = Dictionary(
    uniqueKeysWithValues: pairs.filter {
      !["indices", "schemata", "formulae", "antennae", "radii"].contains($0.plural)
    }
    .map { ($0.singular, $0.plural) })

  private static let nounsInIE = [
    "auntie", "birdie", "bookie", "brownie", "calorie", "collie", "cookie", "cutie", "foodie", "freebie", "genie",
    "goalie", "hoodie", "indie", "junkie", "lingerie", "magpie", "menagerie", "movie", "necktie", "newbie", "pixie",
    "prairie", "reverie", "rookie", "selfie", "smoothie", "sortie", "talkie", "techie", "veggie", "zombie",
  ]

  /// Nouns in "che" without the last letter.
  private static let nounsInCHE = [
    "cach", "headach", "nich", "quich", "psych", "moustach", "brioch", "clich", "avalanch",
  ]

  private static let nounsInOE: Set<String> = ["sho", "horsesho", "to", "tipto", "ho", "fo", "obo", "cano"]

  private static let nounsWithOES = [
    "hero", "potato", "tomato", "echo", "veto", "torpedo", "mosquito", "volcano", "cargo", "buffalo", "mango",
    "embargo",
  ]
}
