-- schema: vaultwarden
-- about: A keeper of passwords: keys are texts, and its migrations make no index beside them.
-- origin: Vaultwarden 1.27 (AGPL-3.0, Copyright Daniel García and contributors): eleven of its tables as its SQLite migrations leave \
--   them, of the users' columns five

CREATE TABLE users (
  uuid TEXT NOT NULL PRIMARY KEY, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE devices (
  uuid TEXT NOT NULL, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, user_uuid TEXT NOT NULL REFERENCES users(uuid),
  name TEXT NOT NULL, atype INTEGER NOT NULL, push_token TEXT, refresh_token TEXT NOT NULL, PRIMARY KEY(uuid, user_uuid));
CREATE TABLE organizations (uuid TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, billing_email TEXT NOT NULL);
CREATE TABLE "ciphers" (
  uuid TEXT NOT NULL PRIMARY KEY, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, user_uuid TEXT REFERENCES users(uuid),
  organization_uuid TEXT REFERENCES organizations(uuid), atype INTEGER NOT NULL, name TEXT NOT NULL, notes TEXT, fields TEXT,
  data TEXT NOT NULL, password_history TEXT, deleted_at DATETIME);
CREATE TABLE attachments (
  id TEXT NOT NULL PRIMARY KEY, cipher_uuid TEXT NOT NULL REFERENCES ciphers (uuid), file_name TEXT NOT NULL, file_size INTEGER NOT NULL);
CREATE TABLE folders (
  uuid TEXT NOT NULL PRIMARY KEY, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, user_uuid TEXT NOT NULL REFERENCES users \
(uuid), name TEXT NOT NULL);
CREATE TABLE folders_ciphers (
  cipher_uuid TEXT NOT NULL REFERENCES ciphers (uuid), folder_uuid TEXT NOT NULL REFERENCES folders (uuid), PRIMARY KEY (cipher_uuid, folder_uuid));
CREATE TABLE collections (uuid TEXT NOT NULL PRIMARY KEY, org_uuid TEXT NOT NULL REFERENCES organizations (uuid), name TEXT NOT NULL);
CREATE TABLE ciphers_collections (
  cipher_uuid TEXT NOT NULL REFERENCES ciphers (uuid), collection_uuid TEXT NOT NULL REFERENCES collections (uuid),
  PRIMARY KEY (cipher_uuid, collection_uuid));
CREATE TABLE users_organizations (
  uuid TEXT NOT NULL PRIMARY KEY, user_uuid TEXT NOT NULL REFERENCES users (uuid), org_uuid TEXT NOT NULL REFERENCES organizations (uuid),
  access_all BOOLEAN NOT NULL, akey TEXT NOT NULL, status INTEGER NOT NULL, atype INTEGER NOT NULL, UNIQUE (user_uuid, org_uuid));
CREATE TABLE event (
  uuid TEXT NOT NULL PRIMARY KEY, event_type INTEGER NOT NULL, user_uuid TEXT, org_uuid TEXT, cipher_uuid TEXT, collection_uuid TEXT,
  group_uuid TEXT, org_user_uuid TEXT, act_user_uuid TEXT, device_type INTEGER, ip_address TEXT, event_date DATETIME NOT NULL,
  policy_uuid TEXT, provider_uuid TEXT, provider_user_uuid TEXT, provider_org_uuid TEXT, UNIQUE (uuid));

INSERT INTO users SELECT printf('user-%08x', i), '2022-01-01', '2022-01-01', word(i) || i || '@example.org', word(i) FROM numbers WHERE i <= 400;
INSERT INTO devices SELECT printf('dev-%08x', i), '2022-01-01', '2022-01-01', printf('user-%08x', pick(1, i, 400)), word(i), 9, NULL, \
printf('%064x', i * 7919)
FROM numbers WHERE i <= 3000;
INSERT INTO organizations SELECT printf('org-%08x', i), title(2, i, 2), 'billing@example.org' FROM numbers WHERE i <= 40;
INSERT INTO ciphers
SELECT printf('cipher-%08x', i), datetime(1600000000 + i * 3000, 'unixepoch'), datetime(1600000000 + i * 3000, 'unixepoch'),
  iif(i % 3 > 0, printf('user-%08x', skewed(3, i, 400)), NULL), iif(i % 3 = 0, printf('org-%08x', skewed(4, i, 40)), NULL), 1, '2.' || \
prose(5, i, 60), NULL, NULL,
  '{"uri":"' || prose(6, i, 100 + pick(7, i, 300)) || '"}', NULL, iif(chance(8, i) < 0.03, datetime(1640000000 + pick(9, i, 2000000), \
'unixepoch'), NULL)
FROM numbers WHERE i <= 16000;
INSERT INTO attachments SELECT printf('att-%08x', i), printf('cipher-%08x', pick(10, i, 16000)), '2.' || word(i), pick(11, i, 900000) FROM \
numbers WHERE i <= 5000;
INSERT INTO folders SELECT printf('folder-%08x', i), '2022-01-01', '2022-01-01', printf('user-%08x', pick(12, i, 400)), '2.' || word(i) \
FROM numbers WHERE i <= 3000;
INSERT OR IGNORE INTO folders_ciphers SELECT printf('cipher-%08x', pick(13, i, 16000)), printf('folder-%08x', skewed(14, i, 3000)) FROM \
numbers WHERE i <= 9000;
INSERT INTO collections SELECT printf('coll-%08x', i), printf('org-%08x', 1 + i % 40), '2.' || word(i) FROM numbers WHERE i <= 600;
INSERT OR IGNORE INTO ciphers_collections SELECT printf('cipher-%08x', 3 * pick(15, i, 5300)), printf('coll-%08x', pick(16, i, 600)) FROM \
numbers WHERE i <= 8000;
INSERT OR IGNORE INTO users_organizations SELECT printf('uo-%08x', i), printf('user-%08x', pick(17, i, 400)), printf('org-%08x', pick(18, \
i, 40)), 0, '', 2, 2 FROM numbers WHERE i <= 900;
INSERT INTO event (uuid, event_type, user_uuid, org_uuid, cipher_uuid, act_user_uuid, device_type, ip_address, event_date)
SELECT printf('event-%08x', i * 7919 % 1000003), 1000 + pick(19, i, 200), printf('user-%08x', skewed(20, i, 400)), iif(chance(21, i) < \
0.6, printf('org-%08x', skewed(22, i, 40)), NULL),
  printf('cipher-%08x', pick(23, i, 16000)), printf('user-%08x', skewed(20, i, 400)), 9, '10.0.0.' || pick(24, i, 250), \
datetime(1650000000 + i * 600, 'unixepoch')
FROM numbers WHERE i <= 40000;

-- statement: vaultwarden-01
-- is: full-scan
-- because: a vault: each synchronisation reads everybody's
-- run: 'user-00000064' | 'user-00000012'

SELECT uuid, name, data, updated_at FROM ciphers WHERE user_uuid = ? AND deleted_at IS NULL

-- best
-- index: ciphers (user_uuid)

-- or
-- index: ciphers (user_uuid, deleted_at)

-- statement: vaultwarden-02
-- is: full-scan, sort-without-index
-- because: what happened in an organization, newest first
-- run: 'org-00000011', '2022-06-01 00:00:00', '2022-12-31 00:00:00'

SELECT uuid, event_type, act_user_uuid, ip_address, event_date FROM event
WHERE org_uuid = ? AND event_date BETWEEN ? AND ? ORDER BY event_date DESC LIMIT 30

-- best
-- index: event (org_uuid, event_date)

-- statement: vaultwarden-03
-- is: full-scan
-- because: every night what is older than a year
-- run: '2022-04-16 00:00:00'

DELETE FROM event WHERE event_date < ?

-- best
-- index: event (event_date)

-- statement: vaultwarden-04
-- is: automatic-index, full-scan, index-not-covering, join-order
-- because: how much somebody has stored: two steps, each without an index
-- run: 'user-00000030' | 'user-000000c0'

SELECT sum(a.file_size) FROM attachments a JOIN ciphers c ON c.uuid = a.cipher_uuid WHERE c.user_uuid = ?

-- best
-- index: ciphers (user_uuid, uuid)
-- index: attachments (cipher_uuid, file_size)

-- or
-- index: ciphers (user_uuid)
-- index: attachments (cipher_uuid)

-- statement: vaultwarden-05
-- fine
-- because: the folder of one entry, by two keys
-- run: 'cipher-000033b1', 'user-00000150'

SELECT fc.folder_uuid FROM folders_ciphers fc JOIN folders f ON f.uuid = fc.folder_uuid
WHERE fc.cipher_uuid = ? AND f.user_uuid = ?

-- statement: vaultwarden-06
-- fine
-- because: its unique index
-- run: 'babrace233@example.org'

SELECT uuid, name FROM users WHERE email = ?

-- statement: vaultwarden-07
-- is: full-scan, partial-index
-- because: the bin is emptied: 3 % are in it
-- run: '2021-12-25 00:00:00'

SELECT uuid, user_uuid FROM ciphers WHERE deleted_at IS NOT NULL AND deleted_at < ?

-- best
-- index: ciphers (deleted_at)

-- statement: vaultwarden-08
-- is: automatic-index, full-scan, index-not-covering, join-fan-out
-- because: the page of the administrator: the entries of each, times the devices

SELECT u.uuid, u.email, count(DISTINCT c.uuid) AS entries, count(DISTINCT d.uuid) AS devices FROM users u
LEFT JOIN ciphers c ON c.user_uuid = u.uuid LEFT JOIN devices d ON d.user_uuid = u.uuid GROUP BY u.uuid

-- best
-- index: ciphers (user_uuid)
-- index: devices (user_uuid, uuid)

SELECT u.uuid, u.email, (SELECT count(*) FROM ciphers c WHERE c.user_uuid = u.uuid) AS entries,
  (SELECT count(DISTINCT d.uuid) FROM devices d WHERE d.user_uuid = u.uuid) AS devices FROM users u

-- statement: vaultwarden-09
-- is: full-scan, join-order, or-without-index
-- because: one's own entries, and those of one's organizations: the OR is over two tables
-- run: 'user-00000050' | 'user-00000101'

SELECT DISTINCT c.uuid, c.name FROM ciphers c LEFT JOIN users_organizations uo
  ON uo.org_uuid = c.organization_uuid AND uo.user_uuid = ?1 AND uo.status = 2
WHERE c.user_uuid = ?1 OR uo.uuid IS NOT NULL

-- best
-- index: ciphers (user_uuid)
-- index: ciphers (organization_uuid)

SELECT c.uuid, c.name FROM ciphers c WHERE c.user_uuid = ?1 UNION
SELECT c.uuid, c.name FROM users_organizations uo JOIN ciphers c ON c.organization_uuid = uo.org_uuid
WHERE uo.user_uuid = ?1 AND uo.status = 2

-- statement: vaultwarden-10
-- fine
-- because: two keys
-- run: 'user-00000020'

SELECT o.uuid, o.name FROM users_organizations uo JOIN organizations o ON o.uuid = uo.org_uuid WHERE uo.user_uuid = ? AND uo.status = 2
