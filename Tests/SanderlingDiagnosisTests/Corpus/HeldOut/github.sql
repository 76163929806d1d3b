-- schema: github
-- about: A person's copy of what a forge says by its interface: wide rows, and full-text indexes beside them.
-- origin: github-to-sqlite 2.9 (Apache-2.0, by Simon Willison): tables as its imports make them, with full-text and foreign key indexes

CREATE TABLE [users] (
  [login] TEXT, [id] INTEGER PRIMARY KEY, [node_id] TEXT, [avatar_url] TEXT, [html_url] TEXT, [type] TEXT, [site_admin] INTEGER,
  [name] TEXT);
CREATE TABLE [repos] (
  [id] INTEGER PRIMARY KEY, [node_id] TEXT, [name] TEXT, [full_name] TEXT, [private] INTEGER,
  [owner] INTEGER REFERENCES [users]([id]), [description] TEXT, [topics] TEXT, [stargazers_count] INTEGER);
CREATE TABLE [issues] (
  [id] INTEGER PRIMARY KEY, [node_id] TEXT, [number] INTEGER, [title] TEXT, [user] INTEGER REFERENCES [users]([id]),
  [state] TEXT, [locked] INTEGER, [comments] INTEGER, [created_at] TEXT, [updated_at] TEXT, [closed_at] TEXT,
  [author_association] TEXT, [body] TEXT, [repo] INTEGER REFERENCES [repos]([id]), [type] TEXT);
CREATE INDEX [idx_issues_repo] ON [issues] ([repo]);
CREATE INDEX [idx_issues_user] ON [issues] ([user]);
CREATE TABLE [issue_comments] (
  [html_url] TEXT, [issue_url] TEXT, [id] INTEGER PRIMARY KEY, [node_id] TEXT, [user] INTEGER REFERENCES [users]([id]),
  [created_at] TEXT, [updated_at] TEXT, [author_association] TEXT, [body] TEXT, [issue] INTEGER REFERENCES [issues]([id]));
CREATE INDEX [idx_issue_comments_issue] ON [issue_comments] ([issue]);
CREATE INDEX [idx_issue_comments_user] ON [issue_comments] ([user]);
CREATE TABLE [commits] (
  [sha] TEXT PRIMARY KEY, [message] TEXT, [author_date] TEXT, [committer_date] TEXT, [repo] INTEGER REFERENCES [repos]([id]),
  [author] INTEGER REFERENCES [users]([id]));
CREATE INDEX [idx_commits_repo] ON [commits] ([repo]);
CREATE INDEX [idx_commits_author] ON [commits] ([author]);
CREATE TABLE [stars] (
  [user] INTEGER REFERENCES [users]([id]), [repo] INTEGER REFERENCES [repos]([id]), [starred_at] TEXT, PRIMARY KEY ([user], [repo]));
CREATE INDEX [idx_stars_repo] ON [stars] ([repo]);
CREATE INDEX [idx_stars_user] ON [stars] ([user]);
CREATE VIRTUAL TABLE [issues_fts] USING FTS5 ([title], [body], content=[issues]);
CREATE VIRTUAL TABLE [commits_fts] USING FTS5 ([message], content=[commits]);

INSERT INTO users SELECT word(i) || i, i, 'node' || i, 'https://avatars.example.com/u/' || i, 'https://example.com/' || word(i), 'User', \
0, title(1, i, 2)
FROM numbers WHERE i <= 8000;
INSERT INTO repos SELECT i, 'repo' || i, word(i), 'owner/' || word(i), 0, 1 + i % 20, title(2, i, 8), '["sqlite","' || word(i % 30) || \
'"]', skewed(3, i, 900)
FROM numbers WHERE i <= 60;
INSERT INTO issues
SELECT i, 'issue' || i, i, title(4, i, 7), skewed(5, i, 4000), iif(chance(6, i) < 0.9, 'closed', 'open'), 0, skewed(7, i, 40),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 7000, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 7000 + pick(8, i, \
900000), 'unixepoch'),
  iif(chance(6, i) < 0.9, strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 7000 + pick(9, i, 900000), 'unixepoch'), NULL), 'NONE',
  prose(10, i, 100 + pick(11, i, 700)), skewed(12, i, 60), 'issue'
FROM numbers WHERE i <= 15000;
INSERT INTO issue_comments
SELECT 'https://example.com/c/' || i, 'https://api.example.com/issues/' || i, i, 'comment' || i, skewed(13, i, 4000),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 3500, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 3500, 'unixepoch'), 'NONE',
  prose(14, i, pick(15, i, 500)), pick(16, i, 15000) FROM numbers WHERE i <= 30000;
INSERT INTO commits
SELECT printf('%040x', i * 2654435761 % 4294967296), title(17, i, 4 + pick(18, i, 12)),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 3500, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + i * 3500, 'unixepoch'),
  skewed(19, i, 60), skewed(20, i, 300) FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO stars
SELECT pick(21, i, 8000), skewed(22, i, 60), strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + i * 3000, 'unixepoch') FROM numbers WHERE i <= 40000;
INSERT INTO issues_fts (issues_fts) VALUES ('rebuild');
INSERT INTO commits_fts (commits_fts) VALUES ('rebuild');

-- statement: github-01
-- is: join-order, subquery-per-row
-- because: 36 issues have the word: they are to be found first, not each issue of the repository looked up in the text
-- run: 1, 'agu'

SELECT i.id, i.title, i.created_at FROM issues i WHERE i.repo = ?1 AND i.state = 'closed'
AND EXISTS (SELECT 1 FROM issues_fts f WHERE f.rowid = i.id AND issues_fts MATCH ?2) ORDER BY i.created_at DESC LIMIT 20

-- best

SELECT i.id, i.title, i.created_at FROM issues i WHERE i.repo = ?1 AND i.state = 'closed'
AND i.id IN (SELECT f.rowid FROM issues_fts f WHERE issues_fts MATCH ?2) ORDER BY i.created_at DESC LIMIT 20

-- statement: github-02
-- is: pattern-without-index
-- because: a full-text index of these messages exists; it finds words, which is another question
-- run: 'dristace'

SELECT sha, message FROM commits WHERE message LIKE '%' || ? || '%' ORDER BY author_date DESC LIMIT 50

-- best: design

-- statement: github-03
-- is: group-without-index, index-not-covering
-- because: each star is looked up for its time
-- run: 2

SELECT substr(starred_at, 1, 7) AS month, count(*) FROM stars WHERE repo = ? GROUP BY month ORDER BY month

-- best
-- index: stars (repo, starred_at)

-- statement: github-04
-- is: full-scan, join-order
-- because: one person by the name; the rest hangs on indexes
-- run: 'noxi77'

SELECT i.title, i.comments, r.full_name FROM issues i JOIN repos r ON r.id = i.repo JOIN users u ON u.id = i.user
WHERE u.login = ? ORDER BY i.comments DESC LIMIT 10

-- best
-- index: users (login)

-- statement: github-05
-- is: index-not-covering
-- because: two times of a thousand rows with texts
-- run: 2, 'closed'

SELECT avg(julianday(closed_at) - julianday(created_at)) FROM issues WHERE repo = ? AND state = ?

-- best
-- index: issues (repo, state, closed_at, created_at)

-- or
-- index: issues (state, repo, closed_at, created_at)

-- statement: github-06
-- fine
-- because: 60 rows
-- run: 'loce'

SELECT full_name FROM repos WHERE EXISTS (SELECT 1 FROM json_each(topics) WHERE value = ?)

-- statement: github-07
-- is: full-scan, index-not-covering, partial-index, subquery-per-row
-- because: 10 % are open; the answers' authors can stand in the index

SELECT count(*) FROM issues i WHERE i.state = 'open'
AND NOT EXISTS (SELECT 1 FROM issue_comments c WHERE c.issue = i.id AND c.user <> i.user)

-- best
-- index: issues (state, user)
-- index: issue_comments (issue, user)

-- statement: github-08
-- is: index-not-covering, sort-without-index
-- because: two weeks of a repository of three years
-- run: 1, '2022-03-01', '2022-03-15'

SELECT sha, message FROM commits WHERE repo = ? AND author_date >= ? AND author_date < ? ORDER BY author_date

-- best
-- index: commits (repo, author_date)

-- statement: github-09
-- is: expression-index, full-scan, function-on-column, group-without-index
-- because: a month is a range of texts that are written alike
-- run: '2022-03'

SELECT author, count(*) FROM commits WHERE strftime('%Y-%m', author_date) = ? GROUP BY author ORDER BY 2 DESC

-- best
-- index: commits (author_date, author)

SELECT author, count(*) FROM commits WHERE author_date >= ?1 || '-01' AND author_date < date(?1 || '-01', '+1 month')
GROUP BY author ORDER BY 2 DESC

-- or
-- index: commits (strftime('%Y-%m', author_date), author)

-- statement: github-10
-- fine
-- because: by the full-text index, then by key
-- run: 'agu'

SELECT i.id, i.title FROM issues_fts f JOIN issues i ON i.id = f.rowid WHERE issues_fts MATCH ? ORDER BY f.rank LIMIT 10

-- statement: github-11
-- fine
-- because: the list of a full-text search, then each by its key
-- run: 'agu'

SELECT id, title FROM issues WHERE state = 'closed' AND rowid IN (
  SELECT rowid FROM issues_fts WHERE issues_fts MATCH ?) ORDER BY created_at DESC LIMIT 20
