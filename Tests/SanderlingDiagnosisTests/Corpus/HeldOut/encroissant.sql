-- schema: encroissant
-- about: A chess database: games with their moves, by players, events and sites, and an index for each column that its search has.
-- source: Taken from franciscoBSalgueiro/en-croissant, src-tauri/src/db/create.sql and indexes.sql.
-- origin: En Croissant at 6a6c5b1c (GPL-3.0, Copyright Francisco Salgueiro and the contributors): all tables with the indexes that it \
--   makes on demand

CREATE TABLE Info (
  Name TEXT UNIQUE NOT NULL, Value TEXT);
CREATE TABLE Events (
  ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);
CREATE TABLE Sites (
  ID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT UNIQUE);
CREATE TABLE Players (
  ID INTEGER PRIMARY KEY, Name TEXT UNIQUE, Elo INTEGER);
CREATE TABLE Games (
  ID INTEGER PRIMARY KEY AUTOINCREMENT, EventID INTEGER, SiteID INTEGER, Date TEXT, UTCTime TEXT, Round INTEGER, WhiteID INTEGER, WhiteElo \
INTEGER, BlackID INTEGER, BlackElo INTEGER,
  WhiteMaterial INTEGER, BlackMaterial INTEGER, Result INTEGER, TimeControl TEXT, ECO TEXT, PlyCount INTEGER, FEN TEXT, Moves BLOB, PawnHome BLOB,
  FOREIGN KEY(EventID) REFERENCES Events, FOREIGN KEY(SiteID) REFERENCES Sites, FOREIGN KEY(WhiteID) REFERENCES Players, FOREIGN \
KEY(BlackID) REFERENCES Players);

INSERT INTO Info VALUES ('Version', '1.0.0'), ('Title', 'Club games'), ('Description', '');
INSERT INTO Events SELECT i, title(1, i, 2) || ' Open ' || (1960 + i % 64) || ' ' || i FROM numbers WHERE i <= 1500;
INSERT INTO Sites SELECT i, title(2, i, 1) || ' ' || upper(substr(word(i), 1, 3)) || i FROM numbers WHERE i <= 600;
INSERT INTO Players SELECT i, title(3, i, 1) || ', ' || title(4, i, 1) || ' ' || i, iif(chance(5, i) < 0.25, NULL, 1200 + pick(6, i, 800) \
+ pick(7, i, 800)) FROM numbers WHERE i <= 9000;
INSERT INTO Games
SELECT i, skewed(8, i, 1400), skewed(9, i, 580), iif(chance(10, i) < 0.03, NULL, (1970 + CAST(53 * sqrt(chance(11, i)) AS INTEGER)) || \
printf('.%02d.%02d', pick(12, i, 12), pick(13, i, 28))), printf('%02d:%02d:00', pick(14, i, 24) - 1, pick(15, i, 60) - 1), skewed(16, i, \
11),
  iif(chance(17, i) < 0.5, skewed(18, i, 8800), pick(19, i, 8800)), iif(chance(20, i) < 0.2, NULL, 1400 + pick(21, i, 700) + pick(22, i, \
700)), iif(chance(23, i) < 0.5, skewed(24, i, 8800), pick(25, i, 8800)), iif(chance(26, i) < 0.2, NULL, 1400 + pick(27, i, 700) + pick(28, \
i, 700)),
  pick(29, i, 39), pick(30, i, 39), CASE WHEN chance(31, i) < 0.38 THEN 0 WHEN chance(32, i) < 0.5 THEN 1 WHEN chance(33, i) < 0.97 THEN 2 \
END, iif(chance(34, i) < 0.6, '-', (60 * skewed(35, i, 60)) || '+' || (pick(36, i, 4) * 5)),
  iif(chance(37, i) < 0.02, NULL, char(64 + skewed(38, i, 5)) || printf('%02d', skewed(39, i, 99))), 10 + pick(40, i, 70) + pick(41, i, \
70), iif(chance(42, i) < 0.012, word(pick(43, i, 900)) || '/8/8/8/8/8/8/8 w - - 0 1', NULL), CAST(prose(44, i, 60 + pick(45, i, 160)) AS \
BLOB), CAST(printf('%04x', pick(46, i, 60000)) AS BLOB)
FROM numbers WHERE i <= 60000;
CREATE INDEX IF NOT EXISTS games_date_idx ON Games(Date);
CREATE INDEX IF NOT EXISTS games_white_idx ON Games(WhiteID);
CREATE INDEX IF NOT EXISTS games_black_idx ON Games(BlackID);
CREATE INDEX IF NOT EXISTS games_result_idx ON Games(Result);
CREATE INDEX IF NOT EXISTS games_white_elo_idx ON Games(WhiteElo);
CREATE INDEX IF NOT EXISTS games_black_elo_idx ON Games(BlackElo);

-- statement: encroissant-01
-- is: full-scan, index-not-covering, sort-without-index
-- because: the newest games of an opening: walked by date until enough have it
-- run: 'A40' | 'D12'

SELECT g.ID, w.Name, b.Name, g.Date, g.Result FROM Games AS g JOIN Players AS w ON w.ID = g.WhiteID JOIN Players AS b ON b.ID = g.BlackID \
WHERE g.ECO = ? ORDER BY g.Date DESC LIMIT 25

-- best
-- index: Games (ECO, Date)

-- statement: encroissant-02
-- is: automatic-index, full-scan, group-without-index, join-order, missing-statistics
-- because: games of the events that begin with a word: nothing finds games by event
-- run: 'Dipli%' | 'Loce tre%'

SELECT e.Name, count(g.ID) AS n, avg(g.PlyCount) AS plies FROM Events AS e JOIN Games AS g ON g.EventID = e.ID WHERE e.Name LIKE ? GROUP \
BY e.ID ORDER BY n DESC, e.ID LIMIT 20

-- best
-- index: Games (EventID, PlyCount)

-- or
-- index: Games (EventID)

-- statement: encroissant-03
-- fine
-- tolerated: index-not-covering, or-without-index
-- because: the games of a player, by both indexes
-- run: 170, 170 | 4000, 4000

SELECT count(*) FROM Games WHERE WhiteID = ? OR BlackID = ?

-- statement: encroissant-04
-- is: full-scan, sort-without-index
-- because: players of a strength, the strongest first
-- run: 2400, 2800 | 1200, 1300

SELECT ID, Name, Elo FROM Players WHERE Elo BETWEEN ? AND ? ORDER BY Elo DESC, ID DESC LIMIT 25

-- best
-- index: Players (Elo, Name)

-- or
-- index: Players (Elo)

-- statement: encroissant-05
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: any part of a name, and enough are soon found
-- run: '%dice%' | '%Gu%'

SELECT ID, Name, Elo FROM Players WHERE Name LIKE ? LIMIT 10

-- statement: encroissant-06
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a player whatever the case of the name
-- run: 'shuce, loce 17' | 'XIPE, PEMU 5000'

SELECT ID, Name FROM Players WHERE lower(Name) = lower(?)

-- best
-- index: Players (lower(Name))

-- statement: encroissant-07
-- is: full-scan, index-not-covering, join-fan-out, missing-statistics
-- because: recent games that are there twice: each is compared with all of a day or of a player

SELECT a.ID, b.ID FROM Games AS a JOIN Games AS b ON b.WhiteID = a.WhiteID AND b.BlackID = a.BlackID AND b.Date = a.Date AND b.PlyCount = \
a.PlyCount AND b.ID > a.ID WHERE a.Date >= '2022.06.01'

-- best
-- index: Games (WhiteID, BlackID)

-- or
-- index: Games (WhiteID, BlackID, Date)

-- or
-- index: Games (WhiteID, BlackID, Date, PlyCount)

-- statement: encroissant-08
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: draws between strong players
-- run: 2650, 2650

SELECT ID, WhiteID, BlackID, Date FROM Games WHERE WhiteElo >= ? AND BlackElo >= ? AND Result = 1 ORDER BY ID DESC LIMIT 50

-- best
-- index: Games (Result, WhiteElo, BlackElo, WhiteID, BlackID, Date)

-- or
-- index: Games (Result, WhiteElo, BlackElo)

-- statement: encroissant-09
-- is: expression-index, full-scan, function-on-column, group-without-index, index-not-covering, partial-index, sort-without-index
-- because: the results of a family of openings by year: all games with their moves are read

SELECT substr(Date, 1, 4) AS year, Result, count(*) AS n FROM Games WHERE ECO >= 'B00' AND ECO < 'C00' GROUP BY year, Result ORDER BY year

-- best
-- index: Games (substr(Date, 1, 4), Result) WHERE ECO >= 'B00' AND ECO < 'C00'

-- or
-- index: Games (ECO, Date, Result)

-- statement: encroissant-10
-- fine
-- tolerated: full-scan, subquery-per-row
-- because: players without games: one look into an index for each

DELETE FROM Players WHERE NOT EXISTS (SELECT 1 FROM Games WHERE WhiteID = Players.ID) AND NOT EXISTS (SELECT 1 FROM Games WHERE BlackID = Players.ID)

-- statement: encroissant-11
-- is: foreign-key-without-index
-- because: an event goes: all games are read for theirs
-- run: 1401 | 1450 | 1500

DELETE FROM Events WHERE ID = ?

-- best
-- index: Games (EventID)

-- statement: encroissant-12
-- is: large-offset
-- because: a page far behind: all before it are read, row by row
-- run: 30000 | 45000

SELECT ID, WhiteID, BlackID, Date, Result, ECO FROM Games ORDER BY Date DESC, ID DESC LIMIT 25 OFFSET ?

-- best
-- run: '2006.09.05', 23999 | '1995.02.06', 37261

SELECT ID, WhiteID, BlackID, Date, Result, ECO FROM Games WHERE (Date, ID) < (?, ?) ORDER BY Date DESC, ID DESC LIMIT 25

-- statement: encroissant-13
-- is: full-scan, partial-index, sort-without-index
-- because: games that don't start from the first position: a hundredth of all

SELECT ID, FEN, Date FROM Games WHERE FEN IS NOT NULL ORDER BY Date, ID

-- best
-- index: Games (Date, ID, FEN) WHERE FEN IS NOT NULL

-- or
-- index: Games (Date) WHERE FEN IS NOT NULL

-- statement: encroissant-14
-- fine
-- because: a year's games, counted in an index
-- run: '2019.01.01', '2020.01.01'

SELECT count(*) FROM Games WHERE Date >= ? AND Date < ?

-- statement: encroissant-15
-- fine
-- tolerated: subquery-per-row
-- because: how often some players had each side, in the indexes
-- run: 40, 800, 6000

SELECT p.Name, (SELECT count(*) FROM Games AS g WHERE g.WhiteID = p.ID) AS white, (SELECT count(*) FROM Games AS g WHERE g.BlackID = p.ID) \
AS black FROM Players AS p WHERE p.ID IN (?, ?, ?)

-- statement: encroissant-16
-- is: index-not-covering, sort-without-index
-- because: what two players played against each other: all games of one of them are read
-- run: 3, 2 | 1, 5

SELECT g.ID, g.Moves, w.Name, b.Name, e.Name, s.Name FROM Games AS g JOIN Players AS w ON w.ID = g.WhiteID JOIN Players AS b ON b.ID = \
g.BlackID JOIN Events AS e ON e.ID = g.EventID JOIN Sites AS s ON s.ID = g.SiteID WHERE g.WhiteID = ? AND g.BlackID = ? ORDER BY g.Date \
DESC, g.ID DESC

-- best
-- index: Games (WhiteID, BlackID, Date)

-- or
-- index: Games (WhiteID, BlackID)

-- or
-- index: Games (BlackID, WhiteID)

-- statement: encroissant-17
-- fine
-- because: a game and its players, by keys
-- run: 100 | 54321

SELECT g.*, w.Name AS white, b.Name AS black FROM Games AS g LEFT JOIN Players AS w ON w.ID = g.WhiteID LEFT JOIN Players AS b ON b.ID = \
g.BlackID WHERE g.ID = ?
