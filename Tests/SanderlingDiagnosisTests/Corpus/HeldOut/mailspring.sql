-- schema: mailspring
-- about: A mail client: each row is a document with some of it in columns, threads in folders by a table that repeats what lists are \
--   sorted by.
-- origin: Mailspring-Sync (Copyright Foundry 376, its licence not looked up; github.com/Foundry376/Mailspring-Sync, \
--   MailSync/constants.h): eleven of its tables with their indexes
-- superfluous: redundant-index ThreadCategory_id
-- superfluous: duplicate-index MessageBodyIndex

CREATE TABLE Folder (id VARCHAR(40) PRIMARY KEY, accountId VARCHAR(40), version INTEGER, data TEXT, path VARCHAR(255), role VARCHAR(255), \
createdAt DATETIME, updatedAt DATETIME);
CREATE TABLE Thread (
  id VARCHAR(42) PRIMARY KEY, accountId VARCHAR(42), version INTEGER, data TEXT, gThrId VARCHAR(20), subject VARCHAR(500), snippet \
VARCHAR(255), unread INTEGER, starred INTEGER,
  firstMessageTimestamp DATETIME, lastMessageTimestamp DATETIME, lastMessageReceivedTimestamp DATETIME, lastMessageSentTimestamp DATETIME, \
inAllMail TINYINT(1), isSearchIndexed TINYINT(1),
  participants TEXT, hasAttachments INTEGER);
CREATE INDEX ThreadDateIndex ON Thread (lastMessageReceivedTimestamp DESC);
CREATE INDEX ThreadUnreadIndex ON Thread (accountId, lastMessageReceivedTimestamp DESC) WHERE unread = 1 AND inAllMail = 1;
CREATE INDEX ThreadUnifiedUnreadIndex ON Thread (lastMessageReceivedTimestamp DESC) WHERE unread = 1 AND inAllMail = 1;
CREATE INDEX ThreadStarredIndex ON Thread (accountId, lastMessageReceivedTimestamp DESC) WHERE starred = 1 AND inAllMail = 1;
CREATE INDEX ThreadUnifiedStarredIndex ON Thread (lastMessageReceivedTimestamp DESC) WHERE starred = 1 AND inAllMail = 1;
CREATE INDEX ThreadGmailLookup ON Thread (gThrId) WHERE gThrId IS NOT NULL;
CREATE INDEX ThreadIsSearchIndexedIndex ON Thread (isSearchIndexed, id);
CREATE INDEX ThreadIsSearchIndexedLastMessageReceivedIndex ON Thread (isSearchIndexed, lastMessageReceivedTimestamp);
CREATE TABLE ThreadReference (threadId VARCHAR(42), accountId VARCHAR(40), headerMessageId VARCHAR(255), PRIMARY KEY (threadId, accountId, \
headerMessageId));
CREATE TABLE ThreadCategory (
  id VARCHAR(40), value VARCHAR(40), inAllMail TINYINT(1), unread TINYINT(1), lastMessageReceivedTimestamp DATETIME, \
lastMessageSentTimestamp DATETIME, PRIMARY KEY (id, value));
CREATE INDEX ThreadCategory_id ON ThreadCategory (id ASC);
CREATE UNIQUE INDEX ThreadCategory_val_id ON ThreadCategory (value ASC, id ASC);
CREATE INDEX ThreadListCategoryIndex ON ThreadCategory (lastMessageReceivedTimestamp DESC, value, inAllMail, unread, id);
CREATE INDEX ThreadListCategorySentIndex ON ThreadCategory (lastMessageSentTimestamp DESC, value, inAllMail, unread, id);
CREATE TABLE ThreadCounts (categoryId TEXT PRIMARY KEY, unread INTEGER, total INTEGER);
CREATE VIRTUAL TABLE ThreadSearch USING fts5 (tokenize = 'porter unicode61', content_id UNINDEXED, subject, to_, from_, categories, body);
CREATE TABLE Message (
  id VARCHAR(40) PRIMARY KEY, accountId VARCHAR(40), version INTEGER, data TEXT, headerMessageId VARCHAR(255), gMsgId VARCHAR(255), gThrId \
VARCHAR(255), subject VARCHAR(500), date DATETIME,
  draft TINYINT(1), unread TINYINT(1), starred TINYINT(1), remoteUID INTEGER, remoteXGMLabels TEXT, remoteFolderId VARCHAR(40), \
replyToHeaderMessageId VARCHAR(255), threadId VARCHAR(40));
CREATE INDEX MessageListThreadIndex ON Message (threadId, date ASC);
CREATE INDEX MessageListHeaderMsgIdIndex ON Message (headerMessageId);
CREATE INDEX MessageListDraftIndex ON Message (accountId, date DESC) WHERE draft = 1;
CREATE INDEX MessageListUnifiedDraftIndex ON Message (date DESC) WHERE draft = 1;
CREATE TABLE ModelPluginMetadata (id VARCHAR(40), objectType VARCHAR(15), value TEXT, expiration DATETIME, PRIMARY KEY (value, id));
CREATE INDEX ModelPluginMetadata_id ON ModelPluginMetadata (id ASC);
CREATE INDEX ModelPluginMetadata_expiration ON ModelPluginMetadata (expiration ASC) WHERE expiration IS NOT NULL;
CREATE TABLE MessageBody (id VARCHAR(40) PRIMARY KEY, value TEXT);
CREATE UNIQUE INDEX MessageBodyIndex ON MessageBody (id);
CREATE TABLE Contact (id VARCHAR(40) PRIMARY KEY, data BLOB, accountId VARCHAR(40), name TEXT, email TEXT, version INTEGER, refs INTEGER DEFAULT 0);
CREATE INDEX ContactEmailIndex ON Contact (email);
CREATE INDEX ContactAccountEmailIndex ON Contact (accountId, email);
CREATE TABLE File (id VARCHAR(40) PRIMARY KEY, version INTEGER, data BLOB, accountId VARCHAR(40), filename TEXT);

INSERT INTO Folder
SELECT 'fld' || i, 'acc' || (1 + (i - 1) / 20), 1, '{"__cls":"Folder"}', word(i), CASE i % 20 WHEN 1 THEN 'inbox' WHEN 2 THEN 'archive' \
WHEN 3 THEN 'sent' WHEN 4 THEN 'trash' WHEN 5 THEN 'spam' END, 1600000000, 1700000000
FROM numbers WHERE i <= 60;
INSERT INTO Thread
SELECT printf('t:%010x', i * 7919), 'acc' || skewed(1, i, 3), 1, '{"__cls":"Thread","folders":[],"snippet":"' || prose(2, i, 120 + pick(3, \
i, 120)) || '"}', NULL, title(4, i, 4), prose(2, i, 60), chance(5, i) < 0.04, chance(6, i) < 0.01,
  1600000000 + i * 4000, 1600000000 + i * 4000 + pick(7, i, 900000), 1600000000 + i * 4000 + pick(7, i, 900000), iif(chance(8, i) < 0.3, \
1600000000 + i * 4000 + pick(9, i, 900000), 0), chance(10, i) < 0.9, chance(11, i) < 0.97, '[]', chance(12, i) < 0.2
FROM numbers WHERE i <= 24000;
INSERT INTO Message
SELECT printf('m%010x', i * 104729), (SELECT accountId FROM Thread WHERE id = printf('t:%010x', iif(i <= 24000, i, skewed(13, i, 24000)) * 7919)), 1,
  '{"__cls":"Message","from":[{"name":"' || title(14, i, 2) || '","email":"' || word(skewed(15, i, 4000)) || \
'@example.com"}],"to":[{"email":"me@example.com"}],"snippet":"' || prose(16, i, 60 + pick(17, i, 150)) || '","files":[' || iif(chance(18, \
i) < 0.1, '{"size":' || pick(19, i, 900000) || '}', '') || ']}',
  printf('<%x.%x@mail.example.com>', i * 31, i), NULL, NULL, title(4, i, 4), 1600000000 + i * 1900, chance(20, i) < 0.004, chance(21, i) < \
0.05, 0, i, NULL,
  'fld' || (1 + skewed(22, i, 20)), iif(chance(23, i) < 0.5, printf('<%x.%x@mail.example.com>', pick(24, i, 48000) * 31, pick(24, i, \
48000)), NULL), printf('t:%010x', iif(i <= 24000, i, skewed(13, i, 24000)) * 7919)
FROM numbers WHERE i <= 48000;
INSERT OR IGNORE INTO ThreadCategory
SELECT t.id, 'fld' || (20 * (substr(t.accountId, 4) - 1) + skewed(25 + n.i, t.rowid, 20)), t.inAllMail, t.unread, \
t.lastMessageReceivedTimestamp, t.lastMessageSentTimestamp
FROM Thread AS t JOIN numbers AS n ON n.i <= 1 + (t.rowid % 2);
INSERT INTO ThreadReference SELECT threadId, accountId, headerMessageId FROM Message;
INSERT INTO ThreadCounts SELECT value, sum(unread), count(*) FROM ThreadCategory GROUP BY value;
INSERT INTO ThreadSearch SELECT id, subject, 'me', word(skewed(30, rowid, 4000)), 'inbox', snippet FROM Thread WHERE isSearchIndexed = 1;
INSERT INTO MessageBody SELECT id, prose(31, rowid, 200 + pick(32, rowid, 600)) FROM Message WHERE rowid > 30000;
INSERT INTO ModelPluginMetadata SELECT printf('t:%010x', i * 3 * 7919), 'Thread', CASE i % 4 WHEN 0 THEN 'send-reminders' WHEN 1 THEN \
'link-tracking' ELSE 'open-tracking' END, iif(chance(33, i) < 0.1, 1690000000 + pick(34, i, 9000000), NULL) FROM numbers WHERE i <= 6000;
INSERT INTO Contact SELECT 'c' || i, '{"__cls":"Contact","h":"' || prose(35, i, 120) || '"}', 'acc' || skewed(36, i, 3), title(37, i, 2), \
iif(chance(38, i) < 0.1, upper(word(i)), word(i)) || '@example.com', 1, skewed(39, i, 200) - 1 FROM numbers WHERE i <= 16000;
INSERT INTO File SELECT 'f' || i, 1, '{"size":' || pick(40, i, 900000) || ',"messageId":"' || printf('m%010x', pick(41, i, 48000) * \
104729) || '"}', 'acc1', word(i) || '.pdf' FROM numbers WHERE i <= 6000;

-- statement: mailspring-01
-- fine
-- because: what isn't read of an account, by its partial index
-- run: 'acc1' | 'acc3'

SELECT data FROM Thread WHERE accountId = ? AND unread = 1 AND inAllMail = 1 ORDER BY lastMessageReceivedTimestamp DESC LIMIT 50

-- statement: mailspring-02
-- is: index-not-covering, join-order, missing-statistics, sort-without-index
-- because: the newest threads of a folder: the index of folders has no times
-- run: 'fld1' | 'fld2'

SELECT Thread.data FROM Thread INNER JOIN ThreadCategory AS M0 ON M0.id = Thread.id
WHERE M0.value = ? AND M0.inAllMail = 1 ORDER BY M0.lastMessageReceivedTimestamp DESC LIMIT 50

-- best
-- index: ThreadCategory (value, inAllMail, lastMessageReceivedTimestamp, id)

-- statement: mailspring-03
-- is: full-scan
-- because: what a folder has after an id of the server
-- run: 'acc1', 'fld4', 45000 | 'acc2', 'fld9', 40000

SELECT id, remoteUID, unread, starred FROM Message WHERE accountId = ? AND remoteFolderId = ? AND remoteUID >= ?

-- best
-- index: Message (accountId, remoteFolderId, remoteUID, id, unread, starred)

-- or
-- index: Message (remoteFolderId, accountId, remoteUID)

-- statement: mailspring-04
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: contacts by the beginning of an address, whatever its case

SELECT id, name, email FROM Contact WHERE email LIKE 'tre%' ORDER BY refs DESC LIMIT 10

-- best
-- index: Contact (email COLLATE NOCASE, refs, name, id)

-- or
-- index: Contact (email COLLATE NOCASE, refs)

-- statement: mailspring-05
-- fine
-- tolerated: index-not-covering
-- because: the messages of a thread by their index
-- run: 't:0000001eef' | 't:000078d598'

SELECT id, data FROM Message WHERE threadId = ? AND draft = 0 ORDER BY date ASC

-- statement: mailspring-06
-- is: full-scan, group-without-index, index-not-covering
-- because: the counts of all folders

SELECT value, count(*) AS total, sum(unread) AS unread FROM ThreadCategory WHERE inAllMail = 1 GROUP BY value

-- best
-- index: ThreadCategory (value, unread) WHERE inAllMail = 1

-- or
-- index: ThreadCategory (inAllMail, value, unread)

-- or
-- index: ThreadCategory (value, inAllMail, unread)

-- statement: mailspring-07
-- fine
-- because: a full-text search in one column
-- run: 'from_:tufo'

SELECT content_id FROM ThreadSearch WHERE ThreadSearch MATCH ? ORDER BY rank LIMIT 100

-- statement: mailspring-08
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: the newest messages of somebody: each document is parsed
-- run: 'nofo@example.com' | 'valo@example.com'

SELECT id, subject, date FROM Message WHERE json_extract(data, '$.from[0].email') = ? ORDER BY date DESC LIMIT 20

-- best
-- index: Message (json_extract(data, '$.from[0].email'), date)

-- statement: mailspring-09
-- fine
-- tolerated: index-not-covering
-- because: drafts with their threads: by a partial index, and keys
-- run: 'acc2'

SELECT Thread.id, Thread.data, Message.id, Message.data FROM Message JOIN Thread ON Thread.id = Message.threadId WHERE Message.draft = 1 \
AND Message.accountId = ? ORDER BY Message.date DESC LIMIT 40

-- statement: mailspring-10
-- is: full-scan
-- because: to which thread a reply belongs: the key begins with the thread
-- run: 'acc1', '<none@x>', '<other@x>', '<e30d0.7530@mail.example.com>'

SELECT threadId FROM ThreadReference WHERE accountId = ? AND headerMessageId IN (?, ?, ?) LIMIT 1

-- best
-- index: ThreadReference (headerMessageId, accountId, threadId)

-- or
-- index: ThreadReference (headerMessageId)

-- statement: mailspring-11
-- fine
-- tolerated: index-not-covering
-- because: the reminders that are due, by a partial index
-- run: 1692000000

SELECT id, value, expiration FROM ModelPluginMetadata WHERE expiration <= ? ORDER BY expiration ASC LIMIT 40

-- statement: mailspring-12
-- is: expression-index, full-scan, function-on-column, group-without-index, sort-without-index
-- because: messages per month of the last quarter of the time: all are read
-- run: 'acc2', 1680000000

SELECT strftime('%Y-%m', date, 'unixepoch') AS month, count(*) AS n, sum(unread) AS unread FROM Message WHERE accountId = ? AND draft = 0 \
AND date >= ? GROUP BY month ORDER BY month

-- best
-- index: Message (accountId, draft, date, unread)

-- or
-- index: Message (accountId, date, unread) WHERE draft = 0

-- statement: mailspring-13
-- is: full-scan, sort-without-index
-- because: the newest message of each thread in a folder
-- run: 'fld7' | 'fld19'

SELECT id, threadId, date FROM (
  SELECT id, threadId, date, row_number() OVER (PARTITION BY threadId ORDER BY date DESC) AS n FROM Message WHERE remoteFolderId = ?)
WHERE n = 1 ORDER BY date DESC LIMIT 50

-- best
-- index: Message (remoteFolderId, threadId, date, id)

SELECT id, threadId, max(date) AS date FROM Message WHERE remoteFolderId = ? GROUP BY threadId ORDER BY 3 DESC LIMIT 50

-- or
-- index: Message (remoteFolderId, threadId, date, id)

-- statement: mailspring-14
-- is: full-scan, index-not-covering, large-offset, partial-index
-- because: a late page of the threads with attachments: five times as many are read, and each looked up

SELECT id, subject FROM Thread WHERE inAllMail = 1 AND hasAttachments = 1 ORDER BY lastMessageReceivedTimestamp DESC LIMIT 50 OFFSET 3000

-- best
-- index: Thread (inAllMail, hasAttachments, lastMessageReceivedTimestamp, id, subject)

-- or
-- index: Thread (inAllMail, hasAttachments, lastMessageReceivedTimestamp)

-- statement: mailspring-15
-- fine
-- because: a thread is read: by its key, and a few indexes follow
-- run: 't:000078d598'

UPDATE Thread SET unread = 0, version = version + 1 WHERE id = ?

-- statement: mailspring-16
-- is: full-scan, or-without-index
-- because: a message and the answers to it: only one of both can be looked up
-- run: '<1f1f.101@mail.example.com>' | '<e30d0.7530@mail.example.com>'

SELECT id, threadId FROM Message WHERE headerMessageId = ?1 OR replyToHeaderMessageId = ?1

-- best
-- index: Message (replyToHeaderMessageId)
