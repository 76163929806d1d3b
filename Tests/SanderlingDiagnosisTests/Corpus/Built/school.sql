-- schema: school
-- about: A school's administration: enrolments, grades, attendance, fees, views over them; analyzed when it was new, and never since.

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

-- statement: school-01
-- is: multiplied-aggregate
-- because: 22 grades × 32 lessons: both sums are some twenty times too large
-- run: 17

SELECT s.StudentId, s.LastName, SUM(g.Points) AS points, SUM(a.MinutesLate) AS late
FROM Student s
INNER JOIN Grade g ON g.StudentId = s.StudentId
INNER JOIN Attendance a ON a.StudentId = s.StudentId
WHERE s.ClassId = ?
GROUP BY s.StudentId, s.LastName

-- best
-- changes results

SELECT s.StudentId, s.LastName, (SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId) AS points,
  (SELECT SUM(MinutesLate) FROM Attendance WHERE StudentId = s.StudentId) AS late
FROM Student s WHERE s.ClassId = ?
  AND EXISTS (SELECT 1 FROM Grade WHERE StudentId = s.StudentId)
  AND EXISTS (SELECT 1 FROM Attendance WHERE StudentId = s.StudentId)

-- statement: school-02
-- is: multiplied-aggregate
-- because: the view joins two children of a student under its sums
-- run: 815

SELECT LastName, Points, MinutesLate FROM ReportCard WHERE StudentId = @student

-- best
-- changes results

SELECT s.LastName, (SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId) AS Points,
  (SELECT SUM(MinutesLate) FROM Attendance WHERE StudentId = s.StudentId) AS MinutesLate
FROM Student s WHERE s.StudentId = @student

-- statement: school-03
-- is: multiplied-aggregate
-- because: counts pairs of an enrolment and a grade, which mean nothing; what was to be counted isn't written
-- run: 30

SELECT c.Code, COUNT(*) AS n FROM Course c
LEFT JOIN Enrolment e ON e.CourseId = c.CourseId LEFT JOIN Grade g ON g.CourseId = c.CourseId
WHERE c.TeacherId = ?1 GROUP BY c.CourseId

-- best: design

-- statement: school-04
-- is: multiplied-aggregate
-- because: the subquery multiplies before the average is taken
-- run: 40, 42

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

-- best
-- changes results

SELECT t.ClassId, AVG(t.Total) AS average, MAX(t.Lessons) AS lessons
FROM (
  SELECT s.ClassId, s.StudentId, (SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId) AS Total,
    (SELECT COUNT(*) FROM Attendance WHERE StudentId = s.StudentId) AS Lessons
  FROM Student s WHERE s.ClassId BETWEEN ?1 AND ?2
) AS t
GROUP BY t.ClassId

-- statement: school-05
-- is: multiplied-aggregate
-- because: grouped by class, the children of each student still multiply each other

SELECT s.ClassId, SUM(f.Amount) AS fees, SUM(g.Points) AS points FROM Student AS s
LEFT JOIN Fee AS f ON f.StudentId = s.StudentId LEFT JOIN Grade AS g ON g.StudentId = s.StudentId
WHERE s.ClassId IN (7, 8, 9) GROUP BY s.ClassId

-- best
-- changes results

SELECT s.ClassId, SUM((SELECT SUM(Amount) FROM Fee WHERE StudentId = s.StudentId)) AS fees,
  SUM((SELECT SUM(Points) FROM Grade WHERE StudentId = s.StudentId)) AS points
FROM Student AS s WHERE s.ClassId IN (7, 8, 9) GROUP BY s.ClassId

-- statement: school-06
-- is: join-fan-out
-- because: the results are right, but three children of a course are multiplied for them
-- run: 'BAJECE-169'

SELECT c.Title, MAX(g.Points) AS best, COUNT(DISTINCT e.StudentId) AS members, MIN(a.Day) AS first
FROM Course c
JOIN Enrolment e ON e.CourseId = c.CourseId
JOIN Grade g ON g.CourseId = c.CourseId
JOIN Attendance a ON a.CourseId = c.CourseId
WHERE c.Code = ? GROUP BY c.CourseId

-- best

SELECT c.Title, (SELECT MAX(Points) FROM Grade WHERE CourseId = c.CourseId) AS best,
  (SELECT COUNT(*) FROM Enrolment WHERE CourseId = c.CourseId) AS members,
  (SELECT MIN(Day) FROM Attendance WHERE CourseId = c.CourseId) AS first
FROM Course c WHERE c.Code = ?

-- statement: school-07
-- is: full-scan
-- because: each part of the view's UNION ALL needs an index on its day
-- run: '2021-03-04'

SELECT Kind, StudentId, Text FROM Diary WHERE Day = :day ORDER BY StudentId

-- best
-- index: Grade (GivenOn)
-- index: Attendance (Day)

-- statement: school-08
-- is: index-not-covering, subquery-per-row
-- because: the index finds a course's lessons of five years, only its end is asked for

SELECT c.CourseId, c.Title FROM Course c
WHERE NOT EXISTS (SELECT * FROM Attendance a WHERE a.CourseId = c.CourseId AND a.Day >= '2023-09-10')

-- best
-- index: Attendance (CourseId, Day)

-- statement: school-09
-- fine
-- because: the primary key leads from each course to those that it requires
-- run: 'STAMU-40'

with recursive needed(id) as (
  select CourseId from Course where Code = ?
  union
  select p.RequiresId from Prerequisite p join needed on p.CourseId = needed.id
)
select c.Code, c.Title from Course c join needed on needed.id = c.CourseId

-- statement: school-10
-- is: group-without-index, index-not-covering
-- because: all absences of five years are fetched for those of four terms
-- run: '2021-09-01', '2022-12-24'

SELECT StudentId, COUNT(*) AS absences FROM Attendance
WHERE Day >= ? AND Day < ? AND Status = 'absent' GROUP BY StudentId HAVING COUNT(*) > 1

-- best
-- index: Attendance (Status, Day, StudentId)

-- or
-- index: Attendance (Status, Day)

-- statement: school-11
-- is: harmful-index, index-not-covering, stale-statistics, wide-rows-for-count
-- because: the statistics are from the first day, when a status had two rows; it has 75,000
-- run: 300, 'present'

SELECT COUNT(*), MAX(a.Day) FROM Attendance a WHERE a.CourseId = ?1 AND a.Status = ?2

-- best
-- index: Attendance (CourseId, Status, Day)

-- or
-- change: ANALYZE

-- statement: school-12
-- is: type-mismatch
-- because: marks are text: '2' is greater than '12', so nearly all marks are returned
-- run: 2

SELECT GradeId, StudentId, Mark FROM Grade WHERE Mark > 12 AND CourseId = ? ORDER BY GradeId

-- best
-- index: Grade (CourseId, CAST(Mark AS INTEGER))
-- changes results

SELECT GradeId, StudentId, Mark FROM Grade WHERE CAST(Mark AS INTEGER) > 12 AND CourseId = ? ORDER BY GradeId

-- statement: school-13
-- fine
-- because: a number is made text before it is compared with a text column: the unique index is used
-- run: 20417

SELECT StudentId, LastName, FirstName FROM Student WHERE Number = ?

-- statement: school-14
-- is: large-offset, sort-without-index
-- because: page 751 of a list that has no index

SELECT GradeId, Task, Mark, GivenOn FROM Grade ORDER BY GivenOn DESC, GradeId DESC LIMIT 40 OFFSET 30000

-- best
-- index: Grade (GivenOn)
-- run: '2021-01-11', 26001

SELECT GradeId, Task, Mark, GivenOn FROM Grade WHERE (GivenOn, GradeId) < (?, ?)
ORDER BY GivenOn DESC, GradeId DESC LIMIT 40

-- statement: school-15
-- is: full-scan
-- because: the condition on the course makes both outer joins inner ones, but the first keeps its order

SELECT s.Number, s.LastName, c.Code FROM Student s
LEFT JOIN Enrolment e ON e.StudentId = s.StudentId
LEFT JOIN Course c ON c.CourseId = e.CourseId
WHERE c.Term = '2023-2' AND c.Subject = 'drice'

-- best

SELECT s.Number, s.LastName, c.Code FROM Course c
JOIN Enrolment e ON e.CourseId = c.CourseId JOIN Student s ON s.StudentId = e.StudentId
WHERE c.Term = '2023-2' AND c.Subject = 'drice'

-- statement: school-16
-- is: distinct-without-index, index-not-covering
-- because: the course's 2,500 grades are fetched for the names of their tasks
-- run: 3

SELECT DISTINCT [Task] FROM [Grade] WHERE [CourseId] = ? ORDER BY [Task]

-- best
-- index: Grade (CourseId, Task)

-- statement: school-17
-- fine
-- because: 480 courses, 900 prerequisites

SELECT Code FROM Course WHERE Term = '2020-1' AND CourseId NOT IN (SELECT RequiresId FROM Prerequisite)

-- statement: school-18
-- fine
-- because: one row
-- run: 815, 479

INSERT OR IGNORE INTO Enrolment (StudentId, CourseId, EnrolledOn) VALUES (?, ?, date('now'))

-- statement: school-19
-- is: full-scan, group-without-index, index-not-covering
-- because: who got a grade lately: the grades of all years are grouped to find out
-- run: '2023-10-01'

SELECT StudentId, MAX(GivenOn) AS last FROM Grade GROUP BY StudentId HAVING last >= ?1 ORDER BY last DESC, StudentId

-- best
-- index: Grade (GivenOn, StudentId)

SELECT StudentId, MAX(GivenOn) AS last FROM Grade WHERE GivenOn >= ?1 GROUP BY +StudentId ORDER BY last DESC, StudentId

-- statement: school-20
-- is: full-scan, group-without-index, partial-index
-- because: each fee is a group of its own, of which HAVING keeps one in thirty

SELECT FeeId FROM Fee GROUP BY FeeId HAVING PaidOn IS NULL AND DueOn < '2018-11-01'
UNION SELECT FeeId FROM Fee GROUP BY FeeId HAVING Amount = 9000 AND PaidOn IS NULL

-- best
-- index: Fee (PaidOn, DueOn)

SELECT FeeId FROM Fee WHERE PaidOn IS NULL AND DueOn < '2018-11-01' UNION SELECT FeeId FROM Fee WHERE Amount = 9000 AND PaidOn IS NULL

-- or
-- index: Fee (DueOn) WHERE PaidOn IS NULL

SELECT FeeId FROM Fee WHERE PaidOn IS NULL AND DueOn < '2018-11-01' UNION SELECT FeeId FROM Fee WHERE Amount = 9000 AND PaidOn IS NULL

-- statement: school-21
-- is: distinct-without-index, full-scan, subquery-per-row
-- because: which of a class's 26 students is gone: all that attended or enrolled anywhere are collected first
-- run: '2023-09-30', 17

UPDATE Student SET LeftOn = ?1 WHERE ClassId = ?2 AND StudentId NOT IN
(SELECT DISTINCT StudentId FROM Attendance WHERE Day >= '2023-03-01' UNION SELECT StudentId FROM Enrolment WHERE EnrolledOn >= '2023-03-01')

-- best

UPDATE Student SET LeftOn = ?1 WHERE ClassId = ?2 AND NOT EXISTS (SELECT 1 FROM Attendance WHERE Attendance.StudentId = Student.StudentId
AND Day >= '2023-03-01') AND NOT EXISTS (SELECT 1 FROM Enrolment WHERE Enrolment.StudentId = Student.StudentId AND EnrolledOn >= '2023-03-01')

-- statement: school-22
-- fine
-- because: a student's grades are some twenty
-- run: 815

SELECT CourseId, MAX(GivenOn) FROM Grade WHERE StudentId = ? GROUP BY CourseId HAVING MAX(GivenOn) >= '2020-01-01'
