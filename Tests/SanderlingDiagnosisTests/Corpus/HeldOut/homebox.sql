-- schema: homebox
-- about: An inventory of households: items with fields, labels, places within places, attachments and what was done to them; all keys are \
--   UUIDs.
-- source: From github.com/sysadminsmedia/homebox: backend/internal/data/migrations/sqlite3/20220929052825_init.sql
-- origin: Homebox (AGPL-3.0, Copyright the Homebox contributors): eleven of the tables of its first migration with their indexes
-- superfluous: redundant-index notifier_group_id
-- superfluous: redundant-index notifier_user_id

CREATE TABLE groups (id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, \
currency text default 'usd' not null);
CREATE TABLE documents (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, title text not null, path text not null,
  group_documents uuid not null constraint documents_groups_documents references groups on delete cascade);
CREATE TABLE labels (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, description text, color text,
  group_labels uuid not null constraint labels_groups_labels references groups on delete cascade);
CREATE TABLE locations (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, description text,
  group_locations uuid not null constraint locations_groups_locations references groups on delete cascade,
  location_children uuid constraint locations_locations_children references locations on delete set null);
CREATE TABLE items (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, description text, \
import_ref text, notes text, quantity integer default 1 not null, insured bool default false not null,
  archived bool default false not null, asset_id integer default 0 not null, serial_number text, model_number text, manufacturer text, \
lifetime_warranty bool default false not null, warranty_expires datetime, warranty_details text,
  purchase_time datetime, purchase_from text, purchase_price real default 0 not null, sold_time datetime, sold_to text, sold_price real \
default 0 not null, sold_notes text,
  group_items uuid not null constraint items_groups_items references groups on delete cascade, item_children uuid constraint \
items_items_children references items on delete set null,
  location_items uuid constraint items_locations_items references locations on delete cascade);
CREATE TABLE attachments (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, type text default 'attachment' not null, \
"primary" bool default false not null,
  document_attachments uuid not null constraint attachments_documents_attachments references documents on delete cascade,
  item_attachments uuid not null constraint attachments_items_attachments references items on delete cascade);
CREATE TABLE item_fields (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, description text, type \
text not null, text_value text, number_value integer, boolean_value bool default false not null,
  time_value datetime not null, item_fields uuid constraint item_fields_items_fields references items on delete cascade);
CREATE INDEX item_archived on items (archived);
CREATE INDEX item_asset_id on items (asset_id);
CREATE INDEX item_manufacturer on items (manufacturer);
CREATE INDEX item_model_number on items (model_number);
CREATE INDEX item_name on items (name);
CREATE INDEX item_serial_number on items (serial_number);
CREATE TABLE label_items (
  label_id uuid not null constraint label_items_label_id references labels on delete cascade, item_id uuid not null constraint \
label_items_item_id references items on delete cascade, primary key (label_id, item_id));
CREATE TABLE maintenance_entries (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, date datetime, scheduled_date datetime, name \
text not null, description text, cost real default 0 not null,
  item_id uuid not null constraint maintenance_entries_items_maintenance_entries references items on delete cascade);
CREATE TABLE users (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, email text not null, \
password text not null, is_superuser bool default false not null, superuser bool default false not null,
  role text default 'user' not null, activated_on datetime, group_users uuid not null constraint users_groups_users references groups on \
delete cascade);
CREATE UNIQUE INDEX users_email_key on users (email);
CREATE TABLE notifiers (
  id uuid not null primary key, created_at datetime not null, updated_at datetime not null, name text not null, url text not null, \
is_active bool default true not null,
  group_id uuid not null constraint notifiers_groups_notifiers references groups on delete cascade, user_id uuid not null constraint \
notifiers_users_notifiers references users on delete cascade);
CREATE INDEX notifier_group_id on notifiers (group_id);
CREATE INDEX notifier_group_id_is_active on notifiers (group_id, is_active);
CREATE INDEX notifier_user_id on notifiers (user_id);
CREATE INDEX notifier_user_id_is_active on notifiers (user_id, is_active);

INSERT INTO groups SELECT printf('g%07x-aaaa-4000-8000-%012x', i * 7919, i), '2022-10-01 08:00:00+00:00', '2022-10-01 08:00:00+00:00', \
title(1, i, 2), 'usd' FROM numbers WHERE i <= 40;
INSERT INTO users SELECT printf('u%07x-bbbb-4000-8000-%012x', i * 7919, i), '2022-10-01 08:00:00+00:00', '2022-10-01 08:00:00+00:00', \
title(2, i, 2), word(i) || '@' || word(7) || '.example', 'x', 0, 0, 'user', NULL, printf('g%07x-aaaa-4000-8000-%012x', (1 + i % 40) * \
7919, 1 + i % 40) FROM numbers WHERE i <= 90;
INSERT INTO notifiers SELECT printf('n%07x-bbbb-4000-8000-%012x', i * 7919, i), '2022-10-01 08:00:00+00:00', '2022-10-01 08:00:00+00:00', \
title(3, i, 2), 'https://push.example/' || i, chance(4, i) < 0.8, group_users, users.id FROM numbers JOIN users ON users.rowid = 1 + i % \
90 WHERE i <= 120;
INSERT INTO labels SELECT printf('l%07x-cccc-4000-8000-%012x', i * 7919, i), '2022-11-01 08:00:00+00:00', '2022-11-01 08:00:00+00:00', \
title(5, i, 1), NULL, NULL, printf('g%07x-aaaa-4000-8000-%012x', (1 + i % 40) * 7919, 1 + i % 40) FROM numbers WHERE i <= 800;
INSERT INTO locations SELECT printf('c%07x-dddd-4000-8000-%012x', i * 7919, i), '2022-11-01 08:00:00+00:00', '2022-11-01 08:00:00+00:00', \
title(6, i, 2), NULL, printf('g%07x-aaaa-4000-8000-%012x', (1 + i % 40) * 7919, 1 + i % 40), iif(i <= 240, NULL, \
printf('c%07x-dddd-4000-8000-%012x', (i % 40 + 40 * pick(7, i, i / 40 - 2)) * 7919, i % 40 + 40 * pick(7, i, i / 40 - 2))) FROM numbers \
WHERE i <= 2000;
INSERT INTO items
SELECT printf('%08x-eeee-4000-8000-%012x', (i * 2654435761) % 4294967296, i), strftime('%Y-%m-%d %H:%M:%S+00:00', 1667260800 + i * 3500, \
'unixepoch'), strftime('%Y-%m-%d %H:%M:%S+00:00', 1667260800 + i * 3500 + pick(8, i, 9000000), 'unixepoch'), title(9, i, 1 + pick(10, i, \
3)), prose(11, i, pick(12, i, 120)), NULL,
  iif(chance(13, i) < 0.3, prose(14, i, 150), NULL), skewed(15, i, 30), chance(16, i) < 0.1, chance(17, i) < 0.06, i, iif(chance(18, i) < \
0.5, printf('SN%08X', i * 977), ''), iif(chance(19, i) < 0.6, 'M-' || skewed(20, i, 3000), ''), iif(chance(21, i) < 0.7, title(22, \
skewed(23, i, 400), 1), ''), chance(24, i) < 0.02,
  iif(chance(25, i) < 0.4, strftime('%Y-%m-%d 00:00:00+00:00', 1680000000 + pick(26, i, 120000000), 'unixepoch'), NULL), NULL, \
strftime('%Y-%m-%d 00:00:00+00:00', 1500000000 + pick(27, i, 220000000), 'unixepoch'), word(skewed(28, i, 80)), skewed(29, i, 200000) / \
100.0, iif(chance(30, i) < 0.04, strftime('%Y-%m-%d 00:00:00+00:00', 1670000000 + pick(31, i, 70000000), 'unixepoch'), NULL), NULL, 0, NULL,
  printf('g%07x-aaaa-4000-8000-%012x', (1 + l.rowid % 40) * 7919, 1 + l.rowid % 40), NULL, l.id
FROM numbers JOIN locations AS l ON l.rowid = iif(chance(32, i) < 0.45, 40 * pick(33, i, 49), skewed(34, i, 2000)) WHERE i <= 24000;
INSERT INTO documents SELECT printf('d%07x-ffff-4000-8000-%012x', i * 7919, i), created_at, created_at, title(35, i, 2), 'docs/' || i, \
group_items FROM numbers JOIN items ON items.rowid = 1 + (i * 7) % 24000 WHERE i <= 9000;
INSERT INTO attachments SELECT printf('a%07x-ffff-4000-8000-%012x', i * 7919, i), items.created_at, items.created_at, CASE skewed(36, i, \
4) WHEN 1 THEN 'photo' WHEN 2 THEN 'receipt' WHEN 3 THEN 'manual' ELSE 'warranty' END, 0, printf('d%07x-ffff-4000-8000-%012x', i * 7919, \
i), items.id FROM numbers JOIN items ON items.rowid = 1 + (i * 7) % 24000 WHERE i <= 9000;
INSERT INTO item_fields SELECT printf('f%07x-1111-4000-8000-%012x', i * 7919, i), items.created_at, items.created_at, title(37, skewed(38, \
i, 60), 1), NULL, 'text', word(skewed(39, i, 900)), NULL, 0, '0001-01-01 00:00:00+00:00', items.id FROM numbers JOIN items ON items.rowid \
= 1 + (i * 11) % 24000 WHERE i <= 30000;
INSERT OR IGNORE INTO label_items SELECT l.id, items.id FROM numbers JOIN items ON items.rowid = 1 + (i * 13) % 24000 JOIN labels AS l ON \
l.rowid = 40 * skewed(40, i, 19) + (SELECT g.rowid FROM groups AS g WHERE g.id = items.group_items) - 1 WHERE i <= 30000;
INSERT INTO maintenance_entries
SELECT printf('m%07x-2222-4000-8000-%012x', i * 7919, i), items.created_at, items.created_at, iif(chance(41, i) < 0.93, strftime('%Y-%m-%d \
00:00:00+00:00', 1680000000 + pick(42, i, 60000000), 'unixepoch'), NULL), strftime('%Y-%m-%d 00:00:00+00:00', 1680000000 + pick(43, i, \
90000000), 'unixepoch'), title(44, i, 2), NULL, skewed(45, i, 30000) / 100.0, items.id
FROM numbers JOIN items ON items.rowid = 1 + (i * 17) % 24000 WHERE i <= 20000;

-- statement: homebox-01
-- is: full-scan, harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: the first names of a household: by either index, those of all households are read
-- run: 'g004b669-aaaa-4000-8000-000000000027' | 'g0005ccd-aaaa-4000-8000-000000000003'

SELECT id, name, quantity, asset_id FROM items WHERE group_items = ? AND archived = 0 ORDER BY name LIMIT 50

-- best
-- index: items (group_items, archived, name)

-- or
-- index: items (group_items, name)

-- statement: homebox-02
-- is: automatic-index, full-scan, harmful-index, index-not-covering, missing-statistics, subquery-per-row
-- because: how much is in each place: for each, all that isn't archived is read
-- run: 'g0005ccd-aaaa-4000-8000-000000000003' | 'g0001eef-aaaa-4000-8000-000000000001'

SELECT l.id, l.name, (SELECT SUM(i.quantity) FROM items AS i WHERE i.location_items = l.id AND i.archived = 0) AS item_count FROM \
locations AS l WHERE l.group_locations = ? AND l.location_children IS NULL ORDER BY l.name

-- best
-- index: items (location_items, archived, quantity)

-- statement: homebox-03
-- is: index-not-covering
-- because: what is spent by label of a small household: each item is found by its key and then looked up
-- run: 'g0043aad-aaaa-4000-8000-000000000023'

SELECT l.id, l.name, SUM(i.purchase_price) FROM labels AS l JOIN label_items AS li ON li.label_id = l.id JOIN items AS i ON i.id = \
li.item_id WHERE l.group_labels = ? AND i.archived = 0 GROUP BY l.id

-- best
-- index: labels (group_labels, id, name)
-- index: items (id, archived, purchase_price)

SELECT l.id, l.name, SUM(i.purchase_price) FROM labels AS l CROSS JOIN label_items AS li ON li.label_id = l.id CROSS JOIN items AS i ON \
i.id = li.item_id WHERE l.group_labels = ? AND i.archived = 0 GROUP BY l.id

-- statement: homebox-04
-- is: full-scan, partial-index, sort-without-index
-- because: what should have been done: few aren't done yet
-- run: '2023-06-01 00:00:00+00:00'

SELECT m.id, m.name, m.scheduled_date, i.name FROM maintenance_entries AS m JOIN items AS i ON i.id = m.item_id
WHERE m.date IS NULL AND m.scheduled_date <= ? ORDER BY m.scheduled_date LIMIT 50

-- best
-- index: maintenance_entries (scheduled_date) WHERE date IS NULL

-- or
-- index: maintenance_entries (date, scheduled_date)

-- statement: homebox-05
-- is: foreign-key-without-index
-- because: an item goes: five tables are read for what refers to it
-- run: '2b80c908-eeee-4000-8000-000000001388' | 'a12b4869-eeee-4000-8000-000000003039'

DELETE FROM items WHERE id = ?

-- best
-- index: attachments (item_attachments)
-- index: item_fields (item_fields)
-- index: label_items (item_id)
-- index: maintenance_entries (item_id)
-- index: items (item_children)

-- statement: homebox-06
-- is: distinct-without-index, full-scan, sort-without-index
-- because: the values of a field, to choose from
-- run: 'Kiceyo' | 'Stadi'

SELECT DISTINCT text_value FROM item_fields WHERE name = ? ORDER BY text_value

-- best
-- index: item_fields (name, text_value)

-- statement: homebox-07
-- is: automatic-index, full-scan, harmful-index, index-not-covering, sort-without-index, subquery-per-row
-- because: dear things without a receipt: for each, all attachments are read
-- run: 'g004b669-aaaa-4000-8000-000000000027' | 'g0043aad-aaaa-4000-8000-000000000023'

SELECT i.id, i.name FROM items AS i WHERE i.group_items = ? AND i.archived = 0 AND i.purchase_price > 500
AND NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.item_attachments = i.id AND a.type = 'receipt') ORDER BY i.purchase_price DESC, i.id LIMIT 25

-- best
-- index: attachments (item_attachments, type)
-- index: items (group_items, archived, purchase_price)

-- statement: homebox-08
-- is: expression-index, full-scan, function-on-column, sort-without-index
-- because: warranties that end in a week, by a function of the text
-- run: '2025-01-01', '2025-01-07'

SELECT id, name, warranty_expires FROM items WHERE date(substr(warranty_expires, 1, 10)) BETWEEN ? AND ? ORDER BY \
date(substr(warranty_expires, 1, 10)), id

-- best
-- index: items (date(substr(warranty_expires, 1, 10)), id)

-- or
-- index: items (date(substr(warranty_expires, 1, 10)))

-- or
-- index: items (warranty_expires, id)

SELECT id, name, warranty_expires FROM items WHERE warranty_expires >= ?1 AND warranty_expires < date(?2, '+1 day') ORDER BY warranty_expires, id

-- statement: homebox-09
-- is: full-scan, harmful-index, index-not-covering, missing-statistics
-- because: what was sold long ago is archived: the index finds nearly all items, as hardly any is
-- run: '2022-12-15 00:00:00+00:00'

UPDATE items SET archived = 1 WHERE archived = 0 AND sold_time < ?

-- best
-- index: items (archived, sold_time)

-- or
-- index: items (sold_time)

UPDATE items SET archived = 1 WHERE +archived = 0 AND sold_time < ?

-- statement: homebox-10
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a model of a manufacturer, whatever the case
-- run: 'DISO', 'm-17' | 'vace', 'M-40'

SELECT id, name, model_number FROM items WHERE lower(manufacturer) = lower(?) AND lower(model_number) = lower(?)

-- best
-- index: items (lower(model_number), lower(manufacturer))

-- or
-- index: items (lower(manufacturer), lower(model_number))

-- statement: homebox-11
-- is: automatic-index, join-fan-out, multiplied-aggregate
-- because: costs and fields of items: each cost is counted once for each field
-- run: 3000, 3200

SELECT i.id, i.name, sum(m.cost) AS spent, count(f.id) AS fields FROM items AS i JOIN maintenance_entries AS m ON m.item_id = i.id JOIN \
item_fields AS f ON f.item_fields = i.id
WHERE i.asset_id BETWEEN ? AND ? GROUP BY i.id ORDER BY i.id

-- best
-- index: maintenance_entries (item_id, cost)
-- index: item_fields (item_fields)
-- changes results

SELECT i.id, i.name, (SELECT sum(m.cost) FROM maintenance_entries AS m WHERE m.item_id = i.id) AS spent, (SELECT count(*) FROM item_fields \
AS f WHERE f.item_fields = i.id) AS fields
FROM items AS i WHERE i.asset_id BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM maintenance_entries AS m WHERE m.item_id = i.id) AND EXISTS \
(SELECT 1 FROM item_fields AS f WHERE f.item_fields = i.id) ORDER BY i.id

-- statement: homebox-12
-- fine
-- because: what a sticker is on, by its number
-- run: 11007, 'g0001eef-aaaa-4000-8000-000000000001'

SELECT id, name, location_items FROM items WHERE asset_id = ? AND group_items = ?

-- statement: homebox-13
-- fine
-- tolerated: sort-without-index
-- because: what has a rare label, by keys
-- run: 'l0581697-cccc-4000-8000-0000000002d9'

SELECT i.id, i.name FROM label_items AS li JOIN items AS i ON i.id = li.item_id WHERE li.label_id = ? ORDER BY i.name

-- statement: homebox-14
-- fine
-- because: where to notify a user, by an index
-- run: 'u0009aab-bbbb-4000-8000-000000000005'

SELECT name, url FROM notifiers WHERE user_id = ? AND is_active = 1

-- statement: homebox-15
-- fine
-- because: the newest stickers, from the end of an index

SELECT id, name, asset_id FROM items ORDER BY asset_id DESC LIMIT 20

-- statement: homebox-16
-- fine
-- because: a document by keys
-- run: 'a0007bbc-ffff-4000-8000-000000000004'

SELECT d.title, d.path FROM attachments AS a JOIN documents AS d ON d.id = a.document_attachments WHERE a.id = ?

-- statement: homebox-17
-- fine
-- tolerated: sort-without-index
-- because: the way to a place from the outermost one, by keys
-- run: 'c0f0190d-dddd-4000-8000-0000000007c3'

WITH RECURSIVE path (id, name, parent, level) AS (
  SELECT id, name, location_children, 0 FROM locations WHERE id = ? UNION ALL SELECT l.id, l.name, l.location_children, p.level + 1 FROM \
path AS p JOIN locations AS l ON l.id = p.parent)
SELECT id, name FROM path ORDER BY level DESC
