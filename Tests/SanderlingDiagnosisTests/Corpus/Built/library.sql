-- schema: library
-- about: A public library: pages in orders that NULL takes part in, counts with empty groups, keys of two columns.
-- superfluous: redundant-index loan_member

CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, left_at INTEGER);
CREATE TABLE work (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER, rating REAL, series TEXT);
CREATE TABLE loan (
  id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES member (id), work_id INTEGER NOT NULL REFERENCES work (id),
  lent INTEGER NOT NULL, returned INTEGER, fee INTEGER);
CREATE TABLE shelf (room TEXT NOT NULL, place INTEGER NOT NULL, work_id INTEGER, PRIMARY KEY (room, place)) WITHOUT ROWID;
CREATE INDEX loan_member ON loan (member_id);
CREATE INDEX loan_member_lent ON loan (member_id, lent);
CREATE INDEX loan_work ON loan (work_id);
CREATE INDEX work_rating ON work (rating);
CREATE INDEX work_year ON work (year);

INSERT INTO member SELECT i, title(1, i, 2), iif(i % 9 = 0, NULL, word(pick(2, i, 40))), iif(i % 11 = 0, 17000 + i, NULL)
FROM numbers WHERE i <= 4000;
INSERT INTO work SELECT i, title(3, i, 4), iif(chance(4, i) < 0.2, NULL, 1900 + pick(5, i, 120)),
  iif(chance(6, i) < 0.3, NULL, pick(7, i, 50) / 10.0), iif(i % 5 = 0, word(pick(8, i, 600)), NULL)
FROM numbers WHERE i <= 40000;
INSERT INTO loan SELECT i, pick(9, i, 3900), skewed(10, i, 39000), 10000 + i / 8,
  iif(chance(11, i) < 0.02, NULL, 10000 + i / 8 + pick(12, i, 30)), iif(chance(13, i) < 0.8, NULL, pick(14, i, 9))
FROM numbers WHERE i <= 60000;
INSERT INTO shelf SELECT 'room ' || (i % 12), i, iif(i % 6 = 0, NULL, i) FROM numbers WHERE i <= 30000;

-- statement: library-01
-- is: large-offset
-- because: 12,000 works have no rating: a row value alone would lose them all

SELECT id, title, rating FROM work ORDER BY rating DESC LIMIT 40 OFFSET 20000

-- best: design

-- statement: library-02
-- is: large-offset
-- because: the first 8,000 rows have no year: a page among them needs a statement of its own

SELECT id, title, year FROM work ORDER BY year LIMIT 40 OFFSET 25000

-- best: design

-- statement: library-03
-- is: index-not-covering, subquery-per-row
-- because: counted by the index alone

SELECT m.id, m.name FROM member m WHERE (SELECT count(*) FROM loan l WHERE l.work_id = m.id AND l.fee = 3) > 4

-- best
-- index: loan (work_id, fee)

-- statement: library-04
-- fine
-- because: the index of both columns has this order
-- run: 77

SELECT id, lent FROM loan WHERE member_id = ? ORDER BY lent DESC LIMIT 20

-- statement: library-05
-- is: full-scan, partial-index, sort-without-index
-- because: 2 % are out; NULL is no literal of one execution

SELECT id, member_id FROM loan WHERE returned IS NULL ORDER BY lent LIMIT 30

-- best
-- index: loan (lent) WHERE returned IS NULL

-- or
-- index: loan (returned, lent)

-- statement: library-06
-- is: full-scan
-- because: the general index, not one of the fee 7

SELECT count(*) FROM loan WHERE fee = 7 AND lent > 15000

-- best
-- index: loan (fee, lent)

-- statement: library-07
-- fine
-- because: by rowid
-- run: 500

SELECT title FROM work WHERE id = ?

-- statement: library-08
-- fine
-- because: the table is in this order
-- run: 'room 3', 100, 180

SELECT work_id FROM shelf WHERE room = ? AND place BETWEEN ? AND ?
