-- schema: mlflow
-- about: Experiments of machine learning: keys of texts that begin with the name of a value, not with the run.
-- origin: MLflow 2.14 (Apache-2.0, Copyright Databricks, Inc.): six tables of its store, with their indexes

CREATE TABLE experiments (
  experiment_id INTEGER NOT NULL, name VARCHAR(256) NOT NULL, artifact_location VARCHAR(256), lifecycle_stage VARCHAR(32),
  creation_time BIGINT, last_update_time BIGINT, CONSTRAINT experiment_pk PRIMARY KEY (experiment_id), UNIQUE (name),
  CONSTRAINT experiments_lifecycle_stage CHECK (lifecycle_stage IN ('active', 'deleted')));
CREATE TABLE runs (
  run_uuid VARCHAR(32) NOT NULL, name VARCHAR(250), source_type VARCHAR(20), source_name VARCHAR(500),
  entry_point_name VARCHAR(50), user_id VARCHAR(256), status VARCHAR(9), start_time BIGINT, end_time BIGINT,
  source_version VARCHAR(50), lifecycle_stage VARCHAR(20), artifact_uri VARCHAR(200), experiment_id INTEGER,
  deleted_time BIGINT, CONSTRAINT run_pk PRIMARY KEY (run_uuid),
  FOREIGN KEY(experiment_id) REFERENCES experiments (experiment_id),
  CONSTRAINT runs_lifecycle_stage CHECK (lifecycle_stage IN ('active', 'deleted')),
  CHECK (status IN ('SCHEDULED', 'FAILED', 'FINISHED', 'RUNNING', 'KILLED')));
CREATE TABLE latest_metrics (
  key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT, step BIGINT NOT NULL, is_nan BOOLEAN NOT NULL,
  run_uuid VARCHAR(32) NOT NULL, CONSTRAINT latest_metric_pk PRIMARY KEY (key, run_uuid),
  FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid), CHECK (is_nan IN (0, 1)));
CREATE INDEX index_latest_metrics_run_uuid ON latest_metrics (run_uuid);
CREATE TABLE metrics (
  key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT NULL, run_uuid VARCHAR(32) NOT NULL,
  step BIGINT DEFAULT '0' NOT NULL, is_nan BOOLEAN DEFAULT '0' NOT NULL,
  CONSTRAINT metric_pk PRIMARY KEY (key, timestamp, step, run_uuid, value, is_nan),
  FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid), CHECK (is_nan IN (0, 1)));
CREATE INDEX index_metrics_run_uuid ON metrics (run_uuid);
CREATE TABLE params (
  key VARCHAR(250) NOT NULL, value VARCHAR(8000) NOT NULL, run_uuid VARCHAR(32) NOT NULL,
  CONSTRAINT param_pk PRIMARY KEY (key, run_uuid), FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid));
CREATE INDEX index_params_run_uuid ON params (run_uuid);
CREATE TABLE tags (
  key VARCHAR(250) NOT NULL, value VARCHAR(5000), run_uuid VARCHAR(32) NOT NULL,
  CONSTRAINT tag_pk PRIMARY KEY (key, run_uuid), FOREIGN KEY(run_uuid) REFERENCES runs (run_uuid));
CREATE INDEX index_tags_run_uuid ON tags (run_uuid);

INSERT INTO experiments
SELECT i, 'experiment-' || i, '/mlruns/' || i, iif(i % 9 = 0, 'deleted', 'active'), 1690000000000 + i * 86400000,
  1690000000000 + pick(1, i, 90) * 86400000 FROM numbers WHERE i <= 60;
INSERT INTO runs
SELECT printf('%032x', i * 2654435761 % 4294967296), word(pick(2, i, 900)) || '-' || i, 'LOCAL', '/home/' || word(skewed(3, i, 30)) || '/train.py',
  'main', word(skewed(3, i, 30)), CASE WHEN chance(4, i) < 0.005 THEN 'RUNNING' WHEN chance(4, i) < 0.1 THEN 'FAILED' ELSE 'FINISHED' END,
  1690000000000 + i * 600000, iif(chance(4, i) < 0.005, NULL, 1690000000000 + i * 600000 + pick(5, i, 500000)),
  printf('%040x', i), iif(chance(6, i) < 0.03, 'deleted', 'active'), '/mlruns/' || skewed(7, i, 60) || '/' || printf('%032x', i) || '/artifacts',
  skewed(7, i, 60), iif(chance(6, i) < 0.03, 1690000000000 + i * 600000 + 900000, NULL)
FROM numbers WHERE i <= 10000;
INSERT INTO latest_metrics
SELECT CASE k.i WHEN 1 THEN 'accuracy' WHEN 2 THEN 'loss' ELSE 'f1' END, chance(8 + k.i, r.rowid), r.start_time, 10, 0, r.run_uuid
FROM runs r JOIN numbers k ON k.i <= 3;
INSERT INTO metrics
SELECT CASE k.i % 3 WHEN 1 THEN 'accuracy' WHEN 2 THEN 'loss' ELSE 'f1' END, chance(18 + k.i, r.rowid), r.start_time + k.i * 1000, \
r.run_uuid, k.i / 3, 0
FROM runs r JOIN numbers k ON k.i <= 60 WHERE r.rowid % 12 = 0;
INSERT INTO params
SELECT CASE k.i WHEN 1 THEN 'lr' WHEN 2 THEN 'batch_size' WHEN 3 THEN 'optimizer' ELSE 'seed' END,
  CASE k.i WHEN 1 THEN printf('%.4f', skewed(80, r.rowid, 90) / 1000.0) WHEN 2 THEN '' || (8 << pick(81, r.rowid, 5)) WHEN 3 THEN \
word(pick(82, r.rowid, 4))
    ELSE '' || pick(83, r.rowid, 100000) END, r.run_uuid
FROM runs r JOIN numbers k ON k.i <= 4;
INSERT INTO tags SELECT 'mlflow.source.name', 'src/' || word(pick(84, rowid, 400)) || '/' || word(skewed(85, rowid, 20)) || '.py', run_uuid FROM runs;
INSERT INTO tags SELECT 'mlflow.user', user_id, run_uuid FROM runs;
INSERT INTO tags SELECT 'mlflow.note.content', prose(86, rowid, 120), run_uuid FROM runs WHERE rowid % 5 = 0;

-- statement: mlflow-01
-- is: foreign-key-without-index, full-scan, sort-without-index
-- because: the newest runs of an experiment, large or small
-- run: 2, 'active' | 30, 'active'

SELECT run_uuid, name, status, start_time FROM runs WHERE experiment_id = ? AND lifecycle_stage = ?
ORDER BY start_time DESC LIMIT 50

-- best
-- index: runs (experiment_id, start_time)

-- statement: mlflow-02
-- is: full-scan, index-not-covering, missing-statistics, sort-without-index
-- because: the curve of one run: without statistics the primary key is taken, by the key, a third of the table
-- run: '000000000000000000000000a40a6db0', 'loss'

SELECT step, value, timestamp FROM metrics WHERE run_uuid = ? AND key = ? ORDER BY step

-- best
-- index: metrics (run_uuid, key, step)

-- or
-- change: ANALYZE

-- statement: mlflow-03
-- is: foreign-key-without-index, full-scan, index-not-covering, join-order
-- because: a search within one of the smaller experiments begins with its runs
-- run: 45, 0.5, 'shuce'

SELECT r.run_uuid, r.name, m.value FROM runs r
JOIN latest_metrics m ON m.run_uuid = r.run_uuid AND m.key = 'accuracy'
JOIN params p ON p.run_uuid = r.run_uuid AND p.key = 'optimizer'
WHERE r.experiment_id = ? AND m.value > ? AND p.value = ? ORDER BY m.value DESC LIMIT 20

-- best
-- index: runs (experiment_id)

SELECT r.run_uuid, r.name, m.value FROM runs r
CROSS JOIN latest_metrics m ON m.run_uuid = r.run_uuid AND m.key = 'accuracy'
CROSS JOIN params p ON p.run_uuid = r.run_uuid AND p.key = 'optimizer'
WHERE r.experiment_id = ? AND m.value > ? AND p.value = ? ORDER BY m.value DESC LIMIT 20

-- statement: mlflow-04
-- is: foreign-key-without-index, full-scan, group-without-index, index-not-covering
-- because: two short columns of wide rows

SELECT experiment_id, status, count(*) FROM runs GROUP BY experiment_id, status

-- best
-- index: runs (experiment_id, status)

-- statement: mlflow-05
-- fine
-- because: 60 rows

SELECT experiment_id, name FROM experiments WHERE lifecycle_stage = 'active' ORDER BY last_update_time DESC LIMIT 20

-- statement: mlflow-06
-- is: full-scan, index-not-covering, partial-index
-- because: 50 of 10,000 run; the note is looked up by the primary key
-- run: 'RUNNING'

SELECT r.run_uuid, r.start_time FROM runs r WHERE r.status = ?
AND NOT EXISTS (SELECT 1 FROM tags t WHERE t.run_uuid = r.run_uuid AND t.key = 'mlflow.note.content')

-- best
-- index: runs (status)

-- statement: mlflow-07
-- is: full-scan, index-not-covering, pattern-without-index
-- because: a prefix that is put together in the statement uses no index; the range does, in either case
-- run: 'src/bratre/'

SELECT run_uuid, value FROM tags WHERE key = 'mlflow.source.name' AND value LIKE ? || '%'

-- best
-- index: tags (key, value COLLATE NOCASE)

SELECT run_uuid, value FROM tags WHERE key = 'mlflow.source.name' AND value LIKE ?1 || '%'
AND value COLLATE NOCASE >= ?1 AND value COLLATE NOCASE < ?1 || char(1114111)

-- statement: mlflow-08
-- is: foreign-key-without-index, full-scan, partial-index
-- because: 3 % are deleted, few of them long ago and of this experiment
-- run: 1690090000000, 30

DELETE FROM runs WHERE lifecycle_stage = 'deleted' AND deleted_time < ? AND experiment_id = ?

-- best
-- index: runs (deleted_time)

-- or
-- index: runs (experiment_id, lifecycle_stage)

-- or
-- index: runs (lifecycle_stage, deleted_time)

-- or
-- index: runs (experiment_id)

-- statement: mlflow-09
-- is: repeated-statement
-- because: the parameters of each run of a page, one by one
-- operation: list runs
-- run: '000000000000000000000000f3051c11' | '000000000000000000000000e60a3822' | '000000000000000000000000d90f5433' | \
--   '000000000000000000000000cc147044' | '000000000000000000000000bf198c55' | '000000000000000000000000b21ea866' | \
--   '000000000000000000000000a523c477' | '0000000000000000000000009828e088' | '0000000000000000000000008b2dfc99' | \
--   '0000000000000000000000007e3318aa' | '000000000000000000000000713834bb' | '000000000000000000000000643d50cc' | \
--   '00000000000000000000000057426cdd' | '0000000000000000000000004a4788ee' | '0000000000000000000000003d4ca4ff' | \
--   '0000000000000000000000003051c110' | '0000000000000000000000002356dd21' | '000000000000000000000000165bf932' | \
--   '00000000000000000000000009611543' | '000000000000000000000000fc663154' | '000000000000000000000000ef6b4d65' | \
--   '000000000000000000000000e2706976' | '000000000000000000000000d5758587' | '000000000000000000000000c87aa198' | \
--   '000000000000000000000000bb7fbda9' | '000000000000000000000000ae84d9ba' | '000000000000000000000000a189f5cb' | \
--   '000000000000000000000000948f11dc' | '00000000000000000000000087942ded' | '0000000000000000000000007a9949fe' | \
--   '0000000000000000000000006d9e660f' | '00000000000000000000000060a38220' | '00000000000000000000000053a89e31' | \
--   '00000000000000000000000046adba42' | '00000000000000000000000039b2d653' | '0000000000000000000000002cb7f264' | \
--   '0000000000000000000000001fbd0e75' | '00000000000000000000000012c22a86' | '00000000000000000000000005c74697' | \
--   '000000000000000000000000f8cc62a8' | '000000000000000000000000ebd17eb9' | '000000000000000000000000ded69aca' | \
--   '000000000000000000000000d1dbb6db' | '000000000000000000000000c4e0d2ec' | '000000000000000000000000b7e5eefd' | \
--   '000000000000000000000000aaeb0b0e' | '0000000000000000000000009df0271f' | '00000000000000000000000090f54330' | \
--   '00000000000000000000000083fa5f41' | '00000000000000000000000076ff7b52' | '0000000000000000000000006a049763' | \
--   '0000000000000000000000005d09b374' | '000000000000000000000000500ecf85' | '0000000000000000000000004313eb96' | \
--   '000000000000000000000000361907a7' | '000000000000000000000000291e23b8' | '0000000000000000000000001c233fc9' | \
--   '0000000000000000000000000f285bda' | '000000000000000000000000022d77eb' | '000000000000000000000000f53293fc'

SELECT key, value FROM params WHERE run_uuid = ?

-- best
-- run: '["000000000000000000000000f3051c11","000000000000000000000000e60a3822","000000000000000000000000d90f5433",\
--   "000000000000000000000000cc147044","000000000000000000000000bf198c55","000000000000000000000000b21ea866",\
--   "000000000000000000000000a523c477","0000000000000000000000009828e088","0000000000000000000000008b2dfc99",\
--   "0000000000000000000000007e3318aa","000000000000000000000000713834bb","000000000000000000000000643d50cc",\
--   "00000000000000000000000057426cdd","0000000000000000000000004a4788ee","0000000000000000000000003d4ca4ff",\
--   "0000000000000000000000003051c110","0000000000000000000000002356dd21","000000000000000000000000165bf932",\
--   "00000000000000000000000009611543","000000000000000000000000fc663154","000000000000000000000000ef6b4d65",\
--   "000000000000000000000000e2706976","000000000000000000000000d5758587","000000000000000000000000c87aa198",\
--   "000000000000000000000000bb7fbda9","000000000000000000000000ae84d9ba","000000000000000000000000a189f5cb",\
--   "000000000000000000000000948f11dc","00000000000000000000000087942ded","0000000000000000000000007a9949fe",\
--   "0000000000000000000000006d9e660f","00000000000000000000000060a38220","00000000000000000000000053a89e31",\
--   "00000000000000000000000046adba42","00000000000000000000000039b2d653","0000000000000000000000002cb7f264",\
--   "0000000000000000000000001fbd0e75","00000000000000000000000012c22a86","00000000000000000000000005c74697",\
--   "000000000000000000000000f8cc62a8","000000000000000000000000ebd17eb9","000000000000000000000000ded69aca",\
--   "000000000000000000000000d1dbb6db","000000000000000000000000c4e0d2ec","000000000000000000000000b7e5eefd",\
--   "000000000000000000000000aaeb0b0e","0000000000000000000000009df0271f","00000000000000000000000090f54330",\
--   "00000000000000000000000083fa5f41","00000000000000000000000076ff7b52","0000000000000000000000006a049763",\
--   "0000000000000000000000005d09b374","000000000000000000000000500ecf85","0000000000000000000000004313eb96",\
--   "000000000000000000000000361907a7","000000000000000000000000291e23b8","0000000000000000000000001c233fc9",\
--   "0000000000000000000000000f285bda","000000000000000000000000022d77eb","000000000000000000000000f53293fc"]'

SELECT key, value, run_uuid FROM params WHERE run_uuid IN (SELECT value FROM json_each(?))
