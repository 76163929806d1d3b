-- schema: workshop
-- about: Jobs of a workshop with their steps, indexed and never analyzed: SQLite guesses which filter leaves fewest rows.

CREATE TABLE machine (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE job (
  id INTEGER PRIMARY KEY, machineID INTEGER NOT NULL REFERENCES machine (id), kind TEXT NOT NULL, stage INTEGER,
  customer TEXT NOT NULL);
CREATE TABLE step (
  id INTEGER PRIMARY KEY, jobID INTEGER NOT NULL REFERENCES job (id), minutes INTEGER NOT NULL, note TEXT NOT NULL);
CREATE INDEX job_machine ON job (machineID);
CREATE INDEX job_kind ON job (kind);
CREATE INDEX job_stage ON job (stage);
CREATE INDEX step_job ON step (jobID);
CREATE INDEX step_minutes ON step (minutes);

INSERT INTO machine SELECT i, title(1, i, 2) FROM numbers WHERE i <= 40;
INSERT INTO job SELECT i, 1 + i % 40, CASE i % 3 WHEN 0 THEN 'repair' WHEN 1 THEN 'service' ELSE 'build' END,
  iif(chance(2, i) < 0.01, NULL, 1 + pick(3, i, 500)), title(4, i, 2) FROM numbers WHERE i <= 12000;
INSERT INTO step SELECT i, 1 + pick(5, i, 11999), iif(i % 2000 = 0, 700, 1 + pick(6, i, 600)), prose(7, i, 60)
FROM numbers WHERE i <= 30000;

-- statement: workshop-01
-- is: join-order, missing-statistics
-- because: a third of the jobs are repairs, and 15 steps take so long: the range decides, not the equality

SELECT job.id, machine.name FROM job JOIN step ON step.jobID = job.id JOIN machine ON machine.id = job.machineID
WHERE job.kind = 'repair' AND step.minutes > 650

-- best

SELECT job.id, machine.name FROM step CROSS JOIN job ON step.jobID = job.id CROSS JOIN machine
  ON machine.id = job.machineID
WHERE job.kind = 'repair' AND step.minutes > 650

-- statement: workshop-02
-- is: expression-index, full-scan, function-on-column
-- because: no stage that is missing is 77: the column stands alone, and has an index

SELECT id, customer FROM job WHERE coalesce(stage, 0) = 77

-- best

SELECT id, customer FROM job WHERE stage = 77

-- or
-- index: job (coalesce(stage, 0))

-- statement: workshop-03
-- fine
-- because: two steps by the index of their job
-- run: 77

SELECT minutes, note FROM step WHERE jobID = ? ORDER BY id

-- statement: workshop-04
-- is: full-scan, function-on-column, or-without-index
-- because: the stage has an index, which can't serve what may be any stage
-- sampled
-- run: 77

SELECT id, customer FROM job WHERE stage = coalesce(?1, stage)

-- best

SELECT id, customer FROM job WHERE ?1 IS NOT NULL AND stage = ?1
UNION ALL SELECT id, customer FROM job WHERE ?1 IS NULL AND stage IS NOT NULL

-- statement: workshop-05
-- is: full-scan, index-not-covering, or-without-index
-- because: each side of the OR together with the machine, whose own index leads to 300 jobs
-- run: 7, 495 | 12, 498

SELECT id, customer FROM job WHERE machineID = ?1 AND (stage IS NULL OR stage >= ?2)

-- best
-- index: job (machineID, stage)
