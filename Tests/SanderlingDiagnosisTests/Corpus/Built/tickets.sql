-- schema: tickets
-- about: Tickets of an issue tracker with JSON: literals that belong to an index, and those that one execution had.

CREATE TABLE ticket (
  id INTEGER PRIMARY KEY, state TEXT NOT NULL, priority INTEGER NOT NULL, assignee INTEGER, opened TEXT NOT NULL,
  title TEXT NOT NULL, fields TEXT NOT NULL, is_spam INTEGER NOT NULL);
CREATE TABLE remark (id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL REFERENCES ticket (id), author INTEGER, body TEXT);
CREATE INDEX remark_ticket ON remark (ticket_id);
CREATE INDEX ticket_opened ON ticket (opened);

INSERT INTO ticket SELECT i,
  CASE WHEN chance(1, i) < 0.01 THEN 'blocked' WHEN chance(2, i) < 0.1 THEN 'open' ELSE 'closed' END, pick(3, i, 5),
  iif(chance(4, i) < 0.3, NULL, pick(5, i, 400)), datetime('2020-01-01', (i * 40) || ' minutes'), title(6, i, 5),
  json_object('customer', 'c' || pick(7, i, 3000), 'version', pick(8, i, 20)), chance(9, i) < 0.01
FROM numbers WHERE i <= 40000;
INSERT INTO remark SELECT i, skewed(10, i, 40000), pick(11, i, 400), prose(12, i, 60) FROM numbers WHERE i <= 50000;

-- statement: tickets-01
-- is: expression-index, full-scan, function-on-column
-- because: the path belongs to the index
-- run: 'c77'

SELECT id, title FROM ticket WHERE json_extract(fields, '$.customer') = ?

-- best
-- index: ticket (json_extract(fields, '$.customer'))

-- statement: tickets-02
-- is: full-scan
-- because: one execution says nothing of other states

SELECT id, title FROM ticket WHERE state = 'blocked' AND assignee = 33

-- best
-- index: ticket (assignee, state)

-- or
-- index: ticket (state, assignee)

-- statement: tickets-03
-- is: full-scan, index-not-covering, sort-without-index
-- because: a parameter: the general index
-- run: 'blocked'

SELECT id FROM ticket WHERE state = ? ORDER BY opened DESC LIMIT 20

-- best
-- index: ticket (state, opened)

-- statement: tickets-04
-- is: function-on-column
-- because: all rows have the form that date() begins with

SELECT id, title FROM ticket WHERE date(opened) = '2022-03-04'

-- best

SELECT id, title FROM ticket WHERE opened >= '2022-03-04' AND opened < '2022-03-05'

-- or
-- index: ticket (date(opened))

-- statement: tickets-05
-- is: full-scan, partial-index
-- because: a flag

SELECT id, title FROM ticket WHERE is_spam = 1

-- best
-- index: ticket (is_spam)

-- or
-- index: ticket (id) WHERE is_spam = 1

-- statement: tickets-06
-- fine
-- because: by its index
-- run: 12

SELECT body FROM remark WHERE ticket_id = ?

-- statement: tickets-07
-- fine
-- because: counted over an index

SELECT count(*) FROM remark

-- statement: tickets-08
-- is: full-scan, or-without-index, sort-without-index
-- because: the list of one person: a filter that a parameter switches off has no index, and others' tickets are read
-- run: 33, NULL | 212, NULL

SELECT id, title, opened FROM ticket WHERE (?1 IS NULL OR assignee = ?1) AND (?2 IS NULL OR state = ?2)
ORDER BY opened DESC LIMIT 50

-- best
-- index: ticket (assignee, opened)

SELECT id, title, opened FROM ticket WHERE ?1 IS NOT NULL AND assignee = ?1 AND (?2 IS NULL OR state = ?2)
UNION ALL SELECT id, title, opened FROM ticket WHERE ?1 IS NULL AND (?2 IS NULL OR state = ?2)
ORDER BY 3 DESC LIMIT 50

-- statement: tickets-09
-- is: full-scan, or-without-index
-- because: one author's remarks are counted among all
-- run: 0, 77

SELECT count(*) FROM remark WHERE (1 = :all OR author = :author)

-- best
-- index: remark (author)

SELECT CASE WHEN 1 = :all THEN (SELECT count(*) FROM remark) ELSE (SELECT count(*) FROM remark WHERE author = :author)
END AS "count(*)"

-- statement: tickets-10
-- fine
-- because: no filter is set: all tickets are wanted
-- run: NULL

SELECT id, title FROM ticket WHERE (?1 IS NULL OR assignee = ?1)
