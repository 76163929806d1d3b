-- schema: telephony
-- about: Messages of a phone: short ones, multimedia ones with their parts, threads that triggers keep, and a full-text index of what was \
--   written.
-- origin: Android's TelephonyProvider, version 69 of mmssms.db (Apache-2.0, Copyright The Android Open Source Project): eight of its \
--   tables with their indexes, a view and the triggers that these statements run, without phone-number functions

CREATE TABLE pdu (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, thread_id INTEGER, date INTEGER, date_sent INTEGER DEFAULT 0, msg_box INTEGER, read INTEGER \
DEFAULT 0, m_id TEXT, sub TEXT, sub_cs INTEGER, ct_t TEXT, ct_l TEXT, exp INTEGER,
  m_cls TEXT, m_type INTEGER, v INTEGER, m_size INTEGER, pri INTEGER, rr INTEGER, rpt_a INTEGER, resp_st INTEGER, st INTEGER, tr_id TEXT, \
retr_st INTEGER, retr_txt TEXT, retr_txt_cs INTEGER, read_status INTEGER,
  ct_cls INTEGER, resp_txt TEXT, d_tm INTEGER, d_rpt INTEGER, locked INTEGER DEFAULT 0, sub_id INTEGER DEFAULT -1, seen INTEGER DEFAULT 0, \
creator TEXT, text_only INTEGER DEFAULT 0);
CREATE TABLE addr (_id INTEGER PRIMARY KEY, msg_id INTEGER, contact_id INTEGER, address TEXT, type INTEGER, charset INTEGER, sub_id \
INTEGER DEFAULT -1);
CREATE TABLE part (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, mid INTEGER, seq INTEGER DEFAULT 0, ct TEXT, name TEXT, chset INTEGER, cd TEXT, fn TEXT, cid \
TEXT, cl TEXT, ctt_s INTEGER, ctt_t TEXT, _data TEXT, text TEXT,
  sub_id INTEGER DEFAULT -1);
CREATE TABLE sms (
  _id INTEGER PRIMARY KEY, thread_id INTEGER, address TEXT, person INTEGER, date INTEGER, date_sent INTEGER DEFAULT 0, protocol INTEGER, \
read INTEGER DEFAULT 0, status INTEGER DEFAULT -1, type INTEGER,
  reply_path_present INTEGER, subject TEXT, body TEXT, service_center TEXT, locked INTEGER DEFAULT 0, sub_id INTEGER DEFAULT -1, \
error_code INTEGER DEFAULT -1, creator TEXT, seen INTEGER DEFAULT 0);
CREATE TABLE canonical_addresses (_id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT, sub_id INTEGER DEFAULT -1);
CREATE TABLE threads (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER DEFAULT 0, message_count INTEGER DEFAULT 0, recipient_ids TEXT, snippet TEXT, \
snippet_cs INTEGER DEFAULT 0, read INTEGER DEFAULT 1, archived INTEGER DEFAULT 0,
  type INTEGER DEFAULT 0, error INTEGER DEFAULT 0, has_attachment INTEGER DEFAULT 0, sub_id INTEGER DEFAULT -1);
CREATE TABLE pending_msgs (
  _id INTEGER PRIMARY KEY, proto_type INTEGER, msg_id INTEGER, msg_type INTEGER, err_type INTEGER, err_code INTEGER, retry_index INTEGER \
NOT NULL DEFAULT 0, due_time INTEGER, pending_sub_id INTEGER DEFAULT -1, last_try INTEGER);
CREATE VIRTUAL TABLE words USING FTS3 (_id INTEGER PRIMARY KEY, index_text TEXT, source_id INTEGER, table_to_use INTEGER, sub_id INTEGER);
CREATE VIEW sms_restricted AS SELECT * FROM sms WHERE type=1 OR type=2;
CREATE INDEX typeThreadIdIndex ON sms (type, thread_id);
CREATE INDEX threadIdDateIndex ON sms (thread_id, date);
CREATE INDEX partMidIndex ON part (mid);
CREATE INDEX addrMsgIdIndex ON addr (msg_id);

INSERT INTO canonical_addresses SELECT i, '+49151' || printf('%08d', i * 104729 % 99999989), -1 FROM numbers WHERE i <= 900;
INSERT INTO threads (_id, date, recipient_ids, snippet, read)
SELECT i, 1719000000000 - i * 3600000, iif(i <= 370, i, i || ' ' || (i - 300) || ' ' || (i - 200)), prose(1, i, 40), 1 FROM numbers WHERE i <= 400;
INSERT INTO sms (_id, thread_id, address, date, date_sent, protocol, read, status, type, body, service_center, locked, sub_id, seen, creator)
SELECT i, t, (SELECT address FROM canonical_addresses WHERE _id = t), 1400000000000 + i * 6000000 + pick(2, i, 5000000), 1400000000000 + i \
* 6000000, 0, iif(i > 44000 AND i % 9 = 0, 0, iif(chance(3, i) < 0.002, 0, 1)), -1,
  CASE WHEN chance(4, i) < 0.62 THEN 1 WHEN chance(4, i) < 0.998 THEN 2 WHEN chance(4, i) < 0.999 THEN 5 ELSE 3 END, prose(5, i, 20 + \
pick(6, i, 140)), '+491710760000', chance(7, i) < 0.0003 AND i > 30000, 1, 1,
    'com.android.messaging'
FROM (SELECT i, skewed(8, i, 370) AS t FROM numbers WHERE i <= 48000);
INSERT INTO pdu (_id, thread_id, date, msg_box, read, m_id, sub, ct_t, m_type, m_size, tr_id, locked, seen, text_only)
SELECT i, skewed(9, i, 390), 1400000000 + i * 41000, iif(chance(10, i) < 0.6, 1, 2), 1, printf('%08x', i * 7919), iif(chance(11, i) < 0.1, \
title(12, i, 3), NULL), 'application/vnd.wap.multipart.related', iif(chance(10, i) < 0.6,
  iif(chance(13, i) < 0.02, 130, 132), 128), pick(14, i, 900000), printf('T%x', i), 0, 1, i % 3 = 0
FROM numbers WHERE i <= 7000;
INSERT INTO part (_id, mid, seq, ct, name, cid, cl, _data, text)
SELECT i, (i + 2) / 3, i % 3, CASE i % 3 WHEN 1 THEN 'application/smil' WHEN 2 THEN 'text/plain' ELSE iif((i + 2) / 3 % 3 = 0, \
'text/plain', iif(chance(15, i) < 0.8, 'image/jpeg', 'video/3gpp')) END, 'part' || i, '<' || i || '>',
  i || '.dat',
  iif(i % 3 = 0, '/data/user/0/com.android.providers.telephony/app_parts/PART_' || (1400000000000 + i), NULL), iif(i % 3 = 2, prose(16, i, \
20 + pick(17, i, 120)), NULL) FROM numbers WHERE i <= 21000;
INSERT INTO addr (_id, msg_id, address, type, charset)
SELECT i, (i + 1) / 2, (SELECT address FROM canonical_addresses WHERE _id = skewed(9, (i + 1) / 2, 390)), iif(i % 2, 137, 151), 106 FROM \
numbers WHERE i <= 14000;
INSERT INTO words (_id, index_text, source_id, table_to_use, sub_id) SELECT _id, body, _id, 1, sub_id FROM sms;
INSERT INTO words (_id, index_text, source_id, table_to_use, sub_id) SELECT (2 << 32) | _id, text, _id, 2, -1 FROM part WHERE ct = \
'text/plain' AND text IS NOT NULL;
INSERT INTO pending_msgs (proto_type, msg_id, msg_type, err_type, err_code, due_time) SELECT 1, _id, 130, 0, 0, 0 FROM pdu WHERE m_type = 130;
UPDATE threads SET message_count = (SELECT count(*) FROM sms WHERE thread_id = threads._id AND type != 3), has_attachment = _id % 5 = 0;
CREATE TRIGGER part_cleanup DELETE ON pdu BEGIN DELETE FROM part WHERE mid=old._id; END;
CREATE TRIGGER addr_cleanup DELETE ON pdu BEGIN DELETE FROM addr WHERE msg_id=old._id; END;
CREATE TRIGGER update_threads_on_delete_part AFTER DELETE ON part WHEN old.ct != 'text/plain' AND old.ct != 'application/smil' BEGIN
  UPDATE threads SET has_attachment = CASE
    (SELECT COUNT(*) FROM part JOIN pdu WHERE pdu.thread_id = threads._id AND part.ct != 'text/plain' AND part.ct != 'application/smil' \
AND part.mid = pdu._id) WHEN 0 THEN 0 ELSE 1 END;
END;
CREATE TRIGGER sms_words_update AFTER UPDATE ON sms BEGIN
  UPDATE words SET index_text = NEW.body WHERE (source_id=NEW._id AND table_to_use=1);
END;
CREATE TRIGGER sms_words_delete AFTER DELETE ON sms BEGIN
  DELETE FROM words WHERE source_id = OLD._id AND table_to_use = 1;
END;
CREATE TRIGGER sms_update_thread_read_on_update AFTER UPDATE OF read ON sms BEGIN
  UPDATE threads SET read = CASE (SELECT COUNT(*) FROM sms WHERE read = 0 AND thread_id = threads._id) WHEN 0 THEN 1 ELSE 0 END WHERE \
threads._id = new.thread_id;
END;
CREATE TRIGGER pdu_update_thread_read_on_update AFTER UPDATE OF read ON pdu WHEN new.m_type=132 OR new.m_type=130 OR new.m_type=128 BEGIN
  UPDATE threads SET read = CASE (SELECT COUNT(*) FROM pdu WHERE read = 0 AND thread_id = threads._id AND (m_type=132 OR m_type=130 OR \
m_type=128)) WHEN 0 THEN 1 ELSE 0 END WHERE threads._id = new.thread_id;
END;

-- statement: telephony-01
-- is: full-scan, index-not-covering, partial-index, subquery-per-row, trigger-without-columns
-- because: what was read in a thread: for each row a trigger looks through all words of the full-text index, though no word changes
-- run: 40 | 55

UPDATE sms SET read = 1, seen = 1 WHERE thread_id = ? AND read = 0

-- best
-- change: DROP TRIGGER sms_words_update
-- change: CREATE TRIGGER sms_words_update AFTER UPDATE OF body ON sms BEGIN UPDATE words SET index_text = NEW.body WHERE \
--   (source_id=NEW._id AND table_to_use=1); END

-- statement: telephony-02
-- is: automatic-index, full-scan, join-fan-out, join-order, missing-statistics, subquery-per-row
-- because: a picture goes: a trigger then looks for pictures in all threads, and multimedia messages have no index of threads
-- run: 30 | 303

DELETE FROM part WHERE _id = ?

-- best
-- index: pdu (thread_id)

-- statement: telephony-03
-- is: full-scan
-- because: all messages of a thread: the short ones by an index, the others by reading all
-- run: 80 | 300

SELECT _id, normalized_date, kind FROM (SELECT DISTINCT date * 1000 AS normalized_date, _id, 'mms' AS kind FROM pdu WHERE (msg_box != 3
AND (m_type = 128 OR m_type = 132 OR m_type = 130)) AND thread_id = ?1 UNION SELECT DISTINCT date AS normalized_date, _id, 'sms' AS kind FROM sms
WHERE (type != 3) AND thread_id = ?1) ORDER BY normalized_date ASC

-- best
-- index: pdu (thread_id)

-- or
-- index: pdu (thread_id, date)

-- statement: telephony-04
-- is: full-scan, sort-without-index
-- because: what an app asks of a number: only threads have an index
-- sampled
-- run: '+4915103141870' | '+4915131418700'

SELECT _id, thread_id, date, type, body FROM sms WHERE address = ? ORDER BY date DESC LIMIT 50

-- best
-- index: sms (address, date)

-- or
-- index: sms (address)

-- statement: telephony-05
-- is: full-scan, index-not-covering, sort-without-index
-- because: the inbox, newest first: most messages are in it, and all are sorted

SELECT _id, thread_id, address, date, body, read FROM sms WHERE (type = 1) ORDER BY date DESC LIMIT 100

-- best
-- index: sms (type, date)

-- statement: telephony-06
-- is: distinct-without-index, full-scan, index-not-covering, subquery-per-row
-- because: empty threads: the threads of all messages are collected first, instead of asking whether a thread has one

DELETE FROM threads WHERE _id NOT IN (SELECT DISTINCT thread_id FROM sms WHERE thread_id NOT NULL UNION SELECT DISTINCT thread_id FROM pdu
WHERE thread_id NOT NULL)

-- best
-- index: pdu (thread_id)

DELETE FROM threads WHERE NOT EXISTS (SELECT 1 FROM sms WHERE sms.thread_id = threads._id) AND NOT EXISTS (SELECT 1 FROM pdu
WHERE pdu.thread_id = threads._id)

-- statement: telephony-07
-- is: distinct-without-index, full-scan, group-without-index, partial-index
-- because: whether a message is locked: each row is made a group of its own to find out

SELECT _id FROM pdu GROUP BY _id HAVING locked=1 UNION SELECT _id FROM sms GROUP BY _id HAVING locked=1 LIMIT 1

-- best
-- index: pdu (locked)
-- index: sms (locked)

SELECT _id FROM pdu WHERE locked = 1 UNION SELECT _id FROM sms WHERE locked = 1 LIMIT 1

-- statement: telephony-08
-- is: full-scan, group-without-index, index-not-covering, sort-without-index, subquery-per-row
-- because: the last message with each number: all messages with their text are sorted for it

SELECT address, body, date FROM (SELECT address, body, date, row_number() OVER (PARTITION BY address ORDER BY date DESC) AS n FROM sms) WHERE n = 1
ORDER BY date DESC

-- best
-- index: sms (address, date)

SELECT s.address, s.body, s.date FROM (SELECT address, max(date) AS date FROM sms GROUP BY address) AS m JOIN sms AS s ON s.address = m.address
AND s.date = m.date ORDER BY s.date DESC

-- statement: telephony-09
-- fine
-- because: messages with a word, by the full-text index and their keys
-- run: 'diwece'

SELECT sms._id, sms.thread_id, sms.address, sms.body, sms.date, words._id FROM sms, words WHERE (index_text MATCH ? AND sms._id = words.source_id
AND words.table_to_use = 1)

-- statement: telephony-10
-- fine
-- tolerated: full-scan
-- because: four hundred threads
-- run: '17'

SELECT _id FROM threads WHERE recipient_ids = ?

-- statement: telephony-11
-- fine
-- because: the last messages of a thread by its index with the date, through a view
-- run: 2 | 30

SELECT _id, address, body, date FROM sms_restricted WHERE thread_id = ? ORDER BY date DESC LIMIT 30
