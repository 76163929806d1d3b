-- schema: mail
-- about: A mail client: 20 MB, single-column indexes only, not analyzed.

CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE mailbox (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, name TEXT NOT NULL);
CREATE TABLE address (id INTEGER PRIMARY KEY, address TEXT NOT NULL, display_name TEXT);
CREATE TABLE message (
  id INTEGER PRIMARY KEY, mailbox_id INTEGER NOT NULL, thread_id INTEGER NOT NULL, message_id TEXT NOT NULL,
  sender TEXT NOT NULL, subject TEXT NOT NULL, date_received INTEGER NOT NULL, size INTEGER NOT NULL,
  flags INTEGER NOT NULL, read INTEGER NOT NULL, snippet TEXT NOT NULL);
CREATE TABLE recipient (message INTEGER NOT NULL, address_id INTEGER NOT NULL, kind INTEGER NOT NULL);
CREATE TABLE attachment (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, name TEXT NOT NULL,
  bytes INTEGER NOT NULL);
CREATE INDEX message_mailbox ON message (mailbox_id);
CREATE INDEX message_date ON message (date_received);
CREATE INDEX message_thread ON message (thread_id);
CREATE INDEX recipient_message ON recipient (message);

INSERT INTO account VALUES (1, 'Work'), (2, 'Home'), (3, 'List');
INSERT INTO mailbox SELECT i, 1 + i % 3, title(1, i, 1) FROM numbers WHERE i <= 60;
INSERT INTO address SELECT i, word(i) || '@' || word(i % 50) || '.net', title(2, i, 2) FROM numbers WHERE i <= 4000;
INSERT INTO message
SELECT i, skewed(3, i, 60), 1 + (i * 7 + pick(4, i, 40)) / 25, printf('<%x.%x@host>', i * 7919, i),
  word(skewed(5, i, 4000)) || '@mail.net', CASE pick(6, i, 3) WHEN 1 THEN 'Re: ' ELSE '' END || title(7, i, 4),
  1550000000 + i * 4000 + pick(8, i, 4000), 500 + skewed(9, i, 5000000),
  iif(chance(10, i) < 0.01, 4, 0) + pick(11, i, 2), chance(12, i) < 0.95, prose(13, i, 150 + pick(14, i, 250))
FROM numbers WHERE i <= 32000;
INSERT INTO recipient SELECT pick(15, i, 32000), skewed(16, i, 4000), pick(17, i, 3) FROM numbers WHERE i <= 75000;
INSERT INTO attachment SELECT i, pick(18, i, 32000), word(i) || '.pdf', skewed(19, i, 9000000)
FROM numbers WHERE i <= 9000;

-- statement: mail-19
-- fine
-- because: 95 % match

SELECT id, subject, snippet, sender, size FROM message WHERE read = 1

-- statement: mail-01
-- is: sort-without-index
-- because: one of the two single-column indexes is used, and either leaves most of the work
-- run: 1 | 40

SELECT id, subject, sender, date_received FROM message WHERE mailbox_id = ? ORDER BY date_received DESC LIMIT 50

-- best
-- index: message (mailbox_id, date_received)

-- statement: mail-02
-- is: full-scan, group-without-index, index-not-covering, partial-index, wide-rows-for-count
-- because: 5 % are unread; the counts need nothing but an index

SELECT mailbox_id, COUNT(*) FROM message WHERE read = 0 GROUP BY mailbox_id

-- best
-- index: message (mailbox_id) WHERE read = 0

-- or
-- index: message (read, mailbox_id)

-- or
-- index: message (mailbox_id, read)

-- statement: mail-03
-- fine
-- because: a thread has four messages, found by index
-- sampled
-- run: 800

SELECT * FROM message WHERE thread_id = ? ORDER BY date_received

-- statement: mail-04
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: a prefix search with SQLite's own LIKE folds case
-- run: 'bratre%'

SELECT id, sender FROM message WHERE sender LIKE ?

-- best
-- index: message (sender COLLATE NOCASE)

-- statement: mail-05
-- is: full-scan, pattern-without-index
-- because: GLOB is exact: here a BINARY index serves, and a NOCASE one would not

SELECT id, date_received FROM message WHERE subject GLOB 'Bagu*'

-- best
-- index: message (subject)

-- statement: mail-06
-- is: automatic-index, full-scan, sort-without-index
-- because: from the address to its messages no index leads
-- run: 'cledidi@cece.net'

SELECT m.id, m.subject FROM message m JOIN recipient r ON r.message = m.id JOIN address a ON a.id = r.address_id
WHERE a.address = ? ORDER BY m.date_received DESC LIMIT 20

-- best
-- index: address (address)
-- index: recipient (address_id, message)

-- or
-- index: address (address)
-- index: recipient (address_id)

-- statement: mail-07
-- is: expression-index, full-scan, function-on-column, partial-index
-- because: 1 % have the bit: only a partial index knows it, and it holds the order as well

SELECT id, subject FROM message WHERE flags & 4 ORDER BY date_received DESC LIMIT 50

-- best
-- index: message (date_received) WHERE flags & 4

-- statement: mail-08
-- fine
-- because: range and order from the index, few rows
-- run: 1677500000

SELECT * FROM message WHERE date_received > ? ORDER BY date_received DESC

-- statement: mail-09
-- is: full-scan, or-without-index
-- because: an index for each side
-- run: '<f1ab30.7d0@host>', 'sori@mail.net'

SELECT id, subject FROM message WHERE message_id = ?1 OR sender = ?2

-- best
-- index: message (message_id)
-- index: message (sender)

-- statement: mail-10
-- is: full-scan, index-not-covering
-- because: each single-column index finds thousands of rows too many
-- run: 1, 1550400000

DELETE FROM message WHERE mailbox_id = ? AND date_received < ?

-- best
-- index: message (mailbox_id, date_received)

-- statement: mail-11
-- is: full-scan, wide-rows-for-count
-- because: a child table without an index on its parent
-- sampled
-- run: 17

SELECT COUNT(*) FROM attachment WHERE message = ?

-- best
-- index: attachment (message)

-- statement: mail-12
-- is: group-without-index, index-not-covering
-- because: grouped by walking an index, without reading the messages

SELECT sender, COUNT(*) AS n FROM message GROUP BY sender ORDER BY n DESC LIMIT 10

-- best
-- index: message (sender)

-- statement: mail-13
-- is: full-scan
-- because: looking up a reply's parent reads all messages
-- sampled
-- run: '<16a80c8.bb8@host>'

SELECT id FROM message WHERE message_id = ?

-- best
-- index: message (message_id)

-- statement: mail-14
-- is: index-not-covering, sort-without-index
-- because: partition and order come from a covering index
-- run: 1

SELECT id, thread_id, ROW_NUMBER() OVER (PARTITION BY thread_id ORDER BY date_received DESC) AS position
FROM message WHERE mailbox_id = ?

-- best
-- index: message (mailbox_id, thread_id, date_received DESC)

-- statement: mail-15
-- is: full-scan, subquery-per-row
-- because: the recipients are scanned for each address
-- run: 3900

SELECT a.id FROM address a WHERE a.id > ? AND NOT EXISTS (SELECT 1 FROM recipient r WHERE r.address_id = a.id)

-- best
-- index: recipient (address_id)

-- statement: mail-16
-- fine
-- because: 60 rows
-- run: 2

SELECT name FROM mailbox WHERE account_id = ? ORDER BY name

-- statement: mail-17
-- fine
-- because: by rowid
-- run: 400

UPDATE message SET read = 1, flags = flags | 1 WHERE id = ?

-- statement: mail-18
-- fine
-- because: index, then rowid
-- run: 77

SELECT r.kind, a.address FROM recipient r JOIN address a ON a.id = r.address_id WHERE r.message = ?

-- statement: mail-20
-- is: distinct-without-index, index-not-covering
-- because: a covering index gives the threads in order
-- run: 2

SELECT DISTINCT thread_id FROM message WHERE mailbox_id = ?

-- best
-- index: message (mailbox_id, thread_id)

-- statement: mail-21
-- is: full-scan, group-without-index, index-not-covering
-- because: threads with new messages: the index of the date finds these, that of the threads finds all
-- run: 1677500000

SELECT thread_id, MAX(date_received) AS last FROM message GROUP BY thread_id HAVING MAX(date_received) >= ?

-- best

SELECT thread_id, MAX(date_received) AS last FROM message WHERE date_received >= ? GROUP BY +thread_id
