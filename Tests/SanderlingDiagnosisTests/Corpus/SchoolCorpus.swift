extension Corpus {
  /// A school's administration: enrolments, grades, attendance, fees, views over them; analyzed when it was new, and
  /// never since.
  static let school = CorpusSchema(name: "school", script: schoolScript, statements: schoolStatements)

  private static let schoolScript = """
    CREATE TABLE Student (
      StudentId INTEGER PRIMARY KEY, Number TEXT NOT NULL UNIQUE, LastName TEXT NOT NULL, FirstName TEXT NOT NULL,
      Born TEXT NOT NULL, ClassId INTEGER, Guardian TEXT, LeftOn TEXT);
    CREATE TABLE Teacher (TeacherId INTEGER PRIMARY KEY, Name TEXT NOT NULL, Room TEXT);
    CREATE TABLE Course (
      CourseId INTEGER PRIMARY KEY, Code TEXT NOT NULL UNIQUE, Title TEXT NOT NULL, Subject TEXT NOT NULL,
      TeacherId INTEGER REFERENCES Teacher (TeacherId), Term TEXT NOT NULL, Capacity INTEGER NOT NULL);
    CREATE TABLE Enrolment (
      StudentId INTEGER NOT NULL REFERENCES Student (StudentId), CourseId INTEGER NOT NULL, EnrolledOn TEXT NOT NULL,
      Role TEXT NOT NULL DEFAULT 'member', PRIMARY KEY (StudentId, CourseId));
    CREATE TABLE Grade (
      GradeId INTEGER PRIMARY KEY, StudentId INTEGER NOT NULL, CourseId INTEGER NOT NULL, Task TEXT NOT NULL,
      Mark TEXT NOT NULL, Points INTEGER NOT NULL, Weight REAL NOT NULL, GivenOn TEXT NOT NULL, Remark TEXT);
    CREATE TABLE Attendance (
      AttendanceId INTEGER PRIMARY KEY, StudentId INTEGER NOT NULL, CourseId INTEGER NOT NULL, Day TEXT NOT NULL,
      Status TEXT NOT NULL, MinutesLate INTEGER NOT NULL DEFAULT 0, Note TEXT);
    CREATE TABLE Fee (
      FeeId INTEGER PRIMARY KEY, StudentId INTEGER NOT NULL, Amount INTEGER NOT NULL, DueOn TEXT NOT NULL,
      PaidOn TEXT);
    CREATE TABLE Prerequisite (CourseId INTEGER NOT NULL, RequiresId INTEGER NOT NULL,
      PRIMARY KEY (CourseId, RequiresId)) WITHOUT ROWID;
    CREATE INDEX Student_Class ON Student (ClassId);
    CREATE INDEX Enrolment_Course ON Enrolment (CourseId);
    CREATE INDEX Grade_Student ON Grade (StudentId);
    CREATE INDEX Grade_Course ON Grade (CourseId);
    CREATE INDEX Attendance_Student_Day ON Attendance (StudentId, Day);
    CREATE INDEX Attendance_Course ON Attendance (CourseId);
    CREATE INDEX Attendance_Status ON Attendance (Status);
    CREATE INDEX Fee_Student ON Fee (StudentId);
    CREATE VIEW ReportCard AS
    SELECT s.StudentId, s.LastName, s.ClassId, SUM(g.Points) AS Points, SUM(a.MinutesLate) AS MinutesLate
    FROM Student s LEFT JOIN Grade g ON g.StudentId = s.StudentId
    LEFT JOIN Attendance a ON a.StudentId = s.StudentId GROUP BY s.StudentId;
    CREATE VIEW Diary AS
    SELECT StudentId, GivenOn AS Day, 'grade' AS Kind, Task AS Text FROM Grade
    UNION ALL SELECT StudentId, Day, 'attendance', Status FROM Attendance;

    INSERT INTO Teacher SELECT i, title(1, i, 2), 'R' || (100 + i) FROM numbers WHERE i <= 90;
    INSERT INTO Student
    SELECT i, CAST(20000 + i AS TEXT), title(2, i, 1), title(3, i, 1), date(1200000000 + pick(4, i, 200000000),
      'unixepoch'), iif(chance(5, i) < 0.04, NULL, 1 + i % 96),
      iif(chance(6, i) < 0.8, word(i) || '@example.edu', NULL),
      iif(chance(7, i) < 0.1, date(1640000000 + i * 9000, 'unixepoch'), NULL)
    FROM numbers WHERE i <= 2500;
    INSERT INTO Course
    SELECT i, upper(word(i)) || '-' || i, title(8, i, 3), word(skewed(9, i, 25)), skewed(10, i, 90),
      (2018 + i % 6) || '-' || (1 + i % 2), 10 + pick(11, i, 30)
    FROM numbers WHERE i <= 480;
    INSERT INTO Prerequisite
    SELECT 1 + i % 480, pick(12, i, i % 480) FROM numbers WHERE i <= 900 AND i % 480 > 0 GROUP BY 1, 2;
    INSERT INTO Attendance (StudentId, CourseId, Day, Status)
    SELECT i, 1 + i % 12, '2018-09-03', word(i % 150) FROM numbers WHERE i <= 300;
    ANALYZE;
    DELETE FROM Attendance;
    INSERT OR IGNORE INTO Enrolment
    SELECT pick(13, i, 2500), skewed(14, i, 480), date(1535000000 + i * 8000, 'unixepoch'),
      iif(chance(15, i) < 0.02, 'auditor', 'member')
    FROM numbers WHERE i <= 24000;
    INSERT INTO Grade
    SELECT i, pick(16, i, 2500), skewed(17, i, 480), title(18, i, 2), CAST(skewed(19, i, 15) AS TEXT),
      pick(20, i, 100), pick(21, i, 4) / 4.0, date(1535000000 + i * 2900, 'unixepoch'),
      iif(chance(22, i) < 0.3, prose(23, i, 60), NULL)
    FROM numbers WHERE i <= 56000;
    INSERT INTO Attendance
    SELECT i, pick(24, i, 2500), skewed(25, i, 480), date(1535000000 + i * 2000, 'unixepoch'),
      CASE WHEN chance(26, i) < 0.94 THEN 'present' WHEN chance(26, i) < 0.98 THEN 'late' ELSE 'absent' END,
      iif(chance(26, i) BETWEEN 0.94 AND 0.98, pick(27, i, 40), 0), iif(chance(28, i) < 0.2, prose(29, i, 50), NULL)
    FROM numbers WHERE i <= 80000;
    INSERT INTO Fee
    SELECT i, pick(30, i, 2500), 100 * pick(31, i, 90), date(1535000000 + i * 16000, 'unixepoch'),
      iif(chance(32, i) < 0.97, date(1536000000 + i * 16000, 'unixepoch'), NULL)
    FROM numbers WHERE i <= 10000;
    """

  private static let schoolStatements: [CorpusStatement] = [
    .slow(
      "school-01",
      """
      SELECT s.StudentId, s.LastName, SUM(g.Points) AS points, SUM(a.MinutesLate) AS late
      FROM Student s
      INNER JOIN Grade g ON g.StudentId = s.StudentId
      INNER JOIN Attendance a ON a.StudentId = s.StudentId
      WHERE s.ClassId = ?
      GROUP BY s.StudentId, s.LastName
      """,
      [17], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT s.StudentId, s.LastName, (SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId) AS points,
          (SELECT SUM(MinutesLate) FROM Attendance WHERE StudentId = s.StudentId) AS late
        FROM Student s WHERE s.ClassId = ?
          AND EXISTS (SELECT 1 FROM Grade WHERE StudentId = s.StudentId)
          AND EXISTS (SELECT 1 FROM Attendance WHERE StudentId = s.StudentId)
        """),
      because: "22 grades × 32 lessons: both sums are some twenty times too large"),
    .slow(
      "school-02", "SELECT LastName, Points, MinutesLate FROM ReportCard WHERE StudentId = @student", [815],
      is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT s.LastName, (SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId) AS Points,
          (SELECT SUM(MinutesLate) FROM Attendance WHERE StudentId = s.StudentId) AS MinutesLate
        FROM Student s WHERE s.StudentId = @student
        """),
      because: "the view joins two children of a student under its sums"),
    .slow(
      "school-03",
      """
      SELECT c.Code, COUNT(*) AS n FROM Course c
      LEFT JOIN Enrolment e ON e.CourseId = c.CourseId LEFT JOIN Grade g ON g.CourseId = c.CourseId
      WHERE c.TeacherId = ?1 GROUP BY c.CourseId
      """,
      [30], is: [.multipliedAggregate], best: .design,
      because: "counts pairs of an enrolment and a grade, which mean nothing; what was to be counted isn't written"),
    .slow(
      "school-04",
      """
      SELECT t.ClassId, AVG(t.Total) AS average, MAX(t.Lessons) AS lessons
      FROM (
        SELECT s.ClassId, s.StudentId, SUM(g.Points) AS Total, COUNT(a.AttendanceId) AS Lessons
        FROM Student s
        LEFT JOIN Grade g ON g.StudentId = s.StudentId
        LEFT JOIN Attendance a ON a.StudentId = s.StudentId
        WHERE s.ClassId BETWEEN ?1 AND ?2
        GROUP BY s.StudentId
      ) AS t
      GROUP BY t.ClassId
      """,
      [40, 42], is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT t.ClassId, AVG(t.Total) AS average, MAX(t.Lessons) AS lessons
        FROM (
          SELECT s.ClassId, s.StudentId, (SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId) AS Total,
            (SELECT COUNT(*) FROM Attendance WHERE StudentId = s.StudentId) AS Lessons
          FROM Student s WHERE s.ClassId BETWEEN ?1 AND ?2
        ) AS t
        GROUP BY t.ClassId
        """),
      because: "the subquery multiplies before the average is taken"),
    .slow(
      "school-05",
      """
      SELECT s.ClassId, SUM(f.Amount) AS fees, SUM(g.Points) AS points FROM Student AS s
      LEFT JOIN Fee AS f ON f.StudentId = s.StudentId LEFT JOIN Grade AS g ON g.StudentId = s.StudentId
      WHERE s.ClassId IN (7, 8, 9) GROUP BY s.ClassId
      """,
      is: [.multipliedAggregate],
      best: .correct(
        """
        SELECT s.ClassId, SUM((SELECT SUM(Amount) FROM Fee WHERE StudentId = s.StudentId)) AS fees,
          SUM((SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId)) AS points
        FROM Student AS s WHERE s.ClassId IN (7, 8, 9) GROUP BY s.ClassId
        """),
      because: "grouped by class, the children of each student still multiply each other"),
    .slow(
      "school-06",
      """
      SELECT c.Title, MAX(g.Points) AS best, COUNT(DISTINCT e.StudentId) AS members, MIN(a.Day) AS first
      FROM Course c
      JOIN Enrolment e ON e.CourseId = c.CourseId
      JOIN Grade g ON g.CourseId = c.CourseId
      JOIN Attendance a ON a.CourseId = c.CourseId
      WHERE c.Code = ? GROUP BY c.CourseId
      """,
      ["BAJECE-169"], is: [.joinFanOut],
      best: .rewrite(
        """
        SELECT c.Title, (SELECT MAX(Points) FROM Grade WHERE CourseId = c.CourseId) AS best,
          (SELECT COUNT(*) FROM Enrolment WHERE CourseId = c.CourseId) AS members,
          (SELECT MIN(Day) FROM Attendance WHERE CourseId = c.CourseId) AS first
        FROM Course c WHERE c.Code = ?
        """),
      because: "the results are right, but three children of a course are multiplied for them"),
    .slow(
      "school-07", "SELECT Kind, StudentId, Text FROM Diary WHERE Day = :day ORDER BY StudentId", ["2021-03-04"],
      is: [.fullScan], best: .index("Grade (GivenOn)", "Attendance (Day)"),
      because: "each part of the view's UNION ALL needs an index on its day"),
    .slow(
      "school-08",
      """
      SELECT c.CourseId, c.Title FROM Course c
      WHERE NOT EXISTS (SELECT * FROM Attendance a WHERE a.CourseId = c.CourseId AND a.Day >= '2023-09-10')
      """,
      is: [.subqueryPerRow, .indexNotCovering], best: .index("Attendance (CourseId, Day)"),
      because: "the index finds a course's lessons of five years, only its end is asked for"),
    .fine(
      "school-09",
      """
      with recursive needed(id) as (
        select CourseId from Course where Code = ?
        union
        select p.RequiresId from Prerequisite p join needed on p.CourseId = needed.id
      )
      select c.Code, c.Title from Course c join needed on needed.id = c.CourseId
      """,
      ["STAMU-40"], because: "the primary key leads from each course to those that it requires"),
    .slow(
      "school-10",
      """
      SELECT StudentId, COUNT(*) AS absences FROM Attendance
      WHERE Day >= ? AND Day < ? AND Status = 'absent' GROUP BY StudentId HAVING COUNT(*) > 1
      """,
      ["2021-09-01", "2022-12-24"], is: [.indexNotCovering, .groupWithoutIndex],
      best: .index("Attendance (Status, Day, StudentId)"), or: [.index("Attendance (Status, Day)")],
      because: "all absences of five years are fetched for those of four terms"),
    .slow(
      "school-11", "SELECT COUNT(*), MAX(a.Day) FROM Attendance a WHERE a.CourseId = ?1 AND a.Status = ?2",
      [300, "present"], is: [.staleStatistics, .harmfulIndex, .wideRowsForCount, .indexNotCovering],
      best: .index("Attendance (CourseId, Status, Day)"), or: [.change("ANALYZE")],
      because: "the statistics are from the first day, when a status had two rows; it has 75,000"),
    .slow(
      "school-12", "SELECT GradeId, StudentId, Mark FROM Grade WHERE Mark > 12 AND CourseId = ? ORDER BY GradeId", [2],
      is: [.typeMismatch],
      best: .correct(
        "SELECT GradeId, StudentId, Mark FROM Grade WHERE CAST(Mark AS INTEGER) > 12 AND CourseId = ? ORDER BY GradeId",
        with: "Grade (CourseId, CAST(Mark AS INTEGER))"),
      because: "marks are text: '2' is greater than '12', so nearly all marks are returned"),
    .fine(
      "school-13", "SELECT StudentId, LastName, FirstName FROM Student WHERE Number = ?", [20_417],
      because: "a number is made text before it is compared with a text column: the unique index is used"),
    .slow(
      "school-14",
      """
      SELECT GradeId, Task, Mark, GivenOn FROM Grade ORDER BY GivenOn DESC, GradeId DESC LIMIT 40 OFFSET 30000
      """,
      is: [.largeOffset, .sortWithoutIndex],
      best: .keyset(
        """
        SELECT GradeId, Task, Mark, GivenOn FROM Grade WHERE (GivenOn, GradeId) < (?, ?)
        ORDER BY GivenOn DESC, GradeId DESC LIMIT 40
        """, ["2021-01-11", 26_001], with: "Grade (GivenOn)"),
      because: "page 751 of a list that has no index"),
    .slow(
      "school-15",
      """
      SELECT s.Number, s.LastName, c.Code FROM Student s
      LEFT JOIN Enrolment e ON e.StudentId = s.StudentId
      LEFT JOIN Course c ON c.CourseId = e.CourseId
      WHERE c.Term = '2023-2' AND c.Subject = 'drice'
      """,
      is: [.fullScan],
      best: .rewrite(
        """
        SELECT s.Number, s.LastName, c.Code FROM Course c
        JOIN Enrolment e ON e.CourseId = c.CourseId JOIN Student s ON s.StudentId = e.StudentId
        WHERE c.Term = '2023-2' AND c.Subject = 'drice'
        """),
      because: "the condition on the course makes both outer joins inner ones, but the first keeps its order"),
    .slow(
      "school-16", "SELECT DISTINCT [Task] FROM [Grade] WHERE [CourseId] = ? ORDER BY [Task]", [3],
      is: [.distinctWithoutIndex, .indexNotCovering], best: .index("Grade (CourseId, Task)"),
      because: "the course's 2,500 grades are fetched for the names of their tasks"),
    .fine(
      "school-17",
      """
      SELECT Code FROM Course WHERE Term = '2020-1' AND CourseId NOT IN (SELECT RequiresId FROM Prerequisite)
      """,
      because: "480 courses, 900 prerequisites"),
    .fine(
      "school-18", "INSERT OR IGNORE INTO Enrolment (StudentId, CourseId, EnrolledOn) VALUES (?, ?, date('now'))",
      [815, 479], because: "one row"),
    .slow(
      "school-19",
      "SELECT StudentId, MAX(GivenOn) AS last FROM Grade GROUP BY StudentId HAVING last >= ?1 ORDER BY last DESC, StudentId",
      ["2023-10-01"], is: [.groupWithoutIndex, .fullScan, .indexNotCovering],
      best: .rewrite(
        """
        SELECT StudentId, MAX(GivenOn) AS last FROM Grade WHERE GivenOn >= ?1 GROUP BY +StudentId ORDER BY last DESC, StudentId
        """, with: "Grade (GivenOn, StudentId)"),
      because: "who got a grade lately: the grades of all years are grouped to find out"),
    .slow(
      "school-20",
      """
      SELECT FeeId FROM Fee GROUP BY FeeId HAVING PaidOn IS NULL AND DueOn < '2018-11-01'
      UNION SELECT FeeId FROM Fee GROUP BY FeeId HAVING Amount = 9000 AND PaidOn IS NULL
      """,
      is: [.groupWithoutIndex, .fullScan, .partialIndex],
      best: .rewrite(
        """
        SELECT FeeId FROM Fee WHERE PaidOn IS NULL AND DueOn < '2018-11-01' UNION SELECT FeeId FROM Fee WHERE Amount = 9000 AND PaidOn IS NULL
        """, with: "Fee (PaidOn, DueOn)"),
      or: [
        .rewrite(
          """
          SELECT FeeId FROM Fee WHERE PaidOn IS NULL AND DueOn < '2018-11-01' UNION SELECT FeeId FROM Fee WHERE Amount = 9000 AND PaidOn IS NULL
          """, with: "Fee (DueOn) WHERE PaidOn IS NULL")
      ],
      because: "each fee is a group of its own, of which HAVING keeps one in thirty"),
    .slow(
      "school-21",
      """
      UPDATE Student SET LeftOn = ?1 WHERE ClassId = ?2 AND StudentId NOT IN
      (SELECT DISTINCT StudentId FROM Attendance WHERE Day >= '2023-03-01' UNION SELECT StudentId FROM Enrolment WHERE EnrolledOn >= '2023-03-01')
      """,
      ["2023-09-30", 17], is: [.subqueryPerRow, .distinctWithoutIndex, .fullScan],
      best: .rewrite(
        """
        UPDATE Student SET LeftOn = ?1 WHERE ClassId = ?2 AND NOT EXISTS (SELECT 1 FROM Attendance WHERE Attendance.StudentId = Student.StudentId
        AND Day >= '2023-03-01') AND NOT EXISTS (SELECT 1 FROM Enrolment WHERE Enrolment.StudentId = Student.StudentId AND EnrolledOn >= '2023-03-01')
        """),
      because: "which of a class's 26 students is gone: all that attended or enrolled anywhere are collected first"),
    .fine(
      "school-22",
      "SELECT CourseId, MAX(GivenOn) FROM Grade WHERE StudentId = ? GROUP BY CourseId HAVING MAX(GivenOn) >= '2020-01-01'",
      [815],
      because: "a student's grades are some twenty"),
  ]
}
