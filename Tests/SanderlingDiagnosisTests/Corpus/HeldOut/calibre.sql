-- schema: calibre
-- about: A library of books: small tables between the books and everything that is said of them.
-- origin: calibre 5, metadata.db (GPL-3.0, Copyright Kovid Goyal): ten of its tables with their indexes, and one of its views
-- superfluous: redundant-index books_authors_link_bidx
-- superfluous: redundant-index books_tags_link_bidx
-- superfluous: redundant-index data_idx
-- superfluous: redundant-index books_ratings_link_bidx
-- superfluous: duplicate-index comments_idx
-- superfluous: duplicate-index tags_idx

CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, sort TEXT COLLATE NOCASE, link TEXT NOT NULL DEFAULT "", \
UNIQUE(name));
CREATE TABLE books (
  id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE, sort TEXT COLLATE NOCASE,
  timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, pubdate TIMESTAMP DEFAULT CURRENT_TIMESTAMP, series_index REAL NOT NULL DEFAULT 1.0,
  author_sort TEXT COLLATE NOCASE, isbn TEXT DEFAULT "" COLLATE NOCASE, lccn TEXT DEFAULT "" COLLATE NOCASE, path TEXT NOT NULL DEFAULT "",
  flags INTEGER NOT NULL DEFAULT 1, uuid TEXT, has_cover BOOL DEFAULT 0, last_modified TIMESTAMP NOT NULL DEFAULT "2000-01-01 00:00:00+00:00");
CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, author INTEGER NOT NULL, UNIQUE(book, author));
CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, rating INTEGER NOT NULL, UNIQUE(book, rating));
CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER NOT NULL, tag INTEGER NOT NULL, UNIQUE(book, tag));
CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER NON NULL, text TEXT NON NULL COLLATE NOCASE, UNIQUE(book));
CREATE TABLE data (
  id INTEGER PRIMARY KEY, book INTEGER NON NULL, format TEXT NON NULL COLLATE NOCASE, uncompressed_size INTEGER NON NULL, name TEXT NON \
NULL, UNIQUE(book, format));
CREATE TABLE identifiers (
  id INTEGER PRIMARY KEY, book INTEGER NON NULL, type TEXT NON NULL DEFAULT "isbn" COLLATE NOCASE, val TEXT NON NULL COLLATE NOCASE, \
UNIQUE(book, type));
CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER CHECK(rating > -1 AND rating < 11), UNIQUE (rating));
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, UNIQUE (name));
CREATE VIEW tag_browser_authors AS SELECT id, name,
  (SELECT COUNT(id) FROM books_authors_link WHERE author=authors.id) count,
  (SELECT AVG(ratings.rating) FROM books_authors_link AS tl, books_ratings_link AS bl, ratings
   WHERE tl.author=authors.id AND bl.book=tl.book AND ratings.id = bl.rating AND ratings.rating <> 0) avg_rating,
  sort AS sort FROM authors;
CREATE INDEX authors_idx ON books (author_sort COLLATE NOCASE);
CREATE INDEX books_authors_link_aidx ON books_authors_link (author);
CREATE INDEX books_authors_link_bidx ON books_authors_link (book);
CREATE INDEX books_idx ON books (sort COLLATE NOCASE);
CREATE INDEX books_ratings_link_aidx ON books_ratings_link (rating);
CREATE INDEX books_ratings_link_bidx ON books_ratings_link (book);
CREATE INDEX books_tags_link_aidx ON books_tags_link (tag);
CREATE INDEX books_tags_link_bidx ON books_tags_link (book);
CREATE INDEX comments_idx ON comments (book);
CREATE INDEX data_idx ON data (book);
CREATE INDEX formats_idx ON data (format);
CREATE INDEX tags_idx ON tags (name COLLATE NOCASE);

INSERT INTO authors SELECT i, title(1, i, 2) || ' ' || i, title(1, i, 1) || i, '' FROM numbers WHERE i <= 4000;
INSERT INTO books
SELECT i, title(2, i, 3) || ' ' || i, title(2, i, 3) || i, datetime(1300000000 + i * 30000, 'unixepoch'),
  iif(chance(4, i) < 0.04, NULL, datetime(900000000 + pick(5, i, 80000) * 10000, 'unixepoch')), 1.0, title(1, skewed(6, i, 4000), 1), '', \
'', word(i) || '/' || i, 1,
  printf('%08x-4a2b', i * 7919), 1, datetime(1500000000 + pick(7, i, 15000000) * 10, 'unixepoch') || '+00:00'
FROM numbers WHERE i <= 12000;
UPDATE books SET (title, author_sort) = (SELECT o.title, o.author_sort FROM books o WHERE o.id = books.id - 1) WHERE id % 300 = 0;
INSERT OR IGNORE INTO books_authors_link SELECT i, 1 + i % 12000, skewed(8, i, 4000) FROM numbers WHERE i <= 14000;
INSERT INTO ratings SELECT i, i * 2 FROM numbers WHERE i <= 5;
INSERT INTO books_ratings_link SELECT i, i * 2, pick(9, i, 5) FROM numbers WHERE i <= 6000;
INSERT INTO tags SELECT i, word(i) FROM numbers WHERE i <= 500;
INSERT OR IGNORE INTO books_tags_link SELECT i, pick(10, i, 12000), skewed(11, i, 500) FROM numbers WHERE i <= 36000;
INSERT INTO comments SELECT i, i, prose(12, i, 200 + pick(13, i, 800)) FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO data SELECT i, 1 + i % 12000, CASE i / 12000 WHEN 0 THEN 'EPUB' ELSE 'PDF' END, 20000 + pick(14, i, 9000000), \
word(i) FROM numbers WHERE i <= 17000;
INSERT INTO identifiers SELECT i, 1 + i % 12000, iif(i <= 12000, 'isbn', 'goodreads'), printf('978%010d', i * 7919) FROM numbers WHERE i <= 20000;

-- statement: calibre-01
-- is: multiplied-aggregate
-- because: each file is added once for each tag, and each tag counted once for each file: right costs more than wrong
-- run: 1

SELECT b.id, b.title, SUM(d.uncompressed_size) AS bytes, COUNT(t.tag) AS tags FROM books b
JOIN books_authors_link a ON a.book = b.id LEFT JOIN data d ON d.book = b.id LEFT JOIN books_tags_link t ON t.book = b.id
WHERE a.author = ? GROUP BY b.id

-- best: design

-- statement: calibre-02
-- fine
-- because: of fifty rows of a view, each by indexes
-- run: 3000, 3050

SELECT id, name, count, avg_rating FROM tag_browser_authors WHERE sort LIKE 'Ba%' AND id BETWEEN ? AND ?

-- statement: calibre-03
-- is: full-scan
-- because: a book by its number: the unique key begins with the book
-- run: 'isbn', '9780039595000' | 'goodreads', '9780118785000'

SELECT book FROM identifiers WHERE type = ? AND val = ?

-- best
-- index: identifiers (val)

-- or
-- index: identifiers (type, val)

-- statement: calibre-04
-- is: full-scan, sort-without-index
-- because: what changed last: all are read and sorted
-- run: 50

SELECT id, title, last_modified FROM books ORDER BY last_modified DESC LIMIT ?

-- best
-- index: books (last_modified)

-- statement: calibre-05
-- is: automatic-index, full-scan, index-not-covering, subquery-per-row
-- because: books that are there twice: for each, all of its author are looked at

SELECT b.id, b.title, b.author_sort FROM books b WHERE EXISTS (SELECT 1 FROM books o WHERE o.title = b.title AND o.author_sort = \
b.author_sort AND o.id <> b.id)

-- best
-- index: books (title, author_sort)

-- or
-- index: books (title)

-- statement: calibre-06
-- is: full-scan, large-offset, sort-without-index
-- because: a page far behind, in an order that no index has; some have no date

SELECT id, title, pubdate FROM books ORDER BY pubdate, id LIMIT 40 OFFSET 8000

-- best
-- index: books (pubdate)
-- run: '2015-02-05 15:26:40', 7377

SELECT id, title, pubdate FROM books WHERE pubdate > ?1 OR (pubdate = ?1 AND id > ?2) ORDER BY pubdate, id LIMIT 40

-- or
-- index: books (pubdate)

-- statement: calibre-07
-- fine
-- because: one book with what belongs to it
-- run: 777

SELECT b.id, b.title, (SELECT c.text FROM comments c WHERE c.book = b.id),
  (SELECT group_concat(t.name, ', ') FROM tags t WHERE t.id IN (SELECT l.tag FROM books_tags_link l WHERE l.book = b.id)),
  (SELECT max(d.uncompressed_size) FROM data d WHERE d.book = b.id)
FROM books b WHERE b.id = ?

-- statement: calibre-08
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: the column ignores case already, the function hides it
-- run: 'Bafo Vace cletrefo 301' | 'jeha loce fogu 4000'

SELECT id, title FROM books WHERE lower(title) = lower(?)

-- best
-- index: books (lower(title))

-- or
-- index: books (title)

SELECT id, title FROM books WHERE title = ?

-- statement: calibre-09
-- fine
-- because: the tags of an author's books, by three indexes
-- run: 900

SELECT t.id, t.name, count(*) FROM books_tags_link l JOIN tags t ON t.id = l.tag
WHERE l.book IN (SELECT a.book FROM books_authors_link a WHERE a.author = ?) GROUP BY t.id
