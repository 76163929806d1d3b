-- schema: n8n
-- about: A server that runs workflows: documents of nodes, what they ran and with which data, and figures by hour and day.
-- origin: n8n 1.9x (Sustainable Use License, Copyright n8n GmbH): nineteen tables as a database of SQLite has them after its migrations, \
--   which lose the partial indexes on executions
-- superfluous: redundant-index idx_workflows_tags_workflow_id
-- superfluous: redundant-index IDX_61448d56d61802b5dfde5cdb00

CREATE TABLE "user" (
  id varchar PRIMARY KEY, email VARCHAR(255) UNIQUE, "firstName" VARCHAR(32), "lastName" VARCHAR(32), password VARCHAR, "createdAt" \
DATETIME(3) NOT NULL DEFAULT (STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')), settings TEXT,
  disabled BOOLEAN DEFAULT FALSE NOT NULL, role TEXT NOT NULL);
CREATE TABLE "project" ("id" varchar(36) PRIMARY KEY NOT NULL, "name" varchar(255) NOT NULL, "type" varchar(36) NOT NULL, "icon" text);
CREATE TABLE "project_relation" (
  "projectId" varchar(36) NOT NULL, "userId" varchar NOT NULL, "role" varchar NOT NULL, FOREIGN KEY ("projectId") REFERENCES "project" \
("id") ON DELETE CASCADE, FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE,
  PRIMARY KEY ("projectId", "userId"));
CREATE INDEX "IDX_61448d56d61802b5dfde5cdb00" ON "project_relation" ("projectId");
CREATE INDEX "IDX_5f0643f6717905a05164090dde" ON "project_relation" ("userId");
CREATE TABLE "folder" (
  "id" varchar(36) PRIMARY KEY NOT NULL, "name" varchar(128) NOT NULL, "parentFolderId" varchar(36), "projectId" varchar(36) NOT NULL, \
FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("parentFolderId") REFERENCES "folder" ("id") ON DELETE CASCADE);
CREATE UNIQUE INDEX "IDX_14f68deffaf858465715995508" ON "folder" ("projectId", "id");
CREATE TABLE "workflow_entity" (
  "id" varchar(36) PRIMARY KEY NOT NULL, "name" varchar(128) NOT NULL, "active" boolean NOT NULL, "nodes" text, "connections" text, \
"settings" text, "staticData" text, "pinData" text, "versionId" varchar(36),
  "triggerCount" integer DEFAULT (0), "meta" text, "parentFolderId" varchar(36), "createdAt" datetime(3) NOT NULL, "updatedAt" datetime(3) \
NOT NULL, FOREIGN KEY ("parentFolderId") REFERENCES "folder" ("id") ON DELETE CASCADE);
CREATE INDEX "IDX_e10425f6ab9964c4c1623a4a03" ON "workflow_entity" ("name");
CREATE TABLE "shared_workflow" (
  "workflowId" varchar(36) NOT NULL, "projectId" varchar(36) NOT NULL, "role" text NOT NULL, FOREIGN KEY ("workflowId") REFERENCES \
"workflow_entity" ("id") ON DELETE CASCADE,
  FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE CASCADE, PRIMARY KEY ("workflowId", "projectId"));
CREATE TABLE "tag_entity" ("id" varchar(36) PRIMARY KEY NOT NULL, "name" varchar(24) NOT NULL);
CREATE UNIQUE INDEX "IDX_8f949d7a3a984759044054e89b" ON "tag_entity" ("name");
CREATE TABLE "workflows_tags" (
  "workflowId" varchar(36) NOT NULL, "tagId" integer NOT NULL, FOREIGN KEY ("workflowId") REFERENCES "workflow_entity" ("id") ON DELETE \
CASCADE, FOREIGN KEY ("tagId") REFERENCES "tag_entity" ("id") ON DELETE CASCADE,
  PRIMARY KEY ("workflowId", "tagId"));
CREATE INDEX "idx_workflows_tags_tag_id" ON "workflows_tags" ("tagId");
CREATE INDEX "idx_workflows_tags_workflow_id" ON "workflows_tags" ("workflowId");
CREATE TABLE "workflow_statistics" (
  "count" INTEGER DEFAULT 0, "latestEvent" DATETIME, "name" VARCHAR(128) NOT NULL, "workflowId" VARCHAR(36), PRIMARY KEY("workflowId", \
"name"), FOREIGN KEY("workflowId") REFERENCES "workflow_entity"("id") ON DELETE CASCADE);
CREATE TABLE "webhook_entity" (
  "workflowId" varchar(36) NOT NULL, "webhookPath" varchar NOT NULL, "method" varchar NOT NULL, "node" varchar NOT NULL, "webhookId" \
varchar, "pathLength" integer, PRIMARY KEY ("webhookPath", "method"));
CREATE INDEX "idx_webhook_entity_webhook_path_method" ON "webhook_entity" ("webhookId","method","pathLength");
CREATE TABLE "workflow_history" (
  "versionId" varchar(36) PRIMARY KEY NOT NULL, "workflowId" varchar(36) NOT NULL, "authors" varchar(255) NOT NULL, "createdAt" \
datetime(3) NOT NULL, "updatedAt" datetime(3) NOT NULL, "nodes" text NOT NULL,
  "connections" text NOT NULL, FOREIGN KEY ("workflowId") REFERENCES "workflow_entity" ("id") ON DELETE CASCADE);
CREATE INDEX "IDX_1e31657f5fe46816c34be7c1b4" ON "workflow_history" ("workflowId");
CREATE TABLE "execution_entity" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "workflowId" varchar(36) NOT NULL, "finished" boolean NOT NULL, "mode" varchar NOT \
NULL, "retryOf" varchar, "retrySuccessId" varchar, "startedAt" datetime, "stoppedAt" datetime,
  "waitTill" datetime, "status" varchar NOT NULL, "deletedAt" datetime(3), "createdAt" datetime(3) NOT NULL, FOREIGN KEY ("workflowId") \
REFERENCES "workflow_entity" ("id") ON DELETE CASCADE);
CREATE INDEX "IDX_execution_entity_stoppedAt" ON "execution_entity" ("stoppedAt");
CREATE INDEX "IDX_execution_entity_deletedAt" ON "execution_entity" ("deletedAt");
CREATE TABLE "execution_data" (
  "executionId" int PRIMARY KEY NOT NULL, "workflowData" text NOT NULL, "data" text NOT NULL, FOREIGN KEY("executionId") REFERENCES \
"execution_entity" ("id") ON DELETE CASCADE);
CREATE TABLE "execution_metadata" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "executionId" integer NOT NULL, "key" varchar(255) NOT NULL, "value" text NOT NULL, \
FOREIGN KEY ("executionId") REFERENCES "execution_entity" ("id") ON DELETE CASCADE);
CREATE UNIQUE INDEX "IDX_cec8eea3bf49551482ccb4933e" ON "execution_metadata" ("executionId", "key");
CREATE TABLE "test_case_execution" (
  "id" varchar(36) PRIMARY KEY NOT NULL, "testRunId" varchar(36) NOT NULL, "pastExecutionId" integer, "executionId" integer, \
"evaluationExecutionId" integer, "status" varchar NOT NULL, "metrics" text,
  FOREIGN KEY ("pastExecutionId") REFERENCES "execution_entity" ("id") ON DELETE SET NULL, FOREIGN KEY ("executionId") REFERENCES \
"execution_entity" ("id") ON DELETE SET NULL,
  FOREIGN KEY ("evaluationExecutionId") REFERENCES "execution_entity" ("id") ON DELETE SET NULL);
CREATE INDEX "IDX_8e4b4774db42f1e6dda3452b2a" ON "test_case_execution" ("testRunId");
CREATE TABLE "insights_metadata" (
  "metaId" integer PRIMARY KEY NOT NULL, "workflowId" varchar(16), "projectId" varchar(36), "workflowName" varchar(128) NOT NULL, \
"projectName" varchar(255) NOT NULL, FOREIGN KEY ("workflowId") REFERENCES "workflow_entity" ("id") ON DELETE SET NULL,
  FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE SET NULL);
CREATE UNIQUE INDEX "IDX_1d8ab99d5861c9388d2dc1cf73" ON "insights_metadata" ("workflowId");
CREATE TABLE "insights_raw" (
  "id" integer PRIMARY KEY NOT NULL, "metaId" integer NOT NULL, "type" integer NOT NULL, "value" integer NOT NULL, "timestamp" datetime(0) \
NOT NULL DEFAULT (CURRENT_TIMESTAMP),
  FOREIGN KEY ("metaId") REFERENCES "insights_metadata" ("metaId") ON DELETE CASCADE);
CREATE TABLE "insights_by_period" (
  "id" integer PRIMARY KEY NOT NULL, "metaId" integer NOT NULL, "type" integer NOT NULL, "value" integer NOT NULL, "periodUnit" integer \
NOT NULL, "periodStart" datetime(0) DEFAULT (CURRENT_TIMESTAMP),
  FOREIGN KEY ("metaId") REFERENCES "insights_metadata" ("metaId") ON DELETE CASCADE);
CREATE UNIQUE INDEX "IDX_60b6a84299eeb3f671dfec7693" ON "insights_by_period" ("periodStart", "type", "periodUnit", "metaId");

INSERT INTO "user" SELECT printf('u%08x', i * 7919), word(i) || '@example.com', word(i), title(1, i, 1), '$2a$10$x', '2024-01-01 \
00:00:00.000', '{}', chance(2, i) < 0.1, iif(i = 1, 'global:owner', 'global:member') FROM numbers WHERE i <= 60;
INSERT INTO "project" SELECT printf('p%08x', i * 7919), title(3, i, 2), iif(i <= 60, 'personal', 'team'), NULL FROM numbers WHERE i <= 75;
INSERT INTO "project_relation" SELECT printf('p%08x', i * 7919), printf('u%08x', i * 7919), 'project:personalOwner' FROM numbers WHERE i <= 60;
INSERT OR IGNORE INTO "project_relation" SELECT printf('p%08x', (61 + i % 15) * 7919), printf('u%08x', skewed(4, i, 60) * 7919), \
'project:editor' FROM numbers WHERE i <= 150;
INSERT INTO "folder" SELECT printf('f%08x', i * 7919), title(5, i, 2), iif(i <= 15, NULL, printf('f%08x', (i / 3) * 7919)), \
printf('p%08x', (61 + i % 15) * 7919) FROM numbers WHERE i <= 250;
INSERT INTO "workflow_entity"
SELECT printf('w%08x', i * 7919), title(6, i, 3), chance(7, i) < 0.4,
  '[{"id":"a","name":"Start","type":"n8n-nodes-base.' || iif(chance(8, i) < 0.6, 'webhook', 'scheduleTrigger') || \
'"},{"id":"b","name":"Do","type":"n8n-nodes-base.' || iif(chance(9, i) < 0.4, 'httpRequest', 'code') || '","parameters":{"text":"' || \
prose(10, i, 800 + skewed(11, i, 4000)) || '"}}]',
  '{"Start":{"main":[[{"node":"Do"}]]}}', '{"executionOrder":"v1"' || iif(chance(12, i) < 0.1, ',"errorWorkflow":"' || printf('w%08x', \
skewed(13, i, 12) * 7919) || '"', '') || '}', NULL, iif(chance(14, i) < 0.2, '{"Start":[{"json":{"x":"' || prose(15, i, 500) || '"}}]}', \
NULL),
  printf('v%08x', i), chance(16, i) < 0.4, NULL, iif(chance(17, i) < 0.5, NULL, printf('f%08x', skewed(18, i, 250) * 7919)), \
strftime('%Y-%m-%d %H:%M:%f', 1700000000 + i * 20000, 'unixepoch'), strftime('%Y-%m-%d %H:%M:%f', 1720000000 + pick(19, i, 20000000), \
'unixepoch')
FROM numbers WHERE i <= 1200;
INSERT OR IGNORE INTO "shared_workflow" SELECT printf('w%08x', (1 + i % 1200) * 7919), printf('p%08x', iif(chance(20, i) < 0.5, 60 + \
skewed(21, i, 15), skewed(22, i, 60)) * 7919), 'workflow:owner' FROM numbers WHERE i <= 1300;
INSERT INTO "tag_entity" SELECT 't' || i, word(i + 300) FROM numbers WHERE i <= 30;
INSERT OR IGNORE INTO "workflows_tags" SELECT printf('w%08x', pick(23, i, 1200) * 7919), 't' || skewed(24, i, 30) FROM numbers WHERE i <= 1500;
INSERT INTO "webhook_entity" SELECT printf('w%08x', i * 2 * 7919), word(i) || '/' || word(i * 7), iif(chance(25, i) < 0.7, 'POST', 'GET'), \
'Start', NULL, NULL FROM numbers WHERE i <= 500;
INSERT INTO "workflow_history"
SELECT printf('v%08x', i), printf('w%08x', skewed(26, i, 1200) * 7919), title(27, skewed(28, i, 40), 2), strftime('%Y-%m-%d %H:%M:%f', \
1720000000 + i * 5000, 'unixepoch'), strftime('%Y-%m-%d %H:%M:%f', 1720000000 + i * 5000, 'unixepoch'), '[{"text":"' || prose(29, i, 300 + \
skewed(30, i, 3000)) || '"}]', '{}'
FROM numbers WHERE i <= 4000;
INSERT INTO "execution_entity"
SELECT i, printf('w%08x', skewed(31, i, 1200) * 7919), chance(32, i) < 0.9, CASE WHEN chance(33, i) < 0.6 THEN 'webhook' WHEN chance(33, \
i) < 0.9 THEN 'trigger' WHEN chance(33, i) < 0.98 THEN 'manual' ELSE 'retry' END,
  iif(chance(33, i) >= 0.98 AND i > 100, i - pick(34, i, 90), NULL), iif(chance(35, i) < 0.01, i + pick(36, i, 90), NULL), iif(i > 39990, \
NULL, strftime('%Y-%m-%d %H:%M:%f', 1735689600 + i * 400, 'unixepoch')),
  iif(i > 39970, NULL, strftime('%Y-%m-%d %H:%M:%f', 1735689600 + i * 400 + skewed(37, i, 900), 'unixepoch')), iif(chance(38, i) < 0.003, \
strftime('%Y-%m-%d %H:%M:%f', 1735689600 + i * 400 + 86400, 'unixepoch'), NULL),
  CASE WHEN i > 39990 THEN 'new' WHEN i > 39970 THEN 'running' WHEN chance(38, i) < 0.003 THEN 'waiting' WHEN chance(39, i) < 0.88 THEN \
'success' WHEN chance(39, i) < 0.99 THEN 'error' WHEN chance(39, i) < 0.998 THEN 'canceled' ELSE 'crashed' END,
  iif(i < 3000 AND chance(40, i) < 0.8, strftime('%Y-%m-%d %H:%M:%f', 1751600000 + i, 'unixepoch'), NULL), strftime('%Y-%m-%d %H:%M:%f', \
1735689600 + i * 400 - 1, 'unixepoch')
FROM numbers WHERE i <= 40000;
INSERT INTO "execution_data" SELECT 28000 + i, '{"id":"x"}', '[{"startData":"1"},"' || prose(41, i, 100 + skewed(42, i, 2000)) || '"]' \
FROM numbers WHERE i <= 12000;
INSERT OR IGNORE INTO "execution_metadata" SELECT NULL, pick(43, i, 40000), CASE WHEN chance(44, i) < 0.5 THEN 'customer' WHEN chance(44, \
i) < 0.9 THEN 'orderId' ELSE word(skewed(45, i, 20)) END, iif(chance(44, i) < 0.5, word(skewed(46, i, 3000)), 'A' || pick(47, i, 90000)) \
FROM numbers WHERE i <= 20000;
INSERT INTO "test_case_execution" SELECT printf('c%08x', i), printf('r%06x', i / 40), pick(48, i, 40000), iif(chance(49, i) < 0.05, NULL, \
pick(50, i, 40000)), iif(chance(49, i) < 0.1, NULL, pick(51, i, 40000)), iif(chance(49, i) < 0.1, 'error', 'success'), NULL FROM numbers \
WHERE i <= 2500;
INSERT INTO "workflow_statistics" SELECT count(*), max("startedAt"), 'production_' || status, "workflowId" FROM "execution_entity" WHERE \
status IN ('success', 'error') GROUP BY "workflowId", status;
INSERT INTO "insights_metadata" SELECT i, printf('w%08x', i * 7919), printf('p%08x', (1 + i % 75) * 7919), title(6, i, 3), title(3, 1 + i \
% 75, 2) FROM numbers WHERE i <= 1100;
INSERT INTO "insights_raw" SELECT i, skewed(52, i, 1100), i % 3, iif(i % 3 = 1, skewed(53, i, 60000), 1), strftime('%Y-%m-%d %H:%M:%S', \
1751000000 + i * 20 - skewed(54, i, 4000), 'unixepoch') FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO "insights_by_period" SELECT i, skewed(55, i, 1100), i % 3, skewed(56, i, 90000), iif(i < 45000, 1, 0), \
strftime('%Y-%m-%d %H:00:00', 1735689600 + i * 240, 'unixepoch', iif(i < 45000, 'start of day', '+0 days')) FROM numbers WHERE i <= 60000;

-- statement: n8n-01
-- is: full-scan, harmful-index, index-not-covering, partial-index, sort-without-index
-- because: the latest runs of a workflow: the index says only that they aren't deleted, as hardly any is
-- run: 'w00244014' | 'w00013556'

SELECT "id", "mode", "status", "startedAt", "stoppedAt" FROM "execution_entity" WHERE "workflowId" = ? AND "deletedAt" IS NULL AND \
"startedAt" IS NOT NULL ORDER BY "startedAt" DESC LIMIT 20

-- best
-- index: execution_entity (workflowId, startedAt) WHERE startedAt IS NOT NULL AND deletedAt IS NULL

-- or
-- index: execution_entity (workflowId, startedAt)

-- or
-- index: execution_entity (workflowId)

-- statement: n8n-02
-- is: full-scan, harmful-index, index-not-covering
-- because: the figures of one workflow: the key begins with the time, and those of all workflows are read
-- run: 900, '2025-03-01', '2025-05-01' | 301, '2025-02-01', '2025-06-01'

SELECT m."workflowName", sum(CASE WHEN i."type" = 1 THEN i."value" ELSE 0 END) AS runtime, sum(CASE WHEN i."type" = 2 THEN i."value" ELSE \
0 END) AS failed
FROM "insights_by_period" AS i JOIN "insights_metadata" AS m ON m."metaId" = i."metaId" WHERE i."metaId" = ? AND i."periodStart" >= ? AND \
i."periodStart" < ? GROUP BY i."metaId"

-- best
-- index: insights_by_period (metaId, periodStart, type, value)

-- or
-- index: insights_by_period (metaId, periodStart)

-- or
-- index: insights_by_period (metaId)

-- statement: n8n-03
-- is: foreign-key-without-index
-- because: a workflow goes with all of its runs, none of which an index finds, nor the tests of each
-- run: 'w00244014' | 'w00549584'

DELETE FROM "workflow_entity" WHERE "id" = ?

-- best
-- index: execution_entity (workflowId)
-- index: test_case_execution (pastExecutionId)
-- index: test_case_execution (executionId)
-- index: test_case_execution (evaluationExecutionId)

-- statement: n8n-04
-- is: full-scan, or-without-index
-- because: a run and its retries, in either direction
-- run: 20038 | 35000

SELECT "id", "status", "startedAt" FROM "execution_entity" WHERE "retryOf" = ?1 OR "retrySuccessId" = ?1 OR "id" = ?1

-- best
-- index: execution_entity (retryOf)
-- index: execution_entity (retrySuccessId)

-- statement: n8n-05
-- is: expression-index, full-scan, function-on-column
-- because: workflows that report their errors to another: the settings lie behind the large list of nodes
-- run: 'w00003dde' | 'w00007bbc'

SELECT "id", "name", "active" FROM "workflow_entity" WHERE json_extract("settings", '$.errorWorkflow') = ?

-- best
-- index: workflow_entity (json_extract(settings, '$.errorWorkflow'))

-- statement: n8n-06
-- is: expression-index, full-scan, function-on-column, group-without-index
-- because: the runs of a week by day
-- run: '2025-06-01', '2025-06-07'

SELECT date("startedAt") AS day, "status", count(*) AS n FROM "execution_entity" WHERE date("startedAt") BETWEEN ? AND ? GROUP BY day, \
"status" ORDER BY day, "status"

-- best
-- index: execution_entity (startedAt, status)

SELECT date("startedAt") AS day, "status", count(*) AS n FROM "execution_entity" WHERE "startedAt" >= ?1 AND "startedAt" < date(?2, '+1 \
day') GROUP BY day, "status" ORDER BY day, "status"

-- or
-- index: execution_entity (date(startedAt), status)

-- statement: n8n-07
-- is: full-scan, subquery-per-row
-- because: runs with a value that is rare: for each run, its values are looked up
-- run: 'customer', 'bahafo' | 'orderId', 'A74920'

SELECT e."id", e."workflowId", e."status" FROM "execution_entity" AS e WHERE e."deletedAt" IS NULL
AND EXISTS (SELECT 1 FROM "execution_metadata" AS m WHERE m."executionId" = e."id" AND m."key" = ? AND m."value" = ?) ORDER BY e."id" DESC LIMIT 20

-- best
-- index: execution_metadata (key, value, executionId)

SELECT e."id", e."workflowId", e."status" FROM "execution_entity" AS e WHERE +e."deletedAt" IS NULL
AND e."id" IN (SELECT m."executionId" FROM "execution_metadata" AS m WHERE m."key" = ? AND m."value" = ?) ORDER BY e."id" DESC LIMIT 20

-- statement: n8n-08
-- is: repeated-statement
-- because: the failures of each workflow of a page, one by one; each time all runs are read
-- operation: list of workflows
-- run: 'w00001eef' | 'w00003dde' | 'w00005ccd' | 'w00007bbc' | 'w00009aab' | 'w0000b99a' | 'w0000d889' | 'w0000f778' | 'w00011667' | \
--   'w00013556' | 'w00015445' | 'w00017334'

SELECT "workflowId", count(*) AS n, max("startedAt") FROM "execution_entity" WHERE "workflowId" = ? AND "status" = 'error' GROUP BY "workflowId"

-- best
-- run: 'w00001eef', 'w00003dde', 'w00005ccd', 'w00007bbc', 'w00009aab', 'w0000b99a', 'w0000d889', 'w0000f778', 'w00011667', 'w00013556', \
--   'w00015445', 'w00017334'

SELECT "workflowId", count(*) AS n, max("startedAt") FROM "execution_entity" WHERE "workflowId" IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
AND "status" = 'error' GROUP BY "workflowId"

-- statement: n8n-09
-- is: full-scan, index-not-covering, sort-without-index
-- because: the latest version of each workflow: the documents of all versions are passed and sorted

SELECT "versionId", "workflowId", "authors", "createdAt" FROM (
  SELECT "versionId", "workflowId", "authors", "createdAt", row_number() OVER (PARTITION BY "workflowId" ORDER BY "createdAt" DESC) AS \
place FROM "workflow_history")
WHERE place = 1 ORDER BY "workflowId"

-- best
-- index: workflow_history (workflowId, createdAt DESC, versionId, authors)

-- statement: n8n-10
-- is: full-scan, harmful-index, index-not-covering, partial-index
-- because: what runs now, for the limit of concurrency: nearly all rows aren't deleted

SELECT count(*) FROM "execution_entity" WHERE "deletedAt" IS NULL AND "status" IN ('new', 'running') AND "mode" IN ('webhook', 'trigger')

-- best
-- index: execution_entity (status, deletedAt, mode)

-- or
-- index: execution_entity (status)

SELECT count(*) FROM "execution_entity" WHERE +"deletedAt" IS NULL AND "status" IN ('new', 'running') AND "mode" IN ('webhook', 'trigger')

-- statement: n8n-11
-- is: full-scan, sort-without-index
-- because: the oldest raw figures are summed by hour: for each batch, all are sorted

INSERT INTO "insights_by_period" ("metaId", "type", "value", "periodUnit", "periodStart")
SELECT "metaId", "type", sum("value"), 0, strftime('%Y-%m-%d %H:00:00', "timestamp") FROM (SELECT * FROM "insights_raw" ORDER BY \
"timestamp" LIMIT 100) GROUP BY 1, 2, 5
ON CONFLICT ("periodStart", "type", "periodUnit", "metaId") DO UPDATE SET "value" = "insights_by_period"."value" + excluded."value"

-- best
-- index: insights_raw (timestamp)

-- statement: n8n-12
-- fine
-- because: a page of runs, by key from the last page
-- run: 39000

SELECT e."id", e."status", e."startedAt", w."name" FROM "execution_entity" AS e JOIN "workflow_entity" AS w ON w."id" = e."workflowId" \
WHERE e."id" < ? ORDER BY e."id" DESC LIMIT 20

-- statement: n8n-13
-- fine
-- tolerated: index-not-covering
-- because: runs to remove for good, by the index of when they were marked
-- run: '2025-07-04 10:00:00.000'

SELECT "id", "workflowId" FROM "execution_entity" WHERE "deletedAt" <= ? ORDER BY "deletedAt" LIMIT 100

-- statement: n8n-14
-- fine
-- because: where a request goes, by key
-- run: 'flomuce/plishulo', 'GET'

SELECT "workflowId", "node" FROM "webhook_entity" WHERE "webhookPath" = ? AND "method" = ?

-- statement: n8n-15
-- fine
-- tolerated: sort-without-index
-- because: the path of a folder, by keys
-- run: 'f00182ab8' | 'f001e1677'

WITH RECURSIVE up (id, name, parent, depth) AS (
  SELECT "id", "name", "parentFolderId", 0 FROM "folder" WHERE "id" = ?
  UNION ALL SELECT f."id", f."name", f."parentFolderId", up.depth + 1 FROM "folder" AS f JOIN up ON f."id" = up.parent)
SELECT id, name FROM up ORDER BY depth DESC

-- statement: n8n-16
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: a word in the data of any run: all of them have to be read
-- run: '%haje%'

SELECT count(*), sum(length("data")), max(length("data")) FROM "execution_data" WHERE "data" LIKE ?

-- statement: n8n-17
-- fine
-- because: one more success, by key
-- run: 'production_success', 'w00001eef', '2025-07-06 00:00:00'

INSERT INTO "workflow_statistics" ("count", "name", "workflowId", "latestEvent") VALUES (1, ?, ?, ?) ON CONFLICT ("workflowId", "name") DO \
UPDATE SET "count" = "count" + 1, "latestEvent" = excluded."latestEvent"
