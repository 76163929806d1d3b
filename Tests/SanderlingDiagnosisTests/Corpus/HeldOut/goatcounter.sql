-- schema: goatcounter
-- about: Visits of web sites, counted by hour and by day, each table with a unique key that starts with the site.
-- origin: GoatCounter 2.5 (EUPL-1.2, Copyright Martin Tournoij): seven of its tables with their indexes, without its checks

CREATE TABLE hits (
  hit_id integer primary key autoincrement, site_id integer not null, path_id integer not null, ref_id integer not null default 1,
  session blob default null, first_visit integer default 0, bot integer default 0, browser_id integer not null, system_id integer not null,
  campaign integer default null, size_id integer null, location varchar not null default '', language varchar, created_at timestamp not null);
CREATE INDEX "hits#site_id#created_at" ON hits(site_id, created_at desc);
CREATE TABLE paths (
  path_id integer primary key autoincrement, site_id integer not null, path varchar not null, title varchar not null default '', event \
integer default 0);
CREATE UNIQUE INDEX "paths#site_id#path" ON paths(site_id, lower(path));
CREATE INDEX "paths#title" ON paths(lower(title));
CREATE TABLE refs (ref_id integer primary key autoincrement, ref varchar not null, ref_scheme varchar null);
CREATE UNIQUE INDEX "refs#ref#ref_scheme" ON refs(lower(ref), ref_scheme);
CREATE TABLE browsers (browser_id integer primary key autoincrement, name varchar, version varchar);
CREATE TABLE hit_counts (
  site_id integer not null, path_id integer not null, hour timestamp not null, total integer not null,
  constraint "hit_counts#site_id#path_id#hour" unique(site_id, path_id, hour) on conflict replace);
CREATE INDEX "hit_counts#site_id#hour" ON hit_counts(site_id, hour desc);
CREATE TABLE ref_counts (
  site_id integer not null, path_id integer not null, ref_id integer not null, hour timestamp not null, total integer not null,
  constraint "ref_counts#site_id#path_id#ref_id#hour" unique(site_id, path_id, ref_id, hour) on conflict replace);
CREATE INDEX "ref_counts#site_id#hour" ON ref_counts(site_id, hour asc);
CREATE TABLE browser_stats (
  site_id integer not null, path_id integer not null, browser_id integer not null, day date not null, count integer not null,
  constraint "browser_stats#site_id#path_id#day#browser_id" unique(site_id, path_id, day, browser_id) on conflict replace);
CREATE INDEX "browser_stats#site_id#browser_id#day" ON browser_stats(site_id, browser_id, day desc);

INSERT INTO refs SELECT i, word(i) || '.example.' || iif(i % 2 = 0, 'org', 'com'), iif(i % 9 = 0, 'g', 'h') FROM numbers WHERE i <= 1500;
INSERT INTO browsers SELECT i, word(1 + i % 12), pick(1, i, 120) FROM numbers WHERE i <= 160;
INSERT INTO paths SELECT i, iif(chance(2, i) < 0.7, 1, 1 + pick(3, i, 9)), '/' || word(pick(4, i, 30)) || '/' || word(i) || '-' || word(i \
* 7), title(5, i, 5), 0
FROM numbers WHERE i <= 7000;
INSERT INTO hits
SELECT i, iif(chance(6, i) < 0.8, 1, 1 + skewed(7, i, 9)), skewed(8, i, 7000), skewed(9, i, 1500), printf('%016x', i / 3 * 7919), \
chance(10, i) < 0.4, chance(11, i) < 0.05,
  skewed(12, i, 160), pick(13, i, 30), NULL, pick(14, i, 20), upper(substr(word(skewed(15, i, 60)), 1, 2)), NULL,
  datetime(1700000000 + i * 300, 'unixepoch')
FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO hit_counts SELECT site_id, path_id, strftime('%Y-%m-%d %H:00:00', created_at), count(*) FROM hits GROUP BY 1, 2, 3;
INSERT OR IGNORE INTO ref_counts SELECT site_id, path_id, ref_id, strftime('%Y-%m-%d %H:00:00', created_at), count(*) FROM hits GROUP BY 1, 2, 3, 4;
INSERT OR IGNORE INTO browser_stats SELECT site_id, path_id, browser_id, date(created_at), count(*) FROM hits GROUP BY 1, 2, 3, 4;

-- statement: goatcounter-01
-- fine
-- tolerated: index-not-covering
-- because: a week of a page, by a unique key that ends with the hour
-- run: 1, 12, '2024-01-01 00:00:00', '2024-01-07 23:00:00'

SELECT hour, total FROM hit_counts WHERE site_id = ? AND path_id = ? AND hour >= ? AND hour <= ? ORDER BY hour

-- statement: goatcounter-02
-- is: group-without-index, index-not-covering
-- because: a month of a large site: its index leads to each row for two numbers
-- run: 1, '2024-01-01 00:00:00', '2024-01-31 23:00:00'

SELECT path_id, sum(total) AS n FROM hit_counts WHERE site_id = ? AND hour >= ? AND hour <= ? GROUP BY path_id ORDER BY n DESC LIMIT 10

-- best
-- index: hit_counts (site_id, hour, path_id, total)

-- statement: goatcounter-03
-- is: full-scan, index-not-covering
-- because: the unique index has the path in lower case, so that all of a site are read
-- run: 1, '/thaje/gudi-drilo' | 1, '/nofo/hatregu-shuwecece'

SELECT path_id, title FROM paths WHERE site_id = ? AND path = ?

-- best
-- index: paths (path)

-- or
-- index: paths (path, site_id)

-- statement: goatcounter-04
-- fine
-- tolerated: index-not-covering
-- because: the last visits by an index; one in twenty is left out
-- run: 1

SELECT hit_id, path_id, created_at FROM hits WHERE site_id = ? AND bot = 0 ORDER BY created_at DESC LIMIT 25

-- statement: goatcounter-05
-- is: group-without-index, harmful-index, index-not-covering, missing-statistics
-- because: who linked to a page in the last days: the unique key has the hour behind whoever linked
-- run: 1, 1, '2024-02-20 00:00:00' | 1, 2, '2024-02-18 00:00:00'

SELECT r.ref, sum(c.total) AS n FROM ref_counts c JOIN refs r USING (ref_id)
WHERE c.site_id = ? AND c.path_id = ? AND c.hour >= ? GROUP BY c.ref_id ORDER BY n DESC LIMIT 10

-- best
-- index: ref_counts (path_id, hour)

-- or
-- index: ref_counts (site_id, path_id, hour)

-- statement: goatcounter-06
-- is: full-scan, index-not-covering, sort-without-index
-- because: an export in parts of a small site: an index of the site alone goes on with the number
-- run: 9, 0 | 10, 4000

SELECT * FROM hits WHERE site_id = ? AND hit_id > ? ORDER BY hit_id LIMIT 200

-- best
-- index: hits (site_id)

-- statement: goatcounter-07
-- is: expression-index, function-on-column, index-not-covering
-- because: a day, by a function of the hour that hides its index
-- run: 1, '2024-01-15' | 1, '2023-12-24'

SELECT path_id, sum(total) FROM hit_counts WHERE site_id = ? AND date(hour) = ? GROUP BY path_id

-- best

SELECT path_id, sum(total) FROM hit_counts WHERE site_id = ?1 AND hour >= ?2 AND hour < date(?2, '+1 day') GROUP BY path_id

-- statement: goatcounter-08
-- is: full-scan, missing-statistics
-- because: what is too old, of all sites: the index begins with the site
-- run: '2023-11-16 00:00:00'

DELETE FROM hits WHERE created_at < ?

-- best
-- index: hits (created_at)

-- statement: goatcounter-09
-- is: group-without-index, index-not-covering, join-order
-- because: a week's browsers: by the index each browser is looked up, or all days are read
-- run: 1, '2024-02-10', '2024-02-16'

SELECT b.name, sum(s.count) AS n FROM browser_stats s JOIN browsers b USING (browser_id)
WHERE s.site_id = ? AND s.day >= ? AND s.day <= ? GROUP BY b.name ORDER BY n DESC

-- best
-- index: browser_stats (site_id, day, browser_id, count)

-- or
-- index: browser_stats (site_id, day)

-- statement: goatcounter-10
-- fine
-- because: a unique index of just this
-- run: 'noxi.example.com', 'h'

SELECT ref_id FROM refs WHERE lower(ref) = lower(?) AND ref_scheme = ?
