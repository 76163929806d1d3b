import GRDB

/// Random statements of all kinds, as an app writes them. There are few keys, so that statements affect the same rows.
enum RandomStatement {
  static func make(_ generator: inout SeededGenerator) -> String {
    let table = generator.element(["beds", "plants", "seeds", "places", "cuttings"])
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<4:
      let resolution = generator.element(["", " OR REPLACE", " OR REPLACE", " OR IGNORE", " OR FAIL"])
      let rows = (0..<generator.element([1, 1, 2, 3])).map { _ in "(\(row(table, &generator)))" }
      return "INSERT\(resolution) INTO \(table) (\(columns(table))) VALUES \(rows.joined(separator: ", "))"
    case 4:
      return "INSERT INTO \(table) (\(columns(table))) VALUES (\(row(table, &generator))) "
        + "ON CONFLICT DO UPDATE SET value = excluded.value"
    case 5..<8:
      let resolution = generator.element(["", " OR REPLACE", " OR REPLACE", " OR IGNORE", " OR FAIL"])
      return "UPDATE\(resolution) \(table) SET \(assignment(table, &generator)) WHERE \(condition(table, &generator))"
    default:
      return "DELETE FROM \(table) WHERE \(condition(table, &generator))"
    }
  }

  static func columns(_ table: String) -> String {
    switch table {
    case "beds": "id, name, value, size"
    case "plants": "word, value, rank"
    case "seeds": "id, value"
    case "places": "a, b, value, flag"
    default: "id, bed, plant, value"
    }
  }

  private static func row(_ table: String, _ generator: inout SeededGenerator) -> String {
    let g = { (elements: [String], generator: inout SeededGenerator) in generator.element(elements) }
    return switch table {
    case "beds":
      "\(g(number + ["NULL"], &generator)), \(g(text, &generator)), \(g(value, &generator)), \(g(["1.5", "2", "NULL"], &generator))"
    case "plants": "\(g(word, &generator)), \(g(value, &generator)), \(g(number + ["NULL"], &generator))"
    case "seeds": "\(g(blob, &generator)), \(g(value, &generator))"
    case "places":
      "\(g(number, &generator)), \(g(word, &generator)), \(g(value, &generator)), \(g(["0", "1", "NULL"], &generator))"
    default:
      "\(g(number + ["NULL"], &generator)), \(g(number + ["NULL"], &generator)), \(g(word + ["NULL"], &generator)), \(g(value, &generator))"
    }
  }

  private static func assignment(_ table: String, _ generator: inout SeededGenerator) -> String {
    switch table {
    case "beds":
      generator.element([
        "value = \(generator.element(value))", "name = \(generator.element(text))", "id = \(generator.element(number))",
        "rowid = \(generator.element(number))", "id = -id", "name = upper(name)",
      ])
    case "plants":
      generator.element([
        "value = \(generator.element(value))", "word = \(generator.element(word))",
        "rank = \(generator.element(number))",
        "word = upper(word)",
      ])
    case "seeds": generator.element(["value = \(generator.element(value))", "id = \(generator.element(blob))"])
    case "places":
      generator.element([
        "value = \(generator.element(value))", "flag = \(generator.element(["0", "1"]))",
        "a = \(generator.element(number))", "b = upper(b)", "a = a + 1, value = 'moved'",
      ])
    default:
      generator.element([
        "value = \(generator.element(value))", "bed = \(generator.element(number))", "id = id + 1",
        "plant = \(generator.element(word + ["NULL"]))",
      ])
    }
  }

  private static func condition(_ table: String, _ generator: inout SeededGenerator) -> String {
    let key =
      switch table {
      case "plants": "word = \(generator.element(word))"
      case "seeds": "id = \(generator.element(blob))"
      case "places": "a = \(generator.element(number))"
      default: "id = \(generator.element(number))"
      }
    return generator.element([key, key, key, "value = \(generator.element(value))", "1"])
  }

  private static let number = ["1", "2", "3", "4", "5"]
  private static let text = ["'a'", "'A'", "'b'", "'c'", "NULL"]
  private static let word = ["'ash'", "'ASH'", "'elm'", "'oak'", "'\u{E9}'", "'e\u{301}'"]
  private static let blob = ["x''", "x'00'", "x'0001'", "x'07'"]
  private static let value = ["1", "1.0", "'1'", "x'31'", "NULL", "'trigger'", "'green'", "''"]
}
