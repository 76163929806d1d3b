-- schema: digikam
-- about: Photos in albums: one table for each kind of thing that is known of a photo, all with its number.
-- origin: digiKam, database version 7 (GPL-2.0-or-later, Copyright the digiKam team): nine of its tables with their indexes, of the \
--   metadata's columns eight
-- superfluous: redundant-index tag_id_index
-- superfluous: redundant-index dir_index
-- superfluous: redundant-index comments_imageid_index

CREATE TABLE Albums (
  id INTEGER PRIMARY KEY, albumRoot INTEGER NOT NULL, relativePath TEXT NOT NULL, date DATE, caption TEXT, collection TEXT, icon INTEGER,
  UNIQUE(albumRoot, relativePath));
CREATE TABLE Images (
  id INTEGER PRIMARY KEY, album INTEGER, name TEXT NOT NULL, status INTEGER NOT NULL, category INTEGER NOT NULL, modificationDate DATETIME,
  fileSize INTEGER, uniqueHash TEXT, UNIQUE (album, name));
CREATE TABLE ImageInformation (
  imageid INTEGER PRIMARY KEY, rating INTEGER, creationDate DATETIME, digitizationDate DATETIME, orientation INTEGER, width INTEGER, height INTEGER,
  format TEXT, colorDepth INTEGER, colorModel INTEGER);
CREATE TABLE ImageMetadata (
  imageid INTEGER PRIMARY KEY, make TEXT, model TEXT, lens TEXT, aperture REAL, focalLength REAL, exposureTime REAL, sensitivity INTEGER);
CREATE TABLE ImagePositions (
  imageid INTEGER PRIMARY KEY, latitude TEXT, latitudeNumber REAL, longitude TEXT, longitudeNumber REAL, altitude REAL, orientation REAL, tilt REAL,
  roll REAL, accuracy REAL, description TEXT);
CREATE TABLE ImageComments (
  id INTEGER PRIMARY KEY, imageid INTEGER, type INTEGER, language TEXT, author TEXT, date DATETIME, comment TEXT,
  UNIQUE(imageid, type, language, author));
CREATE TABLE Tags (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT NOT NULL, icon INTEGER, iconkde TEXT, UNIQUE (name, pid));
CREATE TABLE ImageTags (imageid INTEGER NOT NULL, tagid INTEGER NOT NULL, UNIQUE (imageid, tagid));
CREATE TABLE ImageTagProperties (imageid INTEGER, tagid INTEGER, property TEXT, value TEXT);
CREATE INDEX dir_index ON Images (album);
CREATE INDEX hash_index ON Images (uniqueHash);
CREATE INDEX tag_index ON ImageTags (tagid);
CREATE INDEX tag_id_index ON ImageTags (imageid);
CREATE INDEX image_name_index ON Images (name);
CREATE INDEX creationdate_index ON ImageInformation (creationDate);
CREATE INDEX comments_imageid_index ON ImageComments (imageid);
CREATE INDEX imagetagproperties_index ON ImageTagProperties (imageid, tagid);
CREATE INDEX imagetagproperties_imageid_index ON ImageTagProperties (imageid);
CREATE INDEX imagetagproperties_tagid_index ON ImageTagProperties (tagid);

INSERT INTO Albums SELECT i, 1, '/' || word(i), date(1200000000 + i * 500000, 'unixepoch'), '', '', NULL FROM numbers WHERE i <= 600;
INSERT OR IGNORE INTO Images
SELECT i, skewed(1, i, 600), CASE WHEN chance(2, i) < 0.7 THEN printf('P%07d.JPG', i) ELSE printf('IMG_%05d.HEIC', i) END, iif(chance(3, \
i) < 0.97, 1, 3), 1,
  datetime(1200000000 + i * 9000, 'unixepoch'), 1000000 + pick(4, i, 9000000), printf('%016x', iif(i % 200 = 0, i - 1, i) * 7919) FROM \
numbers WHERE i <= 30000;
UPDATE Images SET fileSize = (SELECT o.fileSize FROM Images o WHERE o.id = Images.id - 1) WHERE id % 200 = 0;
INSERT INTO ImageInformation
SELECT i, CASE WHEN chance(5, i) < 0.02 THEN 5 WHEN chance(5, i) < 0.06 THEN 4 WHEN chance(5, i) < 0.2 THEN 3 ELSE -1 END,
  strftime('%Y-%m-%dT%H:%M:%S', 1200000000 + i * 9000, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%S', 1200000000 + i * 9000, 'unixepoch'), 1, \
6000, 4000, 'JPG', 8, 1
FROM numbers WHERE i <= 30000;
INSERT INTO ImageMetadata
SELECT i, 'maker ' || word(skewed(6, i, 6)), 'model ' || word(skewed(7, i, 30)), 'lens ' || word(skewed(8, i, 40)), pick(9, i, 20), \
pick(10, i, 200), 0.01, 100 * pick(11, i, 32)
FROM numbers WHERE i <= 30000;
INSERT INTO ImagePositions
SELECT i * 3, '48,1N', 40 + chance(12, i) * 20, '11,5E', -10 + chance(13, i) * 40, 500, NULL, NULL, NULL, NULL, NULL FROM numbers WHERE i <= 9000;
INSERT INTO ImageComments SELECT i, i * 4, 1, 'x-default', '', NULL, prose(14, i, 80) FROM numbers WHERE i <= 7000;
INSERT INTO Tags SELECT i, i / 12, word(i), NULL, NULL FROM numbers WHERE i <= 500;
INSERT OR IGNORE INTO ImageTags SELECT pick(15, i, 30000), skewed(16, i, 500) FROM numbers WHERE i <= 50000;
INSERT INTO ImageTagProperties
SELECT pick(17, i, 30000), skewed(18, i, 80), iif(chance(19, i) < 0.1, 'autodetectedFace', 'tagRegion'), '<rect x="' || pick(20, i, 6000) \
|| '" y="7" width="300" height="300"/>'
FROM numbers WHERE i <= 12000;

-- statement: digikam-01
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: some ten photos of an album
-- run: 333

SELECT i.id, i.name, ii.creationDate, ii.rating FROM Images i JOIN ImageInformation ii ON ii.imageid = i.id WHERE i.album = ? AND i.status \
= 1 ORDER BY ii.creationDate

-- statement: digikam-02
-- is: full-scan, group-without-index, index-not-covering, join-order
-- because: how many photos each tag has: the index of the tags leads to each row for its photo

SELECT t.tagid, count(*) FROM ImageTags t JOIN Images i ON i.id = t.imageid WHERE i.status = 1 GROUP BY t.tagid

-- best
-- index: ImageTags (tagid, imageid)
-- index: Images (id, status)

-- or
-- index: ImageTags (tagid, imageid)

-- statement: digikam-03
-- is: full-scan
-- because: the best ones, six in a hundred

SELECT i.id, i.name, ii.rating FROM ImageInformation ii JOIN Images i ON i.id = ii.imageid WHERE ii.rating >= 4 AND i.status = 1

-- best
-- index: ImageInformation (rating)

-- statement: digikam-04
-- is: full-scan
-- because: what was taken in a city
-- run: 48.0, 48.5, 11.0, 12.0 | 52.4, 52.6, 13.2, 13.6

SELECT imageid, latitudeNumber, longitudeNumber FROM ImagePositions
WHERE latitudeNumber > ? AND latitudeNumber < ? AND longitudeNumber > ? AND longitudeNumber < ?

-- best
-- index: ImagePositions (latitudeNumber, longitudeNumber)

-- or
-- index: ImagePositions (latitudeNumber)

-- or
-- index: ImagePositions (longitudeNumber, latitudeNumber)

-- or
-- index: ImagePositions (longitudeNumber)

-- statement: digikam-05
-- is: full-scan, partial-index, sort-without-index
-- because: what came into the trash last: three in a hundred are there

SELECT id, album, name FROM Images WHERE status = 3 ORDER BY modificationDate DESC LIMIT 50

-- best
-- index: Images (status, modificationDate)

-- or
-- index: Images (modificationDate) WHERE status = 3

-- statement: digikam-06
-- is: full-scan, group-without-index, sort-without-index
-- because: the cameras: all photos are sorted by two texts

SELECT make, model, count(*) FROM ImageMetadata GROUP BY make, model ORDER BY make, model

-- best
-- index: ImageMetadata (make, model)

-- statement: digikam-07
-- is: expression-index, function-on-column, group-without-index
-- because: the calendar counts all: the dates are sorted again by their beginnings

SELECT substr(creationDate, 1, 7) AS month, count(*) FROM ImageInformation GROUP BY month

-- best
-- index: ImageInformation (substr(creationDate, 1, 7))

-- statement: digikam-08
-- is: full-scan, pattern-without-index
-- because: by the beginning of a name, whatever its case: the index minds the case

SELECT id, album, name FROM Images WHERE name LIKE 'p00123%'

-- best
-- index: Images (name COLLATE NOCASE)

-- statement: digikam-09
-- is: full-scan, pattern-without-index
-- because: words within captions: an index of words
-- run: 'thabra qui'

SELECT imageid, comment FROM ImageComments WHERE type = 1 AND comment LIKE '%' || ? || '%'

-- best: design

-- statement: digikam-10
-- fine
-- because: the next photo
-- run: '2012-05-05T12:00:00'

SELECT imageid FROM ImageInformation WHERE creationDate > ? ORDER BY creationDate LIMIT 1

-- statement: digikam-11
-- is: full-scan, index-not-covering, partial-index
-- because: faces that nobody confirmed: one in ten
-- run: 'autodetectedFace', 1 | 'autodetectedFace', 2

SELECT imageid, tagid, value FROM ImageTagProperties WHERE property = ? AND tagid = ?

-- best
-- index: ImageTagProperties (tagid, property)
