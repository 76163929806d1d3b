-- schema: bareos
-- about: The catalog of a backup: jobs, the files that each has saved, the tapes they are on, and a tree of paths.
-- origin: Bareos 17.2 (AGPL-3.0, Copyright the Free Software Foundation Europe, Bareos GmbH & Co. KG and others): twelve of the tables of \
--   its SQLite catalog with their indexes; of Job, Media, Pool and Client only some columns
-- superfluous: redundant-index File_JobId
-- superfluous: redundant-index pathvisibility_jobid

CREATE TABLE Path (PathId INTEGER, Path TEXT DEFAULT '', PRIMARY KEY(PathId));
CREATE INDEX inx2 ON Path (Path);
CREATE TABLE File (
  FileId INTEGER NOT NULL, FileIndex INTEGER UNSIGNED DEFAULT 0, JobId INTEGER UNSIGNED NOT NULL REFERENCES Job, PathId INTEGER UNSIGNED \
NOT NULL REFERENCES Path, Name BLOB NOT NULL, DeltaSeq SMALLINT UNSIGNED DEFAULT 0,
  MarkId INTEGER UNSIGNED DEFAULT 0, LStat TINYBLOB NOT NULL, MD5 TINYBLOB NOT NULL, PRIMARY KEY (FileId));
CREATE INDEX File_JobId ON File (JobId);
CREATE INDEX File_JobId_PathId_Name ON File (JobId, PathId, Name);
CREATE TABLE Job (
  JobId INTEGER, Job VARCHAR(128) NOT NULL, Name VARCHAR(128) NOT NULL, Type CHAR(1) NOT NULL, Level CHAR(1) NOT NULL, ClientId INTEGER \
REFERENCES Client DEFAULT 0, JobStatus CHAR(1) NOT NULL, SchedTime DATETIME NOT NULL,
  StartTime DATETIME DEFAULT 0, EndTime DATETIME DEFAULT 0, JobTDate BIGINT UNSIGNED DEFAULT 0, JobFiles INTEGER UNSIGNED DEFAULT 0, \
JobBytes BIGINT UNSIGNED DEFAULT 0, JobErrors INTEGER UNSIGNED DEFAULT 0,
  PoolId INTEGER UNSIGNED REFERENCES Pool DEFAULT 0, FileSetId INTEGER UNSIGNED REFERENCES FileSet DEFAULT 0, PurgedFiles TINYINT DEFAULT \
0, HasCache TINYINT DEFAULT 0, Reviewed TINYINT DEFAULT 0, Comment TEXT, PRIMARY KEY(JobId));
CREATE INDEX inx6 ON Job (Name);
CREATE TABLE Log (LogId INTEGER, JobId INTEGER UNSIGNED REFERENCES Job NOT NULL, Time DATETIME NOT NULL, LogText TEXT NOT NULL, PRIMARY KEY(LogId));
CREATE INDEX LogInx1 ON Log (JobId);
CREATE TABLE FileSet (FileSetId INTEGER, FileSet VARCHAR(128) NOT NULL, MD5 VARCHAR(25) NOT NULL, CreateTime DATETIME DEFAULT 0, PRIMARY \
KEY(FileSetId));
CREATE TABLE JobMedia (
  JobMediaId INTEGER, JobId INTEGER UNSIGNED REFERENCES Job NOT NULL, MediaId INTEGER UNSIGNED REFERENCES Media NOT NULL, FirstIndex \
INTEGER UNSIGNED NOT NULL, LastIndex INTEGER UNSIGNED NOT NULL,
  StartFile INTEGER UNSIGNED DEFAULT 0, EndFile INTEGER UNSIGNED DEFAULT 0, StartBlock INTEGER UNSIGNED DEFAULT 0, EndBlock INTEGER \
UNSIGNED DEFAULT 0, JobBytes TEXT DEFAULT 0, VolIndex INTEGER UNSIGNED DEFAULT 0, PRIMARY KEY(JobMediaId));
CREATE INDEX inx7 ON JobMedia (JobId, MediaId);
CREATE TABLE Media (
  MediaId INTEGER, VolumeName VARCHAR(128) NOT NULL, PoolId INTEGER UNSIGNED REFERENCES Pool DEFAULT 0, MediaType VARCHAR(128) NOT NULL, \
LastWritten DATETIME DEFAULT 0, VolJobs INTEGER UNSIGNED DEFAULT 0,
  VolBytes BIGINT UNSIGNED DEFAULT 0, VolStatus VARCHAR(20) NOT NULL, Recycle TINYINT DEFAULT 0, VolRetention BIGINT UNSIGNED DEFAULT 0, \
InChanger TINYINT DEFAULT 0, Comment TEXT, PRIMARY KEY(MediaId));
CREATE INDEX inx8 ON Media (PoolId);
CREATE TABLE Pool (PoolId INTEGER, Name VARCHAR(128) NOT NULL, NumVols INTEGER UNSIGNED DEFAULT 0, MaxVols INTEGER UNSIGNED DEFAULT 0, \
VolRetention BIGINT UNSIGNED DEFAULT 0, PoolType VARCHAR(20) NOT NULL, LabelFormat VARCHAR(128) NOT NULL, UNIQUE (Name), PRIMARY KEY \
(PoolId));
CREATE TABLE Client (ClientId INTEGER, Name VARCHAR(128) NOT NULL, Uname VARCHAR(255) NOT NULL, AutoPrune TINYINT DEFAULT 0, FileRetention \
BIGINT UNSIGNED DEFAULT 0, JobRetention BIGINT UNSIGNED DEFAULT 0, UNIQUE (Name), PRIMARY KEY(ClientId));
CREATE TABLE BaseFiles (
  BaseId INTEGER, BaseJobId INTEGER UNSIGNED REFERENCES Job NOT NULL, JobId INTEGER UNSIGNED REFERENCES Job NOT NULL, FileId INTEGER \
UNSIGNED REFERENCES File NOT NULL, FileIndex INTEGER UNSIGNED, PRIMARY KEY(BaseId));
CREATE INDEX basefiles_jobid_idx ON BaseFiles ( JobId );
CREATE TABLE PathHierarchy (PathId integer NOT NULL, PPathId integer NOT NULL, CONSTRAINT pathhierarchy_pkey PRIMARY KEY (PathId));
CREATE INDEX pathhierarchy_ppathid ON PathHierarchy (PPathId);
CREATE TABLE PathVisibility (PathId integer NOT NULL, JobId integer NOT NULL, Size int8 DEFAULT 0, Files int4 DEFAULT 0, CONSTRAINT \
pathvisibility_pkey PRIMARY KEY (JobId, PathId));
CREATE INDEX pathvisibility_jobid ON PathVisibility (JobId);

INSERT INTO Client SELECT i, 'host' || i || '-fd', '17.2.4 (21Sep17) Linux', 1, 2592000, 15552000 FROM numbers WHERE i <= 150;
INSERT INTO Pool SELECT i, CASE i WHEN 1 THEN 'Full' WHEN 2 THEN 'Incremental' WHEN 3 THEN 'Scratch' ELSE 'Pool' || i END, 80, 0, \
31536000, 'Backup', 'Vol-' FROM numbers WHERE i <= 9;
INSERT INTO FileSet SELECT i, 'Set' || i, printf('%022x', i * 7919), '2020-01-01 00:00:00' FROM numbers WHERE i <= 20;
INSERT INTO Job
SELECT i, 'backup-' || skewed(1, i, 150) || '.' || i, 'backup-' || skewed(1, i, 150), iif(chance(2, i) < 0.97, 'B', 'R'), CASE pick(3, i, \
10) WHEN 1 THEN 'F' WHEN 2 THEN 'D' ELSE 'I' END, skewed(1, i, 150),
  iif(chance(4, i) < 0.92, 'T', CASE pick(5, i, 4) WHEN 1 THEN 'f' WHEN 2 THEN 'E' WHEN 3 THEN 'A' ELSE 'W' END), datetime(1650000000 + i \
* 7000, 'unixepoch'), datetime(1650000000 + i * 7000 + pick(6, i, 600), 'unixepoch'),
  datetime(1650000000 + i * 7000 + pick(7, i, 6000), 'unixepoch'), 1650000000 + i * 7000, pick(8, i, 100000), pick(9, i, 1000000000), \
iif(chance(4, i) < 0.92, 0, 1), pick(10, i, 2), pick(11, i, 20), i < 8600, i >= 8600, i < 8500, NULL
FROM numbers WHERE i <= 9000;
INSERT INTO Media
SELECT i, 'Vol-' || printf('%04d', i), skewed(12, i, 9), 'LTO-6', datetime(1650000000 + i * 70000, 'unixepoch'), pick(13, i, 60), pick(14, \
i, 1000000000), CASE skewed(15, i, 5) WHEN 1 THEN 'Full' WHEN 2 THEN 'Used' WHEN 3 THEN 'Append' WHEN 4 THEN 'Purged' ELSE 'Error' END, 1, \
31536000, chance(16, i) < 0.3, NULL
FROM numbers WHERE i <= 900;
INSERT INTO JobMedia (JobId, MediaId, FirstIndex, LastIndex, StartBlock, EndBlock, JobBytes, VolIndex)
SELECT 1 + (i - 1) / 4, 1 + (i - 1) / 46, i % 4 * 1000, i % 4 * 1000 + 999, pick(17, i, 60000), pick(18, i, 60000), pick(19, i, 1000000), \
i % 4 FROM numbers WHERE i <= 36000;
INSERT INTO Path
SELECT i, CASE WHEN i = 1 THEN '/' WHEN i <= 41 THEN '/srv' || i || '/' WHEN i <= 1041 THEN '/srv' || (2 + i % 40) || '/d' || i || '/' \
ELSE '/srv' || (2 + (42 + i % 1000) % 40) || '/d' || (42 + i % 1000) || '/' || word(i) || '/' END
FROM numbers WHERE i <= 20000;
INSERT INTO PathHierarchy SELECT i, CASE WHEN i <= 41 THEN 1 WHEN i <= 1041 THEN 2 + i % 40 ELSE 42 + i % 1000 END FROM numbers WHERE i \
BETWEEN 2 AND 20000;
INSERT INTO File
SELECT i, i % 250 + 1, 8600 + (i - 1) / 250, iif(chance(20, i) < 0.5, pick(21, i, 19000), skewed(22, i, 19000)), word(skewed(23, i, 9000)) \
|| '.dat', 0, 0, 'P0A ' || printf('%x', i * 7919) || ' IGk B Po Po A BAA BAA I BmVvTj BmVvTj BmVvTj A A C', printf('%024x', i * 104729)
FROM numbers WHERE i <= 90000;
INSERT INTO BaseFiles SELECT i, 8601, 8600 + pick(24, i, 300), 300 + pick(25, i, 200), i FROM numbers WHERE i <= 1500;
INSERT OR IGNORE INTO PathVisibility SELECT skewed(26, i, 20000), 8600 + i % 360, pick(27, i, 10000000), pick(28, i, 100) FROM numbers \
WHERE i <= 70000;
INSERT INTO Log SELECT i, 1 + i * 8999 / 30000, datetime(1650000000 + i * 2099, 'unixepoch'), 'bareos-dir JobId ' || (1 + i * 8999 / \
30000) || ': ' || prose(29, i, 60 + pick(30, i, 120)) FROM numbers WHERE i <= 30000;

-- statement: bareos-01
-- fine
-- tolerated: index-not-covering
-- because: what a job saved of a folder, in the order of its index
-- run: 8700, 1 | 8800, 2

SELECT FileId, Name, LStat FROM File WHERE JobId = ? AND PathId = ? ORDER BY Name LIMIT 500

-- statement: bareos-02
-- is: automatic-index, full-scan, index-not-covering, join-order
-- because: when a file was saved: each job is asked for it
-- run: '/srv10/d48/', 'loce.dat' | '/srv11/d49/', 'vace.dat'

SELECT Job.JobId, Job.StartTime, File.LStat FROM Path JOIN File ON File.PathId = Path.PathId JOIN Job ON Job.JobId = File.JobId
WHERE Path.Path = ? AND File.Name = ? AND Job.Type = 'B' ORDER BY Job.StartTime DESC

-- best
-- index: File (PathId, Name)

-- or
-- index: File (Name, PathId)

-- statement: bareos-03
-- is: index-not-covering, subquery-per-row
-- because: the last good run of each job: for each run all others of its name are read

SELECT j.Name, j.JobId, j.StartTime FROM Job AS j WHERE j.Type = 'B' AND j.JobStatus = 'T'
AND j.StartTime = (SELECT max(k.StartTime) FROM Job AS k WHERE k.Name = j.Name AND k.Type = 'B' AND k.JobStatus = 'T') ORDER BY j.Name

-- best
-- index: Job (Name, Type, JobStatus, StartTime)

SELECT j.Name, j.JobId, j.StartTime FROM (SELECT Name, max(StartTime) AS newest FROM Job WHERE Type = 'B' AND JobStatus = 'T' GROUP BY Name) AS l
CROSS JOIN Job AS j ON j.Name = l.Name AND j.StartTime = l.newest AND j.Type = 'B' AND j.JobStatus = 'T' ORDER BY j.Name

-- or
-- index: Job (Name, Type, JobStatus, StartTime)

-- statement: bareos-04
-- is: full-scan, join-order
-- because: the jobs on a tape: the index of both begins with the job
-- run: 300 | 412

SELECT DISTINCT Job.JobId, Job.JobTDate FROM JobMedia JOIN Job ON Job.JobId = JobMedia.JobId WHERE JobMedia.MediaId = ? ORDER BY Job.JobId

-- best
-- index: JobMedia (MediaId, JobId)

-- or
-- index: JobMedia (MediaId)

-- statement: bareos-05
-- is: foreign-key-without-index
-- because: a job's files are purged: for each of them the base files are read
-- run: 8900 | 8910

DELETE FROM File WHERE JobId = ?

-- best
-- index: BaseFiles (FileId)

-- statement: bareos-06
-- is: automatic-index, full-scan
-- because: paths that no file is in: SQLite makes an index for it, and drops it again

SELECT DISTINCT Path.PathId, Path.Path FROM Path LEFT OUTER JOIN File ON Path.PathId = File.PathId WHERE File.PathId IS NULL LIMIT 300000

-- best
-- index: File (PathId)

-- statement: bareos-07
-- is: expression-index, full-scan, function-on-column
-- because: the jobs of a day
-- run: '2023-11-05' | '2023-02-17'

SELECT JobId, Name, Level, JobStatus, JobFiles, JobBytes FROM Job WHERE date(StartTime) = ? ORDER BY JobId

-- best
-- index: Job (StartTime)

SELECT JobId, Name, Level, JobStatus, JobFiles, JobBytes FROM Job WHERE StartTime >= ?1 AND StartTime < date(?1, '+1 day') ORDER BY JobId

-- or
-- index: Job (date(StartTime))

-- statement: bareos-08
-- is: join-fan-out, multiplied-aggregate
-- because: bytes by client: a job counts as often as it has parts on tapes

SELECT c.Name, count(j.JobId) AS jobs, sum(j.JobBytes) AS bytes FROM Client AS c JOIN Job AS j ON j.ClientId = c.ClientId JOIN JobMedia AS \
m ON m.JobId = j.JobId
WHERE j.JobStatus = 'T' GROUP BY c.ClientId ORDER BY bytes DESC

-- best
-- index: Job (JobStatus, ClientId, JobBytes)
-- changes results

SELECT c.Name, j.jobs, j.bytes FROM Client AS c JOIN (
  SELECT ClientId, count(*) AS jobs, sum(JobBytes) AS bytes FROM Job WHERE JobStatus = 'T' AND EXISTS (SELECT 1 FROM JobMedia AS m WHERE \
m.JobId = Job.JobId) GROUP BY ClientId) AS j ON j.ClientId = c.ClientId
ORDER BY j.bytes DESC

-- statement: bareos-09
-- is: large-offset, sort-without-index
-- because: a page far back in the messages: all are sorted

SELECT LogId, JobId, Time, LogText FROM Log ORDER BY Time DESC LIMIT 100 OFFSET 20000

-- best
-- index: Log (Time)
-- run: '2022-12-14 04:28:19'

SELECT LogId, JobId, Time, LogText FROM Log WHERE Time < ? ORDER BY Time DESC LIMIT 100

-- statement: bareos-10
-- is: full-scan, partial-index, sort-without-index
-- because: failures that nobody has looked at: few of all jobs

SELECT JobId, Name, StartTime, JobStatus, JobErrors FROM Job WHERE JobStatus IN ('f', 'E', 'A') AND Reviewed = 0 ORDER BY StartTime DESC LIMIT 20

-- best
-- index: Job (Reviewed, JobStatus, StartTime)

-- or
-- index: Job (JobStatus, Reviewed, StartTime)

-- or
-- index: Job (StartTime) WHERE JobStatus IN ('f', 'E', 'A') AND Reviewed = 0

-- statement: bareos-11
-- is: full-scan
-- because: the sizes below a folder: the tree is walked by its index, but the sizes are keyed by job first
-- run: '/srv17/d135/' | '/srv30/d508/'

WITH RECURSIVE sub (PathId) AS (SELECT PathId FROM Path WHERE Path = ? UNION ALL SELECT h.PathId FROM sub JOIN PathHierarchy AS h ON \
h.PPathId = sub.PathId)
SELECT count(DISTINCT JobId) AS jobs, sum(Size) AS bytes FROM PathVisibility WHERE PathId IN (SELECT PathId FROM sub)

-- best
-- index: PathVisibility (PathId)

-- or
-- index: PathVisibility (PathId, JobId, Size)

-- statement: bareos-12
-- is: full-scan, pattern-without-index
-- because: the paths below one: LIKE ignores case, the index doesn't

SELECT PathId, Path FROM Path WHERE Path LIKE '/srv17/d135/%' ORDER BY Path

-- best

SELECT PathId, Path FROM Path WHERE Path GLOB '/srv17/d135/*' ORDER BY Path

-- or
-- index: Path (Path COLLATE NOCASE)

-- statement: bareos-13
-- fine
-- tolerated: sort-without-index
-- because: the folders in a folder, by an index and a key
-- run: 17 | 235

SELECT p.PathId, p.Path FROM PathHierarchy AS h JOIN Path AS p ON p.PathId = h.PathId WHERE h.PPathId = ? ORDER BY p.Path

-- statement: bareos-14
-- fine
-- because: one row by its key
-- run: 12, 90000, 8700, 1

UPDATE PathVisibility SET Files = ?, Size = ? WHERE JobId = ? AND PathId = ?

-- statement: bareos-15
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the tape to write to next, of the few in a pool
-- run: 9

SELECT MediaId, VolumeName, VolBytes FROM Media WHERE PoolId = ? AND VolStatus = 'Append' AND InChanger = 1 ORDER BY LastWritten DESC LIMIT 1

-- statement: bareos-16
-- fine
-- tolerated: sort-without-index
-- because: nine pools

SELECT PoolId, Name, NumVols, MaxVols, PoolType, LabelFormat FROM Pool ORDER BY PoolType, Name

-- statement: bareos-17
-- fine
-- tolerated: index-not-covering
-- because: the messages of a job, in the order of its index
-- run: 8000 | 4321

SELECT Time, LogText FROM Log WHERE JobId = ? ORDER BY LogId
