-- schema: gitea
-- about: A forge for code: an index on nearly each column, each alone.
-- origin: Gitea 1.21 (MIT, Copyright The Gitea Authors): seven tables of its schema with their indexes, of the users' columns four
-- superfluous: redundant-index IDX_issue_repo_id

CREATE TABLE `user` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `lower_name` TEXT NOT NULL, `name` TEXT NOT NULL, `full_name` TEXT NULL);
CREATE UNIQUE INDEX `UQE_user_lower_name` ON `user` (`lower_name`);
CREATE UNIQUE INDEX `UQE_user_name` ON `user` (`name`);
CREATE TABLE `issue` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `index` INTEGER NULL, `poster_id` INTEGER NULL,
  `original_author` TEXT NULL, `original_author_id` INTEGER NULL, `name` TEXT NULL, `content` TEXT NULL,
  `milestone_id` INTEGER NULL, `priority` INTEGER NULL, `is_closed` INTEGER NULL, `is_pull` INTEGER NULL,
  `num_comments` INTEGER NULL, `ref` TEXT NULL, `deadline_unix` INTEGER NULL, `created_unix` INTEGER NULL,
  `updated_unix` INTEGER NULL, `closed_unix` INTEGER NULL, `is_locked` INTEGER DEFAULT 0 NOT NULL);
CREATE UNIQUE INDEX `UQE_issue_repo_index` ON `issue` (`repo_id`,`index`);
CREATE INDEX `IDX_issue_repo_id` ON `issue` (`repo_id`);
CREATE INDEX `IDX_issue_poster_id` ON `issue` (`poster_id`);
CREATE INDEX `IDX_issue_original_author_id` ON `issue` (`original_author_id`);
CREATE INDEX `IDX_issue_milestone_id` ON `issue` (`milestone_id`);
CREATE INDEX `IDX_issue_is_closed` ON `issue` (`is_closed`);
CREATE INDEX `IDX_issue_is_pull` ON `issue` (`is_pull`);
CREATE INDEX `IDX_issue_deadline_unix` ON `issue` (`deadline_unix`);
CREATE INDEX `IDX_issue_created_unix` ON `issue` (`created_unix`);
CREATE INDEX `IDX_issue_updated_unix` ON `issue` (`updated_unix`);
CREATE INDEX `IDX_issue_closed_unix` ON `issue` (`closed_unix`);
CREATE TABLE `issue_assignees` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `assignee_id` INTEGER NULL, `issue_id` INTEGER NULL);
CREATE INDEX `IDX_issue_assignees_assignee_id` ON `issue_assignees` (`assignee_id`);
CREATE INDEX `IDX_issue_assignees_issue_id` ON `issue_assignees` (`issue_id`);
CREATE TABLE `label` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `repo_id` INTEGER NULL, `org_id` INTEGER NULL, `name` TEXT NULL,
  `description` TEXT NULL, `color` TEXT NULL);
CREATE INDEX `IDX_label_repo_id` ON `label` (`repo_id`);
CREATE INDEX `IDX_label_org_id` ON `label` (`org_id`);
CREATE TABLE `issue_label` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `issue_id` INTEGER NULL, `label_id` INTEGER NULL);
CREATE UNIQUE INDEX `UQE_issue_label_s` ON `issue_label` (`issue_id`,`label_id`);
CREATE TABLE `comment` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `type` INTEGER NULL, `poster_id` INTEGER NULL, `issue_id` INTEGER NULL,
  `content` TEXT NULL, `created_unix` INTEGER NULL, `updated_unix` INTEGER NULL);
CREATE INDEX `IDX_comment_type` ON `comment` (`type`);
CREATE INDEX `IDX_comment_poster_id` ON `comment` (`poster_id`);
CREATE INDEX `IDX_comment_issue_id` ON `comment` (`issue_id`);
CREATE INDEX `IDX_comment_created_unix` ON `comment` (`created_unix`);
CREATE TABLE `action` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NULL, `op_type` INTEGER NULL, `act_user_id` INTEGER NULL,
  `repo_id` INTEGER NULL, `comment_id` INTEGER NULL, `is_deleted` INTEGER DEFAULT 0 NOT NULL, `ref_name` TEXT NULL,
  `is_private` INTEGER DEFAULT 0 NOT NULL, `content` TEXT NULL, `created_unix` INTEGER NULL);
CREATE INDEX `IDX_action_comment_id` ON `action` (`comment_id`);
CREATE INDEX `IDX_action_au_r_c_u_d` ON `action` (`act_user_id`,`repo_id`,`created_unix`,`user_id`,`is_deleted`);
CREATE INDEX `IDX_action_r_u_d` ON `action` (`repo_id`,`user_id`,`is_deleted`);
CREATE INDEX `IDX_action_c_u_d` ON `action` (`created_unix`,`user_id`,`is_deleted`);
CREATE TABLE `notification` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `repo_id` INTEGER NOT NULL,
  `status` INTEGER NOT NULL, `source` INTEGER NOT NULL, `issue_id` INTEGER NOT NULL, `commit_id` TEXT NULL,
  `comment_id` INTEGER NULL, `updated_by` INTEGER NOT NULL, `created_unix` INTEGER NOT NULL, `updated_unix` INTEGER NOT NULL);
CREATE INDEX `IDX_notification_user_id` ON `notification` (`user_id`);
CREATE INDEX `IDX_notification_repo_id` ON `notification` (`repo_id`);
CREATE INDEX `IDX_notification_status` ON `notification` (`status`);
CREATE INDEX `IDX_notification_issue_id` ON `notification` (`issue_id`);
CREATE INDEX `IDX_notification_updated_unix` ON `notification` (`updated_unix`);

INSERT INTO user SELECT i, word(i * 3), word(i * 3), title(1, i, 2) FROM numbers WHERE i <= 8000;
INSERT INTO issue (
  id, repo_id, "index", poster_id, name, content, milestone_id, is_closed, is_pull, num_comments, created_unix, updated_unix)
SELECT i, skewed(2, i, 300), i, skewed(3, i, 3000), title(4, i, 6), prose(5, i, pick(6, i, 600)), 0, chance(7, i) < 0.8,
  chance(8, i) < 0.4, skewed(9, i, 30), 1600000000 + i * 4000, 1600000000 + i * 4000 + pick(10, i, 5000000)
FROM numbers WHERE i <= 20000;
INSERT INTO issue_assignees SELECT i, skewed(11, i, 400), pick(12, i, 20000) FROM numbers WHERE i <= 8000;
INSERT INTO label SELECT i, skewed(13, i, 300), 0, word(pick(14, i, 90)), '', '#ee0701' FROM numbers WHERE i <= 2500;
INSERT OR IGNORE INTO issue_label SELECT i, pick(15, i, 20000), skewed(16, i, 2500) FROM numbers WHERE i <= 25000;
INSERT INTO comment SELECT i, pick(17, i, 8) - 1, skewed(18, i, 3000), 1 + i % 20000, prose(19, i, pick(20, i, 150)), 1600000000 + i * 1500, 0
FROM numbers WHERE i <= 40000;
INSERT INTO action
SELECT i, skewed(21, i, 500), pick(22, i, 20), skewed(23, i, 3000), skewed(24, i, 300), 0, chance(25, i) < 0.01, 'refs/heads/main',
  0, prose(26, i, 60), 1600000000 + i * 1600 FROM numbers WHERE i <= 50000;
INSERT INTO notification
SELECT i, skewed(27, i, 60), skewed(28, i, 300), CASE WHEN chance(29, i) < 0.015 THEN 1 WHEN chance(29, i) < 0.02 THEN 3 ELSE 2 END, 1,
  pick(30, i, 20000), NULL, NULL, skewed(31, i, 3000), 1600000000 + i * 2000, 1600000000 + i * 2000 + pick(32, i, 90000)
FROM numbers WHERE i <= 40000;

-- statement: gitea-01
-- is: index-not-covering, sort-without-index
-- because: seven indexes of one column each; none finds a repository's open issues in their order
-- run: 1, 0, 0 | 40, 0, 0

SELECT id, "index", name, poster_id, num_comments FROM issue WHERE repo_id = ? AND is_pull = ? AND is_closed = ?
ORDER BY created_unix DESC LIMIT 20

-- best
-- index: issue (repo_id, is_closed, is_pull, created_unix)

-- statement: gitea-02
-- is: full-scan, index-not-covering, sort-without-index
-- because: a quiet feed: the walk over the times goes far back for twenty
-- run: 300, 0

SELECT id, op_type, act_user_id, content, created_unix FROM action WHERE user_id = ? AND is_deleted = ? ORDER BY created_unix DESC LIMIT 20

-- best
-- index: action (user_id, is_deleted, created_unix)

-- or
-- index: action (user_id, created_unix)

-- or
-- index: action (user_id)

-- statement: gitea-03
-- is: automatic-index, full-scan, index-not-covering
-- because: the unique index begins with the issue
-- run: 12

SELECT l.id, l.name, count(il.id) FROM label l LEFT JOIN issue_label il ON il.label_id = l.id
WHERE l.repo_id = ? GROUP BY l.id ORDER BY l.name

-- best
-- index: issue_label (label_id)

-- statement: gitea-04
-- is: full-scan, pattern-without-index
-- because: what is typed after an @; the names are in lower case, which only the app can promise
-- run: 'zudi'

SELECT id, lower_name FROM user WHERE lower_name LIKE ? || '%' ORDER BY lower_name LIMIT 10

-- best

SELECT id, lower_name FROM user WHERE lower_name >= ?1 AND lower_name < ?1 || char(1114111) ORDER BY lower_name LIMIT 10

-- statement: gitea-05
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: 2 % are not read, and no index serves <>; the literal is the program's own
-- run: 1 | 20

SELECT id, issue_id, updated_unix FROM notification WHERE user_id = ? AND status <> 2 ORDER BY updated_unix DESC LIMIT 50

-- best
-- index: notification (user_id, updated_unix) WHERE status <> 2

-- or
-- index: notification (user_id, status)

SELECT id, issue_id, updated_unix FROM notification WHERE user_id = ? AND (status < 2 OR status > 2) ORDER BY updated_unix DESC LIMIT 50

-- statement: gitea-06
-- fine
-- because: each side has its index
-- run: 390

SELECT count(*) FROM issue WHERE poster_id = ?1 OR id IN (SELECT issue_id FROM issue_assignees WHERE assignee_id = ?1)

-- statement: gitea-07
-- is: full-scan, group-without-index, index-not-covering, partial-index
-- because: 4,000 rows with texts are read for two numbers

SELECT repo_id, count(*) AS n FROM issue WHERE is_closed = 0 GROUP BY repo_id HAVING n > 20 ORDER BY n DESC

-- best
-- index: issue (is_closed, repo_id)

-- statement: gitea-08
-- fine
-- because: two comments
-- run: 4711

SELECT id, type, poster_id, content FROM comment WHERE issue_id = ? ORDER BY created_unix

-- statement: gitea-09
-- is: full-scan, index-not-covering, partial-index
-- because: unread ones of one person: two indexes, of which SQLite takes one
-- run: 2, 1680000000

UPDATE notification SET status = 2 WHERE user_id = ? AND status = 1 AND updated_unix < ?

-- best
-- index: notification (user_id, status)

-- or
-- index: notification (user_id) WHERE status = 1
