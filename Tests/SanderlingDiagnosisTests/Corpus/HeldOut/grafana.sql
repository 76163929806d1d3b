-- schema: grafana
-- about: Dashboards with their versions, annotations with tags, alert rules with instances, users with their sessions.
-- origin: Grafana 10.4 (AGPL-3.0, Copyright Grafana Labs): twelve tables that its migrations make on SQLite, with most of their columns \
--   and indexes
-- superfluous: redundant-index IDX_dashboard_org_id
-- superfluous: redundant-index IDX_dashboard_version_dashboard_id
-- superfluous: redundant-index IDX_org_user_org_id

CREATE TABLE `user` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `version` INTEGER NOT NULL, `login` TEXT NOT NULL, `email` TEXT NOT NULL, `name` TEXT \
NULL, `password` TEXT NULL, `salt` TEXT NULL, `rands` TEXT NULL,
  `company` TEXT NULL, `org_id` INTEGER NOT NULL, `is_admin` INTEGER NOT NULL, `email_verified` INTEGER NULL, `theme` TEXT NULL, `created` \
DATETIME NOT NULL, `updated` DATETIME NOT NULL, `help_flags1` INTEGER NOT NULL DEFAULT 0,
  `last_seen_at` DATETIME NULL, `is_disabled` INTEGER NOT NULL DEFAULT 0, `is_service_account` INTEGER DEFAULT 0, `uid` TEXT NULL);
CREATE UNIQUE INDEX `UQE_user_login` ON `user` (`login`);
CREATE UNIQUE INDEX `UQE_user_email` ON `user` (`email`);
CREATE INDEX `IDX_user_login_email` ON `user` (`login`, `email`);
CREATE INDEX `IDX_user_is_service_account_last_seen_at` ON `user` (`is_service_account`, `last_seen_at`);
CREATE TABLE `org_user` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NOT NULL, `user_id` INTEGER NOT NULL, `role` \
TEXT NOT NULL, `created` DATETIME NOT NULL, `updated` DATETIME NOT NULL);
CREATE INDEX `IDX_org_user_org_id` ON `org_user` (`org_id`);
CREATE UNIQUE INDEX `UQE_org_user_org_id_user_id` ON `org_user` (`org_id`, `user_id`);
CREATE INDEX `IDX_org_user_user_id` ON `org_user` (`user_id`);
CREATE TABLE `user_auth_token` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `auth_token` TEXT NOT NULL, `prev_auth_token` TEXT NOT \
NULL, `user_agent` TEXT NOT NULL, `client_ip` TEXT NOT NULL,
  `auth_token_seen` INTEGER NOT NULL, `seen_at` INTEGER NULL, `rotated_at` INTEGER NOT NULL, `created_at` INTEGER NOT NULL, `updated_at` \
INTEGER NOT NULL, `revoked_at` INTEGER NULL);
CREATE UNIQUE INDEX `UQE_user_auth_token_auth_token` ON `user_auth_token` (`auth_token`);
CREATE UNIQUE INDEX `UQE_user_auth_token_prev_auth_token` ON `user_auth_token` (`prev_auth_token`);
CREATE INDEX `IDX_user_auth_token_user_id` ON `user_auth_token` (`user_id`);
CREATE INDEX `IDX_user_auth_token_revoked_at` ON `user_auth_token` (`revoked_at`);
CREATE TABLE `star` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `user_id` INTEGER NOT NULL, `dashboard_id` INTEGER NOT NULL);
CREATE UNIQUE INDEX `UQE_star_user_id_dashboard_id` ON `star` (`user_id`, `dashboard_id`);
CREATE TABLE `dashboard` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `version` INTEGER NOT NULL, `slug` TEXT NOT NULL, `title` TEXT NOT NULL, `data` TEXT \
NOT NULL, `org_id` INTEGER NOT NULL, `created` DATETIME NOT NULL, `updated` DATETIME NOT NULL,
  `updated_by` INTEGER NULL, `created_by` INTEGER NULL, `gnet_id` INTEGER NULL, `plugin_id` TEXT NULL, `folder_id` INTEGER NOT NULL \
DEFAULT 0, `is_folder` INTEGER NOT NULL DEFAULT 0, `has_acl` INTEGER NOT NULL DEFAULT 0,
  `uid` TEXT NULL, `is_public` INTEGER NOT NULL DEFAULT 0, `folder_uid` TEXT NULL);
CREATE INDEX `IDX_dashboard_org_id` ON `dashboard` (`org_id`);
CREATE INDEX `IDX_dashboard_gnet_id` ON `dashboard` (`gnet_id`);
CREATE INDEX `IDX_dashboard_org_id_plugin_id` ON `dashboard` (`org_id`, `plugin_id`);
CREATE UNIQUE INDEX `UQE_dashboard_org_id_uid` ON `dashboard` (`org_id`, `uid`);
CREATE INDEX `IDX_dashboard_title` ON `dashboard` (`title`);
CREATE INDEX `IDX_dashboard_is_folder` ON `dashboard` (`is_folder`);
CREATE TABLE `dashboard_tag` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `dashboard_id` INTEGER NOT NULL, `term` TEXT NOT NULL);
CREATE INDEX `IDX_dashboard_tag_dashboard_id` ON `dashboard_tag` (`dashboard_id`);
CREATE TABLE `dashboard_version` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `dashboard_id` INTEGER NOT NULL, `parent_version` INTEGER NOT NULL, `restored_from` \
INTEGER NOT NULL, `version` INTEGER NOT NULL, `created` DATETIME NOT NULL,
  `created_by` INTEGER NOT NULL, `message` TEXT NOT NULL, `data` TEXT NOT NULL);
CREATE INDEX `IDX_dashboard_version_dashboard_id` ON `dashboard_version` (`dashboard_id`);
CREATE UNIQUE INDEX `UQE_dashboard_version_dashboard_id_version` ON `dashboard_version` (`dashboard_id`, `version`);
CREATE TABLE `annotation` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NOT NULL, `alert_id` INTEGER NULL, `user_id` INTEGER NULL, \
`dashboard_id` INTEGER NULL, `panel_id` INTEGER NULL, `category_id` INTEGER NULL, `type` TEXT NOT NULL,
  `title` TEXT NOT NULL, `text` TEXT NOT NULL, `metric` TEXT NULL, `prev_state` TEXT NOT NULL, `new_state` TEXT NOT NULL, `data` TEXT NOT \
NULL, `epoch` INTEGER NOT NULL, `region_id` INTEGER NULL DEFAULT 0, `tags` TEXT NULL,
  `created` INTEGER NULL DEFAULT 0, `updated` INTEGER NULL DEFAULT 0, `epoch_end` INTEGER NOT NULL DEFAULT 0);
CREATE INDEX `IDX_annotation_org_id_alert_id` ON `annotation` (`org_id`, `alert_id`);
CREATE INDEX `IDX_annotation_org_id_type` ON `annotation` (`org_id`, `type`);
CREATE INDEX `IDX_annotation_org_id_created` ON `annotation` (`org_id`, `created`);
CREATE INDEX `IDX_annotation_org_id_updated` ON `annotation` (`org_id`, `updated`);
CREATE INDEX `IDX_annotation_org_id_dashboard_id_epoch_end_epoch` ON `annotation` (`org_id`, `dashboard_id`, `epoch_end`, `epoch`);
CREATE INDEX `IDX_annotation_org_id_epoch_end_epoch` ON `annotation` (`org_id`, `epoch_end`, `epoch`);
CREATE INDEX `IDX_annotation_alert_id` ON `annotation` (`alert_id`);
CREATE TABLE `annotation_tag` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `annotation_id` INTEGER NOT NULL, `tag_id` INTEGER NOT NULL);
CREATE UNIQUE INDEX `UQE_annotation_tag_annotation_id_tag_id` ON `annotation_tag` (`annotation_id`, `tag_id`);
CREATE TABLE `tag` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `key` TEXT NOT NULL, `value` TEXT NOT NULL);
CREATE UNIQUE INDEX `UQE_tag_key_value` ON `tag` (`key`, `value`);
CREATE TABLE `alert_rule` (
  `id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `org_id` INTEGER NOT NULL, `title` TEXT NOT NULL, `condition` TEXT NOT NULL, `data` \
TEXT NOT NULL, `updated` DATETIME NOT NULL, `interval_seconds` INTEGER NOT NULL DEFAULT 60,
  `version` INTEGER NOT NULL DEFAULT 0, `uid` TEXT NOT NULL DEFAULT 0, `namespace_uid` TEXT NOT NULL, `rule_group` TEXT NOT NULL, \
`no_data_state` TEXT NOT NULL DEFAULT 'NoData', `exec_err_state` TEXT NOT NULL DEFAULT 'Alerting',
  `for` INTEGER NOT NULL DEFAULT 0, `annotations` TEXT NULL, `labels` TEXT NULL, `dashboard_uid` TEXT NULL, `panel_id` INTEGER NULL, \
`rule_group_idx` INTEGER NOT NULL DEFAULT 1, `is_paused` INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX `UQE_alert_rule_org_id_uid` ON `alert_rule` (`org_id`, `uid`);
CREATE UNIQUE INDEX `UQE_alert_rule_org_id_namespace_uid_title` ON `alert_rule` (`org_id`, `namespace_uid`, `title`);
CREATE INDEX `IDX_alert_rule_org_id_namespace_uid_rule_group` ON `alert_rule` (`org_id`, `namespace_uid`, `rule_group`);
CREATE INDEX `IDX_alert_rule_org_id_dashboard_uid_panel_id` ON `alert_rule` (`org_id`, `dashboard_uid`, `panel_id`);
CREATE TABLE `alert_instance` (
  `rule_org_id` INTEGER NOT NULL, `rule_uid` TEXT NOT NULL DEFAULT 0, `labels` TEXT NOT NULL, `labels_hash` TEXT NOT NULL, `current_state` \
TEXT NOT NULL, `current_reason` TEXT NULL, `current_state_since` INTEGER NOT NULL,
  `last_eval_time` INTEGER NOT NULL, `current_state_end` INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (`rule_org_id`, `rule_uid`, `labels_hash`));
CREATE INDEX `IDX_alert_instance_rule_org_id_rule_uid_current_state` ON `alert_instance` (`rule_org_id`, `rule_uid`, `current_state`);
CREATE INDEX `IDX_alert_instance_rule_org_id_current_state` ON `alert_instance` (`rule_org_id`, `current_state`);

INSERT INTO `user` (`id`, `version`, `login`, `email`, `name`, `password`, `org_id`, `is_admin`, `created`, `updated`, `last_seen_at`, \
`is_disabled`, `is_service_account`, `uid`)
SELECT i, 0, iif(chance(1, i) < 0.02, 'sa-' || i || '-', '') || word(i * 37 % 20011), iif(chance(2, i) < 0.3, upper(substr(word(i), 1, 1)) \
|| substr(word(i), 2), word(i)) || '@example.' || iif(i % 3, 'com', 'org'), title(3, i, 2), printf('%064x', i * 7919),
  skewed(4, i, 6), i = 1, datetime(1600000000 + i * 6000, 'unixepoch'), datetime(1700000000 + pick(5, i, 9000000), 'unixepoch'), \
iif(chance(6, i) < 0.1, '2014-01-01 00:00:00', datetime(1712000000 - skewed(7, i, 60000000), 'unixepoch')),
  chance(8, i) < 0.04, chance(1, i) < 0.02, 'u' || printf('%013x', i * 7919) FROM numbers WHERE i <= 18000;
INSERT INTO `org_user` (`org_id`, `user_id`, `role`, `created`, `updated`) SELECT `org_id`, `id`, CASE skewed(9, `id`, 3) WHEN 1 THEN \
'Viewer' WHEN 2 THEN 'Editor' ELSE 'Admin' END, `created`, `updated` FROM `user`;
INSERT INTO `user_auth_token`
SELECT i, skewed(10, i, 18000), printf('%064x', i * 7919), printf('%064x', i * 6007), 'Mozilla/5.0 (X11; Linux x86_64; rv:' || pick(11, i, \
120) || '.0) Gecko/20100101 Firefox', '192.0.2.' || pick(12, i, 250), 1,
  1709400000 + i * 100, 1709400000 + i * 100 + pick(13, i, 80000), 1706900000 + i * 155, 1709400000 + i * 100, iif(chance(14, i) < 0.02, \
1709500000 + i * 100, NULL) FROM numbers WHERE i <= 26000;
INSERT INTO `dashboard`
SELECT i, 1 + skewed(15, i, 40), lower(replace(title(16, i, 3), ' ', '-')), title(16, i, 3), '{"schemaVersion":39,"title":"' || title(16, \
i, 3) || '","panels":[{"id":1,"type":"timeseries","datasource":{"type":"prometheus","uid":"' || word(skewed(17, i, 60)) || '"},"title":"' \
|| title(18, i, 3)
  || '"},{"id":2,"type":"stat","datasource":{"type":"loki","uid":"' || word(60 + skewed(19, i, 30)) || '"},"description":"' || prose(20, \
i, 500 + pick(21, i, 1500)) || '"}]}', skewed(22, i, 6),
  datetime(1620000000 + i * 20000, 'unixepoch'), datetime(1700000000 + pick(23, i, 12000000), 'unixepoch'), iif(chance(24, i) < 0.2, -1, \
pick(25, i, 18000)), iif(chance(26, i) < 0.2, -1, pick(27, i, 18000)), iif(chance(28, i) < 0.1, pick(29, i, 9000), NULL),
  '', iif(i <= 200, 0, pick(30, i, 200)), i <= 200, 0, printf('d%08x', i * 7919), 0, NULL FROM numbers WHERE i <= 4500;
INSERT OR IGNORE INTO `star` (`user_id`, `dashboard_id`) SELECT skewed(74, i, 3000), skewed(75, i, 4500) FROM numbers WHERE i <= 9000;
INSERT INTO `dashboard_tag` (`dashboard_id`, `term`) SELECT DISTINCT pick(31, i, 4500), word(skewed(32, i, 500)) FROM numbers WHERE i <= 16000;
INSERT INTO `dashboard_version` (`dashboard_id`, `parent_version`, `restored_from`, `version`, `created`, `created_by`, `message`, `data`)
SELECT d.`id`, n.i - 1, 0, n.i, datetime(1640000000 + pick(33, d.`id` * 50 + n.i, 72000000), 'unixepoch'), iif(chance(34, d.`id` * 50 + \
n.i) < 0.3, -1, skewed(35, d.`id` * 50 + n.i, 18000)), iif(chance(36, d.`id` * 50 + n.i) < 0.3, title(37, d.`id` * 50 + n.i, 4), ''), \
prose(38, d.`id` * 50 + n.i, 300)
FROM `dashboard` AS d JOIN numbers AS n ON n.i <= d.`version`;
INSERT INTO `tag` SELECT i, CASE skewed(39, i, 4) WHEN 1 THEN 'deploy' WHEN 2 THEN 'service' WHEN 3 THEN 'env' ELSE 'team' END, word(i) \
FROM numbers WHERE i <= 900;
INSERT INTO `annotation`
SELECT i, skewed(40, i, 6), iif(chance(41, i) < 0.65, skewed(42, i, 2500), 0), 0, iif(chance(43, i) < 0.8, skewed(44, i, 4500), 0), \
pick(45, i, 9), NULL, iif(chance(41, i) < 0.65, 'alert', ''), '', title(46, i, 5), NULL,
  iif(chance(41, i) < 0.65, CASE pick(47, i, 3) WHEN 1 THEN 'Normal' WHEN 2 THEN 'Pending' ELSE 'Alerting' END, ''), iif(chance(41, i) < \
0.65, CASE pick(48, i, 3) WHEN 1 THEN 'Normal' WHEN 2 THEN 'Pending' ELSE 'Alerting' END, ''),
  iif(chance(41, i) < 0.65, '{"values":{"B":' || pick(49, i, 1000) || '}}', '{}'), 1690000000000 + i * 500000, 0, '', 1690000000000 + i * \
500000 + pick(50, i, 3000), 1690000000000 + i * 500000 + pick(50, i, 3000), 1690000000000 + i * 500000 + iif(chance(51, i) < 0.1, pick(52, \
i, 3600) * 1000, 0)
FROM numbers WHERE i <= 45000;
INSERT OR IGNORE INTO `annotation_tag` (`annotation_id`, `tag_id`) SELECT iif(chance(53, i) < 0.03, 45000 + pick(54, i, 900), pick(55, i, \
45000)), skewed(56, i, 900) FROM numbers WHERE i <= 40000;
INSERT INTO `alert_rule` (`org_id`, `title`, `condition`, `data`, `updated`, `version`, `uid`, `namespace_uid`, `rule_group`, `for`, \
`annotations`, `labels`, `dashboard_uid`, `panel_id`, `is_paused`)
SELECT skewed(57, i, 6), title(58, i, 4) || ' ' || i, 'C', '[{"refId":"A","datasourceUid":"' || word(skewed(59, i, 60)) || \
'","model":{"expr":"' || prose(60, i, 200) || '"}}]', datetime(1700000000 + i * 1000, 'unixepoch'), pick(61, i, 20), printf('r%08x', i * \
7919), printf('d%08x', pick(62, i, 200) * 7919), word(skewed(63, i, 400)), 300000000000,
  '{"summary":"' || title(64, i, 5) || '"}', '{"severity":"' || CASE WHEN chance(65, i) < 0.05 THEN 'critical' WHEN chance(65, i) < 0.4 \
THEN 'warning' ELSE 'info' END || '","team":"' || word(skewed(66, i, 80)) || '"}', iif(chance(67, i) < 0.4, printf('d%08x', pick(68, i, \
4500) * 7919), NULL), pick(69, i, 9), chance(70, i) < 0.03
FROM numbers WHERE i <= 7000;
INSERT INTO `alert_instance`
SELECT r.`org_id`, r.`uid`, '[["alertname","' || r.`title` || '"],["instance","' || word(n.i) || '"]]', printf('%040x', r.`id` * 100 + \
n.i), CASE WHEN chance(71, r.`id` * 100 + n.i) < 0.03 THEN 'Alerting' WHEN chance(71, r.`id` * 100 + n.i) < 0.05 THEN 'Pending' WHEN \
chance(71, r.`id` * 100 + n.i) < 0.08 THEN 'NoData' ELSE 'Normal' END, '',
  1712000000 - skewed(72, r.`id` * 100 + n.i, 9000000), 1712000000, 1712000300 FROM `alert_rule` AS r JOIN numbers AS n ON n.i <= \
skewed(73, r.`id`, 20);

-- statement: grafana-01
-- is: subquery-per-row
-- because: annotations with rare tags: the tags of each one in the range are counted
-- run: 1712000000000, 1690000000000, 'riguje', 'flofoje'

SELECT a.id, a.dashboard_id, a.panel_id, a.text, a.epoch FROM annotation AS a
WHERE a.org_id = 1 AND a.epoch <= ? AND a.epoch_end >= ? AND (SELECT count(*) FROM annotation_tag AS at JOIN tag ON tag.id = at.tag_id \
WHERE at.annotation_id = a.id AND ((tag.key = 'team' AND tag.value = ?) OR (tag.key = 'team' AND tag.value = ?))) > 0
ORDER BY a.epoch_end DESC, a.epoch DESC LIMIT 100

-- best
-- index: annotation_tag (tag_id, annotation_id)

SELECT a.id, a.dashboard_id, a.panel_id, a.text, a.epoch FROM annotation AS a
WHERE +a.org_id = 1 AND a.epoch <= ?1 AND a.epoch_end >= ?2 AND a.id IN (SELECT at.annotation_id FROM tag JOIN annotation_tag AS at ON \
at.tag_id = tag.id WHERE tag.key = 'team' AND tag.value IN (?3, ?4))
ORDER BY a.epoch_end DESC, a.epoch DESC LIMIT 100

-- statement: grafana-02
-- fine
-- because: the annotations of a dashboard, in the order of an index
-- run: 1, 1712000000000, 1700000000000 | 7, 1712000000000, 1700000000000

SELECT id, panel_id, text, epoch, epoch_end FROM annotation WHERE org_id = 1 AND dashboard_id = ? AND epoch <= ? AND epoch_end >= ? ORDER \
BY epoch_end DESC, epoch DESC LIMIT 100

-- statement: grafana-03
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, partial-index, sort-without-index
-- because: what is too old: all annotations without an alert are looked up
-- run: 1690200000000

DELETE FROM annotation WHERE id IN (SELECT id FROM annotation WHERE alert_id = 0 AND dashboard_id = 0 AND created < ? ORDER BY id DESC LIMIT 100)

-- best
-- index: annotation (alert_id, dashboard_id, created)

-- or
-- index: annotation (dashboard_id, alert_id, created)

-- statement: grafana-04
-- fine
-- because: tags of annotations that are gone: each is looked for by its key

DELETE FROM annotation_tag WHERE annotation_id NOT IN (SELECT id FROM annotation)

-- statement: grafana-05
-- is: full-scan, index-not-covering, join-fan-out, join-order
-- because: dashboards with both tags
-- run: 1, 'yodi', 'loce' | 3, 'loce', 'xice'

SELECT d.id, d.uid, d.title, d.slug FROM dashboard AS d JOIN dashboard_tag AS dt ON dt.dashboard_id = d.id WHERE d.org_id = ? AND dt.term \
IN (?, ?) GROUP BY d.id HAVING count(d.id) >= 2 ORDER BY d.title LIMIT 30

-- best
-- index: dashboard_tag (term, dashboard_id)

SELECT d.id, d.uid, d.title, d.slug FROM dashboard AS d WHERE +d.org_id = ? AND d.id IN (SELECT dashboard_id FROM dashboard_tag WHERE term \
IN (?, ?) GROUP BY dashboard_id HAVING count(*) >= 2) ORDER BY d.title LIMIT 30

-- or
-- index: dashboard_tag (term, dashboard_id)

-- or
-- index: dashboard_tag (dashboard_id, term)

-- statement: grafana-06
-- fine
-- because: versions beyond the newest of each dashboard, counted and found in one index
-- run: 39

DELETE FROM dashboard_version WHERE id IN (
  SELECT v.id FROM dashboard_version AS v, (SELECT dashboard_id, count(version) AS count, min(version) AS min FROM dashboard_version GROUP \
BY dashboard_id) AS vtd
  WHERE v.dashboard_id = vtd.dashboard_id AND v.version < vtd.min + vtd.count - ? LIMIT 100)

-- statement: grafana-07
-- fine
-- because: the newest version of some dashboards, each from the end of an index
-- run: 1, 'd00001eef', 'd00003dde', 'd0000d682'

SELECT d.uid, v.version, v.message FROM dashboard AS d JOIN dashboard_version AS v ON v.dashboard_id = d.id AND v.version = (SELECT \
max(version) FROM dashboard_version WHERE dashboard_id = d.id) WHERE d.org_id = ? AND d.uid IN (?, ?, ?)

-- statement: grafana-08
-- is: join-order, sort-without-index
-- because: what was saved last: all versions of all dashboards are sorted
-- run: 1

SELECT d.title, v.version, v.message, v.created, coalesce(u.login, 'system') AS author FROM dashboard_version AS v JOIN dashboard AS d ON \
d.id = v.dashboard_id LEFT JOIN user AS u ON u.id = v.created_by
WHERE d.org_id = ? ORDER BY v.created DESC LIMIT 20

-- best
-- index: dashboard_version (created)

SELECT d.title, v.version, v.message, v.created, coalesce(u.login, 'system') AS author FROM dashboard_version AS v CROSS JOIN dashboard AS \
d ON d.id = v.dashboard_id LEFT JOIN user AS u ON u.id = v.created_by
WHERE d.org_id = ? ORDER BY v.created DESC LIMIT 20

-- statement: grafana-09
-- fine
-- tolerated: full-scan, function-on-column, index-not-covering, sort-without-index, subquery-per-row
-- because: who uses a data source: it is somewhere in a list, so each document has to be parsed
-- run: 'thaso'

SELECT d.uid, d.title FROM dashboard AS d WHERE d.is_folder = 0 AND EXISTS (SELECT 1 FROM json_each(d.data, '$.panels') AS p WHERE \
json_extract(p.value, '$.datasource.uid') = ?) ORDER BY d.title

-- statement: grafana-10
-- is: expression-index, function-on-column, index-not-covering
-- because: critical rules: the labels of all rules are parsed
-- run: 1 | 2

SELECT uid, title, rule_group FROM alert_rule WHERE org_id = ? AND json_extract(labels, '$.severity') = 'critical' AND is_paused = 0 ORDER BY title

-- best
-- index: alert_rule (org_id, json_extract(labels, '$.severity'))

-- or
-- index: alert_rule (json_extract(labels, '$.severity'), org_id)

-- statement: grafana-11
-- is: full-scan, index-not-covering, join-order, missing-statistics, partial-index, sort-without-index
-- because: what alerts for the longest time, in all organizations: the indexes begin with one
-- run: 1711000000

SELECT i.rule_org_id, i.rule_uid, r.title, i.current_state_since FROM alert_instance AS i JOIN alert_rule AS r ON r.org_id = i.rule_org_id \
AND r.uid = i.rule_uid
WHERE i.current_state = 'Alerting' AND i.current_state_since < ? ORDER BY i.current_state_since LIMIT 50

-- best
-- index: alert_instance (current_state, current_state_since)

-- or
-- index: alert_instance (current_state_since) WHERE current_state = 'Alerting'

-- statement: grafana-12
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column, or-without-index
-- because: who logs in, by name or address in whatever case
-- run: 'xiyoquice@EXAMPLE.com' | 'Bragrusofo'

SELECT id, login, email FROM user WHERE lower(login) = lower(?1) OR lower(email) = lower(?1)

-- best
-- index: user (lower(login))
-- index: user (lower(email))

-- statement: grafana-13
-- is: full-scan, or-without-index
-- because: sessions that have expired one way or the other
-- run: 1706930000, 1709425000

DELETE FROM user_auth_token WHERE created_at <= ? OR rotated_at <= ?

-- best
-- index: user_auth_token (created_at)
-- index: user_auth_token (rotated_at)

-- statement: grafana-14
-- is: harmful-index, large-offset, missing-statistics, sort-without-index
-- because: the hundred-and-forty-first page of users: all are sorted, and those before it dropped

SELECT u.id, u.login, u.email, u.name, u.last_seen_at FROM user AS u WHERE u.is_service_account = 0 ORDER BY u.login LIMIT 100 OFFSET 14000

-- best
-- run: 'tremuflodi'

SELECT u.id, u.login, u.email, u.name, u.last_seen_at FROM user AS u WHERE +u.is_service_account = 0 AND u.login >= ? ORDER BY u.login LIMIT 100

-- statement: grafana-15
-- is: index-not-covering, sort-without-index
-- because: the last state of each alert: all that it ever had are looked up, sorted and numbered
-- run: 2 | 1

SELECT alert_id, new_state, epoch FROM (
  SELECT alert_id, new_state, epoch, row_number() OVER (PARTITION BY alert_id ORDER BY epoch DESC) AS rn FROM annotation WHERE org_id = ? \
AND alert_id > 0)
WHERE rn = 1 ORDER BY alert_id

-- best
-- index: annotation (org_id, alert_id, epoch, new_state)

SELECT alert_id, new_state, max(epoch) AS epoch FROM annotation WHERE org_id = ? AND alert_id > 0 GROUP BY alert_id ORDER BY alert_id

-- or
-- index: annotation (org_id, alert_id, epoch DESC, new_state)

-- or
-- index: annotation (org_id, alert_id, epoch, new_state)

-- statement: grafana-16
-- fine
-- tolerated: sort-without-index
-- because: the dashboards that a user starred
-- run: 1

SELECT d.id, d.uid, d.title FROM star AS s JOIN dashboard AS d ON d.id = s.dashboard_id WHERE s.user_id = ? ORDER BY d.title
