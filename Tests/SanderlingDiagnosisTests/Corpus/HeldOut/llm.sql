-- schema: llm
-- about: The log of conversations with language models: keys that are texts in order of time, and a full-text index.
-- origin: LLM 0.36 (Apache-2.0, by Simon Willison): tables of its log as its migrations make them, with the full-text index and without \
--   triggers

CREATE TABLE "conversations" ("id" TEXT PRIMARY KEY, "name" TEXT, "model" TEXT);
CREATE TABLE "schemas" ("id" TEXT PRIMARY KEY, "content" TEXT);
CREATE TABLE "responses" (
  "id" TEXT PRIMARY KEY, "model" TEXT, "prompt" TEXT, "system" TEXT, "prompt_json" TEXT, "options_json" TEXT,
  "response" TEXT, "response_json" TEXT, "conversation_id" TEXT REFERENCES "conversations"("id"), "duration_ms" INTEGER,
  "datetime_utc" TEXT, "input_tokens" INTEGER, "output_tokens" INTEGER, "token_details" TEXT,
  "schema_id" TEXT REFERENCES "schemas"("id"), "resolved_model" TEXT, "reasoning" TEXT);
CREATE VIRTUAL TABLE "responses_fts" USING FTS5 ("prompt", "response", content="responses");
CREATE TABLE "fragments" ("id" INTEGER PRIMARY KEY, "hash" TEXT, "content" TEXT, "datetime_utc" TEXT, "source" TEXT);
CREATE TABLE "prompt_fragments" (
  "response_id" TEXT REFERENCES "responses"("id"), "fragment_id" INTEGER REFERENCES "fragments"("id"), "order" INTEGER,
  PRIMARY KEY ("response_id", "fragment_id", "order"));
CREATE TABLE "tools" (
  "id" INTEGER PRIMARY KEY, "hash" TEXT, "name" TEXT, "description" TEXT, "input_schema" TEXT, "plugin" TEXT);
CREATE TABLE "tool_calls" (
  "id" INTEGER PRIMARY KEY, "response_id" TEXT REFERENCES "responses"("id"), "tool_id" INTEGER REFERENCES "tools"("id"),
  "name" TEXT, "arguments" TEXT, "tool_call_id" TEXT);
CREATE UNIQUE INDEX "idx_fragments_hash" ON "fragments" ("hash");
CREATE UNIQUE INDEX "idx_tools_hash" ON "tools" ("hash");

INSERT INTO schemas VALUES ('schema1', '{}');
INSERT INTO conversations SELECT printf('01h%023d', i), title(1, i, 5), 'model-' || skewed(2, i, 12) FROM numbers WHERE i <= 4000;
INSERT INTO responses (
  id, model, prompt, system, response, response_json, conversation_id, duration_ms, datetime_utc, input_tokens,
  output_tokens, schema_id, resolved_model)
SELECT printf('01h%023d', i), 'model-' || skewed(2, 1 + i / 5, 12), prose(3, i, pick(4, i, 200)),
  iif(chance(5, i) < 0.8, NULL, prose(6, i, 60)), prose(7, i, 200 + pick(8, i, 1200)), iif(chance(9, i) < 0.5, NULL, '{"stop": "end"}'),
  iif(chance(10, i) < 0.1, NULL, printf('01h%023d', 1 + pick(11, i, 3990))), pick(12, i, 20000),
  strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + i * 2000, 'unixepoch') || '.123456+00:00', iif(chance(13, i) < 0.1, NULL, pick(14, i, 4000)),
  iif(chance(13, i) < 0.1, NULL, pick(15, i, 1500)), iif(chance(16, i) < 0.004, 'schema1', NULL), NULL
FROM numbers WHERE i <= 20000;
INSERT INTO responses_fts (responses_fts) VALUES ('rebuild');
INSERT INTO fragments SELECT i, 'hash' || i, prose(17, i, 3000), '2024-01-01', word(i) || '.md' FROM numbers WHERE i <= 800;
INSERT OR IGNORE INTO prompt_fragments
SELECT printf('01h%023d', pick(18, i, 20000)), skewed(19, i, 800), i % 4 FROM numbers WHERE i <= 15000;
INSERT INTO tools SELECT i, 'tool' || i, word(i), prose(20, i, 90), '{}', NULL FROM numbers WHERE i <= 40;
INSERT INTO tool_calls
SELECT i, printf('01h%023d', pick(21, i, 20000)), skewed(22, i, 40), word(skewed(22, i, 40)), '{"q": "' || word(i) || '"}', 'call' || i
FROM numbers WHERE i <= 15000;

-- statement: llm-01
-- is: foreign-key-without-index, full-scan, sort-without-index
-- because: a conversation has five responses
-- run: '01h00000000000000000000777'

SELECT * FROM responses WHERE conversation_id = ? ORDER BY datetime_utc

-- best
-- index: responses (conversation_id)

-- or
-- index: responses (conversation_id, datetime_utc)

-- statement: llm-02
-- fine
-- because: by the full-text index, then by rowid
-- run: 'tredi'

SELECT responses.id, responses.prompt, responses.response FROM responses
JOIN responses_fts ON responses_fts.rowid = responses.rowid
WHERE responses_fts MATCH ? ORDER BY responses_fts.rank LIMIT 3

-- statement: llm-03
-- fine
-- because: the keys are in order of time

SELECT responses.id, responses.model, responses.prompt, conversations.name FROM responses
LEFT JOIN conversations ON responses.conversation_id = conversations.id ORDER BY responses.id DESC LIMIT 10

-- statement: llm-04
-- is: full-scan, group-without-index, index-not-covering
-- because: three short columns of rows with whole texts

SELECT model, count(*), sum(input_tokens), sum(output_tokens) FROM responses GROUP BY model ORDER BY 2 DESC

-- best
-- index: responses (model, input_tokens, output_tokens)

-- statement: llm-05
-- is: foreign-key-without-index, full-scan
-- because: asked for each response that is shown
-- run: '01h00000000000000000004711'

SELECT name, arguments, tool_call_id FROM tool_calls WHERE response_id = ? ORDER BY id

-- best
-- index: tool_calls (response_id)

-- statement: llm-06
-- is: foreign-key-without-index, full-scan, index-not-covering
-- because: the primary key begins with the response
-- run: 600

SELECT r.id, r.datetime_utc FROM responses r WHERE r.id IN (
  SELECT response_id FROM prompt_fragments WHERE fragment_id = ?) ORDER BY r.id DESC

-- best
-- index: prompt_fragments (fragment_id, response_id)

-- or
-- index: prompt_fragments (fragment_id)

-- statement: llm-07
-- is: expression-index, full-scan, function-on-column
-- because: times that are written alike are in order, so that a day is a range of texts
-- run: '2024-06-01'

SELECT count(*), sum(output_tokens) FROM responses WHERE date(datetime_utc) = ?

-- best
-- index: responses (datetime_utc)

SELECT count(*), sum(output_tokens) FROM responses
WHERE datetime_utc >= ?1 AND datetime_utc < date(?1, '+1 day')

-- or
-- index: responses (date(datetime_utc))

-- statement: llm-08
-- is: foreign-key-without-index, full-scan, index-not-covering, sort-without-index
-- because: 0.4 % have a schema, but twenty are soon found: a walk of 5,000 rows
-- run: 'schema1'

SELECT id, prompt FROM responses WHERE schema_id = ? ORDER BY id DESC LIMIT 20

-- best
-- index: responses (schema_id, id)

-- or
-- index: responses (schema_id)
