-- schema: music
-- about: A music library with play counts and reviews; not analyzed, one index is a prefix of another, one a view away.
-- superfluous: redundant-index track_album

CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL, sort_name TEXT NOT NULL, country TEXT);
CREATE TABLE album (
  id INTEGER PRIMARY KEY, artist_id INTEGER NOT NULL REFERENCES artist (id), title TEXT NOT NULL, label TEXT,
  year INTEGER, notes TEXT);
CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE track (
  id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album (id), genre_id INTEGER, title TEXT NOT NULL,
  composer TEXT, disc_no INTEGER NOT NULL, track_no INTEGER NOT NULL, ms INTEGER NOT NULL, bytes INTEGER NOT NULL,
  rating INTEGER, added_at TEXT NOT NULL, path TEXT NOT NULL);
CREATE TABLE playlist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE playlist_track (
  playlist_id INTEGER NOT NULL, position INTEGER NOT NULL, track_id INTEGER NOT NULL,
  PRIMARY KEY (playlist_id, position)) WITHOUT ROWID;
CREATE TABLE play (id INTEGER PRIMARY KEY, track_id INTEGER NOT NULL, played_at INTEGER NOT NULL, device TEXT);
CREATE TABLE review (
  id INTEGER PRIMARY KEY, album_id INTEGER NOT NULL REFERENCES album (id), stars INTEGER NOT NULL,
    body TEXT NOT NULL);
CREATE INDEX artist_sort_name ON artist (sort_name);
CREATE INDEX track_album ON track (album_id);
CREATE INDEX track_album_position ON track (album_id, disc_no, track_no);
CREATE INDEX play_track ON play (track_id);
CREATE INDEX review_album ON review (album_id);
CREATE VIEW track_details AS
SELECT track.id, track.title, track.ms, track.rating, album.title AS album, album.year, artist.name AS artist
FROM track JOIN album ON album.id = track.album_id JOIN artist ON artist.id = album.artist_id;

INSERT INTO artist SELECT i, title(1, i, 2), title(1, i, 2), iif(chance(2, i) < 0.8,
  upper(word(skewed(3, i, 40))), NULL)
FROM numbers WHERE i <= 2500;
INSERT INTO album
SELECT i, skewed(4, i, 2500), title(5, i, 3), iif(chance(6, i) < 0.7, title(7, skewed(8, i, 300), 1), NULL),
  1960 + pick(9, i, 60), iif(chance(10, i) < 0.3, prose(11, i, 300), NULL)
FROM numbers WHERE i <= 6000;
INSERT INTO genre SELECT i, title(12, i, 1) FROM numbers WHERE i <= 25;
INSERT INTO track
SELECT i, 1 + (i - 1) / 9, skewed(13, i, 25), title(14, i, 3), iif(chance(15, i) < 0.5,
  title(16, pick(17, i, 3000), 2), NULL),
  1, 1 + (i - 1) % 9, 90000 + pick(18, i, 300000), 2000000 + pick(19, i, 9000000),
  iif(chance(20, i) < 0.15, pick(21, i, 5), NULL), datetime(1400000000 + i * 4000, 'unixepoch'),
  '/music/' || word(i % 2500) || '/' || word(i) || '.flac'
FROM numbers WHERE i <= 54000;
INSERT INTO playlist SELECT i, title(22, i, 2) FROM numbers WHERE i <= 150;
INSERT INTO playlist_track SELECT 1 + i % 150, i / 150, pick(23, i, 54000) FROM numbers WHERE i <= 40000;
INSERT INTO play
SELECT i, skewed(24, i, 54000), 1600000000 + i * 700, iif(chance(25, i) < 0.8, 'phone', 'speaker')
FROM numbers WHERE i <= 110000;
INSERT INTO review
SELECT i, iif(i <= 60, 40, pick(26, i, 6000)), pick(27, i, 5), prose(28, i, 100 + pick(29, i, 200))
FROM numbers WHERE i <= 9000;

-- statement: music-20
-- fine
-- because: 97 % match: an index would be slower
-- run: 100000

SELECT * FROM track WHERE ms > ?

-- statement: music-21
-- fine
-- because: every row gets a random number; nothing can give that order

SELECT * FROM album ORDER BY random() LIMIT 10

-- statement: music-01
-- is: full-scan
-- because: the condition on the artist makes the outer joins inner ones, but SQLite keeps their order: say so
-- run: 'Fogu gudi'

SELECT "track"."id", "track"."title", "album"."title", "artist"."name" FROM "track" LEFT OUTER JOIN "album" ON ("album"."id" = \
"track"."album_id") LEFT OUTER JOIN "artist" ON ("artist"."id" = "album"."artist_id") WHERE "artist"."name" = ?

-- best
-- index: artist (name)
-- index: album (artist_id)

SELECT "track"."id", "track"."title", "album"."title", "artist"."name" FROM "track" JOIN "album" ON ("album"."id" = "track"."album_id") \
JOIN "artist" ON ("artist"."id" = "album"."artist_id") WHERE "artist"."name" = ?

-- statement: music-02
-- fine
-- because: nine rows in the order of an index
-- run: 400

SELECT id, title, ms FROM track WHERE album_id = ? ORDER BY disc_no, track_no

-- statement: music-03
-- fine
-- because: all plays count; the index covers and groups

SELECT track_id, COUNT(*) AS plays FROM play GROUP BY track_id ORDER BY plays DESC LIMIT 25

-- statement: music-04
-- is: full-scan, sort-without-index
-- because: the newest of 110,000

SELECT track_id, device FROM play ORDER BY played_at DESC LIMIT 30

-- best
-- index: play (played_at)

-- statement: music-05
-- is: full-scan
-- because: a range of dates
-- run: 1650000000, 1651000000

SELECT COUNT(DISTINCT track_id) FROM play WHERE played_at >= $since AND played_at < $until

-- best
-- index: play (played_at, track_id)

-- or
-- index: play (played_at)

-- statement: music-06
-- is: full-scan
-- because: a WITHOUT ROWID table found by its last column; the index holds the primary key anyway
-- sampled
-- run: 5000

SELECT p.id, p.name FROM playlist p WHERE p.id IN (SELECT playlist_id FROM playlist_track WHERE track_id = ?)

-- best
-- index: playlist_track (track_id)

-- or
-- index: playlist_track (track_id, playlist_id)

-- statement: music-07
-- is: multiplied-aggregate
-- because: 9 tracks × 60 reviews: the album plays for hours
-- run: 40

SELECT album.id, album.title, SUM(track.ms) AS length, AVG(review.stars) AS stars, COUNT(review.id) AS reviews
FROM album LEFT JOIN track ON track.album_id = album.id LEFT JOIN review ON review.album_id = album.id
WHERE album.id = ? GROUP BY album.id

-- best
-- changes results

SELECT album.id, album.title, (SELECT SUM(ms) FROM track WHERE album_id = album.id) AS length,
(SELECT AVG(stars) FROM review WHERE album_id = album.id) AS stars,
(SELECT COUNT(*) FROM review WHERE album_id = album.id) AS reviews FROM album WHERE album.id = ?

-- statement: music-08
-- is: join-fan-out
-- because: plays and reviews multiply each other
-- run: 1 | 40

SELECT album.id, COUNT(DISTINCT track.id) AS tracks, COUNT(DISTINCT play.id) AS plays,
  COUNT(DISTINCT review.id) AS reviews
FROM album LEFT JOIN track ON track.album_id = album.id LEFT JOIN play ON play.track_id = track.id
LEFT JOIN review ON review.album_id = album.id WHERE album.id = ? GROUP BY album.id

-- best

SELECT album.id, (SELECT COUNT(*) FROM track WHERE album_id = album.id) AS tracks,
(SELECT COUNT(*) FROM track JOIN play ON play.track_id = track.id WHERE track.album_id = album.id) AS plays,
(SELECT COUNT(*) FROM review WHERE album_id = album.id) AS reviews FROM album WHERE album.id = ?

-- statement: music-09
-- is: case-insensitive-without-index, sort-without-index
-- because: the index on the sort name is BINARY

SELECT id, name FROM artist ORDER BY sort_name COLLATE NOCASE LIMIT 50

-- best
-- index: artist (sort_name COLLATE NOCASE)

-- statement: music-10
-- is: full-scan, sort-without-index
-- because: mixed directions need an index with the same mix
-- run: 3

SELECT id, title, rating FROM track WHERE genre_id = ? ORDER BY rating DESC, title ASC LIMIT 20

-- best
-- index: track (genre_id, rating DESC, title ASC)

-- or
-- index: track (genre_id, rating, title DESC)

-- statement: music-11
-- fine
-- because: few plays, found by index
-- run: 20000

SELECT MAX(played_at), COUNT(*) FROM play WHERE track_id = ?

-- statement: music-12
-- fine
-- because: 25 rows

SELECT id, position_name FROM (SELECT id, name AS position_name FROM genre) ORDER BY position_name

-- statement: music-13
-- is: automatic-index, full-scan, subquery-per-row
-- because: the tracks are scanned 25 times

SELECT genre.name, (SELECT COUNT(*) FROM track WHERE track.genre_id = genre.id) AS tracks FROM genre

-- best
-- index: track (genre_id)

-- statement: music-14
-- fine
-- because: nine rows side by side: a covering index would save next to nothing
-- run: 1200

SELECT SUM(ms), MAX(rating) FROM track WHERE album_id = ?

-- statement: music-15
-- is: full-scan
-- because: the view's joins start at the artist when that can be found
-- run: 'Dije trejedi'

SELECT title, album FROM track_details WHERE artist = ? ORDER BY year, title LIMIT 20

-- best
-- index: artist (name)
-- index: album (artist_id)

-- statement: music-16
-- fine
-- because: a write of one row
-- run: 77, 1700000000, 'phone'

INSERT INTO play (track_id, played_at, device) VALUES (?, ?, ?)

-- statement: music-17
-- fine
-- because: by rowid
-- run: 5, 777

UPDATE track SET rating = :rating WHERE id = :id

-- statement: music-18
-- is: full-scan
-- because: each arm of the compound needs its index
-- run: 'Drice loce', 'Kisova'

SELECT title FROM track WHERE composer = ?1 UNION SELECT title FROM album WHERE label = ?2

-- best
-- index: track (composer)
-- index: album (label)

-- statement: music-19
-- is: full-scan
-- because: equality first, then the range; the few rows left are sorted at no cost

SELECT id, title FROM track WHERE rating >= 4 AND genre_id = 20 ORDER BY title

-- best
-- index: track (genre_id, rating)

-- or
-- index: track (genre_id, title) WHERE rating >= 4
