-- schema: airflow
-- about: A scheduler of jobs: runs of each plan, the tasks of each run, and a log of what was done.
-- origin: Apache Airflow 2.8 (Apache-2.0, Copyright the Apache Software Foundation): seven of its tables with their indexes, columns of \
--   no use here left out
-- superfluous: redundant-index idx_dag_run_dag_id

CREATE TABLE dag (dag_id VARCHAR(250) NOT NULL, is_paused BOOLEAN, is_active BOOLEAN, fileloc VARCHAR(2000), owners VARCHAR(2000), \
max_active_tasks INTEGER NOT NULL, next_dagrun_create_after TIMESTAMP, CONSTRAINT dag_pkey PRIMARY KEY (dag_id));
CREATE INDEX idx_next_dagrun_create_after ON dag (next_dagrun_create_after);
CREATE TABLE dag_run (id INTEGER NOT NULL, dag_id VARCHAR(250) NOT NULL, execution_date TIMESTAMP NOT NULL, run_id VARCHAR(250) NOT NULL, \
run_type VARCHAR(50) NOT NULL, start_date TIMESTAMP, end_date TIMESTAMP, state VARCHAR(50), external_trigger BOOLEAN, conf BLOB, \
last_scheduling_decision TIMESTAMP, CONSTRAINT dag_run_pkey PRIMARY KEY (id), CONSTRAINT dag_run_dag_id_execution_date_key UNIQUE (dag_id, \
execution_date), CONSTRAINT dag_run_dag_id_run_id_key UNIQUE (dag_id, run_id));
CREATE INDEX dag_id_state ON dag_run (dag_id, state);
CREATE INDEX idx_dag_run_dag_id ON dag_run (dag_id);
CREATE INDEX idx_dag_run_running_dags ON dag_run (state, dag_id) WHERE state = 'running';
CREATE INDEX idx_dag_run_queued_dags ON dag_run (state, dag_id) WHERE state = 'queued';
CREATE INDEX idx_last_scheduling_decision ON dag_run (last_scheduling_decision);
CREATE TABLE task_instance (
  task_id VARCHAR(250) NOT NULL, dag_id VARCHAR(250) NOT NULL, run_id VARCHAR(250) NOT NULL, map_index INTEGER DEFAULT '-1' NOT NULL, \
start_date TIMESTAMP, end_date TIMESTAMP, duration FLOAT, state VARCHAR(20), try_number INTEGER, hostname VARCHAR(1000), job_id INTEGER, \
pool VARCHAR(256) NOT NULL, queue VARCHAR(256), priority_weight INTEGER,
  operator VARCHAR(1000), queued_dttm TIMESTAMP, queued_by_job_id INTEGER, trigger_id INTEGER, CONSTRAINT task_instance_pkey PRIMARY KEY \
(dag_id, task_id, run_id, map_index), CONSTRAINT task_instance_dag_run_fkey FOREIGN KEY (dag_id, run_id) REFERENCES dag_run (dag_id, \
run_id) ON DELETE CASCADE);
CREATE INDEX ti_dag_state ON task_instance (dag_id, state);
CREATE INDEX ti_dag_run ON task_instance (dag_id, run_id);
CREATE INDEX ti_state ON task_instance (state);
CREATE INDEX ti_state_lkp ON task_instance (dag_id, task_id, run_id, state);
CREATE INDEX ti_pool ON task_instance (pool, state, priority_weight);
CREATE INDEX ti_job_id ON task_instance (job_id);
CREATE INDEX ti_trigger_id ON task_instance (trigger_id);
CREATE TABLE task_reschedule (id INTEGER NOT NULL, task_id VARCHAR(250) NOT NULL, dag_id VARCHAR(250) NOT NULL, run_id VARCHAR(250) NOT \
NULL, map_index INTEGER DEFAULT '-1' NOT NULL, try_number INTEGER NOT NULL, start_date TIMESTAMP NOT NULL, reschedule_date TIMESTAMP NOT \
NULL, CONSTRAINT task_reschedule_pkey PRIMARY KEY (id), FOREIGN KEY (dag_id, task_id, run_id, map_index) REFERENCES task_instance (dag_id, \
task_id, run_id, map_index) ON DELETE CASCADE);
CREATE INDEX idx_task_reschedule_dag_task_run ON task_reschedule (dag_id, task_id, run_id, map_index);
CREATE INDEX idx_task_reschedule_dag_run ON task_reschedule (dag_id, run_id);
CREATE TABLE job (id INTEGER NOT NULL, dag_id VARCHAR(250), state VARCHAR(20), job_type VARCHAR(30), start_date TIMESTAMP, end_date \
TIMESTAMP, latest_heartbeat TIMESTAMP, hostname VARCHAR(500), CONSTRAINT job_pkey PRIMARY KEY (id));
CREATE INDEX idx_job_dag_id ON job (dag_id);
CREATE INDEX idx_job_state_heartbeat ON job (state, latest_heartbeat);
CREATE INDEX job_type_heart ON job (job_type, latest_heartbeat);
CREATE TABLE log (id INTEGER NOT NULL, dttm TIMESTAMP, dag_id VARCHAR(250), task_id VARCHAR(250), map_index INTEGER, event VARCHAR(30), \
execution_date TIMESTAMP, owner VARCHAR(500), extra TEXT, CONSTRAINT log_pkey PRIMARY KEY (id));
CREATE INDEX idx_log_dag ON log (dag_id);
CREATE INDEX idx_log_dttm ON log (dttm);
CREATE INDEX idx_log_event ON log (event);
CREATE TABLE dataset_event (id INTEGER NOT NULL, dataset_id INTEGER NOT NULL, extra JSON NOT NULL, timestamp TIMESTAMP NOT NULL, \
source_task_id VARCHAR(250), source_dag_id VARCHAR(250), source_run_id VARCHAR(250), CONSTRAINT dataset_event_pkey PRIMARY KEY (id));
CREATE INDEX idx_dataset_id_timestamp ON dataset_event (dataset_id, timestamp);

INSERT INTO dag SELECT word(i), chance(1, i) < 0.2, chance(2, i) < 0.9, '/dags/' || word(i) || '.py', word(skewed(3, i, 30)), 16, \
datetime(1720000000 + i * 60, 'unixepoch') FROM numbers WHERE i <= 250;
INSERT INTO dag_run
SELECT i, word(1 + skewed(4, i, 249)), strftime('%Y-%m-%d %H:%M:%f', 1690000000 + i * 1500, 'unixepoch'), iif(chance(5, i) < 0.05, \
'manual__', 'scheduled__') || strftime('%Y-%m-%dT%H:%M:%f', 1690000000 + i * 1500, 'unixepoch'), iif(chance(5, i) < 0.05, 'manual', \
'scheduled'), strftime('%Y-%m-%d %H:%M:%f', 1690000000 + i * 1500 + pick(6, i, 4000), 'unixepoch'),
  strftime('%Y-%m-%d %H:%M:%f', 1690000000 + i * 1500 + 5000, 'unixepoch'), CASE WHEN i > 19960 AND i % 2 = 0 THEN 'running' WHEN \
chance(7, i) < 0.03 THEN 'failed' ELSE 'success' END, chance(5, i) < 0.05, NULL, strftime('%Y-%m-%d %H:%M:%f', 1690000000 + i * 1500 + \
5000, 'unixepoch')
FROM numbers WHERE i <= 20000;
INSERT INTO task_instance
SELECT 'task_' || n.i, r.dag_id, r.run_id, -1, r.start_date, r.end_date, skewed(8, r.id * 9 + n.i, 4000), CASE WHEN r.state = 'running' \
AND n.i > 1 THEN iif(n.i = 2, 'running', 'scheduled') WHEN r.state = 'failed' AND n.i = 3 THEN 'failed' WHEN chance(9, r.id * 9 + n.i) < \
0.01 THEN 'up_for_retry' ELSE 'success' END,
  1, 'worker' || pick(10, r.id, 9), r.id * 3 + n.i, iif(chance(11, n.i + length(r.dag_id)) < 0.9, 'default_pool', 'small'), 'default', 1 + \
skewed(12, r.id, 20), CASE skewed(13, n.i + length(r.dag_id) * 7, 6) WHEN 1 THEN 'PythonOperator' WHEN 2 THEN 'BashOperator' WHEN 3 THEN \
'SqlSensor' ELSE 'DbtRunOperator' END, r.start_date, r.id / 900, NULL
FROM dag_run AS r JOIN numbers AS n ON n.i <= 3;
INSERT INTO job SELECT i, iif(i % 40 = 0, NULL, word(1 + skewed(14, i, 249))), iif(i > 39900, 'running', iif(chance(15, i) < 0.03, \
'failed', 'success')), CASE WHEN i % 40 = 0 THEN 'SchedulerJob' WHEN i % 40 = 1 THEN 'TriggererJob' ELSE 'LocalTaskJob' END, \
datetime(1690000000 + i * 700, 'unixepoch'), NULL, datetime(1690000000 + i * 700 + 300, 'unixepoch'), 'worker' || pick(16, i, 9) FROM \
numbers WHERE i <= 40000;
INSERT INTO log SELECT i, datetime(1690000000 + i * 500, 'unixepoch'), iif(chance(17, i) < 0.1, NULL, word(1 + skewed(18, i, 249))), \
'task_' || pick(19, i, 40), -1, CASE skewed(20, i, 12) WHEN 1 THEN 'cli_task_run' WHEN 2 THEN 'running' WHEN 3 THEN 'success' WHEN 4 THEN \
'graph' ELSE word(skewed(20, i, 12)) END, NULL, iif(chance(21, i) < 0.97, 'airflow', word(skewed(22, i, 60))), '{"host_name": "worker' || \
pick(23, i, 9) || '", "full_command": "' || prose(24, i, 120) || '"}' FROM numbers WHERE i <= 50000;
INSERT INTO dataset_event SELECT i, skewed(25, i, 80), '{"rows": ' || pick(26, i, 90000) || ', "batch": "' || word(i / 3) || '", "note": \
"' || prose(27, i, 150) || '"}', datetime(1690000000 + i * 1200, 'unixepoch'), 'task_1', word(1 + skewed(28, i, 249)), 'scheduled__' || i \
FROM numbers WHERE i <= 25000;

-- statement: airflow-01
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: tasks that may run: few, by their state

SELECT ti.task_id, ti.dag_id, ti.run_id FROM task_instance AS ti JOIN dag_run AS dr ON dr.dag_id = ti.dag_id AND dr.run_id = ti.run_id \
JOIN dag ON dag.dag_id = ti.dag_id WHERE dr.state = 'running' AND ti.state = 'scheduled' AND NOT dag.is_paused ORDER BY \
-ti.priority_weight, dr.execution_date LIMIT 32

-- statement: airflow-02
-- is: full-scan
-- because: old tasks to be cleaned away
-- run: '2023-07-25 00:00:00'

SELECT count(*), min(start_date) FROM task_instance WHERE start_date < ?

-- best
-- index: task_instance (start_date)

-- statement: airflow-03
-- is: full-scan, index-not-covering, sort-without-index, subquery-per-row
-- because: the last run of each plan by a window over all runs

SELECT dag_id, run_id, state, start_date FROM (SELECT dag_id, run_id, state, start_date, execution_date, row_number() OVER (PARTITION BY \
dag_id ORDER BY execution_date DESC) AS n FROM dag_run) WHERE n = 1 ORDER BY dag_id

-- best
-- index: dag_run (dag_id, execution_date DESC, run_id, state, start_date)

-- statement: airflow-04
-- is: full-scan, partial-index, sort-without-index
-- because: the newest failed runs: the indexes on the state are for running and queued ones

SELECT id, dag_id, run_id, start_date FROM dag_run WHERE state = 'failed' ORDER BY start_date DESC LIMIT 25

-- best
-- index: dag_run (state, start_date)

-- or
-- index: dag_run (start_date) WHERE state = 'failed'

-- or
-- index: dag_run (start_date)

-- or
-- index: dag_run (start_date, state)

-- statement: airflow-05
-- is: index-not-covering, sort-without-index
-- because: what was done to a task: all of its plan is read
-- run: 'vace', 'task_7' | 'drice', 'task_31' | 'hatu', 'task_2'

SELECT id, dttm, event FROM log WHERE dag_id = ? AND task_id = ? AND event NOT IN ('cli_task_run', 'graph') ORDER BY dttm DESC LIMIT 30

-- best
-- index: log (dag_id, task_id, dttm)

-- or
-- index: log (dag_id, task_id)

-- or
-- index: log (task_id, dag_id, dttm)

-- statement: airflow-06
-- is: full-scan, large-offset, partial-index, sort-without-index
-- because: what people did, one in thirty: the log is walked from its end

SELECT id, dttm, event, owner FROM log WHERE owner <> 'airflow' ORDER BY dttm DESC LIMIT 25 OFFSET 900

-- best
-- index: log (dttm) WHERE owner <> 'airflow'

-- statement: airflow-07
-- is: expression-index, sort-without-index
-- because: the scheduler that lives, if any: all that ever ran are read and sorted

SELECT id, hostname, latest_heartbeat FROM job WHERE job_type = 'SchedulerJob' ORDER BY CASE state WHEN 'running' THEN 0 ELSE 1 END, \
latest_heartbeat DESC LIMIT 1

-- best
-- index: job (job_type, CASE state WHEN 'running' THEN 0 ELSE 1 END, latest_heartbeat DESC)

-- or

SELECT id, hostname, latest_heartbeat FROM (SELECT * FROM (SELECT 0 AS o, id, hostname, latest_heartbeat FROM job WHERE job_type = \
'SchedulerJob' AND state = 'running' ORDER BY latest_heartbeat DESC LIMIT 1) UNION ALL SELECT * FROM (SELECT 1, id, hostname, \
latest_heartbeat FROM job WHERE job_type = 'SchedulerJob' AND state IS NOT 'running' ORDER BY latest_heartbeat DESC LIMIT 1)) ORDER BY o \
LIMIT 1

-- statement: airflow-08
-- is: expression-index, full-scan, function-on-column
-- because: the events of a batch, which is in JSON
-- run: 'sotufo' | 'ceripli'

SELECT id, timestamp, source_dag_id FROM dataset_event WHERE json_extract(extra, '$.batch') = ?

-- best
-- index: dataset_event (json_extract(extra, '$.batch'))

-- statement: airflow-09
-- is: full-scan, index-not-covering
-- because: tasks of a scheduler that died go to another one
-- run: 30, 7 | 31, 12

UPDATE task_instance SET queued_by_job_id = ? WHERE queued_by_job_id = ? AND state IN ('queued', 'success')

-- best
-- index: task_instance (queued_by_job_id)

-- statement: airflow-10
-- is: expression-index, function-on-column, group-without-index, index-not-covering
-- because: a calendar of runs: each date is computed, then all are sorted
-- run: 'drice'

SELECT date(execution_date) AS day, state, count(*) FROM dag_run WHERE dag_id = ? GROUP BY day, state

-- best
-- index: dag_run (dag_id, date(execution_date), state)

-- statement: airflow-11
-- is: full-scan, group-without-index, harmful-index, index-not-covering
-- because: long tasks by their kind: nearly all are in that pool, and each is looked up
-- run: 3500 | 3900

SELECT operator, count(*), avg(duration) FROM task_instance WHERE pool = 'default_pool' AND state = 'success' AND duration > ? GROUP BY operator

-- best
-- index: task_instance (pool, state, duration, operator)

-- or
-- index: task_instance (state, duration)

-- statement: airflow-12
-- fine
-- because: runs by state, counted in an index

SELECT dag_id, state, count(state) FROM dag_run WHERE dag_id IN ('vace', 'drice', 'treki') GROUP BY dag_id, state

-- statement: airflow-13
-- fine
-- because: counted in an index
-- run: 'drice', 'failed'

SELECT count(*) FROM dag_run WHERE dag_id = ? AND state = ?
