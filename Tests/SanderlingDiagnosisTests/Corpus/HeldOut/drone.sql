-- schema: drone
-- about: Continuous integration: repositories, their builds, each build's stages, each stage's steps.  `ix_build_repo` begins a unique \
--   index, but gives the order of 02, which that one doesn't.
-- origin: Drone 1.x/2.x (Apache-2.0, Copyright Drone.IO, Inc.): eight of the tables of its SQLite schema with their indexes, columns \
--   added later in their place; 01 to 04, 13 and 16 are its own statements, or close to them; perms from memory
-- superfluous: redundant-index ix_stages_build
-- superfluous: redundant-index ix_steps_stage
-- superfluous: redundant-index ix_cron_repo
-- superfluous: redundant-index ix_perms_user
-- superfluous: redundant-index ix_latest_repo

CREATE TABLE repos (
  repo_id INTEGER PRIMARY KEY AUTOINCREMENT, repo_uid TEXT, repo_user_id INTEGER, repo_namespace TEXT, repo_name TEXT, repo_slug TEXT, \
repo_scm TEXT, repo_branch TEXT, repo_active BOOLEAN, repo_private BOOLEAN, repo_counter INTEGER,
  repo_created INTEGER, repo_updated INTEGER, UNIQUE(repo_slug), UNIQUE(repo_uid));
CREATE TABLE perms (perm_user_id INTEGER, perm_repo_uid TEXT, perm_read BOOLEAN, perm_write BOOLEAN, perm_admin BOOLEAN, perm_synced \
INTEGER, PRIMARY KEY(perm_user_id, perm_repo_uid));
CREATE INDEX ix_perms_user ON perms (perm_user_id);
CREATE INDEX ix_perms_repo ON perms (perm_repo_uid);
CREATE TABLE builds (
  build_id INTEGER PRIMARY KEY AUTOINCREMENT, build_repo_id INTEGER, build_trigger TEXT, build_number INTEGER, build_parent INTEGER, \
build_status TEXT, build_error TEXT, build_event TEXT, build_action TEXT, build_link TEXT,
  build_timestamp INTEGER, build_title TEXT, build_message TEXT, build_before TEXT, build_after TEXT, build_ref TEXT, build_source_repo \
TEXT, build_source TEXT, build_target TEXT, build_author TEXT, build_author_name TEXT,
  build_author_email TEXT, build_author_avatar TEXT, build_sender TEXT, build_deploy TEXT, build_params TEXT, build_cron TEXT NOT NULL \
DEFAULT '', build_started INTEGER, build_finished INTEGER, build_created INTEGER, build_updated INTEGER,
  build_version INTEGER, UNIQUE(build_repo_id, build_number));
CREATE INDEX ix_build_repo ON builds (build_repo_id);
CREATE INDEX ix_build_author ON builds (build_author);
CREATE INDEX ix_build_sender ON builds (build_sender);
CREATE INDEX ix_build_ref ON builds (build_repo_id, build_ref);
CREATE INDEX ix_build_incomplete ON builds (build_status) WHERE build_status IN ('pending', 'running');
CREATE TABLE stages (
  stage_id INTEGER PRIMARY KEY AUTOINCREMENT, stage_repo_id INTEGER, stage_build_id INTEGER, stage_number INTEGER, stage_name TEXT, \
stage_kind TEXT, stage_type TEXT, stage_status TEXT, stage_error TEXT, stage_errignore BOOLEAN,
  stage_exit_code INTEGER, stage_limit INTEGER, stage_limit_repo INTEGER NOT NULL DEFAULT 0, stage_os TEXT, stage_arch TEXT, stage_machine \
TEXT, stage_started INTEGER, stage_stopped INTEGER, stage_created INTEGER, stage_updated INTEGER,
  stage_version INTEGER, stage_depends_on TEXT, stage_labels TEXT, UNIQUE(stage_build_id, stage_number), FOREIGN KEY(stage_build_id) \
REFERENCES builds(build_id) ON DELETE CASCADE);
CREATE INDEX ix_stages_build ON stages (stage_build_id);
CREATE INDEX ix_stage_in_progress ON stages (stage_status) WHERE stage_status IN ('pending', 'running');
CREATE TABLE steps (
  step_id INTEGER PRIMARY KEY AUTOINCREMENT, step_stage_id INTEGER, step_number INTEGER, step_name TEXT, step_status TEXT, step_error \
TEXT, step_errignore BOOLEAN, step_exit_code INTEGER, step_started INTEGER, step_stopped INTEGER,
  step_version INTEGER, UNIQUE(step_stage_id, step_number), FOREIGN KEY(step_stage_id) REFERENCES stages(stage_id) ON DELETE CASCADE);
CREATE INDEX ix_steps_stage ON steps (step_stage_id);
CREATE TABLE logs (log_id INTEGER PRIMARY KEY, log_data BLOB, FOREIGN KEY(log_id) REFERENCES steps(step_id) ON DELETE CASCADE);
CREATE TABLE cron (
  cron_id INTEGER PRIMARY KEY AUTOINCREMENT, cron_repo_id INTEGER, cron_name TEXT, cron_expr TEXT, cron_next INTEGER, cron_prev INTEGER, \
cron_event TEXT, cron_branch TEXT, cron_target TEXT, cron_disabled BOOLEAN, cron_created INTEGER,
  cron_updated INTEGER, cron_version INTEGER, UNIQUE(cron_repo_id, cron_name), FOREIGN KEY(cron_repo_id) REFERENCES repos(repo_id) ON DELETE CASCADE);
CREATE INDEX ix_cron_repo ON cron (cron_repo_id);
CREATE INDEX ix_cron_next ON cron (cron_next);
CREATE TABLE latest (
  latest_repo_id INTEGER, latest_build_id INTEGER, latest_type TEXT, latest_name TEXT, latest_created INTEGER, latest_updated INTEGER, \
latest_deleted INTEGER, PRIMARY KEY(latest_repo_id, latest_type, latest_name));
CREATE INDEX ix_latest_repo ON latest (latest_repo_id);

INSERT INTO repos SELECT i, printf('%d', 50000 + i * 7), 1 + i % 40, word(skewed(1, i, 40)), 'Repo' || i, word(skewed(1, i, 40)) || \
'/Repo' || i, 'git', 'main', chance(2, i) < 0.8, 1, 100, 1560000000 + i, 1700000000 + i FROM numbers WHERE i <= 240;
INSERT INTO perms SELECT 1 + i % 90, printf('%d', 50000 + (1 + i / 90) * 7), 1, chance(3, i) < 0.4, chance(4, i) < 0.1, 1700000000 FROM \
numbers WHERE i < 21600 AND chance(5, i) < 0.1;
INSERT INTO builds (
  build_id, build_repo_id, build_trigger, build_number, build_parent, build_status, build_event, build_timestamp, build_title, \
build_message, build_before, build_after, build_ref, build_source, build_target, build_author,
  build_author_name, build_author_email, build_sender, build_deploy, build_params, build_cron, build_started, build_finished, \
build_created, build_updated, build_version)
SELECT i, skewed(6, i, 220), '@hook', i, 0, iif(i > 23990, 'running', iif(chance(7, i) < 0.82, 'success', iif(chance(8, i) < 0.9, \
'failure', 'killed'))), CASE pick(9, i, 20) WHEN 1 THEN 'cron' WHEN 2 THEN 'tag' WHEN 3 THEN 'promote' WHEN 4 THEN 'pull_request' WHEN 5 \
THEN 'pull_request' WHEN 6 THEN 'pull_request' ELSE 'push' END,
  1600000000 + i * 5000, title(10, i, 4), prose(11, i, 40 + pick(12, i, 80)), printf('%020x', i * 7919), printf('%020x', i * 104729), \
iif(chance(13, i) < 0.5, 'refs/heads/main', 'refs/heads/topic-' || pick(14, i, 4000)), 'topic-' || pick(14, i, 4000), 'main',
  word(skewed(15, i, 90)), NULL, upper(substr(word(skewed(15, i, 90)), 1, 1)) || substr(word(skewed(15, i, 90)), 2) || '@Example.com', \
word(skewed(16, i, 90)), iif(pick(9, i, 20) = 3, 'production', ''),
  iif(pick(9, i, 20) = 3, '{"ENV":"' || CASE pick(17, i, 6) WHEN 1 THEN 'production' ELSE 'staging' END || '","VERSION":"1.' || pick(18, \
i, 90) || '"}', iif(chance(19, i) < 0.5, 'null', '{}')), iif(pick(9, i, 20) = 1, 'nightly', ''),
  1600000000 + i * 5000 + 30, 1600000000 + i * 5000 + 60 + pick(20, i, 2000), 1600000000 + i * 5000, 1600000000 + i * 5000, 4
FROM numbers WHERE i <= 24000;
INSERT INTO stages (
  stage_id, stage_repo_id, stage_build_id, stage_number, stage_name, stage_kind, stage_type, stage_status, stage_exit_code, stage_os, \
stage_arch, stage_machine, stage_started, stage_stopped, stage_created, stage_updated, stage_version, stage_depends_on, stage_labels)
SELECT i, skewed(6, 1 + (i - 1) / 2, 220), 1 + (i - 1) / 2, 1 + i % 2, CASE i % 2 WHEN 0 THEN 'test' ELSE 'publish' END, 'pipeline', \
'docker', iif(i > 47980, iif(i % 2, 'running', 'pending'), iif(chance(21, i) < 0.88, 'success', 'failure')), 0, iif(chance(22, i) < 0.93, \
'linux', 'windows'), 'amd64',
  'runner-' || skewed(23, i, 30), 1600000000 + i * 2500, 1600000000 + i * 2500 + iif(chance(24, i) < 0.002, 7200, 20) + pick(25, i, 900), \
1600000000 + i * 2500, 1600000000 + i * 2500, 3, iif(i % 2, '["test"]', 'null'), '{}'
FROM numbers WHERE i <= 48000;
INSERT INTO steps (step_id, step_stage_id, step_number, step_name, step_status, step_error, step_exit_code, step_started, step_stopped, step_version)
SELECT i, 1 + (i - 1) / 3, 1 + i % 3, CASE i % 3 WHEN 0 THEN 'clone' WHEN 1 THEN 'step-' || skewed(26, i, 60) ELSE 'build' END, \
iif(chance(27, i) < 0.95, 'success', iif(chance(28, i) < 0.7, 'failure', 'skipped')), NULL, 0, 1600000000 + i * 830, 1600000000 + i * 830 \
+ pick(29, i, 300), 3
FROM numbers WHERE i <= 144000;
INSERT INTO logs SELECT step_id, prose(30, step_id, 200) FROM steps WHERE step_id > 134000;
INSERT INTO cron SELECT i, 1 + i % 220, 'nightly' || (i / 220), '@daily', 1720000000 + pick(31, i, 86400), 1719900000, 'push', 'main', '', \
0, 1600000000, 1600000000, 1 FROM numbers WHERE i <= 400;
INSERT OR IGNORE INTO latest SELECT build_repo_id, build_id, 'branch', substr(build_ref, 12), build_created, build_updated, 0 FROM builds \
WHERE build_id > 14000 ORDER BY build_id DESC;

-- statement: drone-01
-- fine
-- because: a build by its number in the repository, a unique key
-- run: 1, 23003 | 7, 306

SELECT build_id, build_status, build_title, build_after FROM builds WHERE build_repo_id = ? AND build_number = ? LIMIT 1

-- statement: drone-02
-- fine
-- tolerated: index-not-covering
-- because: the newest builds of a repository by the index with nothing but the repository, which has their order
-- run: 1

SELECT build_id, build_number, build_status, build_title FROM builds WHERE build_repo_id = ? ORDER BY build_id DESC LIMIT 25 OFFSET 0

-- statement: drone-03
-- fine
-- tolerated: index-not-covering, sort-without-index, subquery-per-row
-- because: the newest build of each repository that one may see: a subquery for each, but it ends after one step in an index
-- run: 17

SELECT repo_id, repo_slug, build_id, build_number, build_status FROM repos LEFT OUTER JOIN builds ON build_id = (
  SELECT build_id FROM builds WHERE builds.build_repo_id = repos.repo_id ORDER BY build_id DESC LIMIT 1)
INNER JOIN perms ON perms.perm_repo_uid = repos.repo_uid WHERE perms.perm_user_id = ? ORDER BY repo_slug ASC

-- statement: drone-04
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the stages and steps of a build by their indexes
-- run: 23000 | 17

SELECT stage_id, stage_number, stage_name, step_id, step_name, step_status FROM stages LEFT JOIN steps ON stages.stage_id=steps.step_stage_id
WHERE stages.stage_build_id = ? ORDER BY stage_number ASC, step_number ASC

-- statement: drone-05
-- is: full-scan, index-not-covering, partial-index
-- because: nightly builds that were killed: few, and so nearly all builds of the repository are looked up for ten
-- run: 1 | 2

SELECT build_id, build_number, build_title, build_created FROM builds WHERE build_repo_id = ? AND build_event = 'cron' AND build_status = \
'killed' ORDER BY build_id DESC LIMIT 10

-- best
-- index: builds (build_repo_id, build_event, build_status)

-- or
-- index: builds (build_repo_id, build_status, build_event)

-- or
-- index: builds (build_repo_id) WHERE build_event = 'cron' AND build_status = 'killed'

-- statement: drone-06
-- is: full-scan, partial-index
-- because: what waits: there is a partial index for it, but a parameter doesn't show that it suffices
-- run: 'pending' | 'running'

SELECT stage_id, stage_build_id, stage_name, stage_machine FROM stages WHERE stage_status = ? ORDER BY stage_id

-- best

SELECT stage_id, stage_build_id, stage_name, stage_machine FROM stages WHERE stage_status = ? AND stage_status IN ('pending', 'running') \
ORDER BY stage_id

-- or
-- index: stages (stage_status)

-- statement: drone-07
-- is: full-scan, group-without-index, partial-index
-- because: which steps fail most: one in thirty does

SELECT step_name, count(*) AS failures FROM steps WHERE step_status = 'failure' GROUP BY step_name ORDER BY failures DESC LIMIT 10

-- best
-- index: steps (step_status, step_name)

-- or
-- index: steps (step_name) WHERE step_status = 'failure'

-- statement: drone-08
-- is: full-scan
-- because: logs of old steps: all steps are read to find the few
-- run: 1600100000 | 1600200000

DELETE FROM logs WHERE log_id IN (SELECT step_id FROM steps WHERE step_stopped < ?)

-- best
-- index: steps (step_stopped)

-- statement: drone-09
-- is: expression-index, full-scan, function-on-column
-- because: what was brought to production: the parameters of all builds are parsed

SELECT build_id, build_repo_id, json_extract(build_params, '$.VERSION') AS version FROM builds WHERE json_extract(build_params, '$.ENV') = \
'production' ORDER BY build_id DESC

-- best
-- index: builds (json_extract(build_params, '$.ENV'))

-- statement: drone-10
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: stages that took more than an hour: one in five hundred

SELECT stage_id, stage_build_id, stage_machine, stage_stopped - stage_started AS seconds FROM stages WHERE stage_stopped - stage_started > \
3600 ORDER BY seconds DESC LIMIT 50

-- best
-- index: stages (stage_stopped - stage_started)

-- statement: drone-11
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: builds by an address, whatever its case
-- run: 'stamu@example.com' | 'hatu@example.com'

SELECT build_id, build_title FROM builds WHERE lower(build_author_email) = ? ORDER BY build_id DESC LIMIT 20

-- best
-- index: builds (lower(build_author_email))

-- statement: drone-12
-- is: join-fan-out, multiplied-aggregate
-- because: time by repository: a build counts once for each of its stages
-- run: 1712000000 | 1716000000

SELECT r.repo_slug, count(*) AS builds, sum(b.build_finished - b.build_started) AS seconds FROM repos AS r JOIN builds AS b ON \
b.build_repo_id = r.repo_id
JOIN stages AS s ON s.stage_build_id = b.build_id WHERE b.build_created >= ? AND s.stage_os = 'linux' GROUP BY r.repo_id ORDER BY seconds DESC

-- best
-- index: builds (build_created)
-- index: stages (stage_build_id, stage_os)
-- changes results

SELECT r.repo_slug, b.builds, b.seconds FROM (
  SELECT build_repo_id, count(*) AS builds, sum(build_finished - build_started) AS seconds FROM builds
  WHERE build_created >= ? AND EXISTS (SELECT 1 FROM stages AS s WHERE s.stage_build_id = builds.build_id AND s.stage_os = 'linux') GROUP \
BY +build_repo_id) AS b
JOIN repos AS r ON r.repo_id = b.build_repo_id ORDER BY b.seconds DESC

-- statement: drone-13
-- fine
-- tolerated: index-not-covering
-- because: what is due by its index
-- run: 1720001000

SELECT cron_id, cron_name, cron_expr FROM cron WHERE cron_next < ? ORDER BY cron_next ASC

-- statement: drone-14
-- is: sort-without-index, subquery-per-row
-- because: the failures of the newest builds are counted for all builds of the repository before these are sorted
-- run: 1 | 2

SELECT b.build_id, b.build_title, (SELECT count(*) FROM stages AS s JOIN steps AS t ON t.step_stage_id = s.stage_id WHERE s.stage_build_id \
= b.build_id AND t.step_status = 'failure') AS failures
FROM builds AS b WHERE b.build_repo_id = ? ORDER BY b.build_created DESC LIMIT 20

-- best
-- index: builds (build_repo_id, build_created)

-- or

SELECT b.build_id, b.build_title, (SELECT count(*) FROM stages AS s JOIN steps AS t ON t.step_stage_id = s.stage_id WHERE s.stage_build_id \
= b.build_id AND t.step_status = 'failure') AS failures
FROM (SELECT build_id, build_title, build_created FROM builds WHERE build_repo_id = ? ORDER BY build_created DESC LIMIT 20) AS b ORDER BY \
b.build_created DESC

-- statement: drone-15
-- is: repeated-statement
-- because: one list for each namespace, each of which reads all that one may see
-- operation: list of namespaces
-- run: 'loce' | 'vace' | 'drice' | 'shuce' | 'gudi' | 'pedi' | 'yodi' | 'stadi' | 'bafo' | 'kifo'

SELECT repo_id, repo_slug, repo_active FROM repos JOIN perms ON perm_repo_uid = repo_uid WHERE perm_user_id = 3 AND repo_namespace = ?

-- best
-- run:

SELECT repo_id, repo_slug, repo_active FROM repos JOIN perms ON perm_repo_uid = repo_uid WHERE perm_user_id = 3 AND repo_namespace IN \
('loce', 'vace', 'drice', 'shuce', 'gudi', 'pedi', 'yodi', 'stadi', 'bafo', 'kifo')

-- statement: drone-16
-- fine
-- tolerated: case-insensitive-without-index, full-scan
-- because: a repository whatever its case: there are few
-- run: 'SHUCE/repo17' | 'yodi/REPO60'

SELECT repo_id, repo_slug, repo_branch FROM repos WHERE repo_slug = ? COLLATE NOCASE LIMIT 1

-- statement: drone-17
-- fine
-- because: a row by its key, if nobody else has changed it
-- run: 'running', 1720000000, 47990, 3

UPDATE stages SET stage_status = ?, stage_started = ?, stage_version = stage_version + 1 WHERE stage_id = ? AND stage_version = ?
