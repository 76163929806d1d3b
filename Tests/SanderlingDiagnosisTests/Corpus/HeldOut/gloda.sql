-- schema: gloda
-- about: A mail program's global index: messages of all folders, what they have to do with whom as attributes, and a full-text index.
-- origin: Thunderbird, version 30 of its global-messages-db (MPL-2.0, Copyright the Thunderbird contributors): nine of its tables with \
--   their indexes and full-text tables, those with another tokenizer

CREATE TABLE folderLocations (id INTEGER PRIMARY KEY, folderURI TEXT NOT NULL, dirtyStatus INTEGER NOT NULL, name TEXT NOT NULL, \
indexingPriority INTEGER NOT NULL);
CREATE TABLE conversations (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, oldestMessageDate INTEGER, newestMessageDate INTEGER);
CREATE VIRTUAL TABLE conversationsText USING fts3(tokenize porter, subject TEXT);
CREATE INDEX subject ON conversations(subject);
CREATE INDEX oldestMessageDate ON conversations(oldestMessageDate);
CREATE INDEX newestMessageDate ON conversations(newestMessageDate);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, folderID INTEGER, messageKey INTEGER, conversationID INTEGER NOT NULL, date INTEGER, headerMessageID TEXT, \
deleted INTEGER NOT NULL default 0, jsonAttributes TEXT,
  notability INTEGER NOT NULL default 0);
CREATE VIRTUAL TABLE messagesText USING fts3(tokenize porter, body TEXT, subject TEXT, attachmentNames TEXT, author TEXT, recipients TEXT);
CREATE INDEX messageLocation ON messages(folderID, messageKey);
CREATE INDEX headerMessageID ON messages(headerMessageID);
CREATE INDEX conversationID ON messages(conversationID);
CREATE INDEX date ON messages(date);
CREATE INDEX deleted ON messages(deleted);
CREATE TABLE attributeDefinitions (id INTEGER PRIMARY KEY, attributeType INTEGER NOT NULL, extensionName TEXT NOT NULL, name TEXT NOT \
NULL, parameter BLOB);
CREATE TABLE messageAttributes (conversationID INTEGER NOT NULL, messageID INTEGER NOT NULL, attributeID INTEGER NOT NULL, value NUMERIC);
CREATE INDEX attribQuery ON messageAttributes(attributeID, value, conversationID, messageID);
CREATE INDEX messageAttribFastDeletion ON messageAttributes(messageID);
CREATE TABLE contacts (id INTEGER PRIMARY KEY, directoryUUID TEXT, contactUUID TEXT, popularity INTEGER, frecency INTEGER, name TEXT, \
jsonAttributes TEXT);
CREATE INDEX popularity ON contacts(popularity);
CREATE INDEX frecency ON contacts(frecency);
CREATE TABLE contactAttributes (contactID INTEGER NOT NULL, attributeID INTEGER NOT NULL, value NUMERIC);
CREATE INDEX contactAttribQuery ON contactAttributes(attributeID, value, contactID);
CREATE TABLE identities (id INTEGER PRIMARY KEY, contactID INTEGER NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, description NOT \
NULL, relay INTEGER NOT NULL);
CREATE INDEX contactQuery ON identities(contactID);
CREATE INDEX valueQuery ON identities(kind, value);

INSERT INTO folderLocations SELECT i, 'imap://me@mail.example.org/' || iif(i = 1, 'INBOX', title(1, i, 2)), 0, iif(i = 1, 'Inbox', \
title(1, i, 2)), 20 FROM numbers WHERE i <= 90;
INSERT INTO messages
SELECT i + 31, iif(chance(2, i) < 0.06, NULL, skewed(3, i, 90)), iif(chance(2, i) < 0.06, NULL, i), c, iif(chance(2, i) < 0.06, NULL, \
1500000000000000 + i * 8000000000 + pick(4, i, 7000000000)), printf('%x.%x@', i * 104729, i) ||
  word(skewed(5, i, 900)) || '.example',
  iif(i % 700 = 3, 1, 0), '{"43":' || skewed(6, c, 9000) || ',"44":[' || pick(7, i, 9000) || ',1],"45":[],"50":' || iif(chance(8, i) < \
0.012, 'true', 'false') || ',"58":' || iif(chance(9, i) < 0.9, 'true', 'false') || ',"59":[' ||
    iif(chance(10, i) < 0.05, '"$label' || pick(11, i, 5) || '"', '') || '],"47":"' || prose(12, i, 60 + pick(13, i, 200)) || '"}',
  CASE WHEN chance(14, i) < 0.75 THEN 0 ELSE skewed(15, i, 60) END
FROM (SELECT i, CASE WHEN chance(16, i) < 0.5 THEN i / 3 + 1 ELSE 1 + skewed(17, i, 11000) END AS c FROM numbers WHERE i <= 30000);
INSERT INTO conversations SELECT conversationID, title(18, conversationID, 4), min(date), max(date) FROM messages GROUP BY conversationID;
INSERT INTO conversationsText (docid, subject) SELECT id, subject FROM conversations;
INSERT INTO messagesText (docid, body, subject, attachmentNames, author, recipients)
SELECT m.id, prose(19, m.id, 150 + pick(20, m.id, 400)), c.subject, iif(m.id % 9 = 0, word(m.id) || '.pdf', NULL), word(m.id % 900), \
word(m.id % 700) FROM messages AS m JOIN conversations AS c ON c.id = m.conversationID WHERE
  m.folderID IS NOT NULL;
INSERT INTO attributeDefinitions SELECT 42 + i, 0, 'gloda', word(i), NULL FROM numbers WHERE i <= 20;
INSERT INTO contacts SELECT i, NULL, NULL, skewed(21, i, 5000) - 1, skewed(22, i, 9000) - 1, iif(chance(23, i) < 0.6, title(24, i, 1) || ' \
' || title(25, i, 1), word(i) || '@' || word(pick(26, i, 900)) || '.example'), '{}' FROM
  numbers WHERE i <= 12000;
INSERT INTO identities SELECT i, iif(i <= 12000, i, skewed(27, i, 12000)), 'email', word(i) || '@' || word(pick(26, i, 900)) || \
'.example', '', i % 40 = 0 FROM numbers WHERE i <= 15000;
INSERT INTO messageAttributes SELECT conversationID, id, 43, json_extract(jsonAttributes, '$.43') FROM messages;
INSERT INTO messageAttributes SELECT conversationID, id, 44, json_extract(jsonAttributes, '$.44[0]') FROM messages WHERE folderID IS NOT NULL;
INSERT INTO messageAttributes SELECT conversationID, id, 44, 1 FROM messages WHERE folderID IS NOT NULL AND id % 3 = 0;
INSERT INTO messageAttributes SELECT conversationID, id, 58, chance(9, id - 31) < 0.9 FROM messages WHERE folderID IS NOT NULL;
INSERT INTO messageAttributes SELECT conversationID, id, 59, pick(11, id - 31, 5) FROM messages WHERE chance(10, id - 31) < 0.05;

-- statement: gloda-01
-- is: full-scan, group-without-index, harmful-index, index-not-covering, join-order, missing-statistics, sort-without-index
-- because: the conversations of a large folder: each message is looked up for its date and conversation
-- run: 1 | 2

SELECT c.id, c.subject, count(*) AS n, max(m.date) AS newest FROM messages AS m JOIN conversations AS c ON c.id = m.conversationID
WHERE m.folderID = ? AND m.deleted = 0 GROUP BY c.id ORDER BY newest DESC LIMIT 40

-- best
-- index: messages (folderID, deleted, conversationID, date)

-- or
-- index: messages (folderID, conversationID, deleted, date)

-- statement: gloda-02
-- is: full-scan, index-not-covering, missing-statistics, sort-without-index
-- because: the messages of a folder in a time: there is an index of folders and one of dates
-- run: 1, 1640000000000000, 1648000000000000 | 2, 1600000000000000, 1612000000000000

SELECT id, folderID, messageKey, date FROM messages WHERE folderID = ? AND date >= ? AND date < ? ORDER BY date DESC

-- best
-- index: messages (folderID, date)

-- statement: gloda-03
-- is: expression-index, full-scan, function-on-column, partial-index, sort-without-index
-- because: starred messages, of which there are few: the document of each message is parsed until fifty are found

SELECT id, headerMessageID, date FROM messages WHERE json_extract(jsonAttributes, '$.50') = 1 ORDER BY date DESC LIMIT 50

-- best
-- index: messages (json_extract(jsonAttributes, '$.50'), date)

-- or
-- index: messages (json_extract(jsonAttributes, '$.50'))

-- or
-- index: messages (date) WHERE json_extract(jsonAttributes, '$.50') = 1

-- statement: gloda-04
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: the most notable messages: the index of deleted ones finds nearly all, and they are sorted
-- run: 40

SELECT id, headerMessageID, date, notability FROM messages WHERE deleted = 0 AND notability > ? ORDER BY notability DESC, date DESC LIMIT 50

-- best
-- index: messages (deleted, notability, date)

-- or
-- index: messages (notability, date)

SELECT id, headerMessageID, date, notability FROM messages WHERE +deleted = 0 AND notability > ? ORDER BY notability DESC, date DESC LIMIT 50

-- statement: gloda-05
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: people whose name begins so: all of them are walked by how often they write
-- run: 'hagu%' | 'Brafo%'

SELECT id, name, popularity, frecency FROM contacts WHERE name LIKE ? ESCAPE '/' ORDER BY frecency DESC LIMIT 20

-- best
-- index: contacts (name COLLATE NOCASE)

-- statement: gloda-06
-- is: repeated-statement
-- because: the messages of each conversation of a list, one after the other
-- operation: list of conversations
-- run: 100 | 137 | 174 | 211 | 248 | 285 | 322 | 359 | 396 | 433 | 470 | 507 | 544 | 581 | 618 | 655 | 692 | 729 | 766 | 803 | 840 | 877 \
--   | 914 | 951 | 988 | 1025 | 1062 | 1099 | 1136 | 1173 | 1210 | 1247 | 1284 | 1321 | 1358 | 1395 | 1432 | 1469 | 1506 | 1543

SELECT id, folderID, messageKey, date, headerMessageID FROM messages WHERE conversationID = ? AND +deleted = 0

-- best
-- run: '[100,137,174,211,248,285,322,359,396,433,470,507,544,581,618,655,692,729,766,803,840,877,914,951,988,1025,1062,1099,1136,1173,\
--   1210,1247,1284,1321,1358,1395,1432,1469,1506,1543]'

SELECT id, folderID, messageKey, date, headerMessageID FROM messages WHERE conversationID IN (SELECT value FROM json_each(?)) AND +deleted = 0

-- statement: gloda-07
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: an add-on asks for a conversation without the plus that the program writes: without statistics the index of deleted messages \
--   is as good as the other, and it is taken
-- run: 77 | 4321

SELECT id, folderID, messageKey, headerMessageID FROM messages WHERE conversationID = ? AND deleted = 0 ORDER BY date

-- best
-- change: ANALYZE

-- or

SELECT id, folderID, messageKey, headerMessageID FROM messages WHERE conversationID = ? AND +deleted = 0 ORDER BY date

-- or
-- index: messages (conversationID, deleted, date)

-- or
-- index: messages (conversationID, deleted)

-- or
-- index: messages (conversationID, date) WHERE deleted = 0

-- or
-- change: DROP INDEX deleted

-- statement: gloda-08
-- is: automatic-index, full-scan, index-not-covering, join-fan-out, join-order, missing-statistics, subquery-per-row
-- because: how much popular people wrote: without statistics all authors of all messages are read for each of them
-- run: 4850

SELECT c.id, c.name, (SELECT count(*) FROM identities AS i JOIN messageAttributes AS a ON a.value = i.id WHERE i.contactID = c.id
AND a.attributeID = 43) AS n FROM contacts AS c WHERE c.popularity > ? ORDER BY c.popularity DESC, c.id

-- best
-- change: ANALYZE

-- or

SELECT c.id, c.name, (SELECT count(*) FROM identities AS i CROSS JOIN messageAttributes AS a ON a.value = i.id WHERE i.contactID = c.id
AND a.attributeID = 43) AS n FROM contacts AS c WHERE c.popularity > ? ORDER BY c.popularity DESC, c.id

-- statement: gloda-09
-- fine
-- tolerated: sort-without-index
-- because: a word in a folder: the full-text index finds few messages, which their keys find
-- run: 'diwece', 1

SELECT m.id, m.folderID, m.messageKey, m.date FROM messagesText AS t JOIN messages AS m ON m.id = t.docid WHERE messagesText MATCH ?
AND m.folderID = ? AND +m.deleted = 0 ORDER BY m.date DESC LIMIT 50

-- statement: gloda-10
-- fine
-- tolerated: sort-without-index
-- because: what was written to somebody: the attributes by an index that has all, the messages by their key
-- run: 44, 4321 | 43, 2000

SELECT * FROM messages WHERE id IN (SELECT messageID FROM messageAttributes WHERE attributeID = ? AND value = ?) AND +deleted = 0
AND +folderID IS NOT NULL AND +messageKey IS NOT NULL ORDER BY date DESC LIMIT 100

-- statement: gloda-11
-- fine
-- tolerated: or-without-index
-- because: recent conversations: both dates have an index
-- run: 1739000000000000

SELECT id, subject FROM conversations WHERE oldestMessageDate > ?1 OR newestMessageDate > ?1
