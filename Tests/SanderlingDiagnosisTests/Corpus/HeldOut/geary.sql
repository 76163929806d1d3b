-- schema: geary
-- about: A mail program: messages with all of their text, where they are, what hangs on them, whom they are from, and a full-text index.
-- origin: Geary 40 and later (LGPL-2.1-or-later, Copyright Software Freedom Conservancy and others): eight of its tables with their \
--   indexes, columns that it adds later in their place

CREATE TABLE FolderTable (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent_id INTEGER REFERENCES FolderTable ON DELETE RESTRICT, last_seen_total INTEGER, \
uid_validity INTEGER, uid_next INTEGER, attributes TEXT, last_seen_status_total, unread_count INTEGER DEFAULT 0);
CREATE INDEX FolderTableNameIndex ON FolderTable(name);
CREATE INDEX FolderTableParentIndex ON FolderTable(parent_id);
CREATE TABLE MessageTable (
  id INTEGER PRIMARY KEY, fields INTEGER, date_field TEXT, date_time_t INTEGER, from_field TEXT, sender TEXT, reply_to TEXT, to_field \
TEXT, cc TEXT, bcc TEXT, message_id TEXT, in_reply_to TEXT, reference_ids TEXT, subject TEXT,
  header TEXT, body TEXT, preview TEXT, flags TEXT, internaldate TEXT, rfc822_size INTEGER, internaldate_time_t INTEGER);
CREATE INDEX MessageTableMessageIDIndex ON MessageTable(message_id);
CREATE INDEX MessageTableInternalDateIndex ON MessageTable(internaldate);
CREATE INDEX MessageTableRfc822SizeIndex ON MessageTable(rfc822_size);
CREATE INDEX MessageTableInternalDateTimeTIndex ON MessageTable(internaldate_time_t);
CREATE TABLE MessageLocationTable (
  id INTEGER PRIMARY KEY, message_id INTEGER REFERENCES MessageTable ON DELETE CASCADE, folder_id INTEGER REFERENCES FolderTable ON DELETE \
CASCADE, ordering INTEGER, remove_marker INTEGER DEFAULT 0);
CREATE INDEX MessageLocationTableMessageIDIndex ON MessageLocationTable(message_id);
CREATE INDEX MessageLocationTableFolderIDIndex ON MessageLocationTable(folder_id);
CREATE INDEX MessageLocationTableOrderingIndex ON MessageLocationTable(ordering ASC);
CREATE TABLE MessageAttachmentTable (
  id INTEGER PRIMARY KEY, message_id INTEGER REFERENCES MessageTable ON DELETE CASCADE, filename TEXT, mime_type TEXT, filesize INTEGER, \
disposition INTEGER, content_id TEXT DEFAULT NULL, description TEXT DEFAULT NULL);
CREATE INDEX MessageAttachmentTableMessageIDIndex ON MessageAttachmentTable(message_id);
CREATE TABLE SmtpOutboxTable (id INTEGER PRIMARY KEY, ordering INTEGER, message TEXT, sent INTEGER DEFAULT 0);
CREATE INDEX SmtpOutboxOrderingIndex ON SmtpOutboxTable(ordering ASC);
CREATE TABLE ContactTable (id INTEGER PRIMARY KEY, normalized_email TEXT NOT NULL, real_name TEXT, email TEXT UNIQUE NOT NULL, \
highest_importance INTEGER NOT NULL, flags TEXT DEFAULT NULL);
CREATE TABLE DeleteAttachmentFileTable (id INTEGER PRIMARY KEY, filename TEXT NOT NULL);
CREATE VIRTUAL TABLE MessageSearchTable USING fts5(body, attachments, subject, "from", receivers, cc, bcc, flags, tokenize="unicode61 \
remove_diacritics 2", prefix="2,4");

INSERT INTO FolderTable
SELECT i, iif(i = 1, 'INBOX', iif(i = 2, 'Sent', iif(i = 3, 'Archive', word(i * 3)))), iif(i <= 8, NULL, 3 + i % 6), 0, 1, 1000, \
'\HasNoChildren', 0, 0 FROM numbers WHERE i <= 45;
INSERT INTO MessageTable
SELECT i, 255, strftime('%d %m %Y %H:%M:%S +0000', 1600000000 + i * 8000, 'unixepoch'), 1600000000 + i * 8000, title(1, skewed(2, i, \
1200), 2) || ' <' || word(skewed(2, i, 1200)) || '@' || word(skewed(3, skewed(2, i, 1200), 60)) || '.example>', NULL,
  iif(chance(4, i) < 0.2, word(skewed(2, i, 1200)) || '@lists.example', NULL), 'me@' || iif(chance(5, i) < 0.8, 'home', 'work') || \
'.example', iif(chance(6, i) < 0.2, word(skewed(7, i, 900)) || '@cc.example', NULL), NULL, '<' || printf('%x', i * 7919) || '@' || word(i \
% 50) || '.example>',
  iif(chance(8, i) < 0.55 AND i > 60, '<' || printf('%x', (i - 1 - skewed(9, i, 50)) * 7919) || '@' || word((i - 1 - skewed(9, i, 50)) % \
50) || '.example>', NULL), NULL, iif(chance(8, i) < 0.55, 'Re: ', '') || title(10, i, 4),
  'Received: from ' || prose(11, i, 200 + pick(12, i, 300)), prose(13, i, 60 + skewed(14, i, 1500)), prose(13, i, 60), iif(chance(15, i) < \
0.97, '\Seen', '') || iif(chance(16, i) < 0.03, ' \Flagged', '') || iif(chance(17, i) < 0.2, ' \Answered', ''),
  strftime('%d-%m-%Y %H:%M:%S +0000', 1600000000 + i * 8000 + skewed(18, i, 90000), 'unixepoch'), 1000 + skewed(19, i, 9000000), \
1600000000 + i * 8000 + skewed(18, i, 90000)
FROM numbers WHERE i <= 16000;
INSERT INTO MessageLocationTable SELECT i, i, CASE WHEN chance(20, i) < 0.55 THEN 1 WHEN chance(20, i) < 0.7 THEN 2 WHEN chance(20, i) < \
0.85 THEN 3 ELSE 3 + skewed(21, i, 42) END, 1000 + i, chance(22, i) < 0.002 FROM numbers WHERE i <= 15900;
INSERT INTO MessageLocationTable SELECT 16000 + i, i * 5, 4 + skewed(23, i, 41), 1000 + i, 0 FROM numbers WHERE i <= 3000;
INSERT INTO MessageAttachmentTable
SELECT i, 1 + skewed(24, i, 9) + i * 3 / 2 % 15000, title(25, i, 2) || iif(chance(26, i) < 0.5, '.pdf', '.jpg'), CASE WHEN chance(26, i) < \
0.5 THEN 'application/pdf' WHEN chance(26, i) < 0.9 THEN 'image/jpeg' ELSE 'text/calendar' END, 2000 + skewed(27, i, 20000000), chance(28, \
i) < 0.6, NULL, NULL
FROM numbers WHERE i <= 9000;
INSERT INTO ContactTable SELECT i, word(i) || '@' || word(skewed(29, i, 60)) || '.example', iif(chance(30, i) < 0.3, NULL, title(31, i, \
2)), upper(substr(word(i), 1, 1)) || substr(word(i), 2) || '@' || word(skewed(29, i, 60)) || '.example', skewed(32, i, 100), NULL FROM \
numbers WHERE i <= 6000;
INSERT INTO MessageSearchTable (rowid, body, attachments, subject, "from", receivers, cc, bcc, flags) SELECT id, body, NULL, subject, \
from_field, to_field, cc, bcc, flags FROM MessageTable;

-- statement: geary-01
-- is: harmful-index, index-not-covering, sort-without-index
-- because: the next page of a folder: either all of the folder is sorted or all folders are walked
-- run: 1, 16000 | 3, 9000

SELECT id, message_id, ordering, remove_marker FROM MessageLocationTable WHERE folder_id = ? AND ordering < ? ORDER BY ordering DESC LIMIT 50

-- best
-- index: MessageLocationTable (folder_id, ordering)

-- statement: geary-02
-- is: full-scan, or-without-index
-- because: a message and its answers, by the name in its header
-- run: '<6cc03c@cece.example>' | '<5aa220f@loce.example>'

SELECT id, subject FROM MessageTable WHERE message_id = ?1 OR in_reply_to = ?1

-- best
-- index: MessageTable (in_reply_to)

-- statement: geary-03
-- is: index-not-covering, join-order, partial-index, pattern-without-index, wide-rows-for-count
-- because: unread mail in a folder: for flags at their end, all messages are read
-- run: 1 | 3

SELECT count(*) FROM MessageLocationTable AS l JOIN MessageTable AS m ON m.id = l.message_id WHERE l.folder_id = ? AND l.remove_marker = 0 \
AND (m.flags IS NULL OR m.flags NOT LIKE '%\Seen%')

-- best
-- index: MessageTable (flags)

SELECT count(*) FROM MessageTable AS m CROSS JOIN MessageLocationTable AS l ON l.message_id = m.id WHERE +l.folder_id = ? AND \
l.remove_marker = 0 AND (m.flags IS NULL OR m.flags NOT LIKE '%\Seen%')

-- statement: geary-04
-- is: full-scan
-- because: somebody wrote again: the unique key has the address as it is spelled
-- run: 70, 'clena@vace.example' | 30, 'nokidice@grugu.example'

UPDATE ContactTable SET highest_importance = max(highest_importance, ?) WHERE normalized_email = ?

-- best
-- index: ContactTable (normalized_email)

-- statement: geary-05
-- is: case-insensitive-without-index, full-scan, pattern-without-index, sort-without-index
-- because: the largest pictures: all attachments are read
-- run: 15000000 | 18000000

SELECT m.id, m.subject, a.filename, a.filesize FROM MessageAttachmentTable AS a JOIN MessageTable AS m ON m.id = a.message_id WHERE \
a.mime_type LIKE 'image/%' AND a.filesize > ? ORDER BY a.filesize DESC LIMIT 30

-- best
-- index: MessageAttachmentTable (filesize, mime_type)

-- or
-- index: MessageAttachmentTable (filesize)

-- statement: geary-06
-- is: subquery-per-row
-- because: the largest mails of a small folder: those of all are asked, from the largest, whether they are in it
-- run: 40 | 31

SELECT m.id, m.subject, m.rfc822_size FROM MessageTable AS m WHERE EXISTS (SELECT 1 FROM MessageLocationTable AS l WHERE l.message_id = \
m.id AND l.folder_id = ?) ORDER BY m.rfc822_size DESC, m.id LIMIT 20

-- best

SELECT m.id, m.subject, m.rfc822_size FROM MessageTable AS m WHERE m.id IN (SELECT l.message_id FROM MessageLocationTable AS l WHERE \
l.folder_id = ?) ORDER BY +m.rfc822_size DESC, m.id LIMIT 20

-- statement: geary-07
-- is: expression-index, full-scan, function-on-column, group-without-index, index-not-covering
-- because: who writes most: all mails are read with their texts and sorted

SELECT lower(substr(from_field, instr(from_field, '<') + 1)) AS address, count(*) AS n, max(internaldate_time_t) AS latest FROM \
MessageTable GROUP BY address ORDER BY n DESC, address LIMIT 20

-- best
-- index: MessageTable (from_field, internaldate_time_t)

-- statement: geary-08
-- is: large-offset
-- because: old mail of all folders, far down the list

SELECT id, subject, from_field, preview FROM MessageTable ORDER BY internaldate_time_t DESC, id DESC LIMIT 30 OFFSET 12000

-- best
-- run: 1632032001, 4004

SELECT id, subject, from_field, preview FROM MessageTable WHERE (internaldate_time_t, id) < (?, ?) ORDER BY internaldate_time_t DESC, id DESC LIMIT 30

-- statement: geary-09
-- is: full-scan, index-not-covering, partial-index
-- because: what is marked to go: a few of a large folder
-- run: 1 | 2

SELECT message_id FROM MessageLocationTable WHERE folder_id = ? AND remove_marker <> 0

-- best
-- index: MessageLocationTable (folder_id, message_id) WHERE remove_marker <> 0

-- or
-- index: MessageLocationTable (folder_id, remove_marker, message_id)

-- statement: geary-10
-- is: full-scan, index-not-covering, sort-without-index
-- because: the newest mail of each folder: all places are numbered

SELECT f.name, x.message_id, m.subject FROM (SELECT folder_id, message_id, row_number() OVER (PARTITION BY folder_id ORDER BY ordering \
DESC) AS place FROM MessageLocationTable) AS x
JOIN FolderTable AS f ON f.id = x.folder_id JOIN MessageTable AS m ON m.id = x.message_id WHERE x.place = 1 ORDER BY f.id

-- best
-- index: MessageLocationTable (folder_id, ordering)

SELECT f.name, m.id, m.subject FROM FolderTable AS f JOIN MessageTable AS m ON m.id = (SELECT l.message_id FROM MessageLocationTable AS l \
WHERE l.folder_id = f.id ORDER BY l.ordering DESC LIMIT 1) ORDER BY f.id

-- or
-- index: MessageLocationTable (folder_id, ordering DESC, message_id)

-- statement: geary-11
-- is: multiplied-aggregate
-- because: the space of mails with documents: one with two counts twice

SELECT f.name, count(*) AS mails, sum(m.rfc822_size) AS bytes FROM FolderTable AS f JOIN MessageLocationTable AS l ON l.folder_id = f.id \
JOIN MessageTable AS m ON m.id = l.message_id
JOIN MessageAttachmentTable AS a ON a.message_id = m.id WHERE a.mime_type = 'application/pdf' GROUP BY f.id ORDER BY bytes DESC

-- best
-- index: MessageAttachmentTable (mime_type, message_id)
-- changes results

SELECT f.name, count(*) AS mails, sum(m.rfc822_size) AS bytes FROM MessageTable AS m CROSS JOIN MessageLocationTable AS l ON l.message_id \
= m.id CROSS JOIN FolderTable AS f ON f.id = l.folder_id
WHERE +m.id IN (SELECT a.message_id FROM MessageAttachmentTable AS a WHERE a.mime_type = 'application/pdf') GROUP BY f.id ORDER BY bytes DESC

-- statement: geary-12
-- fine
-- tolerated: sort-without-index
-- because: a search for a word that is rare in subjects, by the full-text index
-- run: 'subject:flowece'

SELECT s.rowid, m.internaldate_time_t FROM MessageSearchTable AS s CROSS JOIN MessageTable AS m ON m.id = s.rowid WHERE MessageSearchTable \
MATCH ? ORDER BY m.internaldate_time_t DESC LIMIT 50

-- statement: geary-13
-- fine
-- tolerated: case-insensitive-without-index, full-scan, or-without-index, pattern-without-index, sort-without-index
-- because: completing a name, of which any word may be meant: most contacts are important enough
-- run: 2, 'ha'

SELECT id, real_name, email, highest_importance FROM ContactTable WHERE highest_importance >= ?1 AND (normalized_email LIKE ?2 || '%' OR \
real_name LIKE ?2 || '%' OR real_name LIKE '% ' || ?2 || '%')
ORDER BY highest_importance DESC, id

-- statement: geary-14
-- fine
-- tolerated: sort-without-index
-- because: the tree of folders, of which there are few

WITH RECURSIVE inside (id, path) AS (
  SELECT id, name FROM FolderTable WHERE parent_id IS NULL UNION ALL SELECT f.id, inside.path || '/' || f.name FROM inside JOIN \
FolderTable AS f ON f.parent_id = inside.id)
SELECT id, path FROM inside ORDER BY path

-- statement: geary-15
-- fine
-- because: a mail is read, by key
-- run: '\Seen', 15000

UPDATE MessageTable SET flags = ? WHERE id = ?

-- statement: geary-16
-- fine
-- because: a mail goes: where it was and what hung on it is found by indexes
-- run: 1234

DELETE FROM MessageTable WHERE id = ?

-- statement: geary-17
-- fine
-- tolerated: full-scan, or-without-index, pattern-without-index
-- because: letters anywhere in the sources of mails, which aren't words: all has to be read
-- run: '%gudi ce%'

SELECT id, subject FROM MessageTable WHERE header LIKE ?1 OR body LIKE ?1 ORDER BY id
