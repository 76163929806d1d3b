-- schema: lahman
-- about: The statistics of baseball by player, year and stint, as analysts load them: keys as in the dump, a table imported from CSV as \
--   text, and views.
-- origin: the Lahman Baseball Database 2016 (CC BY-SA 3.0, Copyright 1996-2017 Sean Lahman): twelve of its tables with their keys and \
--   some of their columns; the index and the views are made up

CREATE TABLE Master (
  playerID VARCHAR(10) NOT NULL, birthYear INT, birthMonth INT, birthDay INT, birthCountry VARCHAR(50), birthState VARCHAR(2), birthCity \
VARCHAR(50), deathYear INT, nameFirst VARCHAR(50), nameLast VARCHAR(50), nameGiven VARCHAR(255), weight INT, height DOUBLE,
  bats VARCHAR(1), throws VARCHAR(1), debut VARCHAR(10), finalGame VARCHAR(10), retroID VARCHAR(9), bbrefID VARCHAR(9), PRIMARY KEY (playerID));
CREATE TABLE Teams (
  yearID INT NOT NULL, lgID VARCHAR(2) NOT NULL, teamID VARCHAR(3) NOT NULL, franchID VARCHAR(3), divID VARCHAR(1), "Rank" INT, G INT, W \
INT, L INT, DivWin VARCHAR(1), WSWin VARCHAR(1), R INT, RA INT, name VARCHAR(50), park VARCHAR(255), attendance INT,
  PRIMARY KEY (yearID, lgID, teamID));
CREATE TABLE Batting (
  playerID VARCHAR(9) NOT NULL, yearID INT NOT NULL, stint INT NOT NULL, teamID VARCHAR(3), lgID VARCHAR(2), G INT, AB INT, R INT, H INT, \
"2B" INT, "3B" INT, HR INT, RBI INT, SB INT, CS INT, BB INT, SO INT, IBB INT, HBP INT, SH INT, SF INT, GIDP INT,
  PRIMARY KEY (playerID, yearID, stint));
CREATE TABLE Pitching (
  playerID VARCHAR(9) NOT NULL, yearID INT NOT NULL, stint INT NOT NULL, teamID VARCHAR(3), lgID VARCHAR(2), W INT, L INT, G INT, GS INT, \
CG INT, SHO INT, SV INT, IPouts INT, H INT, ER INT, HR INT, BB INT, SO INT, ERA DOUBLE, PRIMARY KEY (playerID, yearID, stint));
CREATE TABLE Fielding (
  playerID VARCHAR(9) NOT NULL, yearID INT NOT NULL, stint INT NOT NULL, teamID VARCHAR(3), lgID VARCHAR(2), POS VARCHAR(2) NOT NULL, G \
INT, GS INT, InnOuts INT, PO INT, A INT, E INT, DP INT, PRIMARY KEY (playerID, yearID, stint, POS));
CREATE TABLE Salaries (yearID INT NOT NULL, teamID VARCHAR(3) NOT NULL, lgID VARCHAR(2) NOT NULL, playerID VARCHAR(9) NOT NULL, salary \
DOUBLE, PRIMARY KEY (yearID, teamID, lgID, playerID));
CREATE TABLE HallOfFame (playerID VARCHAR(10) NOT NULL, yearid INT NOT NULL, votedBy VARCHAR(64) NOT NULL, ballots INT, needed INT, votes \
INT, inducted VARCHAR(1), category VARCHAR(20), needed_note VARCHAR(25), PRIMARY KEY (playerID, yearid, votedBy));
CREATE TABLE AwardsPlayers (playerID VARCHAR(9) NOT NULL, awardID VARCHAR(255) NOT NULL, yearID INT NOT NULL, lgID VARCHAR(2) NOT NULL, \
tie VARCHAR(1), notes VARCHAR(100), PRIMARY KEY (yearID, awardID, lgID, playerID));
CREATE TABLE AllstarFull (playerID VARCHAR(9) NOT NULL, yearID INT NOT NULL, gameNum INT NOT NULL, gameID VARCHAR(12), teamID VARCHAR(3), \
lgID VARCHAR(2), GP INT, startingPos INT, PRIMARY KEY (playerID, yearID, gameNum));
CREATE TABLE CollegePlaying (playerID VARCHAR(9) NOT NULL, schoolID VARCHAR(15), yearID INT);
CREATE TABLE Schools (schoolID VARCHAR(15) NOT NULL, name_full VARCHAR(255), city VARCHAR(55), state VARCHAR(55), country VARCHAR(55), \
PRIMARY KEY (schoolID));
CREATE TABLE HomeGames ("year.key" TEXT, "league.key" TEXT, "team.key" TEXT, "park.key" TEXT, "span.first" TEXT, "span.last" TEXT, games \
TEXT, openings TEXT, attendance TEXT);
CREATE INDEX HomeGames_team_year ON HomeGames ("team.key", "year.key");
CREATE VIEW batting_career AS SELECT playerID, min(yearID) AS first, max(yearID) AS last, sum(G) AS G, sum(AB) AS AB, sum(H) AS H, sum(HR) \
AS HR, sum(RBI) AS RBI FROM Batting GROUP BY playerID;
CREATE VIEW team_payroll AS SELECT yearID, lgID, teamID, count(*) AS players, sum(salary) AS payroll FROM Salaries GROUP BY yearID, teamID, lgID;

CREATE TEMP TABLE p (i INTEGER PRIMARY KEY, id TEXT, debut INTEGER, years INTEGER, pitcher INTEGER);
INSERT INTO p SELECT i, substr(word(skewed(1, i, 3000)) || 'x', 1, 5) || substr(word(skewed(2, i, 300)), 1, 2) || printf('%02d', 1), 1871 \
+ CAST(145 * sqrt(chance(3, i)) AS INT), skewed(4, i, 22), chance(5, i) < 0.46 FROM numbers WHERE i <= 18000;
UPDATE p SET id = substr(id, 1, 5) || printf('%04x', i);
INSERT INTO Master
SELECT id, iif(chance(6, i) < 0.01, NULL, debut - 19 - pick(7, i, 9)), iif(chance(6, i) < 0.02, NULL, pick(8, i, 12)), iif(chance(6, i) < \
0.025, NULL, pick(9, i, 28)), CASE WHEN chance(10, i) < 0.87 THEN 'USA' WHEN chance(10, i) < 0.91 THEN 'D.R.' WHEN chance(10, i) < 0.93 \
THEN 'Venezuela' WHEN chance(10, i) < 0.945 THEN 'P.R.' WHEN chance(10, i) < 0.95 THEN 'CAN' WHEN chance(10, i) < 0.956 THEN 'Cuba' ELSE \
'Mexico' END,
  CASE skewed(11, i, 30) WHEN 1 THEN 'CA' WHEN 2 THEN 'PA' WHEN 3 THEN 'NY' WHEN 4 THEN 'IL' ELSE \
substr('AKALARAZCOCTDEFLGAHIIAIDINKSKYLAMAMDMEMIMNMOMSMTNCNDNENHNJNMNVOHOKORRISCSD', 2 * skewed(11, i, 30) - 1, 2) END, title(12, i, 1), \
iif(debut < 1940 OR chance(13, i) < 0.2, debut + 30 + pick(14, i, 40), NULL),
  title(15, skewed(16, i, 900), 1), upper(substr(id, 1, 1)) || substr(word(skewed(1, i, 3000)), 2), title(17, i, 3), 150 + pick(18, i, \
90), 66 + pick(19, i, 12), iif(chance(20, i) < 0.7, 'R', 'L'), iif(chance(21, i) < 0.8, 'R', 'L'), printf('%d-%02d-%02d', debut, 4 + \
pick(22, i, 5), pick(23, i, 28)), printf('%d-09-%02d', debut + years - 1, pick(24, i, 28)), id, id FROM p;
INSERT INTO Teams
SELECT y.i, iif(t.i % 2, 'AL', 'NL'), upper(substr(word(t.i * 11), 1, 2)) || char(64 + t.i), upper(substr(word(t.i * 11), 1, 3)), NULL, 1 \
+ t.i / 2, 162, 60 + pick(25, y.i * 40 + t.i, 45), 100 - pick(25, y.i * 40 + t.i, 45), 'N', 'N', 500 + pick(26, y.i * 40 + t.i, 400), 500 \
+ pick(27, y.i * 40 + t.i, 400), title(28, t.i, 2), title(29, t.i * 50 + y.i / 20, 2), iif(y.i < 1900, NULL, 100000 * pick(30, y.i + t.i, \
30))
FROM numbers AS y JOIN numbers AS t ON t.i <= 8 + (y.i - 1871) / 7 AND t.i <= 26 WHERE y.i BETWEEN 1871 AND 2016;
INSERT OR IGNORE INTO Batting
SELECT p.id, y, s.i, upper(substr(word(team * 11), 1, 2)) || char(64 + team), iif(team % 2, 'AL', 'NL'), g, ab, ab / 8, ab * (200 + \
pick(31, k, 110)) / 1000, ab / 20, ab / 120, ab * skewed(32, k, 70) / 900, ab / 9, iif(y < 1886, NULL, skewed(33, k, 40)), NULL, ab / 11, \
ab / 6, iif(y < 1955, NULL, ab / 100), 1, 1, iif(y < 1954, NULL, 2), iif(y < 1933, NULL, ab / 60)
FROM (SELECT p.*, p.debut + n.i - 1 AS y, s.i AS st, p.i * 64 + n.i * 3 + s.i AS k, 1 + (p.i * 31 + s.i * 7 + pick(34, p.i * 30 + n.i / 4, \
26)) % (CASE WHEN p.debut < 1900 THEN 8 ELSE 26 END) AS team, pick(35, p.i * 64 + n.i * 3 + s.i, 155) AS g, iif(p.pitcher, pick(36, p.i * \
64 + n.i * 3 + s.i, 60), skewed(36, p.i * 64 + n.i * 3 + s.i, 640)) AS ab
  FROM p JOIN numbers AS n ON n.i <= p.years JOIN numbers AS s ON s.i <= 2 AND (s.i = 1 OR chance(37, p.i * 30 + n.i) < 0.08) WHERE \
p.debut + n.i - 1 <= 2016) AS p JOIN numbers AS s ON s.i = p.st;
INSERT INTO Pitching SELECT b.playerID, b.yearID, b.stint, b.teamID, b.lgID, skewed(38, b.rowid, 25), skewed(39, b.rowid, 20), b.G / 3, \
b.G / 6, 0, 0, skewed(40, b.rowid, 40), 3 * pick(41, b.rowid, 200), pick(42, b.rowid, 200), pick(43, b.rowid, 100), pick(44, b.rowid, 20), \
pick(45, b.rowid, 80), pick(46, b.rowid, 200), 2 + pick(47, b.rowid, 500) / 100.0
FROM Batting AS b JOIN p ON p.id = b.playerID WHERE p.pitcher;
INSERT INTO Fielding SELECT b.playerID, b.yearID, b.stint, b.teamID, b.lgID, CASE WHEN p.pitcher THEN 'P' ELSE substr('1B2B3BSSOFC ', 2 * \
(1 + (p.i + n.i) % 6) - 1, 2) END, b.G / n.i, b.G / n.i / 2, iif(b.yearID < 1956, NULL, b.G * 20), pick(48, b.rowid, 300), pick(49, \
b.rowid, 200), skewed(50, b.rowid, 30), 3
FROM Batting AS b JOIN p ON p.id = b.playerID JOIN numbers AS n ON n.i <= 2 AND (n.i = 1 OR NOT p.pitcher AND chance(51, b.rowid) < 0.4);
INSERT OR IGNORE INTO Salaries SELECT yearID, teamID, lgID, playerID, 1000 * (109 + skewed(52, rowid, 20000)) FROM Batting WHERE yearID >= \
1985 AND chance(53, rowid) < 0.85 ORDER BY yearID, teamID, lgID, playerID;
INSERT OR IGNORE INTO HallOfFame SELECT p.id, p.debut + p.years + 4 + n.i, iif(n.i = 12, 'Veterans', 'BBWAA'), 400, 300, skewed(54, p.i * \
20 + n.i, 400), iif(n.i = 12 AND p.i % 3 = 0 OR chance(55, p.i * 20 + n.i) < 0.02, 'Y', 'N'), 'Player', NULL FROM p JOIN numbers AS n ON \
n.i <= 12 WHERE p.years >= 15 AND chance(56, p.i * 20 + n.i) < 0.2;
INSERT OR IGNORE INTO AwardsPlayers SELECT b.playerID, CASE pick(57, b.rowid, 6) WHEN 1 THEN 'Gold Glove' WHEN 2 THEN 'Silver Slugger' \
WHEN 3 THEN 'Most Valuable Player' WHEN 4 THEN 'TSN All-Star' WHEN 5 THEN 'Rookie of the Year' ELSE 'Baseball Magazine All-Star' END, \
b.yearID, b.lgID, NULL, NULL FROM Batting AS b WHERE AB > 300 AND chance(58, b.rowid) < 0.4;
INSERT OR IGNORE INTO AllstarFull SELECT playerID, yearID, 0, lgID || 'S' || yearID, teamID, lgID, chance(59, rowid) < 0.8, iif(chance(60, \
rowid) < 0.3, pick(61, rowid, 9), NULL) FROM Batting WHERE yearID >= 1933 AND AB > 250 AND chance(62, rowid) < 0.5;
INSERT INTO Schools SELECT word(i) || i, title(63, i, 3), title(64, i, 1), 'CA', 'USA' FROM numbers WHERE i <= 1200;
INSERT INTO CollegePlaying SELECT p.id, word(skewed(65, p.i, 1200)) || skewed(65, p.i, 1200), p.debut - n.i FROM p JOIN numbers AS n ON \
n.i <= 3 WHERE chance(66, p.i) < 0.4 ORDER BY p.id;
INSERT INTO HomeGames SELECT CAST(t.yearID AS TEXT), t.lgID, t.teamID, substr(t.teamID, 1, 2) || printf('%02d', n.i), t.yearID || \
'-04-10', t.yearID || '-10-01', CAST(82 / n.i AS TEXT), CAST(80 / n.i AS TEXT), CAST(pick(67, t.rowid, 900000) AS TEXT) FROM Teams AS t \
JOIN numbers AS n ON n.i <= 3;
DROP TABLE p;

-- statement: lahman-01
-- is: full-scan, group-without-index, index-not-covering
-- because: home runs of a career: the key has the players, so that each row is looked up by it, and the names of all are

SELECT m.nameFirst, m.nameLast, sum(b.HR) AS hr FROM Batting AS b JOIN Master AS m ON m.playerID = b.playerID GROUP BY b.playerID ORDER BY \
hr DESC, b.playerID LIMIT 25

-- best
-- index: Batting (playerID, HR)

SELECT m.nameFirst, m.nameLast, b.hr FROM (SELECT playerID, sum(HR) AS hr FROM Batting GROUP BY playerID ORDER BY hr DESC, playerID LIMIT \
25) AS b JOIN Master AS m ON m.playerID = b.playerID ORDER BY b.hr DESC, b.playerID

-- statement: lahman-02
-- is: join-fan-out, multiplied-aggregate
-- because: hits and wins of pitchers of a country: each season at bat is counted once for each as a pitcher
-- run: 'D.R.'

SELECT m.playerID, sum(b.H) AS hits, sum(b.AB) AS at_bats, sum(p.W) AS wins, sum(p.SO) AS strikeouts FROM Master AS m JOIN Batting AS b ON \
b.playerID = m.playerID JOIN Pitching AS p ON p.playerID = m.playerID WHERE m.birthCountry = ? GROUP BY m.playerID ORDER BY wins DESC, \
m.playerID

-- best
-- changes results

SELECT m.playerID, (SELECT sum(H) FROM Batting AS b WHERE b.playerID = m.playerID) AS hits, (SELECT sum(AB) FROM Batting AS b WHERE \
b.playerID = m.playerID) AS at_bats, p.wins, p.strikeouts
FROM Master AS m JOIN (SELECT playerID, sum(W) AS wins, sum(SO) AS strikeouts FROM Pitching WHERE playerID IN (SELECT playerID FROM Master \
WHERE birthCountry = ?1) GROUP BY playerID) AS p ON p.playerID = m.playerID WHERE m.birthCountry = ?1 ORDER BY p.wins DESC, m.playerID

-- statement: lahman-03
-- is: automatic-index, full-scan, index-not-covering, join-order
-- because: what players of a country earned: the key of salaries begins with the year
-- run: 'Cuba'

SELECT m.playerID, m.nameLast, count(*) AS years, sum(s.salary) AS earned FROM Master AS m JOIN Salaries AS s ON s.playerID = m.playerID \
WHERE m.birthCountry = ? GROUP BY m.playerID ORDER BY earned DESC, m.playerID LIMIT 20

-- best
-- index: Salaries (playerID, salary)
-- index: Master (birthCountry)

-- or
-- index: Salaries (playerID, salary)

-- or
-- index: Salaries (playerID)

-- statement: lahman-04
-- is: full-scan
-- because: how those of a team batted in a year: the key begins with the player
-- run: 1998, 'GUO' | 1927, 'DIE'

SELECT playerID, sum(AB) AS AB, round(1.0 * sum(H) / sum(AB), 3) AS average FROM Batting WHERE yearID = ? AND teamID = ? GROUP BY playerID \
HAVING sum(AB) > 0 ORDER BY average DESC, playerID

-- best
-- index: Batting (yearID, teamID)

-- or
-- index: Batting (teamID, yearID)

-- statement: lahman-05
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: players by how their name begins
-- run: 'Quiba' | 'tha'

SELECT playerID, nameFirst, nameLast, debut FROM Master WHERE nameLast LIKE ? || '%' ORDER BY nameLast COLLATE NOCASE, nameFirst, playerID LIMIT 30

-- best
-- index: Master (nameLast COLLATE NOCASE, nameFirst)

SELECT playerID, nameFirst, nameLast, debut FROM Master WHERE nameLast >= ?1 COLLATE NOCASE AND nameLast < (?1 || '~') COLLATE NOCASE \
ORDER BY nameLast COLLATE NOCASE, nameFirst, playerID LIMIT 30

-- statement: lahman-06
-- is: expression-index, full-scan, function-on-column
-- because: a player by their whole name, which is put together for each
-- run: 'Loce Loce' | 'Vafona Riki'

SELECT playerID, birthYear, debut FROM Master WHERE nameFirst || ' ' || nameLast = ?

-- best
-- index: Master (nameFirst || ' ' || nameLast)

-- statement: lahman-07
-- is: full-scan, subquery-per-row
-- because: those of a team who led their league: for each of its players, all of batting is read
-- run: 'DIE', 2010, 2011

SELECT b.playerID, b.yearID, b.HR FROM Batting AS b WHERE b.teamID = ? AND b.yearID BETWEEN ? AND ? AND b.HR = (SELECT max(c.HR) FROM \
Batting AS c WHERE c.yearID = b.yearID AND c.lgID = b.lgID) ORDER BY b.yearID, b.playerID

-- best
-- index: Batting (teamID, yearID)
-- index: Batting (yearID, lgID, HR)

-- or
-- index: Batting (yearID, lgID, HR)

-- statement: lahman-08
-- is: automatic-index, full-scan, group-without-index, index-not-covering, join-order
-- because: the careers of some players: the view sums up those of all first
-- run: 'HI' | 'AK'

SELECT m.nameFirst, m.nameLast, c.* FROM Master AS m JOIN batting_career AS c ON c.playerID = m.playerID WHERE m.birthState = ? AND \
m.birthYear >= 1970 ORDER BY c.H DESC, m.playerID

-- best

SELECT m.nameFirst, m.nameLast, c.* FROM Master AS m JOIN (SELECT playerID, min(yearID) AS first, max(yearID) AS last, sum(G) AS G, \
sum(AB) AS AB, sum(H) AS H, sum(HR) AS HR, sum(RBI) AS RBI FROM Batting WHERE playerID IN (SELECT playerID FROM Master WHERE birthState = \
?1 AND birthYear >= 1970) GROUP BY playerID) AS c ON c.playerID = m.playerID
WHERE m.birthState = ?1 AND m.birthYear >= 1970 ORDER BY c.H DESC, m.playerID

-- statement: lahman-09
-- is: type-mismatch
-- because: the parks of teams by year: the years were imported as text, so that the index serves for the team alone
-- run: 2000, 2009, 'AL'

SELECT t.yearID, t.teamID, t.W, h."park.key", h.games FROM Teams AS t JOIN HomeGames AS h ON h."team.key" = t.teamID AND h."year.key" = \
t.yearID WHERE t.yearID BETWEEN ? AND ? AND t.lgID = ? ORDER BY t.yearID, t.teamID, h."park.key"

-- best

SELECT t.yearID, t.teamID, t.W, h."park.key", h.games FROM Teams AS t JOIN HomeGames AS h ON h."team.key" = t.teamID AND h."year.key" = \
CAST(t.yearID AS TEXT) WHERE t.yearID BETWEEN ? AND ? AND t.lgID = ? ORDER BY t.yearID, t.teamID, h."park.key"

-- statement: lahman-10
-- is: full-scan, large-offset, sort-without-index
-- because: a far page of the players by name
-- run: 11000

SELECT playerID, nameLast, nameFirst FROM Master ORDER BY nameLast, nameFirst, playerID LIMIT 50 OFFSET ?

-- best
-- index: Master (nameLast, nameFirst, playerID)
-- run: 'Quiclelo', 'Kifo', 'quicl45cb'

SELECT playerID, nameLast, nameFirst FROM Master WHERE (nameLast, nameFirst, playerID) > (?, ?, ?) ORDER BY nameLast, nameFirst, playerID LIMIT 50

-- or
-- index: Master (nameLast, nameFirst, playerID)

-- statement: lahman-11
-- fine
-- tolerated: sort-without-index
-- because: the seasons of a player by two keys
-- run: 'cleri37bd'

SELECT 'batting' AS part, yearID, stint, teamID, G, H, HR FROM Batting WHERE playerID = ?1 UNION ALL SELECT 'pitching', yearID, stint, \
teamID, G, H, HR FROM Pitching WHERE playerID = ?1 ORDER BY yearID, stint, part

-- statement: lahman-12
-- fine
-- because: one of a view: its condition goes into it, to the key
-- run: 'shuce11e2'

SELECT * FROM batting_career WHERE playerID = ?

-- statement: lahman-13
-- fine
-- because: pitchers without a row of batting, by two keys

SELECT count(*) FROM Pitching AS p LEFT JOIN Batting AS b ON b.playerID = p.playerID AND b.yearID = p.yearID AND b.stint = p.stint WHERE \
b.playerID IS NULL

-- statement: lahman-14
-- fine
-- because: how many were paid each year, from the key that begins with it

WITH RECURSIVE years (y) AS (SELECT 1985 UNION ALL SELECT y + 1 FROM years WHERE y < 2016) SELECT y, (SELECT count(*) FROM Salaries WHERE \
yearID = y) AS players, (SELECT count(*) FROM Teams WHERE yearID = y) AS teams FROM years

-- statement: lahman-15
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the tables of a year, by the key
-- run: 2010

SELECT yearID, teamID, W, 1.0 * W / (W + L) AS pct, rank() OVER (PARTITION BY yearID ORDER BY W DESC) AS place FROM Teams WHERE yearID = ? \
ORDER BY yearID, place, teamID

-- statement: lahman-16
-- fine
-- tolerated: full-scan
-- because: rates of all seasons, for a file: nearly all rows and columns

SELECT playerID, yearID, stint, round(1.0 * (H + BB + HBP) / (AB + BB + HBP + coalesce(SF, 0)), 3) AS obp, round(1.0 * (H + "2B" + 2 * \
"3B" + 3 * HR) / AB, 3) AS slg, CASE WHEN SB + coalesce(CS, 0) > 0 THEN 1.0 * SB / (SB + coalesce(CS, 0)) END AS sbp FROM Batting WHERE AB \
> 0

-- statement: lahman-17
-- fine
-- tolerated: index-not-covering
-- because: a team and year of a view: the condition goes into it, to the key
-- run: 2004, 'DRI'

SELECT players, payroll, payroll / players AS mean FROM team_payroll WHERE yearID = ? AND teamID = ?
