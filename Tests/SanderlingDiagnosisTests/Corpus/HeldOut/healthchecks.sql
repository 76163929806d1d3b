-- schema: healthchecks
-- about: A watch on jobs: each reports by a ping, and what doesn't come in time raises an alarm.
-- origin: Healthchecks 4.3 (BSD-3-Clause, Copyright Pēteris Caune and the Healthchecks contributors): eleven of its tables as Django \
--   makes them in SQLite, with their indexes
-- superfluous: redundant-index accounts_member_user_id_86a9f9ad
-- superfluous: redundant-index api_check_project_id_04ec2797
-- superfluous: redundant-index api_channel_checks_channel_id_7bf9c1cd
-- superfluous: redundant-index api_flip_owner_id_2fc0f9c2

CREATE TABLE "auth_user" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "last_login" datetime NULL, "is_superuser" bool NOT \
NULL, "username" varchar(150) NOT NULL UNIQUE, "last_name" varchar(150) NOT NULL,
  "email" varchar(254) NOT NULL, "is_staff" bool NOT NULL, "is_active" bool NOT NULL, "date_joined" datetime NOT NULL, "first_name" \
varchar(150) NOT NULL);
CREATE TABLE "accounts_profile" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL UNIQUE REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY \
DEFERRED, "next_report_date" datetime NULL, "reports" varchar(10) NOT NULL, "nag_period" bigint NOT NULL,
  "next_nag_date" datetime NULL, "ping_log_limit" integer NOT NULL, "check_limit" integer NOT NULL, "token" varchar(128) NOT NULL, "sort" \
varchar(20) NOT NULL, "deletion_notice_date" datetime NULL, "last_active_date" datetime NULL,
  "tz" varchar(36) NOT NULL);
CREATE TABLE "accounts_project" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "code" char(32) NOT NULL UNIQUE, "name" varchar(200) NOT NULL, "owner_id" integer NOT \
NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, "api_key" varchar(128) NOT NULL,
  "api_key_readonly" varchar(128) NOT NULL, "badge_key" varchar(150) NOT NULL UNIQUE, "ping_key" varchar(128) NULL UNIQUE, "show_slugs" \
bool NOT NULL);
CREATE INDEX "accounts_project_owner_id_31d0f4a4" ON "accounts_project" ("owner_id");
CREATE INDEX "accounts_project_api_key_99ad1acb" ON "accounts_project" ("api_key");
CREATE INDEX "accounts_project_api_key_readonly_b4ba4f81" ON "accounts_project" ("api_key_readonly");
CREATE TABLE "accounts_member" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "user_id" integer NOT NULL REFERENCES "auth_user" ("id") DEFERRABLE INITIALLY DEFERRED, \
"project_id" integer NOT NULL REFERENCES "accounts_project" ("id") DEFERRABLE INITIALLY DEFERRED,
  "transfer_request_date" datetime NULL, "role" varchar(1) NOT NULL, CONSTRAINT "accounts_member_no_duplicates" UNIQUE ("user_id", "project_id"));
CREATE INDEX "accounts_member_user_id_86a9f9ad" ON "accounts_member" ("user_id");
CREATE INDEX "accounts_member_project_id_9b9a5e8a" ON "accounts_member" ("project_id");
CREATE TABLE "api_check" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL, "slug" varchar(100) NOT NULL, "tags" varchar(500) NOT \
NULL, "code" char(32) NOT NULL UNIQUE, "desc" text NOT NULL,
  "project_id" integer NOT NULL REFERENCES "accounts_project" ("id") DEFERRABLE INITIALLY DEFERRED, "created" datetime NOT NULL, "kind" \
varchar(10) NOT NULL, "timeout" bigint NOT NULL, "grace" bigint NOT NULL, "schedule" varchar(100) NOT NULL,
  "tz" varchar(36) NOT NULL, "badge_key" char(32) NOT NULL UNIQUE, "n_pings" integer NOT NULL, "last_ping" datetime NULL, "last_start" \
datetime NULL, "last_duration" bigint NULL, "alert_after" datetime NULL, "status" varchar(6) NOT NULL);
CREATE INDEX "api_check_project_id_04ec2797" ON "api_check" ("project_id");
CREATE INDEX "api_check_aa_not_down" ON "api_check" ("alert_after") WHERE NOT ("status" = 'down');
CREATE INDEX "api_check_project_slug" ON "api_check" ("project_id", "slug");
CREATE TABLE "api_channel" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(100) NOT NULL, "code" char(32) NOT NULL UNIQUE, "project_id" integer NOT \
NULL REFERENCES "accounts_project" ("id") DEFERRABLE INITIALLY DEFERRED, "created" datetime NOT NULL,
  "kind" varchar(20) NOT NULL, "value" text NOT NULL, "email_verified" bool NOT NULL, "disabled" bool NOT NULL, "last_notify" datetime \
NULL, "last_notify_duration" bigint NULL, "last_error" varchar(200) NOT NULL);
CREATE INDEX "api_channel_project_id_b8e5ab47" ON "api_channel" ("project_id");
CREATE TABLE "api_channel_checks" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "channel_id" integer NOT NULL REFERENCES "api_channel" ("id") DEFERRABLE INITIALLY \
DEFERRED, "check_id" integer NOT NULL REFERENCES "api_check" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE UNIQUE INDEX "api_channel_checks_channel_id_check_id_cd72d7ad_uniq" ON "api_channel_checks" ("channel_id", "check_id");
CREATE INDEX "api_channel_checks_channel_id_7bf9c1cd" ON "api_channel_checks" ("channel_id");
CREATE INDEX "api_channel_checks_check_id_6a2f2f33" ON "api_channel_checks" ("check_id");
CREATE TABLE "api_ping" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "n" integer NULL, "owner_id" integer NOT NULL REFERENCES "api_check" ("id") DEFERRABLE \
INITIALLY DEFERRED, "created" datetime NOT NULL, "kind" varchar(6) NULL, "scheme" varchar(10) NOT NULL,
  "remote_addr" char(39) NULL, "method" varchar(10) NOT NULL, "ua" varchar(200) NOT NULL, "body_raw" BLOB NULL, "object_size" integer \
NULL, "exitstatus" smallint NULL, "rid" char(32) NULL);
CREATE INDEX "api_ping_owner_id_57ce0dde" ON "api_ping" ("owner_id");
CREATE TABLE "api_notification" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "code" char(32) NOT NULL UNIQUE, "owner_id" integer NULL REFERENCES "api_check" ("id") \
DEFERRABLE INITIALLY DEFERRED, "check_status" varchar(6) NOT NULL,
  "channel_id" integer NOT NULL REFERENCES "api_channel" ("id") DEFERRABLE INITIALLY DEFERRED, "created" datetime NOT NULL, "error" \
varchar(200) NOT NULL);
CREATE INDEX "api_notification_owner_id_a1b7b9dd" ON "api_notification" ("owner_id");
CREATE INDEX "api_notification_channel_id_2cbb2c2e" ON "api_notification" ("channel_id");
CREATE TABLE "api_flip" (
  "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "owner_id" integer NOT NULL REFERENCES "api_check" ("id") DEFERRABLE INITIALLY \
DEFERRED, "created" datetime NOT NULL, "processed" datetime NULL, "old_status" varchar(8) NOT NULL,
  "new_status" varchar(8) NOT NULL, "reason" varchar(8) NOT NULL);
CREATE INDEX "api_flip_owner_id_2fc0f9c2" ON "api_flip" ("owner_id");
CREATE INDEX "api_flip_not_processed" ON "api_flip" ("processed") WHERE "processed" IS NULL;
CREATE INDEX "api_flip_owner_created" ON "api_flip" ("owner_id", "created");
CREATE TABLE "api_tokenbucket" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "value" varchar(80) NOT NULL UNIQUE, "tokens" real NOT \
NULL, "updated" datetime NOT NULL);

INSERT INTO auth_user
SELECT i, 'pbkdf2_sha256$' || printf('%064x', i * 7919), iif(chance(1, i) < 0.03, NULL, datetime(1700000000 + pick(2, i, 40000000), \
'unixepoch')), i = 1, printf('%08x', i * 104729), '', word(i) || i || '@' || word(skewed(3, i, 40)) || '.example', i = 1, 1,
  datetime(1500000000 + i * 20000, 'unixepoch'), ''
FROM numbers WHERE i <= 12000;
INSERT INTO accounts_profile
SELECT i, i, iif(chance(4, i) < 0.96, datetime(1740000000 + pick(5, i, 2500000), 'unixepoch'), NULL), iif(chance(4, i) < 0.96, \
iif(chance(6, i) < 0.6, 'monthly', 'weekly'), 'off'), iif(chance(7, i) < 0.9, 0, 3600000000), iif(chance(7, i) < 0.9, NULL, \
datetime(1740000000 + pick(8, i, 4000), 'unixepoch')),
  iif(chance(9, i) < 0.9, 100, 1000), 20, '', 'created', iif(chance(10, i) < 0.01, datetime(1735000000 + pick(11, i, 5000000), \
'unixepoch'), NULL), datetime(1700000000 + pick(2, i, 40000000), 'unixepoch'), 'UTC'
FROM numbers WHERE i <= 12000;
INSERT INTO accounts_project SELECT i, printf('%032x', i * 7919), title(12, i, 2), iif(i <= 9000, i, skewed(13, i, 9000)), iif(chance(14, \
i) < 0.6, '', printf('%032x', i * 31)), '', printf('%032x', i * 37), NULL, 0 FROM numbers WHERE i <= 10000;
INSERT OR IGNORE INTO accounts_member SELECT i, pick(15, i, 12000), skewed(16, i, 10000), NULL, 'w' FROM numbers WHERE i <= 4000;
INSERT INTO api_check
SELECT i, title(17, i, 3), word(pick(18, i, 3000)), iif(chance(19, i) < 0.5, word(skewed(20, i, 30)), ''), printf('%032x', i * 15485863), \
iif(chance(21, i) < 0.3, prose(22, i, 150), ''), iif(i <= 260, 1, skewed(23, i, 10000)), datetime(1600000000 + i * 8000, 'unixepoch'), \
'simple', 86400000000, 3600000000,
  '* * * * *', 'UTC', printf('%032x', i * 32452843), 0, datetime(1740000000 - skewed(24, i, 9000000), 'unixepoch'), NULL, NULL, \
iif(chance(25, i) < 0.9, datetime(1740000000 + pick(26, i, 90000), 'unixepoch'), NULL), CASE WHEN chance(25, i) >= 0.9 THEN 'new' WHEN \
chance(27, i) < 0.08 THEN 'down' ELSE 'up' END
FROM numbers WHERE i <= 15000;
INSERT INTO api_channel SELECT i, '', printf('%032x', i * 49979687), iif(i <= 30, 1, pick(28, i, 10000)), datetime(1600000000 + i * 9000, \
'unixepoch'), iif(chance(29, i) < 0.7, 'email', word(skewed(30, i, 12))), word(i) || '@x.example', 1, 0, NULL, NULL, '' FROM numbers WHERE \
i <= 12000;
INSERT OR IGNORE INTO api_channel_checks (channel_id, check_id) SELECT n.id, c.id FROM api_check AS c JOIN api_channel AS n ON \
n.project_id = c.project_id WHERE c.id % 3 > 0 OR c.project_id > 1;
INSERT INTO api_ping
SELECT i, 1 + i / 4, iif(chance(31, i) < 0.25, 7, skewed(32, i, 12000)), datetime(1722000000 + i * 300, 'unixepoch'), iif(chance(33, i) < \
0.15, 'start', iif(chance(34, i) < 0.03, 'fail', NULL)), 'https', '203.0.113.' || pick(35, i, 250), 'POST', 'curl/8.' || pick(36, i, 9),
  iif(chance(37, i) < 0.6, CAST(prose(38, i, 40 + skewed(39, i, 1500)) AS BLOB), NULL), NULL, NULL, iif(chance(33, i) < 0.15, \
printf('%032x', i), NULL)
FROM numbers WHERE i <= 60000;
UPDATE api_check SET n_pings = coalesce((SELECT max(n) FROM api_ping WHERE owner_id = api_check.id), 0);
INSERT INTO api_notification
SELECT i, printf('%032x', i * 67867967), iif(chance(40, i) < 0.02, NULL, skewed(41, i, 15000)), iif(i % 2, 'down', 'up'), pick(42, i, \
12000), datetime(1722000000 + i * 450, 'unixepoch'), iif(chance(43, i) < 0.004, 'Received status code ' || (500 + pick(44, i, 4)), '')
FROM numbers WHERE i <= 40000;
INSERT INTO api_flip SELECT i, skewed(45, i, 15000), datetime(1722000000 + i * 450, 'unixepoch'), iif(i > 39998, NULL, datetime(1722000000 \
+ i * 450 + 5, 'unixepoch')), iif(i % 2, 'up', 'down'), iif(i % 2, 'down', 'up'), iif(i % 2, 'timeout', '') FROM numbers WHERE i <= 40000;
INSERT INTO api_tokenbucket SELECT i, iif(i % 3, 'em-', 'auth-') || printf('%040x', i * 7919), chance(46, i), datetime(1740000000 - \
iif(chance(47, i) < 0.003, 86400 + pick(48, i, 90000), pick(49, i, 86000)), 'unixepoch') FROM numbers WHERE i <= 25000;

-- statement: healthchecks-01
-- is: index-not-covering, sort-without-index
-- because: the log of a check that pings often: all of its pings are read and sorted for the newest of them
-- run: 7, 13999, '2024-07-28 00:00:00', '2025-03-01 00:00:00'

SELECT "id", "n", "owner_id", "created", "kind", "scheme", "remote_addr", "method", "ua", "object_size", "exitstatus", "rid", \
substr("body_raw", 1, 151) AS "body_raw_preview" FROM "api_ping"
WHERE "owner_id" = ? AND "n" > ? AND "created" >= ? AND "created" <= ? ORDER BY "n" DESC LIMIT 101

-- best
-- index: "api_ping" ("owner_id", "n")

-- or
-- index: "api_ping" ("owner_id", "n", "created")

-- statement: healthchecks-02
-- is: index-not-covering, sort-without-index
-- because: the oldest ping that a check still has: all of its pings are read for it
-- run: 7 | 1

SELECT "id", "n", "owner_id", "created", "kind", "scheme", "remote_addr", "method", "ua", "exitstatus", "rid" FROM "api_ping" WHERE \
"owner_id" = ? ORDER BY "created" ASC LIMIT 1

-- best
-- index: "api_ping" ("owner_id", "created")

-- statement: healthchecks-03
-- is: full-scan, partial-index, sort-without-index
-- because: the last alarms that couldn't be delivered: very few of all

SELECT n."id", n."created", n."check_status", n."error", c."kind", c."value" FROM "api_notification" AS n INNER JOIN "api_channel" AS c ON \
c."id" = n."channel_id" WHERE n."error" <> '' ORDER BY n."id" DESC LIMIT 100

-- best
-- index: "api_notification" ("id") WHERE "error" <> ''

-- statement: healthchecks-04
-- is: full-scan
-- because: who signs in: Django has an index of the name of a user, not of the address
-- sampled
-- run: 'ceripli4000@loce.example' | 'staxishuce9000@yodi.example'

SELECT * FROM "auth_user" WHERE "email" = ?

-- best
-- index: "auth_user" ("email")

-- statement: healthchecks-05
-- is: full-scan, partial-index
-- because: accounts never used since a month: all users are read for a few
-- run: '2024-01-01 00:00:00' | '2022-01-01 00:00:00'

SELECT u."id", u."email", count(m."id") AS "n_teams" FROM "auth_user" AS u LEFT OUTER JOIN "accounts_member" AS m ON u."id" = m."user_id" \
WHERE u."date_joined" < ? AND u."last_login" IS NULL
GROUP BY u."id" HAVING count(m."id") = 0 ORDER BY u."id"

-- best
-- index: "auth_user" ("last_login", "date_joined")

-- or
-- index: "auth_user" ("id") WHERE "last_login" IS NULL

-- or
-- index: "auth_user" ("last_login")

-- statement: healthchecks-06
-- is: full-scan, or-without-index, partial-index
-- because: whose report is due: nobody's at most times, and all are read each minute
-- run: '2025-02-19 21:20:00'

SELECT "id", "user_id", "next_report_date", "reports", "tz" FROM "accounts_profile" WHERE "next_report_date" < ? OR ("next_report_date" IS \
NULL AND "reports" <> 'off') ORDER BY "id" LIMIT 1

-- best
-- index: "accounts_profile" ("next_report_date", "reports")

-- or
-- index: "accounts_profile" ("next_report_date")

-- statement: healthchecks-07
-- is: full-scan
-- because: buckets that nobody used for a day
-- run: '2025-02-18 21:20:00'

DELETE FROM "api_tokenbucket" WHERE "updated" < ?

-- best
-- index: "api_tokenbucket" ("updated")

-- statement: healthchecks-08
-- is: join-fan-out, multiplied-aggregate
-- because: the projects of a user: each check of a project is joined with each of its channels, to count both
-- run: 1

SELECT p."id", p."name", count(DISTINCT k."id") AS "n_checks", count(DISTINCT n."id") AS "n_channels" FROM "accounts_project" AS p LEFT \
OUTER JOIN "api_check" AS k ON k."project_id" = p."id" LEFT OUTER JOIN "api_channel" AS n ON n."project_id" = p."id"
WHERE p."id" IN (SELECT "id" FROM "accounts_project" WHERE "owner_id" = ?1 UNION SELECT "project_id" FROM "accounts_member" WHERE \
"user_id" = ?1) GROUP BY p."id" ORDER BY lower(p."name")

-- best

SELECT p."id", p."name", (SELECT count(*) FROM "api_check" AS k WHERE k."project_id" = p."id") AS "n_checks", (SELECT count(*) FROM \
"api_channel" AS n WHERE n."project_id" = p."id") AS "n_channels"
FROM "accounts_project" AS p WHERE p."id" IN (SELECT "id" FROM "accounts_project" WHERE "owner_id" = ?1 UNION SELECT "project_id" FROM \
"accounts_member" WHERE "user_id" = ?1) ORDER BY lower(p."name")

-- statement: healthchecks-09
-- is: repeated-statement
-- because: the changes of each check of a project, one check after the other
-- operation: weekly report
-- run: 1, '2025-02-13 00:00:00' | 2, '2025-02-13 00:00:00' | 3, '2025-02-13 00:00:00' | 4, '2025-02-13 00:00:00' | 5, '2025-02-13 \
--   00:00:00' | 6, '2025-02-13 00:00:00' | 7, '2025-02-13 00:00:00' | 8, '2025-02-13 00:00:00' | 9, '2025-02-13 00:00:00' | 10, '2025-02-13 \
--   00:00:00' | 11, '2025-02-13 00:00:00' | 12, '2025-02-13 00:00:00' | 13, '2025-02-13 00:00:00' | 14, '2025-02-13 00:00:00' | 15, \
--   '2025-02-13 00:00:00' | 16, '2025-02-13 00:00:00' | 17, '2025-02-13 00:00:00' | 18, '2025-02-13 00:00:00' | 19, '2025-02-13 00:00:00' | \
--   20, '2025-02-13 00:00:00' | 21, '2025-02-13 00:00:00' | 22, '2025-02-13 00:00:00' | 23, '2025-02-13 00:00:00' | 24, '2025-02-13 00:00:00' \
--   | 25, '2025-02-13 00:00:00' | 26, '2025-02-13 00:00:00' | 27, '2025-02-13 00:00:00' | 28, '2025-02-13 00:00:00' | 29, '2025-02-13 \
--   00:00:00' | 30, '2025-02-13 00:00:00' | 31, '2025-02-13 00:00:00' | 32, '2025-02-13 00:00:00' | 33, '2025-02-13 00:00:00' | 34, \
--   '2025-02-13 00:00:00' | 35, '2025-02-13 00:00:00' | 36, '2025-02-13 00:00:00' | 37, '2025-02-13 00:00:00' | 38, '2025-02-13 00:00:00' | \
--   39, '2025-02-13 00:00:00' | 40, '2025-02-13 00:00:00' | 41, '2025-02-13 00:00:00' | 42, '2025-02-13 00:00:00' | 43, '2025-02-13 00:00:00' \
--   | 44, '2025-02-13 00:00:00' | 45, '2025-02-13 00:00:00' | 46, '2025-02-13 00:00:00' | 47, '2025-02-13 00:00:00' | 48, '2025-02-13 \
--   00:00:00' | 49, '2025-02-13 00:00:00' | 50, '2025-02-13 00:00:00' | 51, '2025-02-13 00:00:00' | 52, '2025-02-13 00:00:00' | 53, \
--   '2025-02-13 00:00:00' | 54, '2025-02-13 00:00:00' | 55, '2025-02-13 00:00:00' | 56, '2025-02-13 00:00:00' | 57, '2025-02-13 00:00:00' | \
--   58, '2025-02-13 00:00:00' | 59, '2025-02-13 00:00:00' | 60, '2025-02-13 00:00:00'

SELECT "id", "owner_id", "created", "new_status" FROM "api_flip" WHERE "owner_id" = ? AND "created" > ? ORDER BY "created" DESC

-- best
-- run: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, \
--   36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, '2025-02-13 00:00:00'

SELECT "id", "owner_id", "created", "new_status" FROM "api_flip" WHERE "owner_id" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) AND "created" > ? ORDER BY "owner_id"

-- statement: healthchecks-10
-- fine
-- because: the next check to be late, by its partial index
-- run: '2025-02-19 21:21:00'

SELECT * FROM "api_check" WHERE "alert_after" < ? AND NOT ("status" = 'down') ORDER BY "alert_after" LIMIT 1

-- statement: healthchecks-11
-- fine
-- tolerated: index-not-covering
-- because: old alarms of a check, of which there are few
-- run: 300, '2024-10-01 00:00:00'

DELETE FROM "api_notification" WHERE "owner_id" = ? AND "created" < ?

-- statement: healthchecks-12
-- fine
-- because: the next change to tell of, by its partial index

SELECT * FROM "api_flip" WHERE "processed" IS NULL ORDER BY "id" LIMIT 1
