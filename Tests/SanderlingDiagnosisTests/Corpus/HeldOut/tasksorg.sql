-- schema: tasksorg
-- about: A todo app: tasks with subtasks, their tags, alarms and places, and what they are on a server; times in milliseconds, zero for \
--   none.
-- origin: Tasks.org at version 88 of its database (GPL-3.0, Copyright Alex Baker and the Tasks contributors; github.com/tasks/tasks, \
--   app/schemas/com.todoroo.astrid.dao.Database/88.json): twelve of its tables with their indexes

CREATE TABLE tasks (
  _id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, title TEXT, importance INTEGER NOT NULL, dueDate INTEGER NOT NULL, hideUntil INTEGER NOT \
NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
  completed INTEGER NOT NULL, deleted INTEGER NOT NULL, notes TEXT, estimatedSeconds INTEGER NOT NULL, elapsedSeconds INTEGER NOT NULL, \
timerStart INTEGER NOT NULL, notificationFlags INTEGER NOT NULL,
  lastNotified INTEGER NOT NULL, recurrence TEXT, repeat_from INTEGER NOT NULL DEFAULT 0, calendarUri TEXT, remoteId TEXT, collapsed \
INTEGER NOT NULL, parent INTEGER NOT NULL, read_only INTEGER NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX t_rid ON tasks (remoteId);
CREATE INDEX active_and_visible ON tasks (completed, deleted, hideUntil);
CREATE TABLE notification (
  uid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, task INTEGER NOT NULL, timestamp INTEGER NOT NULL, type INTEGER NOT NULL, location INTEGER,
  FOREIGN KEY(task) REFERENCES tasks(_id) ON UPDATE NO ACTION ON DELETE CASCADE);
CREATE UNIQUE INDEX index_notification_task ON notification (task);
CREATE TABLE tagdata (_id INTEGER PRIMARY KEY AUTOINCREMENT, remoteId TEXT, name TEXT, color INTEGER, tagOrdering TEXT, td_icon INTEGER, \
td_order INTEGER NOT NULL);
CREATE TABLE userActivity (_id INTEGER PRIMARY KEY AUTOINCREMENT, remoteId TEXT, message TEXT, picture TEXT, target_id TEXT, created_at INTEGER);
CREATE TABLE attachment_file (file_id INTEGER PRIMARY KEY AUTOINCREMENT, file_uuid TEXT NOT NULL, filename TEXT NOT NULL, uri TEXT NOT NULL);
CREATE TABLE alarms (
  _id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, task INTEGER NOT NULL, time INTEGER NOT NULL, type INTEGER NOT NULL DEFAULT 0, repeat \
INTEGER NOT NULL DEFAULT 0, interval INTEGER NOT NULL DEFAULT 0,
  FOREIGN KEY(task) REFERENCES tasks(_id) ON UPDATE NO ACTION ON DELETE CASCADE);
CREATE INDEX index_alarms_task ON alarms (task);
CREATE TABLE places (
  place_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, uid TEXT, name TEXT, address TEXT, phone TEXT, url TEXT, latitude REAL NOT NULL, \
longitude REAL NOT NULL, place_color INTEGER NOT NULL, place_icon INTEGER NOT NULL,
  place_order INTEGER NOT NULL, radius INTEGER NOT NULL DEFAULT 250);
CREATE UNIQUE INDEX place_uid ON places (uid);
CREATE TABLE geofences (
  geofence_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, task INTEGER NOT NULL, place TEXT, arrival INTEGER NOT NULL, departure INTEGER NOT NULL,
  FOREIGN KEY(task) REFERENCES tasks(_id) ON UPDATE NO ACTION ON DELETE CASCADE);
CREATE INDEX index_geofences_task ON geofences (task);
CREATE TABLE tags (
  _id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, task INTEGER NOT NULL, name TEXT, tag_uid TEXT, task_uid TEXT, FOREIGN KEY(task) \
REFERENCES tasks(_id) ON UPDATE NO ACTION ON DELETE CASCADE);
CREATE INDEX index_tags_task ON tags (task);
CREATE TABLE caldav_lists (
  cdl_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, cdl_account TEXT, cdl_uuid TEXT, cdl_name TEXT, cdl_color INTEGER NOT NULL, cdl_ctag \
TEXT, cdl_url TEXT, cdl_icon INTEGER, cdl_order INTEGER NOT NULL,
  cdl_access INTEGER NOT NULL, cdl_last_sync INTEGER NOT NULL);
CREATE TABLE caldav_tasks (
  cd_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, cd_task INTEGER NOT NULL, cd_calendar TEXT, cd_object TEXT, cd_remote_id TEXT, cd_etag \
TEXT, cd_last_sync INTEGER NOT NULL, cd_deleted INTEGER NOT NULL,
  cd_remote_parent TEXT, gt_moved INTEGER NOT NULL, gt_remote_order INTEGER NOT NULL, gt_parent INTEGER NOT NULL, cd_order INTEGER, \
FOREIGN KEY(cd_task) REFERENCES tasks(_id) ON UPDATE NO ACTION ON DELETE CASCADE);
CREATE INDEX index_caldav_tasks_cd_task ON caldav_tasks (cd_task);
CREATE TABLE caldav_accounts (
  cda_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, cda_uuid TEXT, cda_name TEXT, cda_url TEXT, cda_username TEXT, cda_password TEXT, \
cda_error TEXT, cda_account_type INTEGER NOT NULL, cda_collapsed INTEGER NOT NULL,
  cda_server_type INTEGER NOT NULL);

INSERT INTO tasks
SELECT i, title(1, i, 4), skewed(2, i, 4) - 1, iif(chance(3, i) < 0.45, 0, 1600000000000 + i * 2500000 + pick(4, i, 86400) * 30000), \
iif(chance(5, i) < 0.9, 0, 1600000000000 + i * 2600000), 1600000000000 + i * 2500000,
  1600000000000 + i * 2500000 + pick(6, i, 800) * 1000000, iif(chance(7, i) < 0.72, 1600000000000 + i * 2500000 + pick(8, i, 500) * \
1000000, 0), iif(chance(9, i) < 0.05, 1600000000000 + i * 2600000, 0),
  iif(chance(10, i) < 0.4, prose(11, i, 40 + pick(12, i, 300)), NULL), 0, iif(chance(13, i) < 0.05, pick(14, i, 7200), 0), 0, 2, 0, \
iif(chance(15, i) < 0.06, 'RRULE:FREQ=WEEKLY', NULL), 0, NULL, printf('%016d', i * 104729), 0,
  iif(chance(16, i) < 0.2 AND i > 100, i - pick(17, i, 60), 0), 0
FROM numbers WHERE i <= 40000;
INSERT INTO notification (task, timestamp, type) SELECT _id, dueDate, 0 FROM tasks WHERE completed = 0 AND dueDate > 1690000000000 AND _id % 30 = 0;
INSERT INTO tagdata (remoteId, name, color, td_order) SELECT 'tag' || i, word(i), 0, i FROM numbers WHERE i <= 60;
INSERT INTO tags (task, name, tag_uid, task_uid) SELECT pick(18, i, 40000), word(skewed(19, i, 60)), 'tag' || skewed(19, i, 60), \
printf('%016d', pick(18, i, 40000) * 104729) FROM numbers WHERE i <= 26000;
INSERT INTO alarms (task, time, type) SELECT pick(20, i, 40000), iif(chance(21, i) < 0.5, 0, 1600000000000 + pick(22, i, 100000000) * \
1000), iif(chance(21, i) < 0.5, 2, 0) FROM numbers WHERE i <= 18000;
INSERT INTO places (uid, name, latitude, longitude, place_color, place_icon, place_order) SELECT 'place' || i, title(23, i, 2), 48 + \
chance(24, i), 11 + chance(25, i), 0, 0, i FROM numbers WHERE i <= 60;
INSERT INTO geofences (task, place, arrival, departure) SELECT pick(26, i, 40000), 'place' || skewed(27, i, 60), 1, 0 FROM numbers WHERE i <= 400;
INSERT INTO caldav_accounts (cda_uuid, cda_name, cda_account_type, cda_collapsed, cda_server_type) SELECT 'acc' || i, word(i), 0, 0, 0 \
FROM numbers WHERE i <= 4;
INSERT INTO caldav_lists (cdl_account, cdl_uuid, cdl_name, cdl_color, cdl_order, cdl_access, cdl_last_sync) SELECT 'acc' || (1 + i % 4), \
'list' || i, word(i), 0, i, 0, 1700000000000 FROM numbers WHERE i <= 24;
INSERT INTO caldav_tasks (cd_task, cd_calendar, cd_object, cd_remote_id, cd_etag, cd_last_sync, cd_deleted, cd_remote_parent, gt_moved, \
gt_remote_order, gt_parent, cd_order)
SELECT _id, 'list' || skewed(28, _id, 24), printf('%016d', _id * 104729) || '.ics', printf('%016d', _id * 104729), printf('"%x"', _id * \
31), modified + iif(chance(29, _id) < 0.01, -1000, 1000), iif(chance(30, _id) < 0.02, modified, 0),
  iif(parent > 0, printf('%016d', parent * 104729), NULL), 0, 0, 0, iif(chance(31, _id) < 0.1, _id, NULL)
FROM tasks WHERE _id % 40 > 0;
INSERT INTO userActivity (remoteId, message, target_id, created_at) SELECT 'a' || i, prose(32, i, 60), printf('%016d', skewed(33, i, \
40000) * 104729), 1600000000000 + i * 9000000 FROM numbers WHERE i <= 9000;
ANALYZE;

-- statement: tasksorg-01
-- is: index-not-covering, sort-without-index
-- because: what is due this week: all open tasks are looked up
-- run: 1699000000000, 1698000000000, 1698600000000

SELECT _id, title, dueDate, importance FROM tasks WHERE completed = 0 AND deleted = 0 AND hideUntil < ? AND dueDate > ? AND dueDate < ? \
ORDER BY dueDate LIMIT 60

-- best
-- index: tasks (completed, deleted, dueDate)

-- statement: tasksorg-02
-- is: automatic-index, full-scan
-- because: the subtasks of a task, at any depth: nothing leads from a task to them
-- run: 20000 | 1234

WITH RECURSIVE recursive_tasks (task) AS (
  SELECT _id FROM tasks WHERE parent = ? AND deleted = 0 UNION ALL SELECT tasks._id FROM tasks JOIN recursive_tasks ON \
recursive_tasks.task = tasks.parent WHERE tasks.deleted = 0)
SELECT task FROM recursive_tasks

-- best
-- index: tasks (parent, deleted)

-- or
-- index: tasks (parent)

-- statement: tasksorg-03
-- fine
-- because: a task by its unique id
-- run: '0000000104729000'

SELECT * FROM tasks WHERE remoteId = ? LIMIT 1

-- statement: tasksorg-04
-- is: full-scan
-- because: the task of a file on the server
-- run: 'list1', '0000004084431000.ics' | 'list9', 'none.ics'

SELECT * FROM caldav_tasks WHERE cd_calendar = ? AND cd_object = ? LIMIT 1

-- best
-- index: caldav_tasks (cd_object, cd_calendar)

-- or
-- index: caldav_tasks (cd_calendar, cd_object)

-- or
-- index: caldav_tasks (cd_object)

-- statement: tasksorg-05
-- is: full-scan, join-order
-- because: the open tasks of a tag
-- run: 'tag45' | 'tag20'

SELECT tasks._id, tasks.title FROM tasks JOIN tags ON tags.task = tasks._id WHERE tags.tag_uid = ? AND tasks.completed = 0 AND \
tasks.deleted = 0 ORDER BY tasks.modified DESC LIMIT 50

-- best
-- index: tags (tag_uid, task)

SELECT tasks._id, tasks.title FROM tags CROSS JOIN tasks ON tags.task = tasks._id WHERE tags.tag_uid = ? AND tasks.completed = 0 AND \
tasks.deleted = 0 ORDER BY tasks.modified DESC LIMIT 50

-- statement: tasksorg-06
-- is: automatic-index, index-not-covering, join-fan-out
-- because: how many open tasks each tag has: three of four tasks that are looked up are completed
-- run: 1699000000000

SELECT tagdata._id, tagdata.name, count(tasks._id) AS n FROM tagdata LEFT JOIN tags ON tags.tag_uid = tagdata.remoteId
LEFT JOIN tasks ON tags.task = tasks._id AND tasks.completed = 0 AND tasks.deleted = 0 AND tasks.hideUntil < ? WHERE tagdata.name IS NOT \
NULL AND tagdata.name <> '' GROUP BY tagdata._id

-- best
-- index: tags (task, tag_uid)

SELECT tagdata._id, tagdata.name, coalesce(c.n, 0) AS n FROM tagdata LEFT JOIN (
  SELECT tags.tag_uid, count(*) AS n FROM tasks JOIN tags ON tags.task = tasks._id WHERE tasks.completed = 0 AND tasks.deleted = 0 AND \
tasks.hideUntil < ? GROUP BY tags.tag_uid) AS c ON c.tag_uid = tagdata.remoteId
WHERE tagdata.name IS NOT NULL AND tagdata.name <> '' ORDER BY tagdata._id

-- statement: tasksorg-07
-- is: full-scan, join-order, sort-without-index
-- because: the alarms of a day
-- run: 1690000000000, 1690086400000

SELECT tasks._id, tasks.title, alarms.time FROM tasks JOIN alarms ON tasks._id = alarms.task
WHERE tasks.completed = 0 AND tasks.deleted = 0 AND alarms.type = 0 AND alarms.time > ? AND alarms.time <= ? ORDER BY alarms.time

-- best
-- index: alarms (type, time, task)

-- or
-- index: alarms (type, time)

-- statement: tasksorg-08
-- fine
-- because: a task goes with all that belongs to it, each by an index
-- run: 39 | 20011

DELETE FROM tasks WHERE _id = ?

-- statement: tasksorg-09
-- is: expression-index, full-scan, function-on-column
-- because: what was due on a day: its date is computed for each task
-- run: '2022-07-14' | '2023-02-01'

SELECT _id, title FROM tasks WHERE date(dueDate / 1000, 'unixepoch') = ? AND deleted = 0

-- best
-- index: tasks (date(dueDate / 1000, 'unixepoch'))

-- statement: tasksorg-10
-- fine
-- tolerated: expression-index, function-on-column, group-without-index, sort-without-index
-- because: what was done in the last weeks, read from an index that has it all
-- run: 1698000000000

SELECT strftime('%Y-%W', completed / 1000, 'unixepoch') AS week, count(*) AS n FROM tasks WHERE completed > ? AND deleted = 0 GROUP BY \
week ORDER BY week

-- statement: tasksorg-11
-- is: full-scan, partial-index
-- because: what was deleted here and not yet on the server: a fiftieth of all
-- run: 'list2' | 'list12'

SELECT cd_id, cd_task, cd_object FROM caldav_tasks WHERE cd_calendar = ? AND cd_deleted > 0

-- best
-- index: caldav_tasks (cd_calendar, cd_task, cd_object) WHERE cd_deleted > 0

-- or
-- index: caldav_tasks (cd_calendar, cd_deleted)

-- or
-- index: caldav_tasks (cd_calendar) WHERE cd_deleted > 0

-- statement: tasksorg-12
-- is: full-scan, index-not-covering, join-order
-- because: what is to be done at a place: a task is looked up for every fence before its place is compared
-- run: 'place2'

SELECT tasks._id, tasks.title FROM geofences JOIN places ON places.uid = geofences.place JOIN tasks ON tasks._id = geofences.task
WHERE tasks.completed = 0 AND tasks.deleted = 0 AND geofences.arrival = 1 AND places.uid = ?

-- best
-- index: geofences (place, arrival, task)

SELECT tasks._id, tasks.title FROM places CROSS JOIN geofences ON places.uid = geofences.place CROSS JOIN tasks ON tasks._id = geofences.task
WHERE tasks.completed = 0 AND tasks.deleted = 0 AND geofences.arrival = 1 AND places.uid = ?

-- or

SELECT tasks._id, tasks.title FROM places CROSS JOIN geofences ON places.uid = geofences.place CROSS JOIN tasks ON tasks._id = geofences.task
WHERE tasks.completed = 0 AND tasks.deleted = 0 AND geofences.arrival = 1 AND places.uid = ?

-- statement: tasksorg-13
-- fine
-- tolerated: full-scan, sort-without-index
-- because: what notifications show: there are few, and each task is found by its key

SELECT tasks._id, tasks.title, notification.type, notification.timestamp FROM notification JOIN tasks ON tasks._id = notification.task \
ORDER BY notification.timestamp DESC

-- statement: tasksorg-14
-- is: full-scan, join-order
-- because: where the first of the subtasks stands
-- run: 'list1', 20000 | 'list2', 30000

SELECT MIN(IFNULL(cd_order, (created - 978307200000) / 1000)) FROM caldav_tasks INNER JOIN tasks ON _id = cd_task
WHERE cd_calendar = ? AND parent = ? AND cd_deleted = 0 AND deleted = 0

-- best
-- index: tasks (parent)

-- or
-- index: tasks (parent, deleted)

-- statement: tasksorg-15
-- is: index-not-covering, or-without-index, partial-index, pattern-without-index
-- because: the weekly tasks of some days: all open ones are looked up
-- run: 1700000000000, 1695000000000, 1695600000000

UPDATE tasks SET elapsedSeconds = elapsedSeconds + 60, modified = ? WHERE recurrence LIKE 'RRULE:FREQ=WEEKLY%' AND completed = 0 AND \
(dueDate BETWEEN ? AND ? OR timerStart > 0)

-- best
-- index: tasks (completed, recurrence COLLATE NOCASE, dueDate, timerStart)

-- or
-- index: tasks (completed, recurrence COLLATE NOCASE)

-- statement: tasksorg-16
-- fine
-- because: open tasks that are in no list: both sides by their indexes

SELECT tasks._id FROM tasks LEFT JOIN caldav_tasks ON cd_task = tasks._id WHERE cd_id IS NULL AND tasks.completed = 0 AND tasks.deleted = 0

-- statement: tasksorg-17
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: words anywhere in notes: these have to be read
-- run: '%treflo%', '%treflo%'

SELECT _id, title FROM tasks WHERE notes LIKE ? OR title LIKE ?
