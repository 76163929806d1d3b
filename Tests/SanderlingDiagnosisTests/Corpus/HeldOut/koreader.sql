-- schema: koreader
-- about: What a reader of electronic books keeps: each page that was looked at, for how long, and a view that scales pages to today's \
--   layout by a table of numbers.
-- origin: KOReader's statistics plugin, version 20221111 of its database (AGPL-3.0, Copyright the KOReader contributors): all of its \
--   tables, its view and its indexes; 01, 02, 04 and 05 are close to its own statements

CREATE TABLE book (
  id integer PRIMARY KEY autoincrement, title text, authors text, notes integer, last_open integer, highlights integer, pages integer, \
series text, language text, md5 text, total_read_time integer, total_read_pages integer);
CREATE TABLE page_stat_data (
  id_book integer, page integer NOT NULL DEFAULT 0, start_time integer NOT NULL DEFAULT 0, duration integer NOT NULL DEFAULT 0, \
total_pages integer NOT NULL DEFAULT 0,
  UNIQUE (id_book, page, start_time), FOREIGN KEY(id_book) REFERENCES book(id));
CREATE TABLE main.numbers (number INTEGER PRIMARY KEY);
CREATE UNIQUE INDEX book_title_authors_md5 ON book(title, authors, md5);
CREATE INDEX page_stat_data_start_time ON page_stat_data(start_time);
INSERT INTO main.numbers SELECT i FROM temp.numbers WHERE i <= 1000;
CREATE VIEW page_stat AS
  SELECT id_book, first_page + idx - 1 AS page, start_time, duration / (last_page - first_page + 1) AS duration
  FROM (
    SELECT id_book, page, total_pages, pages, start_time, duration,
      ((page - 1) * pages) / total_pages + 1 AS first_page,
      max(((page - 1) * pages) / total_pages + 1, (page * pages) / total_pages) AS last_page,
      idx
    FROM page_stat_data
    JOIN book ON book.id = id_book
    JOIN (SELECT number as idx FROM numbers) AS N ON idx <= (last_page - first_page + 1)
  );

INSERT INTO book
SELECT i, title(1, i, 3), title(2, skewed(3, i, 900), 2), pick(4, i, 9) - 1, 0, pick(5, i, 30) - 1, 80 + pick(6, i, 700), iif(chance(7, i) \
< 0.3, title(8, skewed(9, i, 200), 2), NULL), iif(chance(10, i) < 0.8, 'en', 'de'), printf('%032x', i * 104729), 0, 0
FROM temp.numbers WHERE i <= 4000;
INSERT INTO page_stat_data
SELECT skewed(11, i / 60, 2500), 1 + (i % 60 + pick(12, i / 60, 600)) % (80 + pick(6, skewed(11, i / 60, 2500), 700)), 1420070400 + i * \
2500, iif(chance(13, i) < 0.0004, 7200 + pick(14, i, 9000), 5 + pick(15, i, 110)),
  (80 + pick(6, skewed(11, i / 60, 2500), 700)) * iif(chance(16, skewed(11, i / 60, 2500)) < 0.3, 2, 1)
FROM temp.numbers WHERE i <= 120000;
UPDATE book SET total_read_time = s.d, total_read_pages = s.n, last_open = s.t
FROM (SELECT id_book, sum(duration) AS d, count(DISTINCT page) AS n, max(start_time) AS t FROM page_stat_data GROUP BY id_book) AS s WHERE \
s.id_book = book.id;

-- statement: koreader-01
-- is: full-scan, group-without-index, harmful-index, index-not-covering, join-order
-- because: what was read today: to group by book, SQLite walks all pages by the unique index, instead of the few by the index of times
-- run: 1719900000 | 1719984000

SELECT count(*), sum(sum_duration) FROM (SELECT sum(duration) AS sum_duration FROM page_stat WHERE start_time >= ? GROUP BY id_book, page)

-- best

SELECT count(*), sum(sum_duration) FROM (SELECT sum(duration) AS sum_duration FROM page_stat WHERE start_time >= ? GROUP BY +id_book, page)

-- statement: koreader-02
-- is: join-fan-out, join-order
-- because: a week by day: the view's numbers come first, so that the week is read again for each of a thousand
-- run: 1717200000, 1717804800 | 1600000000, 1600604800

SELECT dates, count(*) AS pages, sum(sum_duration) AS durations FROM (
  SELECT strftime('%Y-%m-%d', start_time, 'unixepoch') AS dates, sum(duration) AS sum_duration FROM page_stat WHERE start_time BETWEEN ? \
AND ? GROUP BY id_book, page, dates)
GROUP BY dates ORDER BY dates DESC

-- best

SELECT dates, count(*) AS pages, sum(sum_duration) AS durations FROM (
  SELECT strftime('%Y-%m-%d', start_time, 'unixepoch') AS dates, sum(duration) AS sum_duration
  FROM (SELECT * FROM page_stat WHERE start_time BETWEEN ? AND ? ORDER BY start_time LIMIT -1) GROUP BY id_book, page, dates)
GROUP BY dates ORDER BY dates DESC

-- statement: koreader-03
-- fine
-- because: a book by its unique key
-- run: 'Babrace shuce kifo', 'Pekigu vace', '0000000000000000000000000dfeccf2'

SELECT id FROM book WHERE title = ? AND authors = ? AND md5 = ?

-- statement: koreader-04
-- fine
-- because: a page that was read
-- run: 1200, 17, 1720100000, 42, 300 | 1200, 18, 1720100042, 31, 300

INSERT OR IGNORE INTO page_stat_data VALUES (?, ?, ?, ?, ?)

-- statement: koreader-05
-- fine
-- because: a row by its key
-- run: 1720100042, 73, 210, 1200

UPDATE book SET last_open = ?, total_read_time = total_read_time + ?, total_read_pages = ? WHERE id = ?

-- statement: koreader-06
-- is: expression-index, full-scan, function-on-column
-- because: what was read on a day: a function hides the time from its index
-- run: '2024-06-14' | '2019-03-02'

SELECT count(*), sum(duration) FROM page_stat_data WHERE date(start_time, 'unixepoch') = ?

-- best

SELECT count(*), sum(duration) FROM page_stat_data WHERE start_time >= CAST(strftime('%s', ?1) AS INTEGER) AND start_time < \
CAST(strftime('%s', ?1, '+1 day') AS INTEGER)

-- or
-- index: page_stat_data (date(start_time, 'unixepoch'))

-- statement: koreader-07
-- is: full-scan
-- because: a book by its checksum, for what synchronises: the unique index begins with the title
-- run: '0000000000000000000000000f9b1824' | '00000000000000000000000001df694c'

SELECT id, title, total_read_time FROM book WHERE md5 = ?

-- best
-- index: book (md5)

-- statement: koreader-08
-- fine
-- because: when each page of a book was first read, in the order of the unique key, which has all that is asked for
-- run: 1200 | 1300

SELECT page, min(start_time) FROM page_stat_data WHERE id_book = ? GROUP BY page

-- statement: koreader-09
-- is: index-not-covering, sort-without-index, subquery-per-row
-- because: when each book was last looked at: all of its pages are read, as the unique key has the page before the time

SELECT b.id, b.title, (SELECT max(p.start_time) FROM page_stat_data AS p WHERE p.id_book = b.id) AS latest FROM book AS b ORDER BY latest \
DESC LIMIT 10

-- best
-- index: page_stat_data (id_book, start_time)

-- statement: koreader-10
-- is: index-not-covering, partial-index, subquery-per-row
-- because: books that were read to their end: for most, all pages are looked up in vain

SELECT b.id, b.title FROM book AS b WHERE EXISTS (SELECT 1 FROM page_stat_data AS p WHERE p.id_book = b.id AND p.page >= p.total_pages) \
ORDER BY b.title

-- best
-- index: page_stat_data (id_book) WHERE page >= total_pages

-- or
-- index: page_stat_data (id_book, page, total_pages)

-- statement: koreader-11
-- is: join-fan-out, multiplied-aggregate
-- because: authors by time: a book's sum counts as often as it has pages in the time
-- run: 1650000000 | 1690000000

SELECT b.authors, count(DISTINCT b.id) AS books, sum(b.total_read_time) AS seconds FROM book AS b JOIN page_stat_data AS p ON p.id_book = b.id
WHERE p.start_time >= ? GROUP BY b.authors ORDER BY seconds DESC LIMIT 20

-- best
-- changes results

SELECT b.authors, count(*) AS books, sum(b.total_read_time) AS seconds FROM book AS b
WHERE b.id IN (SELECT p.id_book FROM page_stat_data AS p WHERE p.start_time >= ?) GROUP BY b.authors ORDER BY seconds DESC LIMIT 20

-- statement: koreader-12
-- is: index-not-covering, subquery-per-row
-- because: the sums of all books anew: each page's row is looked up for its time

UPDATE book SET total_read_time = (SELECT sum(p.duration) FROM page_stat_data AS p WHERE p.id_book = book.id) WHERE language = 'en'

-- best
-- index: page_stat_data (id_book, duration)

-- statement: koreader-13
-- is: full-scan, or-without-index
-- because: what can't be true: the time has an index, the duration none, and so neither is used
-- run: 1420080000, 14000

DELETE FROM page_stat_data WHERE start_time < ? OR duration > ?

-- best
-- index: page_stat_data (duration)

-- statement: koreader-14
-- is: case-insensitive-without-index, full-scan
-- because: a book by its title, whatever its case
-- run: 'flogrubra gruhaha tretu' | 'VACE LOCE LOCE'

SELECT id, title, authors FROM book WHERE title = ? COLLATE NOCASE

-- best
-- index: book (title COLLATE NOCASE)

-- statement: koreader-15
-- is: large-offset
-- because: a page far back in the diary: sixty thousand rows and their books are read and thrown away

SELECT p.start_time, p.duration, b.title, p.page FROM page_stat_data AS p JOIN book AS b ON b.id = p.id_book ORDER BY p.start_time DESC \
LIMIT 50 OFFSET 60000

-- best
-- run: 1570072900

SELECT p.start_time, p.duration, b.title, p.page FROM page_stat_data AS p JOIN book AS b ON b.id = p.id_book WHERE p.start_time < ? ORDER \
BY p.start_time DESC LIMIT 50

-- statement: koreader-16
-- fine
-- tolerated: index-not-covering, join-order
-- because: when something was last read: the view joins books and numbers, but the index is walked from its end

SELECT max(start_time) FROM page_stat

-- statement: koreader-17
-- fine
-- because: the pages of a book that was hardly read, by the unique key
-- run: 2200 | 1801

DELETE FROM page_stat_data WHERE id_book = ?
