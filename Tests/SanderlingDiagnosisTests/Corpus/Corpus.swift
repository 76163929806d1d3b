/// All schemas with their statements.
enum Corpus {
  static let schemas: [CorpusSchema] = [
    todo, contacts, notes, items, mail, music, photos, commerce, chat, history, places, core, fleet, school,
    library, tickets, sensors,
  ]

  static var statements: [CorpusStatement] { schemas.flatMap(\.statements) }
}
