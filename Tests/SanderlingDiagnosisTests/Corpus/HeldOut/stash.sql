-- schema: stash
-- about: An organiser of videos and pictures: files in folders, scenes and images made of them, tags, performers and when each was watched.
-- origin: Stash 0.30 (AGPL-3.0, Copyright the Stash contributors): eighteen of its tables with their indexes, columns of no use here left \
--   out

CREATE TABLE folders (id integer not null primary key autoincrement, path varchar(255) NOT NULL, parent_folder_id integer, mod_time \
datetime not null, zip_file_id integer REFERENCES files (id), foreign key (parent_folder_id) references folders (id) on delete SET NULL);
CREATE INDEX index_folders_on_parent_folder_id ON folders (parent_folder_id);
CREATE UNIQUE INDEX index_folders_on_path_unique ON folders (path);
CREATE INDEX index_folders_on_zip_file_id ON folders (zip_file_id) WHERE zip_file_id IS NOT NULL;
CREATE TABLE files (id integer not null primary key autoincrement, basename varchar(255) NOT NULL, zip_file_id integer, parent_folder_id \
integer not null, size integer NOT NULL, mod_time datetime not null, created_at datetime not null, updated_at datetime not null, foreign \
key (parent_folder_id) references folders (id), foreign key (zip_file_id) references files (id), CHECK (basename <> ''));
CREATE UNIQUE INDEX index_files_zip_basename_unique ON files (zip_file_id, parent_folder_id, basename) WHERE zip_file_id IS NOT NULL;
CREATE UNIQUE INDEX index_files_on_parent_folder_id_basename_unique ON files (parent_folder_id, basename);
CREATE INDEX index_files_on_basename ON files (basename);
CREATE TABLE files_fingerprints (file_id integer NOT NULL, type varchar(255) NOT NULL, fingerprint blob NOT NULL, foreign key (file_id) \
references files (id) on delete CASCADE, PRIMARY KEY (file_id, type, fingerprint));
CREATE INDEX index_fingerprint_type_fingerprint ON files_fingerprints (type, fingerprint);
CREATE TABLE video_files (file_id integer NOT NULL primary key, duration float NOT NULL, video_codec varchar(255) NOT NULL, width tinyint \
NOT NULL, height tinyint NOT NULL, foreign key (file_id) references files (id) on delete CASCADE);
CREATE TABLE studios (id integer not null primary key autoincrement, name varchar(255), parent_id integer DEFAULT NULL CHECK (id IS NOT \
parent_id) REFERENCES studios (id) on delete set null, favorite boolean not null default '0');
CREATE INDEX index_studios_on_parent_id ON studios (parent_id);
CREATE UNIQUE INDEX index_studios_on_name_unique ON studios (name);
CREATE TABLE scenes (id integer not null primary key autoincrement, title varchar(255), details text, date date, rating tinyint, studio_id \
integer, organized boolean not null default '0', created_at datetime not null, updated_at datetime not null, code text, resume_time float \
not null default 0, play_duration float not null default 0, foreign key (studio_id) references studios (id) on delete SET NULL);
CREATE INDEX index_scenes_on_studio_id ON scenes (studio_id);
CREATE TABLE scenes_files (scene_id integer NOT NULL, file_id integer NOT NULL, "primary" boolean NOT NULL, foreign key (scene_id) \
references scenes (id) on delete CASCADE, foreign key (file_id) references files (id) on delete CASCADE, PRIMARY KEY (scene_id, file_id));
CREATE INDEX index_scenes_files_file_id ON scenes_files (file_id);
CREATE UNIQUE INDEX unique_index_scenes_files_on_primary ON scenes_files (scene_id) WHERE "primary" = 1;
CREATE TABLE tags (id integer not null primary key autoincrement, name varchar(255), sort_name varchar(255), favorite boolean not null default '0');
CREATE INDEX index_tags_on_name ON tags (name);
CREATE TABLE tags_relations (parent_id integer, child_id integer, primary key (parent_id, child_id), foreign key (parent_id) references \
tags (id) on delete cascade, foreign key (child_id) references tags (id) on delete cascade);
CREATE TABLE scenes_tags (scene_id integer, tag_id integer, foreign key (scene_id) references scenes (id) on delete CASCADE, foreign key \
(tag_id) references tags (id) on delete CASCADE, PRIMARY KEY (scene_id, tag_id));
CREATE INDEX index_scenes_tags_on_tag_id ON scenes_tags (tag_id);
CREATE TABLE performers (id integer not null primary key autoincrement, name varchar(255), disambiguation varchar(255), gender \
varchar(20), birthdate date, country varchar(255), details text, favorite boolean not null default '0', rating tinyint, created_at \
datetime not null);
CREATE UNIQUE INDEX performers_name_disambiguation_unique ON performers (name, disambiguation) WHERE disambiguation IS NOT NULL;
CREATE UNIQUE INDEX performers_name_unique ON performers (name) WHERE disambiguation IS NULL;
CREATE TABLE performers_scenes (performer_id integer, scene_id integer, foreign key (performer_id) references performers (id) on delete \
CASCADE, foreign key (scene_id) references scenes (id) on delete CASCADE, PRIMARY KEY (scene_id, performer_id));
CREATE INDEX index_performers_scenes_on_performer_id ON performers_scenes (performer_id);
CREATE TABLE images (id integer not null primary key autoincrement, title varchar(255), rating tinyint, studio_id integer, o_counter \
tinyint not null default 0, organized boolean not null default '0', created_at datetime not null, date date, foreign key (studio_id) \
references studios (id) on delete SET NULL);
CREATE INDEX index_images_on_studio_id ON images (studio_id) WHERE studio_id IS NOT NULL;
CREATE TABLE performers_images (performer_id integer, image_id integer, foreign key (performer_id) references performers (id) on delete \
CASCADE, foreign key (image_id) references images (id) on delete CASCADE, PRIMARY KEY (image_id, performer_id));
CREATE INDEX index_performers_images_on_performer_id ON performers_images (performer_id);
CREATE TABLE scenes_view_dates (scene_id integer not null, view_date datetime not null, foreign key (scene_id) references scenes (id) on \
delete CASCADE);
CREATE INDEX index_scenes_view_dates ON scenes_view_dates (scene_id);
CREATE TABLE scenes_o_dates (scene_id integer not null, o_date datetime not null, foreign key (scene_id) references scenes (id) on delete CASCADE);
CREATE INDEX index_scenes_o_dates ON scenes_o_dates (scene_id);
CREATE TABLE scene_stash_ids (scene_id integer, endpoint varchar(255), stash_id varchar(36), updated_at datetime not null default \
'1970-01-01T00:00:00Z', foreign key (scene_id) references scenes (id) on delete CASCADE);
CREATE INDEX index_scene_stash_ids_on_scene_id ON scene_stash_ids (scene_id);

INSERT INTO folders (id, path, parent_folder_id, mod_time) SELECT i, '/media/' || word(i % 12) || iif(i <= 12, '', '/' || word(i)), iif(i \
<= 12, NULL, 1 + (i + 11) % 12), '2023-01-01T00:00:00Z' FROM numbers WHERE i <= 6000;
INSERT INTO files SELECT i, word(i) || iif(i <= 16000, '.mp4', '.jpg'), NULL, 12 + skewed(1, i, 5900), iif(i <= 16000, 100000000 + pick(2, \
i, 2000000000), 100000 + pick(2, i, 9000000)), strftime('%Y-%m-%dT%H:%M:%SZ', 1600000000 + pick(3, i, 100000000), 'unixepoch'), \
strftime('%Y-%m-%dT%H:%M:%SZ', 1650000000 + i * 1500, 'unixepoch'), '2024-01-01T00:00:00Z' FROM numbers WHERE i <= 45000;
INSERT INTO files_fingerprints SELECT i, 'oshash', printf('%016x', i * 7919) FROM numbers WHERE i <= 16000;
INSERT INTO files_fingerprints SELECT i, 'phash', iif(chance(4, i) < 0.03, max(1, i - 40), i) * 104729 FROM numbers WHERE i <= 16000;
INSERT INTO files_fingerprints SELECT i, 'md5', printf('%032x', i * 7919) FROM numbers WHERE i BETWEEN 16001 AND 45000;
INSERT INTO video_files SELECT i, 60 + skewed(5, i, 7000), 'h264', 1920, 1080 FROM numbers WHERE i <= 16000;
INSERT INTO studios SELECT i, title(6, i, 2) || ' ' || word(i), iif(i > 60, skewed(7, i, 60), NULL), 0 FROM numbers WHERE i <= 500;
INSERT INTO scenes SELECT i, title(8, i, 4), prose(9, i, skewed(10, i, 800)), iif(chance(11, i) < 0.2, NULL, date(1300000000 + pick(12, i, \
420000000), 'unixepoch')), iif(chance(13, i) < 0.85, NULL, 20 * pick(14, i, 5)), iif(chance(15, i) < 0.3, NULL, skewed(16, i, 500)), \
chance(17, i) < 0.4, strftime('%Y-%m-%dT%H:%M:%SZ', 1650000000 + i * 4000, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + \
pick(18, i, 20000000), 'unixepoch'), '', 0, skewed(19, i, 9000) FROM numbers WHERE i <= 15000;
INSERT INTO scenes_files SELECT iif(i <= 15000, i, i - 15000), i, i <= 15000 FROM numbers WHERE i <= 16000;
INSERT INTO tags SELECT i, word(i), NULL, 0 FROM numbers WHERE i <= 2500;
INSERT OR IGNORE INTO tags_relations SELECT skewed(20, i, i - 1), i FROM numbers WHERE i BETWEEN 2 AND 2500;
INSERT OR IGNORE INTO tags_relations SELECT skewed(21, i, 300), 300 + pick(22, i, 2200) FROM numbers WHERE i <= 3500;
INSERT OR IGNORE INTO scenes_tags SELECT 1 + i / 4, skewed(23, i, 2500) FROM numbers WHERE i < 59000;
INSERT INTO performers SELECT i, title(24, i, 2) || ' ' || word(i), NULL, iif(chance(25, i) < 0.7, 'FEMALE', 'MALE'), iif(chance(26, i) < \
0.4, NULL, date(300000000 + pick(27, i, 700000000), 'unixepoch')), 'US', prose(28, i, skewed(29, i, 500)), chance(30, i) < 0.02, NULL, \
'2023-01-01T00:00:00Z' FROM numbers WHERE i <= 7000;
INSERT OR IGNORE INTO performers_scenes SELECT iif(chance(31, i) < 0.5, skewed(32, i, 7000), pick(33, i, 7000)), 1 + i / 2 FROM numbers \
WHERE i < 29000;
INSERT INTO images SELECT i, '', NULL, iif(chance(34, i) < 0.9, NULL, skewed(35, i, 500)), 0, 0, '2023-01-01T00:00:00Z', NULL FROM numbers \
WHERE i <= 29000;
INSERT OR IGNORE INTO performers_images SELECT iif(chance(36, i) < 0.3, skewed(37, i, 7000), pick(38, i, 7000)), i FROM numbers WHERE i <= 29000;
INSERT INTO scenes_view_dates SELECT skewed(39, i, 15000), strftime('%Y-%m-%dT%H:%M:%SZ', 1690000000 + i * 700, 'unixepoch') FROM numbers \
WHERE i <= 40000;
INSERT INTO scenes_o_dates SELECT skewed(40, i, 15000), strftime('%Y-%m-%dT%H:%M:%SZ', 1690000000 + i * 9000, 'unixepoch') FROM numbers \
WHERE i <= 3000;
INSERT INTO scene_stash_ids SELECT i, 'https://box.example/graphql', printf('%08x-%04x-4000-8000-%012x', i * 7919, i % 65536, i), \
'2024-01-01T00:00:00Z' FROM numbers WHERE i <= 13000;

-- statement: stash-01
-- fine
-- tolerated: distinct-without-index, index-not-covering, join-order, sort-without-index
-- because: scenes with a rare tag and nobody in them, by keys
-- run: 100

SELECT DISTINCT scenes.id FROM scenes LEFT JOIN performers_scenes AS p ON p.scene_id = scenes.id INNER JOIN scenes_tags AS t ON t.scene_id \
= scenes.id AND t.tag_id = ? WHERE p.scene_id IS NULL ORDER BY scenes.id LIMIT 40

-- statement: stash-02
-- is: index-not-covering, sort-without-index, subquery-per-row
-- because: what was watched last: for each scene all of its dates are looked up

SELECT scenes.id, scenes.title FROM scenes ORDER BY (SELECT MAX(view_date) FROM scenes_view_dates AS sort_view_dates WHERE \
sort_view_dates.scene_id = scenes.id) DESC, scenes.id LIMIT 40

-- best
-- index: scenes_view_dates (scene_id, view_date)

-- statement: stash-03
-- is: full-scan, sort-without-index
-- because: the newest scenes by their date: all are read with their texts

SELECT id, title, date FROM scenes ORDER BY date DESC, id DESC LIMIT 40

-- best
-- index: scenes (date, id)

-- or
-- index: scenes (date)

-- statement: stash-04
-- is: full-scan
-- because: the scene of a foreign key: only scenes have an index
-- run: '043f8258-2328-4000-8000-000000002328', 'https://box.example/graphql' | 'none', 'https://box.example/graphql'

SELECT scene_id FROM scene_stash_ids WHERE stash_id = ? AND endpoint = ?

-- best
-- index: scene_stash_ids (stash_id, endpoint)

-- or
-- index: scene_stash_ids (stash_id)

-- or
-- index: scene_stash_ids (endpoint, stash_id)

-- statement: stash-05
-- is: case-insensitive-without-index, full-scan, join-order, pattern-without-index
-- because: files in a folder, by the beginning of its path: LIKE ignores case, the index does not
-- run: '/media/drice/jelolo%' | '/media/yodi/yovawe%'

SELECT f.id, f.basename, f.size FROM files AS f JOIN folders AS d ON d.id = f.parent_folder_id WHERE d.path LIKE ? ORDER BY d.path, \
f.basename LIMIT 100

-- best
-- index: folders (path COLLATE NOCASE)

-- statement: stash-06
-- is: full-scan
-- because: whether a new file is one that was moved: files by their size
-- run: 100123456, 'a.mp4' | 150000, 'b.jpg'

SELECT id, parent_folder_id, basename FROM files WHERE size = ? AND basename <> ?

-- best
-- index: files (size)

-- or
-- index: files (size, basename)

-- statement: stash-07
-- is: case-insensitive-without-index, full-scan
-- because: a performer by name, whatever the case
-- run: 'DRICE XIGU SHUBRAPE' | 'nobody'

SELECT id, name FROM performers WHERE name = ? COLLATE NOCASE

-- best
-- index: performers (name COLLATE NOCASE)

-- statement: stash-08
-- is: full-scan, partial-index, sort-without-index
-- because: favourites: one in fifty, read with all texts

SELECT id, name FROM performers WHERE favorite = 1 ORDER BY name COLLATE NOCASE LIMIT 25

-- best
-- index: performers (name COLLATE NOCASE) WHERE favorite = 1

-- or
-- index: performers (favorite)

-- or
-- index: performers (favorite, name COLLATE NOCASE)

-- or
-- index: performers (favorite, name)

-- statement: stash-09
-- is: automatic-index, full-scan
-- because: all tags above one: the key begins with the parent
-- run: 2200 | 1777

WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT r.parent_id FROM tags_relations AS r JOIN up ON r.child_id = up.id) SELECT tags.id, \
tags.name FROM up JOIN tags ON tags.id = up.id ORDER BY tags.id

-- best
-- index: tags_relations (child_id, parent_id)

-- or
-- index: tags_relations (child_id)

-- statement: stash-10
-- is: join-fan-out, multiplied-aggregate
-- because: scenes and pictures of performers: each scene is counted once for each picture

SELECT p.id, p.name, count(s.scene_id) AS scenes, count(i.image_id) AS images FROM performers AS p LEFT JOIN performers_scenes AS s ON \
s.performer_id = p.id LEFT JOIN performers_images AS i ON i.performer_id = p.id WHERE p.id <= 40 GROUP BY p.id ORDER BY p.id

-- best
-- changes results

SELECT p.id, p.name, (SELECT count(*) FROM performers_scenes AS s WHERE s.performer_id = p.id) AS scenes, (SELECT count(*) FROM \
performers_images AS i WHERE i.performer_id = p.id) AS images FROM performers AS p WHERE p.id <= 40 ORDER BY p.id

-- statement: stash-11
-- is: full-scan, partial-index, sort-without-index
-- because: good scenes that are in order: few, but all are read

SELECT id, title, rating FROM scenes WHERE rating >= 80 AND organized = 1 ORDER BY created_at DESC LIMIT 25 OFFSET 100

-- best
-- index: scenes (created_at) WHERE rating >= 80 AND organized = 1

-- or
-- index: scenes (rating, organized)

-- or
-- index: scenes (organized, rating)

-- statement: stash-12
-- is: full-scan
-- because: what was watched long ago is forgotten
-- run: '2023-07-22T20:00:00Z' | '2023-07-23T00:00:00Z'

DELETE FROM scenes_view_dates WHERE view_date < ?

-- best
-- index: scenes_view_dates (view_date)

-- statement: stash-13
-- fine
-- because: how many tags some scenes have, by the key

SELECT scene_id, count(*) AS n FROM scenes_tags WHERE scene_id IN (7, 8, 9, 400) GROUP BY scene_id

-- statement: stash-14
-- fine
-- because: where somebody stopped watching
-- run: 12.5, 60.0, 4711

UPDATE scenes SET resume_time = ?, play_duration = play_duration + ? WHERE id = ?

-- statement: stash-15
-- fine
-- because: the tags of a scene, by two keys
-- run: 4711

SELECT t.id, t.name FROM scenes_tags AS st JOIN tags AS t ON t.id = st.tag_id WHERE st.scene_id = ?
