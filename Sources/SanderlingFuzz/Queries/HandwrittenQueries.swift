/// SELECTs as an app writes them: over several tables, recursive, compound, and over tables without a record.
enum HandwrittenQueries {
  static let all = [
    "SELECT id, name FROM place WHERE isOpen ORDER BY name, id",
    "SELECT placeID, COUNT(*) FROM crate GROUP BY placeID ORDER BY 1",
    "SELECT p.id, COUNT(c.id) FROM place p LEFT JOIN crate c ON c.placeID = p.id GROUP BY p.id ORDER BY 2 DESC, 1",
    "SELECT login, age FROM person ORDER BY age, login",
    "SELECT COUNT(*), MAX(id) FROM note",
    "WITH RECURSIVE down(id) AS (SELECT 1 UNION SELECT place.id FROM place JOIN down ON place.parentID = down.id) "
      + "SELECT id, 0 FROM down ORDER BY id",
    "SELECT id, crateID FROM note UNION ALL SELECT strength, crateID FROM tag ORDER BY 1, 2",
    "SELECT what, COUNT(*) FROM audit GROUP BY what ORDER BY what",
    "SELECT t.word, c.label FROM tag t JOIN crate c ON c.id = t.crateID ORDER BY t.word, t.crateID",
    "SELECT id, row_number() OVER (ORDER BY stars, id) FROM note ORDER BY id",
    "SELECT EXISTS (SELECT 1 FROM crate WHERE isSealed), (SELECT COUNT(*) FROM tag)",
  ]

  /// SELECTs over an attached database and over temporary tables.
  static let beside = [
    "SELECT id, value FROM extra.remote ORDER BY id",
    "SELECT r.id, p.name FROM extra.remote r LEFT JOIN place p ON p.id = r.id ORDER BY r.id",
    "SELECT id, value FROM temp.scratch ORDER BY id",
    "SELECT COUNT(*), MAX(value) FROM scratch",
  ]
}
