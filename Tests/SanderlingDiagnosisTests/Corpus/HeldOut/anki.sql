-- schema: anki
-- about: Flash cards with a log of their reviews: times as keys, tags in a text, flags in bits.
-- origin: Anki, schema 11 (AGPL-3.0-or-later, Copyright Ankitects Pty Ltd and contributors): its notes, cards and reviews with their \
--   indexes

CREATE TABLE notes (
  id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL, usn integer NOT NULL,
  tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (
  id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL, mod integer NOT NULL,
  usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL, ivl integer NOT NULL,
  factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL,
  odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (
  id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL, ivl integer NOT NULL,
  lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);

INSERT INTO notes
SELECT 1500000000000 + i * 1000, printf('g%07d', i), 1 + i % 4, 1600000000 + i, iif(chance(1, i) < 0.001, -1, 400),
  ' ' || word(skewed(2, i, 40)) || iif(chance(3, i) < 0.01, ' leech', '') || ' ', title(4, i, 4) || char(31) || prose(5, i, 100 + pick(6, i, 600)),
  title(4, i, 4), iif(chance(7, i) < 0.01, 777000 + pick(8, i, 60), pick(9, i, 2000000000)), 0, ''
FROM numbers WHERE i <= 15000;
INSERT INTO cards
SELECT 1500000000000 + i * 500, 1500000000000 + (1 + (i - 1) / 2) * 1000, 1 + skewed(10, i, 30), i % 2, 1600000000 + i, 400,
  CASE WHEN chance(11, i) < 0.3 THEN 0 ELSE 2 END, CASE WHEN chance(11, i) < 0.3 THEN 0 WHEN chance(11, i) < 0.33 THEN -1 ELSE 2 END,
  pick(12, i, 1500), pick(13, i, 400), 2500, iif(chance(11, i) < 0.3, 0, pick(14, i, 40)), iif(chance(15, i) < 0.98, pick(16, i, 4) - 1, 8 \
+ pick(17, i, 12)),
  0, 0, 0, iif(chance(18, i) < 0.01, 1 + pick(19, i, 4), 0) + 8 * (pick(20, i, 3) - 1), '{"pos":' || i || '}'
FROM numbers WHERE i <= 30000;
INSERT INTO revlog
SELECT 1600000000000 + i * 900000, 1500000000000 + pick(21, i, 30000) * 500, 400, 1 + pick(22, i, 4) % 4, pick(23, i, 300), pick(24, i, 200), 2500,
  pick(25, i, 30000), CASE WHEN chance(26, i) < 0.2 THEN 0 WHEN chance(26, i) < 0.9 THEN 1 ELSE 2 END
FROM numbers WHERE i <= 90000;

-- statement: anki-01
-- fine
-- because: the list of decks: the index of the schedule has all that is counted
-- run: 700

SELECT did, sum(queue = 0), sum(queue = 2 AND due <= ?) FROM cards WHERE did IN (2, 3, 5, 8, 13, 21) GROUP BY did

-- statement: anki-02
-- fine
-- because: today's reviews by their key, which is a time
-- run: 1680800000000

SELECT count(*), sum(time) / 1000.0, sum(ease = 1) FROM revlog WHERE id > ?

-- statement: anki-03
-- is: index-not-covering, sort-without-index
-- because: nearly all are due, so that the order finds a hundred sooner than the range
-- run: 2, 1400 | 4, 1300

SELECT id, nid, due, ivl FROM cards WHERE did = ? AND queue = 2 AND due <= ? ORDER BY ivl DESC LIMIT 100

-- best
-- index: cards (did, queue, ivl)

SELECT id, nid, due, ivl FROM cards WHERE did = ? AND queue = 2 AND +due <= ? ORDER BY ivl DESC LIMIT 100

-- or
-- index: cards (did, queue, due, ivl, nid)

-- statement: anki-04
-- is: automatic-index, full-scan, missing-statistics, sort-without-index
-- because: 2 % are forgotten again and again
-- run: 8

SELECT c.id, c.lapses, n.sfld FROM cards c JOIN notes n ON n.id = c.nid WHERE c.lapses >= ? ORDER BY c.lapses DESC, c.id LIMIT 50

-- best
-- index: cards (lapses)

-- statement: anki-05
-- is: full-scan, index-not-covering, pattern-without-index
-- because: no index finds a word inside, but one without the fields is read ten times as fast
-- run: '% leech %'

SELECT id FROM notes WHERE tags LIKE ?

-- best
-- index: notes (tags)

-- statement: anki-06
-- is: full-scan, group-without-index, index-not-covering, join-order, missing-statistics
-- because: the reviews of a deck: each is looked up for its answer
-- run: 2 | 20

SELECT strftime('%Y-%m', r.id / 1000, 'unixepoch') AS month, avg(r.ease > 1) FROM revlog r JOIN cards c ON c.id = r.cid
WHERE c.did = ? AND r.type = 1 GROUP BY month ORDER BY month

-- best
-- index: revlog (cid, type, ease)

-- statement: anki-07
-- is: full-scan, group-without-index, index-not-covering
-- because: duplicates of one type: the sums are in order, and each note is looked up for its type
-- run: 2

SELECT csum, count(*) AS copies FROM notes WHERE mid = ? GROUP BY csum HAVING count(*) > 1

-- best
-- index: notes (mid, csum)

-- statement: anki-08
-- is: expression-index, full-scan, function-on-column
-- because: cards with a flag: four in a thousand, and bits have no index
-- run: 3 | 1

SELECT id, nid, did FROM cards WHERE (flags & 7) = ? ORDER BY id

-- best
-- index: cards ((flags & 7))

-- statement: anki-09
-- fine
-- because: what is to be synchronised, by an index

SELECT id, guid, mid, mod, tags, flds FROM notes WHERE usn = -1
