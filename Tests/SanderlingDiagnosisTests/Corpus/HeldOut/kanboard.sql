-- schema: kanboard
-- about: Boards of tasks: migrations that made tables anew lost the indexes of tasks and comments.
-- origin: Kanboard 1.2.53 (MIT, Copyright Frédéric Guillot and contributors): nine tables of its SQLite schema with the indexes that its \
--   migrations leave, of projects' and users' columns four

CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT NOT NULL, name TEXT, is_active INTEGER DEFAULT 1);
CREATE UNIQUE INDEX users_username_idx ON users(username);
CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT NOCASE NOT NULL, is_active INTEGER DEFAULT 1, last_modified INTEGER DEFAULT 0);
CREATE TABLE columns (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, position INTEGER, project_id INTEGER NOT NULL, task_limit INTEGER DEFAULT '0',
  description TEXT, hide_in_dashboard INTEGER DEFAULT 0 NOT NULL,
  FOREIGN KEY(project_id) REFERENCES projects(id) ON DELETE CASCADE, UNIQUE (title, project_id));
CREATE INDEX columns_project_idx ON columns(project_id);
CREATE TABLE "tasks" (
  id INTEGER PRIMARY KEY, title TEXT NOCASE NOT NULL, description TEXT, date_creation INTEGER, color_id TEXT,
  project_id INTEGER REFERENCES projects(id) ON DELETE CASCADE, column_id INTEGER REFERENCES columns(id) ON DELETE CASCADE,
  owner_id INTEGER DEFAULT '0', position INTEGER, is_active INTEGER DEFAULT 1, date_completed INTEGER, score INTEGER,
  date_due INTEGER, category_id INTEGER DEFAULT 0, creator_id INTEGER DEFAULT '0', date_modification INTEGER DEFAULT '0',
  reference TEXT DEFAULT '', date_started INTEGER, time_spent NUMERIC DEFAULT 0, time_estimated NUMERIC DEFAULT 0,
  swimlane_id INTEGER, date_moved INTEGER DEFAULT 0, recurrence_status INTEGER DEFAULT 0 NOT NULL,
  recurrence_trigger INTEGER DEFAULT 0 NOT NULL, recurrence_factor INTEGER DEFAULT 0 NOT NULL,
  recurrence_timeframe INTEGER DEFAULT 0 NOT NULL, recurrence_basedate INTEGER DEFAULT 0 NOT NULL, recurrence_parent INTEGER,
  recurrence_child INTEGER, priority INTEGER DEFAULT 0, external_provider TEXT, external_uri TEXT);
CREATE TABLE comments (
  id INTEGER PRIMARY KEY, task_id INTEGER NOT NULL, user_id INTEGER DEFAULT 0, date_creation INTEGER NOT NULL,
  comment TEXT NOT NULL, reference VARCHAR(50), date_modification INTEGER, visibility VARCHAR(25) NOT NULL DEFAULT 'app-user',
  FOREIGN KEY(task_id) REFERENCES tasks(id) ON DELETE CASCADE);
CREATE TABLE subtasks (
  id INTEGER PRIMARY KEY, title TEXT NOCASE NOT NULL, status INTEGER DEFAULT 0, time_estimated NUMERIC DEFAULT 0,
  time_spent NUMERIC DEFAULT 0, task_id INTEGER NOT NULL, user_id INTEGER, position INTEGER DEFAULT 1,
  FOREIGN KEY(task_id) REFERENCES tasks(id) ON DELETE CASCADE);
CREATE INDEX subtasks_task_idx ON subtasks(task_id);
CREATE TABLE transitions (
  "id" INTEGER PRIMARY KEY, "user_id" INTEGER NOT NULL, "project_id" INTEGER NOT NULL, "task_id" INTEGER NOT NULL,
  "src_column_id" INTEGER NOT NULL, "dst_column_id" INTEGER NOT NULL, "date" INTEGER NOT NULL, "time_spent" INTEGER DEFAULT 0,
  FOREIGN KEY(task_id) REFERENCES tasks(id) ON DELETE CASCADE);
CREATE INDEX transitions_task_index ON transitions(task_id);
CREATE INDEX transitions_project_index ON transitions(project_id);
CREATE INDEX transitions_user_index ON transitions(user_id);
CREATE TABLE project_activities (
  id INTEGER PRIMARY KEY, date_creation INTEGER NOT NULL, event_name TEXT NOT NULL, creator_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL, task_id INTEGER NOT NULL, data TEXT,
  FOREIGN KEY(creator_id) REFERENCES users(id) ON DELETE CASCADE, FOREIGN KEY(project_id) REFERENCES projects(id) ON DELETE CASCADE,
  FOREIGN KEY(task_id) REFERENCES tasks(id) ON DELETE CASCADE);
CREATE TABLE task_has_tags (
  task_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, FOREIGN KEY(task_id) REFERENCES tasks(id) ON DELETE CASCADE, UNIQUE(tag_id, task_id));

INSERT INTO users SELECT i, word(i), title(1, i, 2), 1 FROM numbers WHERE i <= 200;
INSERT INTO projects SELECT i, title(2, i, 3), chance(3, i) < 0.8, 1700000000 FROM numbers WHERE i <= 80;
INSERT INTO columns SELECT i, 'column ' || (i % 5), i % 5, 1 + (i - 1) / 5, 0, '', 0 FROM numbers WHERE i <= 400;
INSERT INTO tasks (
  id, title, description, date_creation, color_id, project_id, column_id, owner_id, position, is_active, score, date_due, creator_id, \
date_modification, reference)
SELECT i, title(4, i, 5), prose(5, i, pick(6, i, 700)), 1500000000 + i * 9000, 'yellow', skewed(7, i, 80), 5 * (skewed(7, i, 80) - 1) + pick(8, i, 5),
  skewed(9, i, 200), pick(10, i, 300), chance(11, i) < 0.25, pick(12, i, 9), iif(chance(13, i) < 0.2, 1500000000 + i * 9000 + pick(14, i, \
9000000), 0),
  1, 1500000000 + i * 9000 + pick(15, i, 900000), iif(chance(16, i) < 0.3, 'EXT-' || i, '')
FROM numbers WHERE i <= 14000;
INSERT INTO comments (id, task_id, user_id, date_creation, comment) SELECT i, pick(17, i, 14000), skewed(18, i, 200), 1500000000 + i * \
6000, prose(19, i, 30 + pick(20, i, 500))
FROM numbers WHERE i <= 20000;
INSERT INTO subtasks SELECT i, title(21, i, 4), pick(22, i, 3) - 1, 0, 0, pick(23, i, 14000), skewed(24, i, 200), i % 6 FROM numbers WHERE i <= 12000;
INSERT INTO transitions SELECT i, skewed(25, i, 200), t.project_id, t.id, 1, t.column_id, 1500000000 + i * 3500, pick(26, i, 90000)
FROM numbers n JOIN tasks t ON t.id = pick(27, n.i, 14000) WHERE i <= 36000;
INSERT INTO project_activities SELECT i, 1500000000 + i * 4000, 'task.update', skewed(28, i, 200), skewed(29, i, 80), pick(30, i, 14000),
  '{"task":{"title":"' || title(31, i, 5) || '"},"changes":"' || prose(32, i, 250) || '"}' FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO task_has_tags SELECT pick(33, i, 14000), skewed(34, i, 60) FROM numbers WHERE i <= 15000;

-- statement: kanboard-01
-- is: automatic-index, full-scan, subquery-per-row
-- because: a board: two indexes that the program once had are gone
-- run: 60

SELECT t.id, t.title, t.color_id, t.column_id, t.position,
  (SELECT count(*) FROM comments c WHERE c.task_id = t.id) AS nb_comments,
  (SELECT count(*) FROM subtasks s WHERE s.task_id = t.id) AS nb_subtasks
FROM tasks t WHERE t.project_id = ? AND t.is_active = 1 ORDER BY t.column_id, t.position

-- best
-- index: comments (task_id)
-- index: tasks (project_id, is_active)

-- or
-- index: comments (task_id)
-- index: tasks (project_id)

-- statement: kanboard-02
-- is: full-scan
-- because: a task by the number that another system has; 70 % have the empty one
-- run: 3, 'EXT-12345' | 1, 'EXT-31'

SELECT id, title FROM tasks WHERE project_id = ? AND reference = ?

-- best
-- index: tasks (reference)

-- or
-- index: tasks (project_id, reference)

-- statement: kanboard-03
-- fine
-- because: half of all is of these projects, so that the newest twenty are among the last fifty

SELECT a.id, a.date_creation, a.event_name, a.data, u.name FROM project_activities a JOIN users u ON u.id = a.creator_id
WHERE a.project_id IN (1, 2, 3, 5, 8) ORDER BY a.id DESC LIMIT 20

-- statement: kanboard-04
-- is: full-scan, join-order, partial-index, sort-without-index
-- because: what is overdue: 1 %
-- run: 1520000000

SELECT t.id, t.title, t.date_due, p.name FROM tasks t JOIN projects p ON p.id = t.project_id
WHERE t.is_active = 1 AND p.is_active = 1 AND t.date_due > 0 AND t.date_due <= ? ORDER BY t.date_due

-- best
-- index: tasks (is_active, date_due)

-- or
-- index: tasks (date_due)

-- statement: kanboard-05
-- is: index-not-covering, sort-without-index
-- because: how long tasks stay in a column: a fifth of all, sorted
-- run: 1

SELECT task_id, dst_column_id, date - lag(date) OVER (PARTITION BY task_id ORDER BY date) AS stayed
FROM transitions WHERE project_id = ?

-- best
-- index: transitions (project_id, task_id, date, dst_column_id)

-- statement: kanboard-06
-- is: full-scan, pattern-without-index
-- because: a search within a project of 40 tasks reads all; the index of the board serves it
-- run: 40, 'dri', 'dri'

SELECT id, title FROM tasks WHERE project_id = ? AND (title LIKE '%' || ? || '%' OR description LIKE '%' || ? || '%') ORDER BY id DESC

-- best
-- index: tasks (project_id)

-- or
-- index: tasks (project_id, is_active)

-- statement: kanboard-07
-- is: automatic-index, full-scan
-- because: what one person has to do: each part needs an index
-- run: 150 | 77

SELECT t.id, t.title, 'task' AS kind FROM tasks t WHERE t.owner_id = ?1 AND t.is_active = 1
UNION ALL
SELECT t.id, s.title, 'subtask' FROM subtasks s JOIN tasks t ON t.id = s.task_id
WHERE s.user_id = ?1 AND s.status <> 2 AND t.is_active = 1

-- best
-- index: tasks (owner_id, is_active)
-- index: subtasks (user_id)

-- or
-- index: tasks (owner_id)
-- index: subtasks (user_id)

-- or
-- index: tasks (owner_id, is_active)
-- index: subtasks (user_id, status)

-- statement: kanboard-08
-- fine
-- because: tasks with both of two tags, by the unique index
-- run: 20, 31

SELECT task_id FROM task_has_tags WHERE tag_id IN (?, ?) GROUP BY task_id HAVING count(*) = 2

-- statement: kanboard-09
-- is: full-scan, group-without-index, index-not-covering
-- because: the columns' heads; the index of the board, and more of it
-- run: 2 | 33

SELECT column_id, count(*), sum(score) FROM tasks WHERE project_id = ? AND is_active = 1 GROUP BY column_id

-- best
-- index: tasks (project_id, is_active, column_id, score)

-- or
-- index: tasks (project_id, is_active, column_id)

-- or
-- index: tasks (project_id, is_active)
