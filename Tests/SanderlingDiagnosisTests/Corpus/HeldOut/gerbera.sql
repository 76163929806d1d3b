-- schema: gerbera
-- about: A media server: files and the virtual containers they are seen in as one tree, and properties by name.
-- origin: Gerbera at version 3 of its database (GPL-2.0, Copyright the Gerbera contributors; github.com/gerbera/gerbera, \
--   config/sqlite3.sql): its five tables with their indexes, foreign keys with the name that the table of objects has
-- superfluous: duplicate-index mt_internal_setting_key

CREATE TABLE "mt_cds_object" (
  "id" integer primary key, "ref_id" integer default NULL, "parent_id" integer NOT NULL default '0', "object_type" tinyint unsigned NOT \
NULL, "upnp_class" varchar(80) default NULL, "dc_title" varchar(255) default NULL,
  "location" text default NULL, "location_hash" integer unsigned default NULL, "metadata" text default NULL, "auxdata" text default NULL, \
"resources" text default NULL, "update_id" integer NOT NULL default '0',
  "mime_type" varchar(40) default NULL, "flags" integer unsigned NOT NULL default '1', "track_number" integer default NULL, "service_id" \
varchar(255) default NULL,
  CONSTRAINT "cds_object_ibfk_1" FOREIGN KEY ("ref_id") REFERENCES "mt_cds_object" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "cds_object_ibfk_2" FOREIGN KEY ("parent_id") REFERENCES "mt_cds_object" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO "mt_cds_object" VALUES(-1, NULL, -1, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, 9, NULL, NULL);
INSERT INTO "mt_cds_object" VALUES(0, NULL, -1, 1, 'object.container', 'Root', NULL, NULL, NULL, NULL, NULL, 0, NULL, 9, NULL, NULL);
INSERT INTO "mt_cds_object" VALUES(1, NULL, 0, 1, 'object.container', 'PC Directory', NULL, NULL, NULL, NULL, NULL, 0, NULL, 9, NULL, NULL);
CREATE TABLE "mt_cds_active_item" (
  "id" integer primary key, "action" varchar(255) NOT NULL, "state" varchar(255) NOT NULL,
  CONSTRAINT "mt_cds_active_item_ibfk_1" FOREIGN KEY ("id") REFERENCES "mt_cds_object" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE "mt_internal_setting" ("key" varchar(40) primary key NOT NULL, "value" varchar(255) NOT NULL);
INSERT INTO "mt_internal_setting" VALUES('db_version', '3');
CREATE TABLE "mt_autoscan" (
  "id" integer primary key, "obj_id" integer default NULL, "scan_level" varchar(10) NOT NULL, "scan_mode" varchar(10) NOT NULL, \
"recursive" tinyint unsigned NOT NULL, "hidden" tinyint unsigned NOT NULL,
  "interval" integer unsigned default NULL, "last_modified" integer unsigned default NULL, "persistent" tinyint unsigned NOT NULL default \
'0', "location" text default NULL, "path_ids" text default NULL,
  "touched" tinyint unsigned NOT NULL default '1',
  CONSTRAINT "mt_autoscan_id" FOREIGN KEY ("obj_id") REFERENCES "mt_cds_object" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE "mt_metadata" (
  "id" integer primary key, "item_id" integer NOT NULL, "property_name" varchar(255) NOT NULL, "property_value" varchar(255) NOT NULL,
  CONSTRAINT "mt_metadata_idfk1" FOREIGN KEY ("item_id") REFERENCES "mt_cds_object" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
CREATE INDEX mt_cds_object_ref_id ON mt_cds_object(ref_id);
CREATE INDEX mt_cds_object_parent_id ON mt_cds_object(parent_id,object_type,dc_title);
CREATE INDEX mt_object_type ON mt_cds_object(object_type);
CREATE INDEX mt_location_parent ON mt_cds_object(location_hash,parent_id);
CREATE INDEX mt_track_number ON mt_cds_object(track_number);
CREATE INDEX mt_internal_setting_key ON mt_internal_setting(key);
CREATE UNIQUE INDEX mt_autoscan_obj_id ON mt_autoscan(obj_id);
CREATE INDEX mt_cds_object_service_id ON mt_cds_object(service_id);
CREATE INDEX mt_metadata_item_id ON mt_metadata(item_id);

-- folders, albums, files, and the files again in albums
INSERT INTO mt_cds_object (id, parent_id, object_type, upnp_class, dc_title, location, location_hash, update_id, flags)
SELECT 1 + i, iif(i <= 30, 1, 1 + (i - 30) % 30 + 1), 1, 'object.container', title(1, i, 2), 'D/media/music/' || word(i % 30) || iif(i > \
30, '/' || word(i), ''), i * 7919 % 1000003, pick(2, i, 300), 9 FROM numbers WHERE i <= 1500;
INSERT INTO mt_cds_object (id, parent_id, object_type, upnp_class, dc_title, location, location_hash, update_id, flags)
SELECT 1501 + i, iif(i <= 10, 0, 1502 + i % 10), 1, iif(i <= 10, 'object.container', iif(chance(3, i) < 0.5, \
'object.container.album.musicAlbum', iif(chance(4, i) < 0.7, 'object.container.person.musicArtist', 'object.container.genre.musicGenre'))),
  title(5, i, 2), 'V/' || word(i % 10) || '/' || word(i), i * 104729 % 1000003, pick(6, i, 300), iif(chance(7, i) < 0.9, 1, 9) FROM \
numbers WHERE i <= 4500;
INSERT INTO mt_cds_object (id, parent_id, object_type, upnp_class, dc_title, location, location_hash, metadata, resources, update_id, \
mime_type, flags, track_number, service_id)
SELECT 6001 + i, 31 + skewed(8, i, 1400), 2, iif(chance(9, i) < 0.8, 'object.item.audioItem.musicTrack', iif(chance(10, i) < 0.6, \
'object.item.imageItem.photo', 'object.item.videoItem')), title(11, i, 3),
  'F/media/music/' || word((skewed(8, i, 1400) + 30) % 30) || '/' || word(skewed(8, i, 1400) + 30) || '/' || word(i) || '.x', i * 15485863 \
% 1000003, 'dc%3Atitle=' || prose(12, i, 60 + pick(13, i, 120)), 'protocolInfo=http-get&size=' || pick(14, i, 90000000),
  0, iif(chance(9, i) < 0.8, iif(chance(15, i) < 0.6, 'audio/mpeg', 'audio/x-flac'), iif(chance(10, i) < 0.6, 'image/jpeg', 'video/mp4')), \
1, iif(chance(9, i) < 0.8, pick(16, i, 16), NULL), NULL
FROM numbers WHERE i <= 24000;
INSERT INTO mt_cds_object (id, ref_id, parent_id, object_type, upnp_class, dc_title, update_id, flags, track_number)
SELECT 30001 + i, o.id, 1512 + skewed(17, i, 3000), 2, o.upnp_class, o.dc_title, 0, 1, o.track_number FROM numbers JOIN mt_cds_object AS o \
ON o.id = 6001 + 1 + i % 24000 WHERE i <= 34000;
INSERT INTO mt_metadata (item_id, property_name, property_value) SELECT id, 'dc:title', dc_title FROM mt_cds_object WHERE object_type = 2 \
AND ref_id IS NULL;
INSERT INTO mt_metadata (item_id, property_name, property_value) SELECT id, 'upnp:artist', word(skewed(18, id / 9, 900)) || ' ' || \
word(skewed(18, id / 9, 900) + 7) FROM mt_cds_object WHERE object_type = 2 AND ref_id IS NULL AND track_number > 0;
INSERT INTO mt_metadata (item_id, property_name, property_value) SELECT id, 'upnp:album', 'Album ' || word(parent_id) FROM mt_cds_object \
WHERE object_type = 2 AND ref_id IS NULL AND track_number > 0;
INSERT INTO mt_metadata (item_id, property_name, property_value) SELECT id, 'upnp:genre', word(skewed(19, parent_id, 40)) FROM \
mt_cds_object WHERE object_type = 2 AND ref_id IS NULL AND track_number > 0;
INSERT INTO mt_metadata (item_id, property_name, property_value) SELECT id, 'dc:date', (1960 + pick(20, id, 60)) || '-01-01' FROM \
mt_cds_object WHERE object_type = 2 AND ref_id IS NULL;
INSERT INTO mt_autoscan (obj_id, scan_level, scan_mode, recursive, hidden, location) SELECT id, 'full', 'inotify', 1, 0, location FROM \
mt_cds_object WHERE id BETWEEN 2 AND 8;

-- statement: gerbera-01
-- fine
-- tolerated: index-not-covering
-- because: what is in a container, by an index in this order
-- run: 1513, 1513 | 33, 33

SELECT f.id, f.ref_id, f.parent_id, f.object_type, f.dc_title, f.location, f.metadata, f.resources, f.update_id, rf.location, rf.metadata, \
rf.resources FROM mt_cds_object f LEFT JOIN mt_cds_object rf ON f.ref_id = rf.id
WHERE f.parent_id = ? AND f.id <> ? ORDER BY f.object_type, f.dc_title LIMIT 25 OFFSET 0

-- statement: gerbera-02
-- is: full-scan, join-order
-- because: the titles of an artist: nothing leads from a property to its items
-- run: 'thaje valo' | 'vava baxi'

SELECT DISTINCT c.id, c.dc_title FROM mt_cds_object c INNER JOIN mt_metadata m ON c.id = m.item_id WHERE m.property_name = 'upnp:artist' \
AND m.property_value = ? ORDER BY c.dc_title

-- best
-- index: mt_metadata (property_value, property_name, item_id)

-- or
-- index: mt_metadata (property_name, property_value, item_id)

-- or
-- index: mt_metadata (property_value)

-- statement: gerbera-03
-- is: case-insensitive-without-index, full-scan, group-without-index, pattern-without-index
-- because: albums by the beginning of their name, whatever its case

SELECT m.property_value, count(*) AS n FROM mt_metadata m WHERE m.property_name = 'upnp:album' AND m.property_value LIKE 'album pli%' \
GROUP BY m.property_value ORDER BY n DESC LIMIT 20

-- best
-- index: mt_metadata (property_name, property_value COLLATE NOCASE)

-- or
-- index: mt_metadata (property_value COLLATE NOCASE)

-- statement: gerbera-04
-- is: full-scan, sort-without-index
-- because: all albums by their title

SELECT id, dc_title FROM mt_cds_object WHERE upnp_class = 'object.container.album.musicAlbum' ORDER BY dc_title LIMIT 50

-- best
-- index: mt_cds_object (upnp_class, dc_title)

-- statement: gerbera-05
-- is: group-without-index, index-not-covering, missing-statistics
-- because: files by their type: each is looked up

SELECT mime_type, count(*) AS n FROM mt_cds_object WHERE object_type = 2 AND ref_id IS NULL GROUP BY mime_type

-- best
-- index: mt_cds_object (object_type, ref_id, mime_type)

-- or
-- index: mt_cds_object (ref_id, object_type, mime_type)

-- statement: gerbera-06
-- is: index-not-covering, join-fan-out
-- because: containers with nothing in them: all children of each are counted

SELECT a.id, a.parent_id FROM mt_cds_object a LEFT JOIN mt_cds_object b ON a.id = b.parent_id WHERE a.object_type = 1 AND a.flags = 1 \
GROUP BY a.id HAVING COUNT(b.parent_id) = 0

-- best

SELECT a.id, a.parent_id FROM mt_cds_object a WHERE a.object_type = 1 AND a.flags = 1 AND a.id NOT IN (SELECT DISTINCT parent_id FROM \
mt_cds_object) ORDER BY a.id

-- statement: gerbera-07
-- fine
-- because: a file goes, with its copies and properties by their indexes
-- run: 6010 | 20011

DELETE FROM mt_cds_object WHERE id = ?

-- statement: gerbera-08
-- is: index-not-covering, sort-without-index
-- because: containers that changed last: all containers are looked up
-- run: 290

SELECT id, dc_title, update_id FROM mt_cds_object WHERE object_type = 1 AND update_id > ? ORDER BY update_id DESC, id LIMIT 40

-- best
-- index: mt_cds_object (object_type, update_id)

-- statement: gerbera-09
-- is: full-scan, group-without-index
-- because: how often each genre occurs
-- run: 'upnp:genre'

SELECT property_value, count(*) AS n FROM mt_metadata WHERE property_name = ? GROUP BY property_value HAVING count(*) > 20 ORDER BY n DESC

-- best
-- index: mt_metadata (property_name, property_value)

-- statement: gerbera-10
-- fine
-- because: a folder by the hash of its path
-- run: 7919, 'D/media/music/none'

SELECT id, location FROM mt_cds_object WHERE location_hash = ? AND location = ? AND ref_id IS NULL LIMIT 1

-- statement: gerbera-11
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, pattern-without-index
-- because: all below a folder

SELECT id, ref_id, mime_type FROM mt_cds_object WHERE location LIKE 'F/media/music/gudi/%' AND ref_id IS NULL

-- best
-- index: mt_cds_object (ref_id, location COLLATE NOCASE, mime_type)

-- or
-- index: mt_cds_object (ref_id, location COLLATE NOCASE)

-- statement: gerbera-12
-- is: full-scan, group-without-index, index-not-covering, join-order, sort-without-index
-- because: the albums of artists with their years
-- run: 'thaje valo', 'vava baxi'

SELECT b.property_value AS album, min(d.property_value) AS year, count(*) AS n FROM mt_metadata a JOIN mt_metadata b ON b.item_id = \
a.item_id AND b.property_name = 'upnp:album'
JOIN mt_metadata d ON d.item_id = a.item_id AND d.property_name = 'dc:date' WHERE a.property_name = 'upnp:artist' AND a.property_value IN \
(?, ?) GROUP BY album ORDER BY year

-- best
-- index: mt_metadata (property_value, property_name, item_id)
-- index: mt_metadata (item_id, property_name, property_value)

-- or
-- index: mt_metadata (property_value)

-- statement: gerbera-13
-- fine
-- tolerated: sort-without-index
-- because: the path of a file up to the root, by keys
-- run: 20011

WITH RECURSIVE up (id, parent_id, level) AS (
  SELECT id, parent_id, 0 FROM mt_cds_object WHERE id = ? UNION ALL SELECT o.id, o.parent_id, up.level + 1 FROM up JOIN mt_cds_object o ON \
o.id = up.parent_id WHERE up.id > 0)
SELECT o.dc_title FROM up JOIN mt_cds_object o ON o.id = up.id ORDER BY up.level DESC

-- statement: gerbera-14
-- fine
-- tolerated: index-not-covering
-- because: the properties of two items, by their index
-- run: 6010, 29000

SELECT item_id, property_name, property_value FROM mt_metadata WHERE item_id IN (?, ?)

-- statement: gerbera-15
-- is: full-scan, group-without-index, harmful-index, index-not-covering, missing-statistics
-- because: films that are there twice

SELECT dc_title, count(*) AS n, group_concat(id) FROM mt_cds_object WHERE upnp_class = 'object.item.videoItem' AND ref_id IS NULL GROUP BY \
dc_title HAVING count(*) > 1

-- best
-- index: mt_cds_object (upnp_class, ref_id, dc_title)

-- statement: gerbera-16
-- is: index-not-covering, large-offset, partial-index, pattern-without-index
-- because: a late page of the films: most of the files are looked up for it

SELECT id, dc_title, location FROM mt_cds_object WHERE object_type = 2 AND ref_id IS NULL AND mime_type LIKE 'video/%' ORDER BY id DESC \
LIMIT 30 OFFSET 900

-- best
-- index: mt_cds_object (object_type) WHERE ref_id IS NULL AND mime_type LIKE 'video/%'

-- statement: gerbera-17
-- fine
-- tolerated: subquery-per-row
-- because: the containers in one with the number of what is in them, both from the same index
-- run: 1503

SELECT p.id, p.dc_title, (SELECT count(*) FROM mt_cds_object c WHERE c.parent_id = p.id) AS childcount FROM mt_cds_object p WHERE \
p.parent_id = ? AND p.object_type = 1 ORDER BY p.dc_title LIMIT 30
