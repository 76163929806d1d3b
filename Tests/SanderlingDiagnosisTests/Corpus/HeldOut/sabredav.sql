-- schema: sabredav
-- about: A server of calendars and addresses: each appointment and each card is a file, what changed is in a log.
-- origin: sabre/dav 4.7 (BSD-3-Clause, Copyright 2007-2016 fruux GmbH): eleven of the tables of its SQLite files with their indexes

CREATE TABLE calendarobjects (
  id integer primary key asc NOT NULL, calendardata blob NOT NULL, uri text NOT NULL, calendarid integer NOT NULL, lastmodified integer \
NOT NULL, etag text NOT NULL, size integer NOT NULL,
  componenttype text, firstoccurence integer, lastoccurence integer, uid text, UNIQUE(calendarid,uri));
CREATE INDEX calendarid_time ON calendarobjects (calendarid, firstoccurence);
CREATE TABLE calendars (id integer primary key asc NOT NULL, synctoken integer DEFAULT 1 NOT NULL, components text NOT NULL);
CREATE TABLE calendarinstances (
  id integer primary key asc NOT NULL, calendarid integer NOT NULL, principaluri text NULL, access integer COMMENT '1 = owner, 2 = read, 3 \
= readwrite' NOT NULL DEFAULT '1', displayname text,
  uri text NOT NULL, description text, calendarorder integer, calendarcolor text, timezone text, transparent bool, share_href text, \
share_displayname text, share_invitestatus integer DEFAULT '2',
  UNIQUE (principaluri, uri), UNIQUE (calendarid, principaluri), UNIQUE (calendarid, share_href));
CREATE TABLE calendarchanges (id integer primary key asc NOT NULL, uri text, synctoken integer NOT NULL, calendarid integer NOT NULL, \
operation integer NOT NULL);
CREATE INDEX calendarid_synctoken ON calendarchanges (calendarid, synctoken);
CREATE TABLE schedulingobjects (
  id integer primary key asc NOT NULL, principaluri text NOT NULL, calendardata blob, uri text NOT NULL, lastmodified integer, etag text \
NOT NULL, size integer NOT NULL, UNIQUE(principaluri, uri));
CREATE TABLE addressbooks (
  id integer primary key asc NOT NULL, principaluri text NOT NULL, displayname text, uri text NOT NULL, description text, synctoken \
integer DEFAULT 1 NOT NULL, UNIQUE(principaluri, uri));
CREATE TABLE cards (
  id integer primary key asc NOT NULL, addressbookid integer NOT NULL, carddata blob, uri text NOT NULL, lastmodified integer, etag text, \
size integer, UNIQUE(addressbookid, uri));
CREATE TABLE principals (id INTEGER PRIMARY KEY ASC NOT NULL, uri TEXT NOT NULL, email TEXT, displayname TEXT, UNIQUE(uri));
CREATE TABLE groupmembers (id INTEGER PRIMARY KEY ASC NOT NULL, principal_id INTEGER NOT NULL, member_id INTEGER NOT NULL, \
UNIQUE(principal_id, member_id));
CREATE TABLE propertystorage (id integer primary key asc NOT NULL, path text NOT NULL, name text NOT NULL, valuetype integer NOT NULL, value string);
CREATE UNIQUE INDEX path_property ON propertystorage (path, name);
CREATE TABLE locks (id integer primary key asc NOT NULL, owner text, timeout integer, created integer, token text, scope integer, depth \
integer, uri text);
CREATE INDEX idx_uri ON locks (uri);

INSERT INTO principals
SELECT i, 'principals/' || word(i / 3) || CASE i % 3 WHEN 0 THEN '' WHEN 1 THEN '/calendar-proxy-read' ELSE '/calendar-proxy-write' END,
  iif(i % 3 = 0, iif(chance(1, i) < 0.3, upper(substr(word(i / 3), 1, 1)) || substr(word(i / 3), 2), word(i / 3)) || '@example.org', \
NULL), iif(i % 3 = 0, title(2, i, 2), NULL)
FROM numbers WHERE i BETWEEN 3 AND 24000;
INSERT OR IGNORE INTO groupmembers SELECT i, 1 + 3 * pick(3, i, 7990) + pick(4, i, 2), 3 * skewed(5, i, 7990) FROM numbers WHERE i <= 30000;
INSERT INTO calendars SELECT i, 900 + skewed(6, i, 3000), iif(i % 5 = 0, 'VTODO', 'VEVENT,VTODO') FROM numbers WHERE i <= 2000;
INSERT INTO calendarinstances
SELECT i, i, 'principals/' || word(1 + i / 2), 1, title(7, i, 2), iif(i % 2 = 0, 'default', word(i)), NULL, i % 2, '#' || printf('%06x', i \
* 7919 % 16777216), iif(chance(8, i) < 0.5, prose(9, i, 700), NULL), 0, NULL, NULL, 2 FROM numbers WHERE i <= 2000;
INSERT OR IGNORE INTO calendarinstances
SELECT 2000 + i, skewed(10, i, 2000), 'principals/' || word(pick(11, i, 7990)), 2 + i % 2, title(7, i, 2), printf('%08x', i * 104729), \
NULL, 0, NULL, NULL, 0, 'mailto:' || word(pick(11, i, 7990)) || '@example.org', NULL, iif(chance(12, i) < 0.1, 1, 2)
FROM numbers WHERE i <= 2500;
INSERT INTO calendarobjects
SELECT i, prose(13, i, 200 + pick(14, i, 200)), printf('%08x.ics', i * 7919), skewed(15, i, 2000), 1600000000 + pick(16, i, 120000000), \
printf('%016x%016x', i * 104729, i), 400, CASE WHEN chance(17, i) < 0.9 THEN 'VEVENT' WHEN chance(17, i) < 0.98 THEN 'VTODO' ELSE \
'VJOURNAL' END,
  iif(chance(17, i) < 0.9, 1450000000 + i * 11000, NULL), iif(chance(17, i) < 0.9, iif(chance(18, i) < 0.05, 2147483647, 1450003600 + i * \
11000), NULL), printf('%08x-%04x', i * 7919, i % 65536)
FROM numbers WHERE i <= 24000;
INSERT INTO calendarchanges
SELECT i, printf('%08x.ics', pick(19, i, 24000) * 7919), 1 + i / 2000 * 30 + pick(20, i, 25), 1 + i % 2000, 1 + skewed(21, i, 3) FROM \
numbers WHERE i <= 60000;
INSERT INTO schedulingobjects SELECT i, 'principals/' || word(skewed(22, i, 2000)), prose(23, i, 500), printf('%08x.ics', i * 7919), \
1650000000 + i * 9000, printf('%016x', i * 104729), 500 FROM numbers WHERE i <= 3000;
INSERT INTO addressbooks SELECT i, 'principals/' || word(i), 'x', 'default', NULL, 1 FROM numbers WHERE i <= 1500;
INSERT INTO cards
SELECT i, skewed(24, i, 1500), prose(25, i, iif(chance(26, i) < 0.12, 3600, 300)), printf('%08x.vcf', i * 7919), 1600000000 + pick(27, i, \
120000000), printf('%016x', i * 104729), 350 FROM numbers WHERE i <= 10000;
INSERT OR IGNORE INTO propertystorage
SELECT i, 'calendars/' || word(1 + i / 8) || '/' || iif(i % 2 = 0, 'default', word(i)) || iif(chance(28, i) < 0.5, '/', '/' || \
printf('%08x.ics', i * 7919)), '{http://apple.com/ns/ical/}' || word(skewed(29, i, 6)), 1, prose(30, i, 60) FROM numbers WHERE i <= 24000;
INSERT INTO locks SELECT i, word(skewed(31, i, 3000)), iif(chance(32, i) < 0.995, 1800, 86400 * 30), 1700000000 + i * 60, printf('%032x', \
i * 7919), 1, iif(chance(33, i) < 0.3, -1, 0), 'files/' || word(skewed(34, i, 900)) || '/' || word(i) FROM numbers WHERE i <= 22000;

-- statement: sabredav-01
-- is: full-scan, index-not-covering, join-order, missing-statistics
-- because: an appointment by its number: all of the user's calendars are read
-- run: 'principals/loce', '001e9233-00fd' | 'principals/vace', '000aa228-0058'

SELECT calendarinstances.uri AS calendaruri, calendarobjects.uri AS objecturi FROM calendarobjects
LEFT JOIN calendarinstances ON calendarobjects.calendarid = calendarinstances.calendarid
WHERE calendarinstances.principaluri = ? AND calendarobjects.uid = ? AND calendarinstances.access = 1

-- best
-- index: calendarobjects (uid)

-- or
-- index: calendarobjects (uid, calendarid)

-- or
-- index: calendarobjects (calendarid, uid)

-- statement: sabredav-02
-- is: case-insensitive-without-index, full-scan, or-without-index, pattern-without-index
-- because: the properties of a folder and all below it, by the beginning of their path
-- run: 'calendars/cetuwe/default', 'calendars/cetuwe/default/%' | 'calendars/bafoki/default', 'calendars/bafoki/default/%'

DELETE FROM propertystorage WHERE path = ? OR path LIKE ? ESCAPE '='

-- best
-- index: propertystorage (path COLLATE NOCASE)

-- statement: sabredav-03
-- is: expression-index, full-scan, function-on-column
-- because: locks that expired: their end is a sum of two columns
-- run: 1700009000

DELETE FROM locks WHERE created + timeout < ?

-- best
-- index: locks (created + timeout)

-- statement: sabredav-04
-- is: expression-index, full-scan, function-on-column
-- because: who has an address, whatever its case
-- run: 'STAPLIJE@example.org' | 'tuzusoce@Example.org'

SELECT uri FROM principals WHERE lower(email) = lower(?)

-- best
-- index: principals (lower(email))

-- statement: sabredav-05
-- is: index-not-covering
-- because: a month of a calendar that is years old: all that began before its end is read
-- run: 1, 'VEVENT', 1712000000, 1714600000 | 2, 'VEVENT', 1712500000, 1713200000

SELECT uri FROM calendarobjects WHERE calendarid = ? AND componenttype = ? AND lastoccurence > ? AND firstoccurence < ?

-- best
-- index: calendarobjects (calendarid, componenttype, lastoccurence, firstoccurence, uri)

-- or
-- index: calendarobjects (calendarid, componenttype, lastoccurence)

-- or
-- index: calendarobjects (calendarid, lastoccurence)

-- statement: sabredav-06
-- fine
-- tolerated: index-not-covering
-- because: what changed in a calendar since, by an index made for it
-- run: 800, 40

SELECT uri, operation, synctoken FROM calendarchanges WHERE synctoken >= ? AND calendarid = ? ORDER BY synctoken

-- statement: sabredav-07
-- is: full-scan
-- because: the groups that somebody is in: they are found by the group only
-- run: 300 | 90

SELECT principals.uri AS uri FROM groupmembers LEFT JOIN principals ON groupmembers.principal_id = principals.id WHERE groupmembers.member_id = ?

-- best
-- index: groupmembers (member_id, principal_id)

-- or
-- index: groupmembers (member_id)

-- statement: sabredav-08
-- is: index-not-covering, wide-rows-for-count
-- because: the list of a book, without what is in the cards: some have a picture, which lies before their tag
-- run: 1 | 2

SELECT id, uri, lastmodified, etag, size FROM cards WHERE addressbookid = ?

-- best
-- index: cards (addressbookid, uri, lastmodified, etag, size)

-- statement: sabredav-09
-- is: full-scan, subquery-per-row
-- because: changes that are too old for their calendar: each of all asks for its calendar

DELETE FROM calendarchanges WHERE synctoken < (SELECT k.synctoken - 3500 FROM calendars AS k WHERE k.id = calendarchanges.calendarid)

-- best

DELETE FROM calendarchanges WHERE id IN (
  SELECT c.id FROM calendars AS k CROSS JOIN calendarchanges AS c ON c.calendarid = k.id AND c.synctoken < k.synctoken - 3500)

-- statement: sabredav-10
-- is: index-not-covering, large-offset, sort-without-index
-- because: a late page of what was changed last
-- run: 1

SELECT id, uri, lastmodified FROM calendarobjects WHERE calendarid = ? ORDER BY lastmodified DESC, id DESC LIMIT 50 OFFSET 1500

-- best
-- index: calendarobjects (calendarid, lastmodified)
-- run: 1, 1640033973, 17506

SELECT id, uri, lastmodified FROM calendarobjects WHERE calendarid = ? AND (lastmodified, id) < (?, ?) ORDER BY lastmodified DESC, id DESC LIMIT 50

-- statement: sabredav-11
-- fine
-- because: a property set by its unique key
-- run: 'calendars/cetuwe/default/', '{http://apple.com/ns/ical/}loce', 1, '#FF0000'

INSERT INTO propertystorage (path, name, valuetype, value) VALUES (?, ?, ?, ?)
ON CONFLICT (path, name) DO UPDATE SET valuetype = excluded.valuetype, value = excluded.value

-- statement: sabredav-12
-- fine
-- because: three appointments by their unique key
-- run: 1, '008736b1.ics', '00882e29.ics', '008925a1.ics'

SELECT id, uri, lastmodified, etag, calendarid, size, calendardata, componenttype FROM calendarobjects WHERE calendarid = ? AND uri IN (?, ?, ?)

-- statement: sabredav-13
-- fine
-- tolerated: index-not-covering
-- because: with whom a calendar is shared, by one of its keys
-- run: 60

SELECT principaluri, access, share_href, share_displayname, share_invitestatus FROM calendarinstances WHERE calendarid = ?

-- statement: sabredav-14
-- is: full-scan
-- because: a lock that is renewed, by its token: only paths have an index
-- run: 'loce', 1800, 1, 0, 'files/loce/vace', 1700900000, '000000000000000000000000043f8258' | 'vace', 1800, 1, 0, 'files/vace/loce', \
--   1700900000, '00000000000000000000000009e98578'

UPDATE locks SET owner = ?, timeout = ?, scope = ?, depth = ?, uri = ?, created = ? WHERE token = ?

-- best
-- index: locks (token)

-- statement: sabredav-15
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: the properties of a folder that is copied, by the beginning of their path
-- run: 'calendars/cetuwe/', 'calendars/loce/', 'calendars/cetuwe/%' | 'calendars/bafoki/', 'calendars/vace/', 'calendars/bafoki/%'

INSERT INTO propertystorage (path, name, valuetype, value)
SELECT ?2 || substr(path, length(?1) + 1), name, valuetype, value FROM propertystorage WHERE path LIKE ?3
ON CONFLICT (path, name) DO UPDATE SET valuetype = excluded.valuetype, value = excluded.value

-- best
-- index: propertystorage (path COLLATE NOCASE)
