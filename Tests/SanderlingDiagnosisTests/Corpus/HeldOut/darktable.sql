-- schema: darktable
-- about: A collection of raw pictures: stars and what became of a picture are bits of one number, and the names of cameras are in tables \
--   of their own.
-- origin: darktable 5.0 (GPL-3.0, Copyright the darktable developers): sixteen tables of its library with their indexes and triggers, its \
--   tags beside them, without columns that nothing here reads

CREATE TABLE film_rolls (id INTEGER PRIMARY KEY, access_timestamp INTEGER, folder VARCHAR(1024) NOT NULL);
CREATE INDEX film_rolls_folder_index ON film_rolls (folder);
CREATE TABLE makers (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR);
CREATE UNIQUE INDEX makers_name ON makers (name);
CREATE TABLE models (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR);
CREATE UNIQUE INDEX models_name ON models (name);
CREATE TABLE lens (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR);
CREATE UNIQUE INDEX lens_name ON lens (name);
CREATE TABLE cameras (id INTEGER PRIMARY KEY AUTOINCREMENT, maker VARCHAR, model VARCHAR, alias VARCHAR);
CREATE UNIQUE INDEX cameras_name ON cameras (maker, model, alias);
CREATE TABLE images (
  id INTEGER PRIMARY KEY AUTOINCREMENT, group_id INTEGER, film_id INTEGER, width INTEGER, height INTEGER, filename VARCHAR, maker_id \
INTEGER, model_id INTEGER, lens_id INTEGER, camera_id INTEGER,
  exposure REAL, aperture REAL, iso REAL, focal_length REAL, focus_distance REAL, datetime_taken INTEGER, flags INTEGER, output_width \
INTEGER, output_height INTEGER, crop REAL,
  raw_black INTEGER, raw_maximum INTEGER, orientation INTEGER, longitude REAL, latitude REAL, altitude REAL, color_matrix BLOB, colorspace \
INTEGER, version INTEGER, max_version INTEGER,
  write_timestamp INTEGER, history_end INTEGER, position INTEGER, aspect_ratio REAL, exposure_bias REAL, import_timestamp INTEGER DEFAULT \
-1, change_timestamp INTEGER DEFAULT -1,
  export_timestamp INTEGER DEFAULT -1, print_timestamp INTEGER DEFAULT -1,
  FOREIGN KEY(maker_id) REFERENCES makers(id) ON DELETE CASCADE ON UPDATE CASCADE, FOREIGN KEY(model_id) REFERENCES models(id) ON DELETE \
CASCADE ON UPDATE CASCADE,
  FOREIGN KEY(lens_id) REFERENCES lens(id) ON DELETE CASCADE ON UPDATE CASCADE, FOREIGN KEY(camera_id) REFERENCES cameras(id) ON DELETE \
CASCADE ON UPDATE CASCADE,
  FOREIGN KEY(film_id) REFERENCES film_rolls(id) ON DELETE CASCADE ON UPDATE CASCADE, FOREIGN KEY(group_id) REFERENCES images(id) ON \
DELETE RESTRICT ON UPDATE CASCADE);
CREATE INDEX images_group_id_index ON images (group_id, id);
CREATE INDEX images_film_id_index ON images (film_id, filename);
CREATE INDEX images_filename_index ON images (filename, version);
CREATE INDEX image_position_index ON images (position);
CREATE INDEX images_datetime_taken_nc ON images (datetime_taken);
CREATE INDEX images_latlong_index ON images (latitude DESC, longitude DESC);
CREATE TABLE selected_images (num INTEGER PRIMARY KEY AUTOINCREMENT, imgid INTEGER);
CREATE UNIQUE INDEX selected_images_ni ON selected_images (imgid);
CREATE TABLE history (
  imgid INTEGER, num INTEGER, module INTEGER, operation VARCHAR(256), op_params BLOB, enabled INTEGER, blendop_params BLOB, \
blendop_version INTEGER, multi_priority INTEGER,
  multi_name VARCHAR(256), multi_name_hand_edited INTEGER, FOREIGN KEY(imgid) REFERENCES images(id) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE INDEX history_imgid_op_index ON history (imgid, operation);
CREATE INDEX history_imgid_num_index ON history (imgid, num DESC);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name VARCHAR, synonyms VARCHAR, flags INTEGER);
CREATE UNIQUE INDEX tags_name_idx ON tags (name);
CREATE TABLE tagged_images (
  imgid INTEGER, tagid INTEGER, position INTEGER, PRIMARY KEY (imgid, tagid), FOREIGN KEY(imgid) REFERENCES images(id) ON UPDATE CASCADE \
ON DELETE CASCADE);
CREATE INDEX tagged_images_tagid_index ON tagged_images (tagid);
CREATE INDEX tagged_images_position_index ON tagged_images (position);
CREATE TABLE color_labels (imgid INTEGER, color INTEGER);
CREATE UNIQUE INDEX color_labels_idx ON color_labels (imgid, color);
CREATE TABLE meta_data (id INTEGER, key INTEGER, value VARCHAR, FOREIGN KEY(id) REFERENCES images(id) ON DELETE CASCADE ON UPDATE CASCADE);
CREATE UNIQUE INDEX metadata_index ON meta_data (id, key, value);
CREATE INDEX metadata_index_key ON meta_data (key);
CREATE INDEX metadata_index_value ON meta_data (value);
CREATE TABLE history_hash (
  imgid INTEGER PRIMARY KEY, basic_hash BLOB, auto_hash BLOB, current_hash BLOB, mipmap_hash BLOB, FOREIGN KEY(imgid) REFERENCES \
images(id) ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TRIGGER remove_makers AFTER DELETE ON images BEGIN
  DELETE FROM makers WHERE id = OLD.maker_id AND NOT EXISTS (SELECT 1 FROM images WHERE maker_id = OLD.maker_id);
END;
CREATE TRIGGER remove_models AFTER DELETE ON images BEGIN
  DELETE FROM models WHERE id = OLD.model_id AND NOT EXISTS (SELECT 1 FROM images WHERE model_id = OLD.model_id);
END;
CREATE TRIGGER remove_lens AFTER DELETE ON images BEGIN
  DELETE FROM lens WHERE id = OLD.lens_id AND NOT EXISTS (SELECT 1 FROM images WHERE lens_id = OLD.lens_id);
END;
CREATE TRIGGER remove_cameras AFTER DELETE ON images BEGIN
  DELETE FROM cameras WHERE id = OLD.camera_id AND NOT EXISTS (SELECT 1 FROM images WHERE camera_id = OLD.camera_id);
END;

INSERT INTO film_rolls SELECT i, 1700000000 + i, '/home/me/Pictures/' || (2005 + i / 12) || '/' || title(1, i, 2) FROM numbers WHERE i <= 240;
INSERT INTO makers SELECT i, upper(word(i * 31)) FROM numbers WHERE i <= 8;
INSERT INTO models SELECT i, upper(word(i * 71)) || ' ' || i FROM numbers WHERE i <= 30;
INSERT INTO lens SELECT i, title(2, i, 2) || ' ' || i || 'mm' FROM numbers WHERE i <= 60;
INSERT INTO cameras SELECT i, upper(word(i % 8 * 31)), upper(word(i * 71)) || ' ' || i, word(i) FROM numbers WHERE i <= 30;
INSERT INTO images (id, group_id, film_id, width, height, filename, maker_id, model_id, lens_id, camera_id, exposure, aperture, iso, \
focal_length, datetime_taken, flags, longitude, latitude, version, max_version, history_end, position, aspect_ratio, import_timestamp, \
change_timestamp, export_timestamp)
SELECT i, max(1, i - (i % 9 = 1)), 1 + i / 100, 6000, 4000, printf('DSC%05d.NEF', i % 10000), skewed(3, i / 50, 8), skewed(4, i / 50, 30), \
skewed(5, i / 5, 60), skewed(4, i / 50, 30), 0.01, 2.8, 100 * pick(6, i, 32),
  pick(7, i, 200), 63300000000000000 + i * 30000000000, CASE WHEN chance(8, i) < 0.7 THEN 1 WHEN chance(8, i) < 0.9 THEN 2 WHEN chance(8, \
i) < 0.96 THEN 3 WHEN chance(8, i) < 0.985 THEN 4 ELSE 5 END
  + iif(chance(9, i) < 0.03, 8, 0) + iif(chance(10, i) < 0.001, 256, 0) + iif(chance(11, i) < 0.004, 2048, 0) + 32768, iif(chance(12, i) < \
0.15, 8 + chance(13, i), NULL), iif(chance(12, i) < 0.15, 47 + chance(14, i), NULL), i % 9 = 1, 0,
  skewed(15, i, 12), i * 4294967296, 1.5, 1600000000 + i * 4000, iif(chance(16, i) < 0.3, 1650000000 + i * 2000 + pick(17, i, 20000000), \
-1), iif(chance(18, i) < 0.06, 1660000000 + i * 2000, -1)
FROM numbers WHERE i <= 20000;
UPDATE images SET lens_id = 60 WHERE id = 12345;
UPDATE images SET lens_id = 59 WHERE lens_id = 60 AND id <> 12345;
INSERT INTO selected_images (imgid) SELECT 15000 + i FROM numbers WHERE i <= 12;
INSERT INTO history (imgid, num, operation, op_params, enabled, multi_priority, multi_name)
SELECT 1 + i / 4, i % 4, CASE WHEN i % 4 = 0 THEN 'rawprepare' WHEN i % 4 = 1 THEN 'exposure' WHEN chance(19, i) < 0.5 THEN 'filmicrgb' \
WHEN chance(19, i) < 0.8 THEN 'crop' WHEN chance(19, i) < 0.98 THEN 'colorbalancergb' ELSE 'retouch' END,
  CAST(prose(20, i, 60) AS BLOB), chance(21, i) < 0.95, 0, '' FROM numbers WHERE i < 48000;
INSERT INTO tags SELECT i, CASE WHEN i <= 12 THEN 'darktable|' || word(i) WHEN i % 3 = 0 THEN 'places|' || word(i % 20) || '|' || word(i) \
ELSE 'people|' || word(i) END, '', 0 FROM numbers WHERE i <= 700;
INSERT OR IGNORE INTO tagged_images SELECT 1 + i / 2, iif(i % 2 = 0, 1 + i % 3, skewed(22, i, 700)), i FROM numbers WHERE i < 39000;
INSERT INTO color_labels SELECT i, skewed(23, i, 5) - 1 FROM numbers WHERE i <= 20000 AND chance(24, i) < 0.15;
INSERT OR IGNORE INTO meta_data SELECT pick(25, i, 20000), CASE WHEN chance(26, i) < 0.6 THEN 2 WHEN chance(26, i) < 0.9 THEN 0 ELSE 4 \
END, title(27, skewed(28, i, 400), 3) FROM numbers WHERE i <= 9000;
INSERT INTO history_hash SELECT i, CAST(word(i) AS BLOB), NULL, iif(chance(29, i) < 0.4, CAST(word(i) AS BLOB), CAST(word(i + 7) AS \
BLOB)), NULL FROM numbers WHERE i <= 20000;

-- statement: darktable-01
-- is: expression-index, full-scan, function-on-column, index-not-covering, partial-index
-- because: pictures that are to be deleted: one in a thousand has the bit

SELECT id FROM images WHERE (flags & 256) = 256

-- best
-- index: images (id) WHERE (flags & 256) = 256

-- or
-- index: images ((flags & 256))

-- statement: darktable-02
-- is: expression-index, full-scan, function-on-column, harmful-index, index-not-covering, partial-index, sort-without-index
-- because: the newest pictures with five stars: all are looked up by their time until there are enough
-- run: 5

SELECT id FROM images WHERE (flags & 8) != 8 AND (flags & 7) >= ? ORDER BY datetime_taken DESC, filename, version LIMIT 200

-- best
-- index: images ((flags & 7), datetime_taken)

-- or
-- index: images ((flags & 7))

-- statement: darktable-03
-- fine
-- tolerated: full-scan, index-not-covering, sort-without-index
-- because: pictures with a color: the colors are few, and each picture has to be looked up
-- run: 4

SELECT id FROM images WHERE id IN (SELECT imgid FROM color_labels WHERE color = ?) ORDER BY filename, version

-- statement: darktable-04
-- is: full-scan, index-not-covering, join-order, sort-without-index
-- because: pictures that were retouched: all steps of all pictures are read
-- run: 'retouch'

SELECT id, filename FROM images WHERE id IN (SELECT imgid FROM history AS h WHERE h.operation = ? AND h.enabled = 1) AND (flags & 8) != 8 \
ORDER BY filename, version

-- best
-- index: history (operation, enabled, imgid)

-- or
-- index: history (operation)

-- statement: darktable-05
-- is: full-scan, group-without-index, index-not-covering
-- because: how many pictures have each step: all are sorted by it

SELECT operation, COUNT(DISTINCT imgid) FROM history WHERE enabled = 1 GROUP BY operation

-- best
-- index: history (enabled, operation, imgid)

-- or
-- index: history (operation, imgid, enabled)

-- statement: darktable-06
-- is: foreign-key-without-index, full-scan, subquery-per-row
-- because: a picture goes, and was the only one with its lens: a trigger looks for another one among all
-- run: 12345

DELETE FROM images WHERE id = ?

-- best
-- index: images (lens_id)

-- statement: darktable-07
-- is: full-scan, group-without-index, subquery-per-row
-- because: pictures of a roll that are in groups: all groups of all rolls are counted
-- run: 77 | 150

SELECT id, filename FROM images WHERE group_id IN (SELECT group_id FROM images GROUP BY group_id HAVING COUNT(*) > 1) AND film_id = ? \
ORDER BY filename, version

-- best

SELECT id, filename FROM images WHERE (SELECT COUNT(*) FROM images AS other WHERE other.group_id = images.group_id) > 1 AND film_id = ? \
ORDER BY filename, version

-- statement: darktable-08
-- fine
-- tolerated: case-insensitive-without-index, index-not-covering
-- because: a picture of a roll by its name
-- run: 77, 'dsc07650.nef'

SELECT id FROM images WHERE film_id = ? AND filename = ? COLLATE NOCASE

-- statement: darktable-09
-- fine
-- tolerated: group-without-index
-- because: the tags of what is selected

SELECT T.name, COUNT(*) FROM tagged_images AS I JOIN tags AS T ON T.id = I.tagid WHERE I.imgid IN (SELECT imgid FROM selected_images) AND \
T.id NOT IN (1, 2, 3) GROUP BY T.id

-- statement: darktable-10
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: pictures of a part of the map, by their latitude
-- run: 8.2, 8.25, 47.3, 47.33

SELECT id, latitude, longitude FROM images WHERE longitude >= ? AND longitude <= ? AND latitude >= ? AND latitude <= ? AND longitude NOT \
NULL AND latitude NOT NULL ORDER BY datetime_taken

-- statement: darktable-11
-- is: full-scan, index-not-covering, partial-index
-- because: what was exported: one in sixteen

SELECT MAX(export_timestamp), COUNT(*) FROM images WHERE export_timestamp > 0

-- best
-- index: images (export_timestamp)

-- statement: darktable-12
-- is: full-scan, sort-without-index
-- because: what was changed last
-- run: 1650000000

SELECT id FROM images WHERE change_timestamp >= ? ORDER BY change_timestamp DESC, id LIMIT 100

-- best
-- index: images (change_timestamp DESC, id)

-- or
-- index: images (change_timestamp)

-- statement: darktable-13
-- is: group-without-index, index-not-covering, join-order, missing-statistics
-- because: the titles with their number: each is looked up, and all are sorted
-- run: 2

SELECT m.value, COUNT(*) FROM images AS mi JOIN meta_data AS m ON m.id = mi.id AND m.key = ? WHERE (mi.flags & 8) != 8 GROUP BY m.value \
ORDER BY m.value

-- best
-- index: meta_data (key, id, value)

-- statement: darktable-14
-- is: full-scan, index-not-covering, pattern-without-index
-- because: titles with some letters in them: each title is looked up
-- run: 2, '%sopra%'

SELECT id FROM images WHERE id IN (SELECT id FROM meta_data WHERE key = ? AND value LIKE ?)

-- best
-- index: meta_data (key, value, id)

-- or
-- index: meta_data (key, id, value)

-- statement: darktable-15
-- fine
-- tolerated: case-insensitive-without-index, full-scan, or-without-index, pattern-without-index
-- because: pictures of a place and of those within: there are few tags
-- run: 'places|fodi', 'places|fodi|%'

SELECT I.imgid FROM tagged_images AS I WHERE I.tagid IN (SELECT id FROM tags WHERE name = ? OR name LIKE ?)

-- statement: darktable-16
-- fine
-- tolerated: sort-without-index
-- because: the rolls with their pictures, all by an index that has what is asked

SELECT fr.id, fr.folder, COUNT(mi.id), MAX(mi.filename) FROM film_rolls AS fr LEFT JOIN images AS mi ON mi.film_id = fr.id GROUP BY fr.id \
ORDER BY fr.folder

-- statement: darktable-17
-- is: full-scan, join-order, subquery-per-row
-- because: pictures of a roll that were changed: those of all rolls are listed first
-- run: 50 | 160

SELECT id FROM images WHERE id IN (SELECT imgid FROM history_hash WHERE (basic_hash IS NULL OR current_hash != basic_hash) AND (auto_hash \
IS NULL OR current_hash != auto_hash)) AND film_id = ?

-- best

SELECT id FROM images WHERE EXISTS (SELECT 1 FROM history_hash h WHERE h.imgid = images.id AND (h.basic_hash IS NULL OR h.current_hash != \
h.basic_hash) AND (h.auto_hash IS NULL OR h.current_hash != h.auto_hash)) AND film_id = ?

-- statement: darktable-18
-- fine
-- tolerated: case-insensitive-without-index, full-scan, group-without-index, index-not-covering, pattern-without-index, sort-without-index
-- because: lenses of a year's rolls, which are few
-- run: '/home/me/Pictures/2020/%'

SELECT lens.name, COUNT(*) FROM images AS mi JOIN lens ON lens.id = mi.lens_id WHERE mi.film_id IN (SELECT id FROM film_rolls WHERE folder \
LIKE ?) GROUP BY lens.id
