-- schema: redmine
-- about: A tracker of issues: filters become subqueries for each issue, fields that users add are rows of their own, projects are nested \
--   sets.
-- origin: Redmine 7.0 (GPL-2.0-or-later, Copyright Jean-Philippe Lang and the Redmine contributors): twelve of its tables as its \
--   migrations leave them on SQLite, with their indexes
-- superfluous: redundant-index index_watchers_on_user_id
-- superfluous: redundant-index index_journals_on_journalized_id
-- superfluous: redundant-index index_issue_relations_on_issue_from_id

CREATE TABLE "projects" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar DEFAULT '' NOT NULL, "description" text, "is_public" boolean DEFAULT 1 \
NOT NULL, "parent_id" integer, "created_on" datetime,
  "updated_on" datetime, "identifier" varchar, "status" integer DEFAULT 1 NOT NULL, "lft" integer, "rgt" integer);
CREATE INDEX "index_projects_on_lft" ON "projects" ("lft");
CREATE INDEX "index_projects_on_rgt" ON "projects" ("rgt");
CREATE UNIQUE INDEX "index_projects_on_identifier" ON "projects" ("identifier");
CREATE TABLE "enabled_modules" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "project_id" integer, "name" varchar NOT NULL);
CREATE INDEX "enabled_modules_project_id" ON "enabled_modules" ("project_id");
CREATE TABLE "issue_statuses" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar(30) DEFAULT '' NOT NULL, "is_closed" \
boolean DEFAULT 0 NOT NULL, "position" integer DEFAULT 1);
CREATE INDEX "index_issue_statuses_on_position" ON "issue_statuses" ("position");
CREATE INDEX "index_issue_statuses_on_is_closed" ON "issue_statuses" ("is_closed");
CREATE TABLE "issues" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "tracker_id" integer NOT NULL, "project_id" integer NOT NULL, "subject" varchar DEFAULT \
'' NOT NULL, "description" text, "due_date" date,
  "category_id" integer, "status_id" integer NOT NULL, "assigned_to_id" integer, "priority_id" integer NOT NULL, "fixed_version_id" \
integer, "author_id" integer NOT NULL,
  "lock_version" integer DEFAULT 0 NOT NULL, "created_on" datetime, "updated_on" datetime, "start_date" date, "done_ratio" integer DEFAULT \
0 NOT NULL, "estimated_hours" float,
  "parent_id" integer DEFAULT NULL, "root_id" integer DEFAULT NULL, "lft" integer DEFAULT NULL, "rgt" integer DEFAULT NULL, "is_private" \
boolean DEFAULT 0 NOT NULL, "closed_on" datetime);
CREATE INDEX "issues_project_id" ON "issues" ("project_id");
CREATE INDEX "index_issues_on_status_id" ON "issues" ("status_id");
CREATE INDEX "index_issues_on_category_id" ON "issues" ("category_id");
CREATE INDEX "index_issues_on_assigned_to_id" ON "issues" ("assigned_to_id");
CREATE INDEX "index_issues_on_fixed_version_id" ON "issues" ("fixed_version_id");
CREATE INDEX "index_issues_on_tracker_id" ON "issues" ("tracker_id");
CREATE INDEX "index_issues_on_priority_id" ON "issues" ("priority_id");
CREATE INDEX "index_issues_on_author_id" ON "issues" ("author_id");
CREATE INDEX "index_issues_on_created_on" ON "issues" ("created_on");
CREATE INDEX "index_issues_on_root_id_and_lft_and_rgt" ON "issues" ("root_id", "lft", "rgt");
CREATE INDEX "index_issues_on_parent_id" ON "issues" ("parent_id");
CREATE TABLE "journals" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "journalized_id" integer DEFAULT 0 NOT NULL, "journalized_type" varchar(30) DEFAULT '' \
NOT NULL, "user_id" integer DEFAULT 0 NOT NULL,
  "notes" text, "created_on" datetime NOT NULL, "private_notes" boolean DEFAULT 0 NOT NULL);
CREATE INDEX "journals_journalized_id" ON "journals" ("journalized_id", "journalized_type");
CREATE INDEX "index_journals_on_user_id" ON "journals" ("user_id");
CREATE INDEX "index_journals_on_journalized_id" ON "journals" ("journalized_id");
CREATE INDEX "index_journals_on_created_on" ON "journals" ("created_on");
CREATE TABLE "journal_details" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "journal_id" integer DEFAULT 0 NOT NULL, "property" varchar(30) DEFAULT '' NOT NULL, \
"prop_key" varchar(30) DEFAULT '' NOT NULL,
  "old_value" text, "value" text);
CREATE INDEX "journal_details_journal_id" ON "journal_details" ("journal_id");
CREATE TABLE "custom_values" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "customized_type" varchar(30) DEFAULT '' NOT NULL, "customized_id" integer DEFAULT 0 \
NOT NULL, "custom_field_id" integer DEFAULT 0 NOT NULL, "value" text);
CREATE INDEX "custom_values_customized_custom_field" ON "custom_values" ("customized_type", "customized_id", "custom_field_id");
CREATE INDEX "index_custom_values_on_custom_field_id" ON "custom_values" ("custom_field_id");
CREATE TABLE "watchers" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "watchable_type" varchar DEFAULT '' NOT NULL, "watchable_id" integer DEFAULT 0 NOT \
NULL, "user_id" integer);
CREATE INDEX "watchers_user_id_type" ON "watchers" ("user_id", "watchable_type");
CREATE INDEX "index_watchers_on_user_id" ON "watchers" ("user_id");
CREATE INDEX "index_watchers_on_watchable_id_and_watchable_type" ON "watchers" ("watchable_id", "watchable_type");
CREATE TABLE "time_entries" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "project_id" integer NOT NULL, "user_id" integer NOT NULL, "issue_id" integer, "hours" \
float NOT NULL, "comments" varchar(1024),
  "activity_id" integer NOT NULL, "spent_on" date NOT NULL, "tyear" integer NOT NULL, "tmonth" integer NOT NULL, "tweek" integer NOT NULL, \
"created_on" datetime NOT NULL,
  "updated_on" datetime NOT NULL);
CREATE INDEX "time_entries_project_id" ON "time_entries" ("project_id");
CREATE INDEX "time_entries_issue_id" ON "time_entries" ("issue_id");
CREATE INDEX "index_time_entries_on_activity_id" ON "time_entries" ("activity_id");
CREATE INDEX "index_time_entries_on_user_id" ON "time_entries" ("user_id");
CREATE INDEX "index_time_entries_on_created_on" ON "time_entries" ("created_on");
CREATE TABLE "issue_relations" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "issue_from_id" integer NOT NULL, "issue_to_id" integer NOT NULL, "relation_type" \
varchar DEFAULT '' NOT NULL, "delay" integer);
CREATE INDEX "index_issue_relations_on_issue_from_id" ON "issue_relations" ("issue_from_id");
CREATE INDEX "index_issue_relations_on_issue_to_id" ON "issue_relations" ("issue_to_id");
CREATE UNIQUE INDEX "index_issue_relations_on_issue_from_id_and_issue_to_id" ON "issue_relations" ("issue_from_id", "issue_to_id");
CREATE TABLE "attachments" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "container_id" integer DEFAULT NULL, "container_type" varchar(30) DEFAULT NULL, \
"filename" varchar DEFAULT '' NOT NULL,
  "disk_filename" varchar DEFAULT '' NOT NULL, "filesize" bigint DEFAULT 0 NOT NULL, "content_type" varchar DEFAULT '', "digest" \
varchar(64) DEFAULT '' NOT NULL, "downloads" integer DEFAULT 0 NOT NULL,
  "author_id" integer DEFAULT 0 NOT NULL, "created_on" datetime, "description" varchar, "disk_directory" varchar);
CREATE INDEX "index_attachments_on_author_id" ON "attachments" ("author_id");
CREATE INDEX "index_attachments_on_created_on" ON "attachments" ("created_on");
CREATE INDEX "index_attachments_on_container_id_and_container_type" ON "attachments" ("container_id", "container_type");
CREATE INDEX "index_attachments_on_disk_filename" ON "attachments" ("disk_filename");

INSERT INTO projects (name, description, is_public, parent_id, created_on, updated_on, identifier, status, lft, rgt)
SELECT title(1, i, 2), prose(2, i, 80), chance(3, i) < 0.5, iif(i % 5 = 1, NULL, i - (i - 1) % 5), '2015-01-01', '2025-01-01', word(i * \
7919), iif(chance(4, i) < 0.1, 9, iif(chance(4, i) < 0.2, 5, 1)),
  iif(i % 5 = 1, (i - 1) * 2 + 1, (i - 1) * 2), iif(i % 5 = 1, (i - 1) * 2 + 10, (i - 1) * 2 + 1) FROM numbers WHERE i <= 120;
INSERT INTO enabled_modules (project_id, name) SELECT 1 + i / 6, CASE i % 6 WHEN 0 THEN 'issue_tracking' WHEN 1 THEN 'time_tracking' WHEN \
2 THEN 'news' WHEN 3 THEN 'wiki' WHEN 4 THEN 'repository' ELSE 'calendar' END FROM numbers WHERE i <= 710;
INSERT INTO issue_statuses (name, is_closed, position) SELECT title(5, i, 1), i IN (5, 6), i FROM numbers WHERE i <= 6;
INSERT INTO issues (id, tracker_id, project_id, subject, description, status_id, assigned_to_id, priority_id, fixed_version_id, author_id, \
created_on, updated_on, start_date, done_ratio, estimated_hours, parent_id, root_id, lft, rgt, is_private, due_date)
SELECT i, 1 + skewed(6, i, 3), skewed(7, i, 120), title(8, i, 6), prose(9, i, 300 + pick(10, i, 600)), CASE WHEN chance(11, i) < 0.82 THEN \
5 WHEN chance(11, i) < 0.87 THEN 6 ELSE 1 + pick(12, i, 4) - 1 END,
  iif(chance(13, i) < 0.3, NULL, skewed(14, i, 150)), 1 + pick(15, i, 5), iif(chance(16, i) < 0.4, skewed(17, i, 200), NULL), skewed(18, i, 300),
  datetime(1400000000 + i * 24000, 'unixepoch'), datetime(1400000000 + i * 24000 + skewed(19, i, 60000000), 'unixepoch'), date(1400000000 \
+ i * 24000, 'unixepoch'), 10 * pick(20, i, 10), iif(chance(21, i) < 0.2, pick(22, i, 40), NULL),
  iif(i % 10 = 3, i - 1, NULL), iif(i % 10 = 3, i - 1, i), iif(i % 10 = 3, 2, 1), iif(i % 10 = 3, 3, iif(i % 10 = 2, 4, 2)), chance(23, i) \
< 0.03, iif(chance(24, i) < 0.1, date(1400000000 + i * 24000 + 2000000, 'unixepoch'), NULL)
FROM numbers WHERE i <= 14000;
INSERT INTO journals (journalized_id, journalized_type, user_id, notes, created_on, private_notes)
SELECT pick(25, i / 3, 14000), 'Issue', skewed(26, i, 250), iif(chance(27, i) < 0.6, prose(28, i, 120), ''), datetime(1400000000 + i * \
10500, 'unixepoch'), chance(29, i) < 0.02 FROM numbers WHERE i <= 32000;
INSERT INTO journal_details (journal_id, property, prop_key, old_value, value)
SELECT pick(30, i, 32000), 'attr', CASE WHEN chance(31, i) < 0.5 THEN 'status_id' WHEN chance(31, i) < 0.8 THEN 'assigned_to_id' WHEN \
chance(31, i) < 0.85 THEN 'fixed_version_id' ELSE 'done_ratio' END, pick(32, i, 6), pick(33, i, 6) FROM numbers WHERE i <= 30000;
INSERT INTO custom_values (customized_type, customized_id, custom_field_id, value)
SELECT iif(i % 40 = 0, 'Project', 'Issue'), iif(i % 40 = 0, 1 + i / 40 % 120, 1 + i / 2 % 14000), iif(i % 40 = 0, 9, 1 + i % 2 + 2 * (i / \
28000)), iif(chance(34, i) < 0.3, '', word(skewed(35, i, 300))) FROM numbers WHERE i <= 40000;
INSERT INTO watchers (watchable_type, watchable_id, user_id) SELECT iif(chance(36, i) < 0.95, 'Issue', 'WikiPage'), pick(37, i, 14000), \
skewed(38, i, 250) FROM numbers WHERE i <= 9000;
INSERT INTO time_entries (project_id, user_id, issue_id, hours, comments, activity_id, spent_on, tyear, tmonth, tweek, created_on, updated_on)
SELECT skewed(39, i, 120), skewed(40, i, 80), pick(41, i, 14000), 0.25 * pick(42, i, 30), title(43, i, 3), 8 + pick(44, i, 4), \
date(1420000000 + i * 18000, 'unixepoch'), CAST(strftime('%Y', 1420000000 + i * 18000, 'unixepoch') AS INTEGER),
  CAST(strftime('%m', 1420000000 + i * 18000, 'unixepoch') AS INTEGER), CAST(strftime('%W', 1420000000 + i * 18000, 'unixepoch') AS \
INTEGER), datetime(1420000000 + i * 18000, 'unixepoch'), datetime(1420000000 + i * 18000, 'unixepoch')
FROM numbers WHERE i <= 18000;
INSERT OR IGNORE INTO issue_relations (issue_from_id, issue_to_id, relation_type) SELECT pick(45, i, 14000), pick(46, i, 14000), \
iif(chance(47, i) < 0.8, 'relates', 'blocks') FROM numbers WHERE i <= 2500;
INSERT INTO attachments (container_id, container_type, filename, disk_filename, filesize, content_type, digest, author_id, created_on)
SELECT iif(chance(48, i) < 0.01, NULL, pick(49, i, 14000)), iif(chance(48, i) < 0.01, NULL, iif(chance(50, i) < 0.9, 'Issue', \
'WikiPage')), word(i * 31) || '.png', '1500' || i || '_' || word(i * 31) || '.png', pick(51, i, 900000), 'image/png',
  printf('%064x', iif(chance(52, i) < 0.05, i - 1, i) * 104729), skewed(53, i, 200), datetime(1400000000 + i * 40000, 'unixepoch') FROM \
numbers WHERE i <= 8000;

-- statement: redmine-01
-- is: harmful-index, index-not-covering, join-order, missing-statistics, sort-without-index, subquery-per-row
-- because: what is open in a project and those within: what is open in all projects is looked up
-- run: 1, 10 | 101, 110

SELECT issues.id, issues.subject FROM issues
INNER JOIN projects ON projects.id = issues.project_id INNER JOIN issue_statuses ON issue_statuses.id = issues.status_id
WHERE (projects.status <> 9 AND EXISTS (SELECT 1 AS one FROM enabled_modules em WHERE em.project_id = projects.id AND em.name = 'issue_tracking'))
AND issue_statuses.is_closed = 0 AND projects.lft >= ? AND projects.rgt <= ? ORDER BY issues.id DESC LIMIT 25

-- best
-- index: issues (project_id, status_id)

SELECT issues.id, issues.subject FROM projects
CROSS JOIN issues ON projects.id = issues.project_id INNER JOIN issue_statuses ON issue_statuses.id = issues.status_id
WHERE (projects.status <> 9 AND EXISTS (SELECT 1 AS one FROM enabled_modules em WHERE em.project_id = projects.id AND em.name = 'issue_tracking'))
AND issue_statuses.is_closed = 0 AND projects.lft >= ? AND projects.rgt <= ? ORDER BY issues.id DESC LIMIT 25

-- or
-- index: issues (status_id, project_id)

-- or
-- change: ANALYZE

-- statement: redmine-02
-- is: harmful-index, index-not-covering, join-order, missing-statistics
-- because: how many of a project are closed: the closed ones of all are looked up
-- run: 1, 10

SELECT COUNT(*) FROM issues INNER JOIN projects ON projects.id = issues.project_id
WHERE projects.status <> 9 AND issues.status_id IN (SELECT id FROM issue_statuses WHERE is_closed = 1) AND projects.lft >= ? AND projects.rgt <= ?

-- best
-- index: issues (status_id, project_id)

-- or
-- index: issues (project_id, status_id)
-- change: ANALYZE

-- or
-- change: ANALYZE

-- statement: redmine-03
-- is: index-not-covering, missing-statistics, sort-without-index
-- because: what two people have to do: what they have done is looked up, too
-- run: 77, 120

SELECT id, subject, updated_on FROM issues WHERE assigned_to_id IN (?, ?) AND status_id IN (SELECT id FROM issue_statuses WHERE is_closed \
= 0) ORDER BY updated_on DESC LIMIT 10

-- best
-- index: issues (assigned_to_id, status_id)

-- or
-- index: issues (assigned_to_id, status_id, updated_on)

-- statement: redmine-04
-- is: full-scan, join-order, sort-without-index
-- because: what was changed last: all issues are read and sorted
-- run: 5, 5

SELECT issues.id, issues.subject, issues.updated_on FROM issues INNER JOIN projects ON projects.id = issues.project_id
WHERE projects.status <> 9 AND (issues.is_private = 0 OR issues.author_id = ? OR issues.assigned_to_id = ?) ORDER BY issues.updated_on \
DESC, issues.id DESC LIMIT 25

-- best
-- index: issues (updated_on DESC)

-- or
-- index: issues (updated_on, id)

-- or
-- index: issues (updated_on)

-- statement: redmine-05
-- fine
-- tolerated: group-without-index, index-not-covering
-- because: the last notes of some issues
-- run: 13990, 13991, 13992, 13993, 13994

SELECT MAX(id) FROM journals WHERE journalized_type = 'Issue' AND journalized_id IN (?, ?, ?, ?, ?) AND notes <> '' GROUP BY journalized_id

-- statement: redmine-06
-- is: full-scan, join-order, missing-statistics, subquery-per-row
-- because: issues that somebody changed last: all issues are asked
-- run: 40 | 200

SELECT COUNT(*) FROM issues WHERE EXISTS (
  SELECT 1 FROM journals sj WHERE sj.journalized_type = 'Issue' AND sj.journalized_id = issues.id AND sj.user_id IN (?)
  AND sj.id IN (SELECT MAX(journals.id) FROM journals WHERE journals.journalized_type = 'Issue' AND journals.journalized_id = issues.id \
AND journals.private_notes = 0))

-- best

SELECT COUNT(*) FROM issues WHERE id IN (
  SELECT sj.journalized_id FROM journals sj WHERE sj.user_id IN (?) AND sj.journalized_type = 'Issue'
  AND sj.id = (SELECT MAX(journals.id) FROM journals WHERE journals.journalized_type = 'Issue' AND journals.journalized_id = \
sj.journalized_id AND journals.private_notes = 0))

-- statement: redmine-07
-- is: full-scan, harmful-index, join-order, missing-statistics, subquery-per-row
-- because: issues that somebody changed: each of all is asked for them
-- run: 60 | 200

SELECT id, subject FROM issues WHERE status_id IN (SELECT id FROM issue_statuses WHERE is_closed = 1) AND EXISTS (
  SELECT 1 FROM journals WHERE journals.journalized_type = 'Issue' AND journals.journalized_id = issues.id AND journals.user_id = ?) ORDER BY id DESC

-- best

SELECT id, subject FROM issues WHERE +status_id IN (SELECT id FROM issue_statuses WHERE is_closed = 1) AND id IN (
  SELECT journalized_id FROM journals WHERE journals.journalized_type = 'Issue' AND journals.user_id = ?) ORDER BY id DESC

-- statement: redmine-08
-- is: full-scan, join-order, missing-statistics, subquery-per-row
-- because: issues by a field of the user's: each is asked for its value, where few have it
-- run: 'cleru'

SELECT COUNT(*) FROM issues WHERE issues.status_id IN (5, 6) AND EXISTS (
  SELECT ct.id FROM issues ct LEFT OUTER JOIN custom_values ON custom_values.customized_type = 'Issue' AND custom_values.customized_id = \
ct.id AND custom_values.custom_field_id = 2
  WHERE issues.id = ct.id AND custom_values.value IN (?))

-- best
-- index: custom_values (custom_field_id, value)

SELECT COUNT(*) FROM issues WHERE issues.status_id IN (5, 6) AND issues.id IN (
  SELECT custom_values.customized_id FROM custom_values WHERE custom_values.customized_type = 'Issue' AND custom_values.custom_field_id = \
2 AND custom_values.value IN (?))

-- statement: redmine-09
-- fine
-- tolerated: distinct-without-index, index-not-covering
-- because: what happened in ten days
-- run: '2024-03-01', '2024-03-11'

SELECT DISTINCT journals.id, journals.created_on FROM journals LEFT OUTER JOIN journal_details ON journal_details.journal_id = journals.id
WHERE journals.journalized_type = 'Issue' AND journals.created_on BETWEEN ? AND ? AND (journal_details.prop_key = 'status_id' OR journals.notes <> '')

-- statement: redmine-10
-- is: full-scan, group-without-index
-- because: the hours of two months: all are read
-- run: '2024-03-01', '2024-04-30'

SELECT user_id, tyear, tmonth, SUM(hours) FROM time_entries WHERE spent_on BETWEEN ? AND ? GROUP BY user_id, tyear, tmonth

-- best
-- index: time_entries (spent_on)

-- or
-- index: time_entries (spent_on, user_id, tyear, tmonth, hours)

-- statement: redmine-11
-- is: full-scan
-- because: a file that is there already, by its digest
-- run: '00000000000000000000000000000000000000000000000000000000007b0c85', 0, 5

SELECT id, filename FROM attachments WHERE digest = ? AND filesize = ? AND id <> ? ORDER BY id

-- best
-- index: attachments (digest)

-- or
-- index: attachments (filesize)

-- or
-- index: attachments (digest, filesize)

-- statement: redmine-12
-- fine
-- tolerated: sort-without-index
-- because: the relations of an issue, by an index of each side
-- run: 5000, 5000

SELECT * FROM issue_relations WHERE (issue_from_id = ? OR issue_to_id = ?) ORDER BY id

-- statement: redmine-13
-- is: index-not-covering, missing-statistics
-- because: when a project changed last: all its issues are looked up
-- run: 1 | 2

SELECT MAX(updated_on) FROM issues WHERE project_id = ?

-- best
-- index: issues (project_id, updated_on)

-- statement: redmine-14
-- is: large-offset
-- because: a page far behind the first

SELECT id, subject, status_id FROM issues ORDER BY id DESC LIMIT 25 OFFSET 9000

-- best
-- run: 5000

SELECT id, subject, status_id FROM issues WHERE id <= ? ORDER BY id DESC LIMIT 25

-- statement: redmine-15
-- is: group-without-index, index-not-covering, missing-statistics
-- because: who works on a project: all its hours are looked up
-- run: 1, 100

SELECT user_id, SUM(hours) FROM time_entries WHERE project_id = ? GROUP BY user_id HAVING SUM(hours) > ?

-- best
-- index: time_entries (project_id, user_id, hours)

-- statement: redmine-16
-- is: full-scan, function-on-column, pattern-without-index
-- because: a search for words
-- run: '%grunoce%', '%grunoce%'

SELECT id FROM issues WHERE (LOWER(subject) LIKE ? OR LOWER(description) LIKE ?) ORDER BY updated_on DESC

-- best: design

-- statement: redmine-17
-- is: harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: what is overdue: all that is open is looked up
-- run: '2024-06-01'

SELECT id, subject, due_date FROM issues WHERE due_date < ? AND status_id IN (SELECT id FROM issue_statuses WHERE is_closed = 0) AND \
due_date IS NOT NULL ORDER BY due_date

-- best
-- index: issues (status_id, due_date)

-- statement: redmine-18
-- is: full-scan
-- because: when something was set for a version
-- run: 'fixed_version_id', '3'

SELECT journal_id, value FROM journal_details WHERE prop_key = ? AND property = 'attr' AND value = ?

-- best
-- index: journal_details (prop_key, value)

-- or
-- index: journal_details (prop_key, property, value)
