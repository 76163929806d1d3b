-- schema: paperless
-- about: An archive of scanned documents: their text, tags, custom fields, tasks and who may see what, as Django makes the tables.
-- origin: Paperless-ngx 3 (GPL-3.0, Copyright the Paperless-ngx contributors) on Django and django-guardian: twelve of its tables with \
--   their indexes, without tables of workflows and mail
-- superfluous: redundant-index documents_document_owner_id_04d2b723
-- superfluous: redundant-index documents_document_tags_document_id_006f35a8
-- superfluous: redundant-index documents_customfieldinstance_document_id_610a968e
-- superfluous: redundant-index documents_customfieldinstance_field_id_6c59e32f
-- superfluous: redundant-index documents_paperlesstask_status_6748fa6c
-- superfluous: redundant-index documents_paperlesstask_task_type_8802cd7f
-- superfluous: redundant-index documents_paperlesstask_owner_id_e4512f84
-- superfluous: redundant-index guardian_userobjectpermission_user_id_d5c1e964
-- superfluous: redundant-index guardian_userobjectpermission_content_type_id_2e892405

CREATE TABLE auth_user (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, password varchar(128) NOT NULL, last_login datetime NULL, \
is_superuser bool NOT NULL, username varchar(150) NOT NULL UNIQUE, email varchar(254) NOT NULL,
  is_active bool NOT NULL);
CREATE TABLE documents_correspondent (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, name varchar(128) NOT NULL, match varchar(256) NOT NULL, matching_algorithm smallint \
unsigned NOT NULL, is_insensitive bool NOT NULL,
  owner_id integer NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED, CONSTRAINT documents_correspondent_unique_name_owner \
UNIQUE (name, owner_id));
CREATE UNIQUE INDEX documents_correspondent_name_uniq ON documents_correspondent (name) WHERE owner_id IS NULL;
CREATE INDEX documents_correspondent_owner_id_078f7f8a ON documents_correspondent (owner_id);
CREATE TABLE documents_documenttype (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, name varchar(128) NOT NULL, match varchar(256) NOT NULL, matching_algorithm smallint \
unsigned NOT NULL, is_insensitive bool NOT NULL,
  owner_id integer NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED, CONSTRAINT documents_documenttype_unique_name_owner \
UNIQUE (name, owner_id));
CREATE UNIQUE INDEX documents_documenttype_name_uniq ON documents_documenttype (name) WHERE owner_id IS NULL;
CREATE INDEX documents_documenttype_owner_id_a19f201d ON documents_documenttype (owner_id);
CREATE TABLE documents_tag (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, name varchar(128) NOT NULL, match varchar(256) NOT NULL, matching_algorithm smallint \
unsigned NOT NULL, is_insensitive bool NOT NULL, color varchar(7) NOT NULL, is_inbox_tag bool
    NOT NULL,
  owner_id integer NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED, CONSTRAINT documents_tag_unique_name_owner UNIQUE (name, owner_id));
CREATE UNIQUE INDEX documents_tag_name_uniq ON documents_tag (name) WHERE owner_id IS NULL;
CREATE INDEX documents_tag_owner_id_f0875d77 ON documents_tag (owner_id);
CREATE TABLE documents_document (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, title varchar(128) NOT NULL, content text NOT NULL, content_length integer GENERATED \
ALWAYS AS (LENGTH(content)) STORED NOT NULL, mime_type varchar(256) NOT NULL,
  checksum varchar(64) NOT NULL, archive_checksum varchar(64) NULL, page_count integer unsigned NULL, created date NOT NULL, modified \
datetime NOT NULL, added datetime NOT NULL, filename varchar(1024) NULL UNIQUE,
  archive_filename varchar(1024) NULL UNIQUE, original_filename varchar(1024) NULL, archive_serial_number integer unsigned NULL UNIQUE, \
deleted_at datetime NULL, version_index integer unsigned NULL, version_label varchar(64) NULL,
  correspondent_id integer NULL REFERENCES documents_correspondent (id) DEFERRABLE INITIALLY DEFERRED, document_type_id integer NULL \
REFERENCES documents_documenttype (id) DEFERRABLE INITIALLY DEFERRED,
  owner_id integer NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED, root_document_id integer NULL REFERENCES \
documents_document (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX documents_document_title_6b08e02a ON documents_document (title);
CREATE INDEX documents_document_checksum_75209391 ON documents_document (checksum);
CREATE INDEX documents_document_page_count_a5279e92 ON documents_document (page_count);
CREATE INDEX documents_document_created_bedd0818 ON documents_document (created);
CREATE INDEX documents_document_modified_2eae15bc ON documents_document (modified);
CREATE INDEX documents_document_added_28cfa360 ON documents_document (added);
CREATE INDEX documents_document_version_index_febcbe7b ON documents_document (version_index);
CREATE INDEX documents_document_correspondent_id_6164eb0c ON documents_document (correspondent_id);
CREATE INDEX documents_document_document_type_id_1f88b50c ON documents_document (document_type_id);
CREATE INDEX documents_document_owner_id_04d2b723 ON documents_document (owner_id);
CREATE INDEX documents_document_root_document_id_78094bf2 ON documents_document (root_document_id);
CREATE INDEX documents_d_owner_i_ec6ab3_idx ON documents_document (owner_id, created);
CREATE UNIQUE INDEX documents_document_root_version_index_uniq ON documents_document (root_document_id, version_index) WHERE \
(root_document_id IS NOT NULL AND version_index IS NOT NULL);
CREATE TABLE documents_document_tags (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, document_id integer NOT NULL REFERENCES documents_document (id) DEFERRABLE INITIALLY \
DEFERRED, tag_id integer NOT NULL REFERENCES documents_tag (id) DEFERRABLE INITIALLY DEFERRED);
CREATE UNIQUE INDEX documents_document_tags_document_id_tag_id_07e90502_uniq ON documents_document_tags (document_id, tag_id);
CREATE INDEX documents_document_tags_document_id_006f35a8 ON documents_document_tags (document_id);
CREATE INDEX documents_document_tags_tag_id_4f4a71e9 ON documents_document_tags (tag_id);
CREATE TABLE documents_note (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, note text NOT NULL, created datetime NOT NULL, deleted_at datetime NULL, document_id \
integer NULL REFERENCES documents_document (id) DEFERRABLE INITIALLY DEFERRED,
  user_id integer NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX documents_note_created_398ee640 ON documents_note (created);
CREATE INDEX documents_note_document_id_ef90a624 ON documents_note (document_id);
CREATE INDEX documents_note_user_id_cab59bae ON documents_note (user_id);
CREATE TABLE documents_customfield (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, created datetime NOT NULL, name varchar(128) NOT NULL, \
data_type varchar(50) NOT NULL, CONSTRAINT documents_customfield_unique_name UNIQUE (name));
CREATE TABLE documents_customfieldinstance (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, created datetime NOT NULL, deleted_at datetime NULL, value_text varchar(128) NULL, \
value_bool bool NULL, value_url varchar(200) NULL, value_date date NULL, value_int integer NULL,
  value_float real NULL, value_monetary varchar(128) NULL, value_monetary_amount decimal NULL, value_document_ids text NULL, value_select \
varchar(16) NULL, value_long_text text NULL,
  document_id integer NOT NULL REFERENCES documents_document (id) DEFERRABLE INITIALLY DEFERRED, field_id integer NOT NULL REFERENCES \
documents_customfield (id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT documents_customfieldinstance_unique_document_field UNIQUE (document_id, field_id));
CREATE INDEX documents_customfieldinstance_created_75f17f1d ON documents_customfieldinstance (created);
CREATE INDEX documents_customfieldinstance_document_id_610a968e ON documents_customfieldinstance (document_id);
CREATE INDEX documents_customfieldinstance_field_id_6c59e32f ON documents_customfieldinstance (field_id);
CREATE INDEX documents_c_field_i_30b51d_idx ON documents_customfieldinstance (field_id, value_date);
CREATE INDEX documents_c_field_i_d25ab0_idx ON documents_customfieldinstance (field_id, value_int);
CREATE INDEX documents_c_field_i_c35174_idx ON documents_customfieldinstance (field_id, value_float);
CREATE INDEX documents_c_field_i_53ce4e_idx ON documents_customfieldinstance (field_id, value_monetary_amount);
CREATE TABLE documents_paperlesstask (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, task_id varchar(72) NOT NULL UNIQUE, task_type varchar(50) NOT NULL, trigger_source \
varchar(50) NOT NULL, status varchar(30) NOT NULL, date_created datetime NOT NULL,
  date_started datetime NULL, date_done datetime NULL, duration_seconds real NULL, wait_time_seconds real NULL, input_data text NOT NULL \
CHECK (JSON_VALID(input_data)), result_data text NULL, acknowledged bool NOT NULL,
  owner_id integer NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX documents_paperlesstask_task_type_8802cd7f ON documents_paperlesstask (task_type);
CREATE INDEX documents_paperlesstask_trigger_source_71f17c67 ON documents_paperlesstask (trigger_source);
CREATE INDEX documents_paperlesstask_status_6748fa6c ON documents_paperlesstask (status);
CREATE INDEX documents_paperlesstask_date_created_90b15f1f ON documents_paperlesstask (date_created);
CREATE INDEX documents_paperlesstask_date_done_d2df1951 ON documents_paperlesstask (date_done);
CREATE INDEX documents_paperlesstask_acknowledged_d75e68ba ON documents_paperlesstask (acknowledged);
CREATE INDEX documents_paperlesstask_owner_id_e4512f84 ON documents_paperlesstask (owner_id);
CREATE INDEX documents_p_status_8aa687_idx ON documents_paperlesstask (status, date_created);
CREATE INDEX documents_p_task_ty_e4a93f_idx ON documents_paperlesstask (task_type, status);
CREATE INDEX documents_p_owner_i_62c545_idx ON documents_paperlesstask (owner_id, acknowledged, date_created);
CREATE TABLE guardian_userobjectpermission (
  id integer NOT NULL PRIMARY KEY AUTOINCREMENT, object_pk varchar(255) NOT NULL, content_type_id integer NOT NULL, permission_id integer \
NOT NULL, user_id integer NOT NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED);
CREATE UNIQUE INDEX guardian_userobjectpermission_user_id_permission_id_object_pk_b0b3d2fc_uniq ON guardian_userobjectpermission (user_id, \
permission_id, object_pk);
CREATE INDEX guardian_userobjectpermission_content_type_id_2e892405 ON guardian_userobjectpermission (content_type_id);
CREATE INDEX guardian_userobjectpermission_permission_id_71807bfc ON guardian_userobjectpermission (permission_id);
CREATE INDEX guardian_userobjectpermission_user_id_d5c1e964 ON guardian_userobjectpermission (user_id);
CREATE INDEX guardian_us_content_179ed2_idx ON guardian_userobjectpermission (content_type_id, object_pk);

INSERT INTO auth_user SELECT i, '', NULL, i = 1, word(i * 50), '', 1 FROM numbers WHERE i <= 12;
INSERT INTO documents_correspondent SELECT i, title(1, i, 2) || ' ' || word(i), word(i), i % 7, 1, iif(i % 5 = 0, NULL, 1 + i % 12) FROM \
numbers WHERE i <= 500;
INSERT INTO documents_documenttype SELECT i, title(2, i, 1) || ' ' || word(i), '', 6, 1, NULL FROM numbers WHERE i <= 40;
INSERT INTO documents_tag SELECT i, title(3, i, 1) || ' ' || word(i), '', 6, 1, '#a6cee3', i = 1, NULL FROM numbers WHERE i <= 160;
INSERT INTO documents_document (id, title, content, mime_type, checksum, archive_checksum, page_count, created, modified, added, filename, \
archive_filename, original_filename, archive_serial_number, deleted_at, correspondent_id,
  document_type_id, owner_id)
SELECT i, title(4, i, 4), prose(5, i, 500 + pick(6, i, 1800)), CASE WHEN chance(7, i) < 0.9 THEN 'application/pdf' WHEN chance(7, i) < \
0.96 THEN 'image/jpeg' ELSE word(skewed(8, i, 8)) || '/x' END, printf('%064x', i * 104729),
  iif(chance(9, i) < 0.8, printf('%064x', i * 7919), NULL), skewed(10, i, 30),
  date(1300000000 + i * 35000 + pick(11, i, 3000000), 'unixepoch'), datetime(1700000000 + i * 1500, 'unixepoch'), datetime(1500000000 + i \
* 18000, 'unixepoch'), printf('%04d/%07d.pdf', 2010 + i / 1000, i), iif(chance(9, i) < 0.8,
    printf('%04d/%07d-a.pdf', 2010 + i / 1000, i), NULL),
  word(pick(12, i, 900)) || '_' || i || '.pdf', iif(i % 6 = 0, i / 6, NULL), iif(chance(13, i) < 0.012, datetime(1719000000 + pick(14, i, \
4000000), 'unixepoch'), NULL), iif(chance(15, i) < 0.1, NULL, skewed(16, i, 500)),
    iif(chance(17, i) < 0.2, NULL, skewed(18, i, 40)),
  iif(chance(19, i) < 0.3, NULL, skewed(20, i, 12))
FROM numbers WHERE i <= 12000;
INSERT OR IGNORE INTO documents_document_tags (document_id, tag_id) SELECT 1 + i / 3, skewed(21, i, 160) FROM numbers WHERE i < 35800;
INSERT INTO documents_note (note, created, deleted_at, document_id, user_id) SELECT prose(22, i, 40 + pick(23, i, 200)), \
datetime(1600000000 + i * 9000, 'unixepoch'), NULL, pick(24, i, 12000), skewed(25, i, 12) FROM numbers WHERE
  i <= 5000;
INSERT INTO documents_customfield SELECT i, datetime(1600000000 + i, 'unixepoch'), title(26, i, 2) || ' ' || i, CASE i % 4 WHEN 0 THEN \
'integer' WHEN 1 THEN 'string' WHEN 2 THEN 'date' ELSE 'monetary' END FROM numbers WHERE i <=
  10;
INSERT OR IGNORE INTO documents_customfieldinstance (created, document_id, field_id, value_text, value_date, value_int, value_monetary, \
value_monetary_amount)
SELECT datetime(1600000000 + i * 4000, 'unixepoch'), pick(27, i, 12000), f, CASE f % 4 WHEN 1 THEN printf('%s-%05d', upper(word(f)), \
pick(28, i, 8000)) END, CASE f % 4 WHEN 2 THEN date(1600000000 + pick(29, i, 119000000),
  'unixepoch') END, CASE f % 4 WHEN 0 THEN pick(30, i, 5000) END,
  CASE f % 4 WHEN 3 THEN 'EUR' || pick(31, i, 900) || '.00' END, CASE f % 4 WHEN 3 THEN pick(31, i, 900) END FROM (SELECT i, skewed(32, i, \
10) AS f FROM numbers WHERE i <= 30000);
INSERT INTO documents_paperlesstask (id, task_id, task_type, trigger_source, status, date_created, date_started, date_done, \
duration_seconds, wait_time_seconds, input_data, result_data, acknowledged, owner_id)
SELECT i, printf('%08x-%04x-4000-8000-%012x', i * 7919, i % 65536, i), CASE WHEN chance(33, i) < 0.62 THEN 'consume_file' WHEN chance(33, \
i) < 0.95 THEN 'mail_fetch' ELSE 'train_classifier' END, CASE WHEN chance(33, i) < 0.62 THEN
  iif(chance(34, i) < 0.7, 'folder_consume', 'web_ui') ELSE 'scheduled' END,
  CASE WHEN chance(35, i) < 0.955 THEN 'success' WHEN chance(35, i) < 0.997 THEN 'failure' ELSE 'revoked' END, datetime(1690000000 + i * \
1900, 'unixepoch'), datetime(1690000002 + i * 1900, 'unixepoch'), datetime(1690000020 + i *
    1900, 'unixepoch'), chance(36, i) * 90, chance(37, i) * 9,
  iif(chance(33, i) < 0.62, '{"filename":"' || word(pick(38, i, 900)) || '_' || i || '.pdf","overrides":{"title":"' || title(39, i, 4) || \
'"}}', '{}'), '{"document_id":' || i || ',"log":"' || prose(40, i, 200) || '"}', i < 15800
    AND chance(41, i) < 0.995, iif(chance(42, i) < 0.5, NULL, skewed(43, i, 12))
FROM numbers WHERE i <= 16000;
INSERT OR IGNORE INTO guardian_userobjectpermission (object_pk, content_type_id, permission_id, user_id)
SELECT CAST(pick(44, i, 12000) AS varchar), iif(chance(45, i) < 0.85, 12, 9), 40 + skewed(46, i, 2), 1 + pick(47, i, 11) FROM numbers \
WHERE i <= 20000;

-- statement: paperless-01
-- is: full-scan, index-not-covering, partial-index, wide-rows-for-count
-- because: how much text there is: the length is kept, but in the rows with the text

SELECT SUM(content_length) AS characters FROM documents_document WHERE deleted_at IS NULL

-- best
-- index: documents_document (content_length) WHERE deleted_at IS NULL

-- or
-- index: documents_document (deleted_at, content_length)

-- statement: paperless-02
-- is: full-scan, or-without-index
-- because: whether a file is there already: of the two checksums one has an index
-- run: '0000000000000000000000000000000000000000000000000000000000549584' | \
--   '00000000000000000000000000000000000000000000000000000000382e56e8'

SELECT id, title FROM documents_document WHERE checksum = ?1 OR archive_checksum = ?1

-- best
-- index: documents_document (archive_checksum)

-- statement: paperless-03
-- is: group-without-index, index-not-covering, join-fan-out, partial-index, wide-rows-for-count
-- because: correspondents with their documents: each document's row is read for whether it is in the trash

SELECT c.id, c.name, COUNT(d.id) AS document_count, MAX(d.created) AS last_correspondence FROM documents_correspondent AS c LEFT OUTER
JOIN documents_document AS d ON c.id = d.correspondent_id AND d.deleted_at IS NULL GROUP BY c.id ORDER BY c.name, c.id

-- best
-- index: documents_document (deleted_at, correspondent_id, created)

SELECT c.id, c.name, COALESCE(d.n, 0) AS document_count, d.last AS last_correspondence FROM documents_correspondent AS c LEFT OUTER
JOIN (SELECT correspondent_id, COUNT(*) AS n, MAX(created) AS last FROM documents_document WHERE deleted_at IS NULL
GROUP BY correspondent_id) AS d ON c.id = d.correspondent_id ORDER BY c.name, c.id

-- or
-- index: documents_document (correspondent_id, deleted_at, created)

-- or
-- index: documents_document (deleted_at, correspondent_id, created)

-- statement: paperless-04
-- is: full-scan, harmful-index, index-not-covering
-- because: documents by what is in a field of text: dates and numbers have an index, text hasn't
-- run: 1, 'LOCE-07281' | 5, 'GUDI-07715'

SELECT i.document_id FROM documents_customfieldinstance AS i WHERE i.deleted_at IS NULL AND i.field_id = ? AND i.value_text = ?

-- best
-- index: documents_customfieldinstance (field_id, value_text)

-- or
-- index: documents_customfieldinstance (value_text, field_id)

-- statement: paperless-05
-- is: expression-index, full-scan, function-on-column
-- because: the task of a file by its name, which is in a document
-- run: 'kistaha_700.pdf' | 'gunogu_12001.pdf'

SELECT id, task_id, status, date_done FROM documents_paperlesstask WHERE JSON_EXTRACT(input_data, '$."filename"') = ?

-- best
-- index: documents_paperlesstask (JSON_EXTRACT(input_data, '$."filename"'))

-- statement: paperless-06
-- fine
-- tolerated: index-not-covering
-- because: the newest tasks of a kind that succeeded, as nearly all did: by the index of states and times few are passed over
-- run: 'consume_file', 'success' | 'mail_fetch', 'success'

SELECT id, task_id, task_type, status, date_created, date_done FROM documents_paperlesstask WHERE task_type = ? AND status = ?
ORDER BY date_created DESC LIMIT 25

-- statement: paperless-07
-- is: function-on-column, index-not-covering, subquery-per-row, type-mismatch
-- because: with how many each document of somebody is shared: keys of objects are text, and a number isn't found among them by the index
-- run: 12 | 11

SELECT d.id, d.title, (SELECT COUNT(*) FROM guardian_userobjectpermission AS p WHERE p.content_type_id = 12 AND p.object_pk = d.id) AS shared
FROM documents_document AS d WHERE d.owner_id = ? ORDER BY d.created DESC, d.id

-- best

SELECT d.id, d.title, (SELECT COUNT(*) FROM guardian_userobjectpermission AS p WHERE p.content_type_id = 12
AND p.object_pk = CAST(d.id AS TEXT)) AS shared FROM documents_document AS d WHERE d.owner_id = ? ORDER BY d.created DESC, d.id

-- statement: paperless-08
-- is: index-not-covering, large-offset, partial-index, sort-without-index
-- because: a page far back: all documents before it are read with it
-- run: 9000

SELECT id, title, created FROM documents_document WHERE deleted_at IS NULL ORDER BY created DESC, id DESC LIMIT 50 OFFSET ?

-- best
-- run: '2014-06-10', 2851

SELECT id, title, created FROM documents_document WHERE deleted_at IS NULL AND (created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT 50

-- statement: paperless-09
-- is: index-not-covering, join-order, partial-index, subquery-per-row, wide-rows-for-count
-- because: how many documents have each tag: each one's row is read for whether it is in the trash

SELECT t.id, t.name, (SELECT COUNT(*) FROM documents_document_tags AS x JOIN documents_document AS d ON d.id = x.document_id WHERE x.tag_id = t.id
AND d.deleted_at IS NULL) AS document_count FROM documents_tag AS t ORDER BY lower(t.name), t.id

-- best
-- index: documents_document (deleted_at)
-- index: documents_document_tags (tag_id, document_id)

SELECT t.id, t.name, (SELECT COUNT(*) FROM documents_document_tags AS x WHERE x.tag_id = t.id AND x.document_id NOT IN (SELECT id
FROM documents_document WHERE deleted_at IS NOT NULL)) AS document_count FROM documents_tag AS t ORDER BY lower(t.name), t.id

-- or
-- index: documents_document (deleted_at)

SELECT t.id, t.name, (SELECT COUNT(*) FROM documents_document_tags AS x WHERE x.tag_id = t.id AND x.document_id NOT IN (SELECT id
FROM documents_document WHERE deleted_at IS NOT NULL)) AS document_count FROM documents_tag AS t ORDER BY lower(t.name), t.id

-- statement: paperless-10
-- fine
-- tolerated: subquery-per-row
-- because: the newest without a tag: most have none such, so that fifty are found at once
-- run: 3

SELECT d.id, d.title, d.created FROM documents_document AS d WHERE d.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM documents_document_tags AS x
WHERE x.document_id = d.id AND x.tag_id = ?) ORDER BY d.created DESC LIMIT 50

-- statement: paperless-11
-- fine
-- tolerated: harmful-index, missing-statistics
-- because: what somebody has seen, of the few that nobody had
-- run: 2

UPDATE documents_paperlesstask SET acknowledged = 1 WHERE owner_id = ? AND acknowledged = 0

-- statement: paperless-12
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: the notes of a document, which are none or few
-- run: 10882

SELECT id, note, created FROM documents_note WHERE document_id = ? AND deleted_at IS NULL ORDER BY created
