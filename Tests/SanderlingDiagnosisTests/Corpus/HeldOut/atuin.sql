-- schema: atuin
-- about: The history of shells: commands with their folder, their session and how they ended.
-- origin: Atuin 15 (MIT, Copyright Ellie Huxtable): the client's history as its migrations leave it
-- superfluous: redundant-index idx_history_command
-- superfluous: redundant-index idx_history_timestamp

CREATE TABLE history (
  id text primary key, timestamp integer not null, duration integer not null, exit integer not null, command text not null,
  cwd text not null, session text not null, hostname text not null, deleted_at integer, unique(timestamp, cwd, command));
CREATE INDEX idx_history_timestamp ON history(timestamp);
CREATE INDEX idx_history_command ON history(command);
CREATE INDEX idx_history_command_timestamp ON history(command, timestamp);

INSERT INTO history
SELECT printf('%032x', i * 104729), 1650000000000000000 + i * 600000000000, pick(1, i, 900000000), iif(chance(2, i) < 0.08, 1, 0),
  word(skewed(3, i, 120)) || ' ' || word(skewed(4, i, 900)) || iif(chance(5, i) < 0.3, ' --' || word(pick(6, i, 200)), ''),
  '/home/me/' || word(skewed(7, i, 400)), printf('%032x', i / 25), 'laptop:me', iif(chance(8, i) < 0.02, 1700000000000000000, NULL)
FROM numbers WHERE i <= 36000;

-- statement: atuin-01
-- is: case-insensitive-without-index, full-scan, index-not-covering, pattern-without-index
-- because: what was typed begins like that: LIKE needs an index that ignores case

SELECT command, max(timestamp) AS last FROM history WHERE command LIKE 'braha %' AND deleted_at IS NULL GROUP BY command ORDER BY last DESC LIMIT 200

-- best
-- index: history (command COLLATE NOCASE)

-- statement: atuin-02
-- is: full-scan, index-not-covering, sort-without-index
-- because: the last commands in a folder: all are walked, newest first
-- run: '/home/me/mumuce' | '/home/me/loce'

SELECT command, exit, duration FROM history WHERE cwd = ? AND deleted_at IS NULL ORDER BY timestamp DESC LIMIT 50

-- best
-- index: history (cwd, timestamp)

-- statement: atuin-03
-- is: full-scan, group-without-index, index-not-covering, partial-index
-- because: the most frequent commands: each row is looked up to see whether it is deleted

SELECT command, count(*) AS times FROM history WHERE deleted_at IS NULL GROUP BY command ORDER BY times DESC LIMIT 10

-- best
-- index: history (command) WHERE deleted_at IS NULL

-- or
-- index: history (deleted_at, command)

-- or
-- index: history (command, deleted_at)

-- statement: atuin-04
-- fine
-- because: the end of an index

SELECT command, cwd, exit FROM history WHERE deleted_at IS NULL ORDER BY timestamp DESC LIMIT 1

-- statement: atuin-05
-- is: full-scan, group-without-index, index-not-covering, partial-index
-- because: sessions in which much failed: 8 % did
-- run: 1660000000000000000

SELECT session, count(*) AS failures FROM history WHERE exit <> 0 AND timestamp > ? GROUP BY session HAVING count(*) > 2

-- best
-- index: history (session, timestamp) WHERE exit <> 0

-- or
-- index: history (timestamp, session) WHERE exit <> 0

-- statement: atuin-06
-- fine
-- because: ten from a place in an index
-- run: 1655000000000000000

SELECT command FROM history WHERE timestamp > ? ORDER BY timestamp LIMIT 10

-- statement: atuin-07
-- is: automatic-index, full-scan, index-not-covering, subquery-per-row
-- because: what came before: the first of a session walks all that is older
-- run: 'gudi loce'

SELECT h.command, (SELECT p.command FROM history p WHERE p.session = h.session AND p.timestamp < h.timestamp
  ORDER BY p.timestamp DESC LIMIT 1) AS previous FROM history h WHERE h.command = ?

-- best
-- index: history (session, timestamp)

-- statement: atuin-08
-- fine
-- because: an index has it all
-- run: 'loce loce'

SELECT count(*), max(timestamp) FROM history WHERE command = ?

-- statement: atuin-09
-- is: expression-index, full-scan, function-on-column, index-not-covering
-- because: how much was done on a day
-- run: '2022-07-01' | '2022-09-09'

SELECT count(*) FROM history WHERE date(timestamp / 1000000000, 'unixepoch') = ?

-- best
-- index: history (date(timestamp / 1000000000, 'unixepoch'))
