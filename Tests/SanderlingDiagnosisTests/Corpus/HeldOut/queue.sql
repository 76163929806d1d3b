-- schema: queue
-- about: The jobs of a web application: each state of a job is a table of its own, and errors are long.
-- origin: Solid Queue 1.1 (MIT, Copyright 37signals, LLC): nine tables of its schema as Rails makes them in SQLite, with their indexes

CREATE TABLE "solid_queue_jobs" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "queue_name" varchar NOT NULL, "class_name" varchar NOT NULL,
  "arguments" text, "priority" integer DEFAULT 0 NOT NULL, "active_job_id" varchar, "scheduled_at" datetime(6),
  "finished_at" datetime(6), "concurrency_key" varchar, "created_at" datetime(6) NOT NULL, "updated_at" datetime(6) NOT NULL);
CREATE INDEX "index_solid_queue_jobs_on_active_job_id" ON "solid_queue_jobs" ("active_job_id");
CREATE INDEX "index_solid_queue_jobs_on_class_name" ON "solid_queue_jobs" ("class_name");
CREATE INDEX "index_solid_queue_jobs_on_finished_at" ON "solid_queue_jobs" ("finished_at");
CREATE INDEX "index_solid_queue_jobs_for_filtering" ON "solid_queue_jobs" ("queue_name", "finished_at");
CREATE INDEX "index_solid_queue_jobs_for_alerting" ON "solid_queue_jobs" ("scheduled_at", "finished_at");
CREATE TABLE "solid_queue_ready_executions" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "job_id" bigint NOT NULL REFERENCES "solid_queue_jobs" ("id") ON DELETE CASCADE,
  "queue_name" varchar NOT NULL, "priority" integer DEFAULT 0 NOT NULL, "created_at" datetime(6) NOT NULL);
CREATE UNIQUE INDEX "index_solid_queue_ready_executions_on_job_id" ON "solid_queue_ready_executions" ("job_id");
CREATE INDEX "index_solid_queue_poll_all" ON "solid_queue_ready_executions" ("priority", "job_id");
CREATE INDEX "index_solid_queue_poll_by_queue" ON "solid_queue_ready_executions" ("queue_name", "priority", "job_id");
CREATE TABLE "solid_queue_scheduled_executions" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "job_id" bigint NOT NULL REFERENCES "solid_queue_jobs" ("id") ON DELETE CASCADE,
  "queue_name" varchar NOT NULL, "priority" integer DEFAULT 0 NOT NULL, "scheduled_at" datetime(6) NOT NULL,
  "created_at" datetime(6) NOT NULL);
CREATE UNIQUE INDEX "index_solid_queue_scheduled_executions_on_job_id" ON "solid_queue_scheduled_executions" ("job_id");
CREATE INDEX "index_solid_queue_dispatch_all" ON "solid_queue_scheduled_executions" ("scheduled_at", "priority", "job_id");
CREATE TABLE "solid_queue_claimed_executions" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "job_id" bigint NOT NULL REFERENCES "solid_queue_jobs" ("id") ON DELETE CASCADE,
  "process_id" bigint, "created_at" datetime(6) NOT NULL);
CREATE UNIQUE INDEX "index_solid_queue_claimed_executions_on_job_id" ON "solid_queue_claimed_executions" ("job_id");
CREATE INDEX "index_solid_queue_claimed_executions_on_process_id_and_job_id" ON "solid_queue_claimed_executions" ("process_id", "job_id");
CREATE TABLE "solid_queue_failed_executions" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "job_id" bigint NOT NULL REFERENCES "solid_queue_jobs" ("id") ON DELETE CASCADE,
  "error" text, "created_at" datetime(6) NOT NULL);
CREATE UNIQUE INDEX "index_solid_queue_failed_executions_on_job_id" ON "solid_queue_failed_executions" ("job_id");
CREATE TABLE "solid_queue_recurring_executions" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "job_id" bigint NOT NULL REFERENCES "solid_queue_jobs" ("id") ON DELETE CASCADE,
  "task_key" varchar NOT NULL, "run_at" datetime(6) NOT NULL, "created_at" datetime(6) NOT NULL);
CREATE UNIQUE INDEX "index_solid_queue_recurring_executions_on_job_id" ON "solid_queue_recurring_executions" ("job_id");
CREATE UNIQUE INDEX "index_solid_queue_recurring_executions_on_task_key_and_run_at" ON "solid_queue_recurring_executions" ("task_key", "run_at");
CREATE TABLE "solid_queue_processes" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "kind" varchar NOT NULL, "last_heartbeat_at" datetime(6) NOT NULL,
  "supervisor_id" bigint, "pid" integer NOT NULL, "hostname" varchar, "metadata" text, "created_at" datetime(6) NOT NULL,
  "name" varchar NOT NULL);
CREATE INDEX "index_solid_queue_processes_on_last_heartbeat_at" ON "solid_queue_processes" ("last_heartbeat_at");
CREATE UNIQUE INDEX "index_solid_queue_processes_on_name_and_supervisor_id" ON "solid_queue_processes" ("name", "supervisor_id");
CREATE INDEX "index_solid_queue_processes_on_supervisor_id" ON "solid_queue_processes" ("supervisor_id");
CREATE TABLE "solid_queue_pauses" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "queue_name" varchar NOT NULL, "created_at" datetime(6) NOT NULL);
CREATE UNIQUE INDEX "index_solid_queue_pauses_on_queue_name" ON "solid_queue_pauses" ("queue_name");
CREATE TABLE "solid_queue_semaphores" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "key" varchar NOT NULL, "value" integer DEFAULT 1 NOT NULL,
  "expires_at" datetime(6) NOT NULL, "created_at" datetime(6) NOT NULL, "updated_at" datetime(6) NOT NULL);
CREATE INDEX "index_solid_queue_semaphores_on_expires_at" ON "solid_queue_semaphores" ("expires_at");
CREATE INDEX "index_solid_queue_semaphores_on_key_and_value" ON "solid_queue_semaphores" ("key", "value");
CREATE UNIQUE INDEX "index_solid_queue_semaphores_on_key" ON "solid_queue_semaphores" ("key");

INSERT INTO solid_queue_jobs
SELECT i, CASE WHEN chance(1, i) < 0.7 THEN 'default' WHEN chance(1, i) < 0.9 THEN 'mailers' ELSE 'low' END,
  'Job' || skewed(2, i, 60), '{"job_class":"Job","arguments":["' || prose(3, i, 60 + pick(4, i, 250)) || '"]}', 0,
  printf('%08x-%04x-4a', pick(5, i, 2000000000), i % 65536), datetime(1700000000 + i * 45, 'unixepoch') || '.000000',
  iif(i > 36000 OR chance(6, i) < 0.14, NULL, datetime(1700000000 + i * 45 + pick(7, i, 600), 'unixepoch') || '.000000'), NULL,
  datetime(1700000000 + i * 45, 'unixepoch') || '.000000', datetime(1700000000 + i * 45, 'unixepoch') || '.000000'
FROM numbers WHERE i <= 40000;
INSERT INTO solid_queue_failed_executions
SELECT NULL, id, '{"exception_class":"' || CASE WHEN chance(8, id) < 0.01 THEN 'Errno::ENOSPC' ELSE 'Error' || skewed(9, id, 30) END
    || '","message":"' || prose(10, id, 80) || '","backtrace":["' || prose(11, id, 500 + pick(12, id, 1500)) || '"]}', created_at
FROM solid_queue_jobs WHERE finished_at IS NULL AND id <= 36000;
INSERT INTO solid_queue_ready_executions SELECT id - 36000, id, queue_name, priority, created_at
FROM solid_queue_jobs WHERE finished_at IS NULL AND id > 36000 AND id <= 39000;
INSERT INTO solid_queue_scheduled_executions SELECT id - 39000, id, queue_name, priority, datetime(scheduled_at, '+7 days'), created_at
FROM solid_queue_jobs WHERE finished_at IS NULL AND id > 39000;
INSERT INTO solid_queue_recurring_executions
SELECT i, i, 'task_' || word(1 + i % 24), datetime(1700000000 + i * 45, 'unixepoch'), datetime(1700000000 + i * 45, 'unixepoch')
FROM numbers WHERE i <= 30000;
INSERT INTO solid_queue_processes SELECT i, 'Worker', datetime(1701800000 + i, 'unixepoch'), 1, 100 + i, 'web-' || i, '{}', '2023-12-01', \
'worker-' || i
FROM numbers WHERE i <= 12;
INSERT INTO solid_queue_pauses VALUES (1, 'low', '2023-12-01');
INSERT INTO solid_queue_semaphores SELECT i, 'Job/' || i, 1, datetime(1701800000 + i, 'unixepoch'), '2023-12-01', '2023-12-01'
FROM numbers WHERE i <= 200;

-- statement: queue-01
-- fine
-- because: what each worker asks for; its index has all of it
-- run: 'mailers', 5

SELECT job_id FROM solid_queue_ready_executions WHERE queue_name = ? ORDER BY priority ASC, job_id ASC LIMIT ?

-- statement: queue-02
-- is: full-scan, index-not-covering, partial-index, sort-without-index
-- because: the finished jobs of one class: by the class they are sorted, by the queue they are far apart
-- run: 'Job1', 'low' | 'Job44', 'default'

SELECT id, class_name, arguments, finished_at FROM solid_queue_jobs
WHERE class_name = ? AND queue_name = ? AND finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 25

-- best
-- index: solid_queue_jobs (class_name, queue_name, finished_at)

-- or
-- index: solid_queue_jobs (queue_name, class_name, finished_at)

-- statement: queue-03
-- is: full-scan, group-without-index, index-not-covering, join-order
-- because: a few days of three weeks; SQLite walks all jobs in the order of the groups instead
-- run: '2023-12-01'

SELECT j.class_name, count(*) AS failures, max(f.created_at) AS latest FROM solid_queue_failed_executions f
JOIN solid_queue_jobs j ON j.id = f.job_id WHERE f.created_at >= ? GROUP BY j.class_name ORDER BY failures DESC

-- best
-- index: solid_queue_failed_executions (created_at, job_id)

SELECT j.class_name, count(*) AS failures, max(f.created_at) AS latest FROM solid_queue_failed_executions f
CROSS JOIN solid_queue_jobs j ON j.id = f.job_id WHERE f.created_at >= ? GROUP BY j.class_name ORDER BY failures DESC

-- or
-- index: solid_queue_failed_executions (created_at)

SELECT j.class_name, count(*) AS failures, max(f.created_at) AS latest FROM solid_queue_failed_executions f
CROSS JOIN solid_queue_jobs j ON j.id = f.job_id WHERE f.created_at >= ? GROUP BY j.class_name ORDER BY failures DESC

-- statement: queue-04
-- is: expression-index, full-scan, function-on-column
-- because: each error is parsed for its class
-- run: 'Errno::ENOSPC' | 'Error12'

SELECT id, job_id, created_at FROM solid_queue_failed_executions
WHERE json_extract(error, '$.exception_class') = ? ORDER BY created_at DESC LIMIT 20

-- best
-- index: solid_queue_failed_executions (json_extract(error, '$.exception_class'), created_at)

-- or
-- index: solid_queue_failed_executions (json_extract(error, '$.exception_class'))

-- statement: queue-05
-- fine
-- because: jobs that were lost: all that is read are entries of indexes

SELECT count(*) FROM solid_queue_jobs j WHERE j.finished_at IS NULL
AND NOT EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = j.id)
AND NOT EXISTS (SELECT 1 FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id)
AND NOT EXISTS (SELECT 1 FROM solid_queue_failed_executions f WHERE f.job_id = j.id)

-- statement: queue-06
-- is: full-scan, group-without-index, index-not-covering
-- because: the latency of queues: each row is looked up for its time

SELECT queue_name, count(*), min(created_at) FROM solid_queue_ready_executions GROUP BY queue_name

-- best
-- index: solid_queue_ready_executions (queue_name, created_at)

-- statement: queue-07
-- is: full-scan, index-not-covering, sort-without-index
-- because: 24 tasks, 30,000 runs; the unique index leads to the last run of each

SELECT task_key, run_at, job_id FROM (
  SELECT task_key, run_at, job_id, row_number() OVER (PARTITION BY task_key ORDER BY run_at DESC) AS position
  FROM solid_queue_recurring_executions) WHERE position = 1

-- best

WITH RECURSIVE keys (task_key) AS (
  SELECT min(task_key) FROM solid_queue_recurring_executions
  UNION ALL SELECT (SELECT min(e.task_key) FROM solid_queue_recurring_executions e WHERE e.task_key > keys.task_key)
  FROM keys WHERE keys.task_key IS NOT NULL)
SELECT r.task_key, r.run_at, r.job_id FROM keys JOIN solid_queue_recurring_executions r ON r.task_key = keys.task_key
AND r.run_at = (SELECT max(x.run_at) FROM solid_queue_recurring_executions x WHERE x.task_key = keys.task_key)

-- or
-- index: solid_queue_recurring_executions (task_key, run_at DESC, job_id)

-- statement: queue-08
-- fine
-- because: old jobs by the index of their end
-- run: '2023-11-15 00:00:00'

DELETE FROM solid_queue_jobs WHERE id IN (SELECT id FROM solid_queue_jobs WHERE finished_at IS NOT NULL AND finished_at < ? LIMIT 500)
