-- schema: zotero
-- about: A library of references: a row for each field of each item, values kept once, and a library that is NULL.
-- origin: Zotero, user data schema 77 (AGPL-3.0, Copyright Center for History and New Media): twelve of its tables with their indexes

CREATE TABLE items (
  itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  libraryID INT, key TEXT NOT NULL, UNIQUE (libraryID, key));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (
  itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID), FOREIGN KEY (itemID) REFERENCES items(itemID),
  FOREIGN KEY (valueID) REFERENCES itemDataValues(valueID));
CREATE INDEX itemData_fieldID ON itemData(fieldID);
CREATE TABLE itemNotes (
  itemID INTEGER PRIMARY KEY, sourceItemID INT, note TEXT, title TEXT, FOREIGN KEY (itemID) REFERENCES items(itemID));
CREATE INDEX itemNotes_sourceItemID ON itemNotes(sourceItemID);
CREATE TABLE itemAttachments (
  itemID INTEGER PRIMARY KEY, sourceItemID INT, linkMode INT, mimeType TEXT, charsetID INT, path TEXT, originalPath TEXT,
  syncState INT DEFAULT 0, storageModTime INT, storageHash TEXT, FOREIGN KEY (itemID) REFERENCES items(itemID));
CREATE INDEX itemAttachments_sourceItemID ON itemAttachments(sourceItemID);
CREATE INDEX itemAttachments_mimeType ON itemAttachments(mimeType);
CREATE INDEX itemAttachments_syncState ON itemAttachments(syncState);
CREATE TABLE tags (
  tagID INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, type INT NOT NULL,
  dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT, key TEXT NOT NULL,
  UNIQUE (libraryID, name, type), UNIQUE (libraryID, key));
CREATE TABLE itemTags (itemID INT, tagID INT, PRIMARY KEY (itemID, tagID));
CREATE INDEX itemTags_tagID ON itemTags(tagID);
CREATE TABLE creators (
  creatorID INTEGER PRIMARY KEY, creatorDataID INT NOT NULL, dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  libraryID INT, key TEXT NOT NULL, UNIQUE (libraryID, key));
CREATE INDEX creators_creatorDataID ON creators(creatorDataID);
CREATE TABLE creatorData (
  creatorDataID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, shortName TEXT, fieldMode INT, birthYear INT);
CREATE TABLE itemCreators (
  itemID INT, creatorID INT, creatorTypeID INT DEFAULT 1, orderIndex INT DEFAULT 0,
  PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex));
CREATE TABLE collections (
  collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL, parentCollectionID INT DEFAULT NULL,
  dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, libraryID INT, key TEXT NOT NULL, UNIQUE (libraryID, key));
CREATE TABLE collectionItems (
  collectionID INT, itemID INT, orderIndex INT DEFAULT 0, PRIMARY KEY (collectionID, itemID));
CREATE INDEX itemID ON collectionItems(itemID);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
CREATE INDEX deletedItems_dateDeleted ON deletedItems(dateDeleted);

INSERT INTO items
SELECT i, CASE WHEN i % 5 = 0 THEN 14 WHEN i % 11 = 0 THEN 1 ELSE 2 + pick(1, i, 9) END, datetime(1500000000 + i * 9000, 'unixepoch'),
  datetime(1500000000 + i * 9000 + pick(2, i, 60000000), 'unixepoch'), datetime(1500000000 + i * 9000 + pick(2, i, 60000000), 'unixepoch'),
  iif(chance(3, i) < 0.03, 1 + pick(4, i, 3), NULL), printf('K%07X', i * 7919)
FROM numbers WHERE i <= 14000;
INSERT INTO itemDataValues SELECT i, title(5, i, 5) || ' ' || i FROM numbers WHERE i <= 12000;
INSERT INTO itemDataValues SELECT 12000 + i, '10.1000/' || printf('%06d', i * 13) FROM numbers WHERE i <= 9000;
INSERT INTO itemDataValues SELECT 21000 + i, 1950 + i FROM numbers WHERE i <= 74;
INSERT INTO itemDataValues SELECT 22000 + i, prose(6, i, 300 + pick(7, i, 900)) || i FROM numbers WHERE i <= 3000;
INSERT INTO itemData
SELECT itemID, 110, iif(chance(8, itemID) < 0.02, pick(9, itemID, 100), 1 + itemID % 12000) FROM items WHERE itemTypeID NOT IN (1, 14)
UNION ALL SELECT itemID, 26, 12001 + itemID % 9000 FROM items WHERE itemTypeID NOT IN (1, 14) AND itemID % 3 > 0
UNION ALL SELECT itemID, 14, 21000 + pick(10, itemID, 74) FROM items WHERE itemTypeID NOT IN (1, 14)
UNION ALL SELECT itemID, 90, 22000 + itemID % 3000 FROM items WHERE itemTypeID NOT IN (1, 14) AND itemID % 4 = 0
UNION ALL SELECT itemID, 12, skewed(11, itemID, 900) FROM items WHERE itemTypeID NOT IN (1, 14) ORDER BY 1, 2;
INSERT INTO itemNotes SELECT itemID, 1 + itemID % 13000, prose(12, itemID, 200 + pick(13, itemID, 2000)), title(14, itemID, 3) FROM items \
WHERE itemTypeID = 1;
INSERT INTO itemAttachments SELECT itemID, 1 + itemID % 13999, 1, iif(chance(15, itemID) < 0.8, 'application/pdf', 'text/html'), NULL,
  'storage:' || word(itemID) || '.pdf', NULL, iif(chance(16, itemID) < 0.01, 1, 2), 1500000000000 + itemID, printf('%032x', itemID) FROM \
items WHERE itemTypeID = 14;
INSERT INTO tags (tagID, name, type, libraryID, key) SELECT i, word(i), i % 2, NULL, printf('T%07X', i) FROM numbers WHERE i <= 700;
INSERT OR IGNORE INTO itemTags SELECT pick(17, i, 14000), skewed(18, i, 700) FROM numbers WHERE i <= 25000;
INSERT INTO creatorData SELECT i, title(19, i, 1), title(20, i * 3, 1), '', 0, NULL FROM numbers WHERE i <= 9000;
INSERT INTO creators (creatorID, creatorDataID, libraryID, key) SELECT i, i, NULL, printf('C%07X', i) FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO itemCreators SELECT 1 + i / 2, skewed(21, i, 9000), 1, i % 2 FROM numbers WHERE i <= 25000;
INSERT INTO collections (collectionID, collectionName, parentCollectionID, libraryID, key)
SELECT i, title(22, i, 2), iif(i <= 40, NULL, pick(23, i, i / 2)), NULL, printf('L%07X', i) FROM numbers WHERE i <= 3000;
INSERT OR IGNORE INTO collectionItems SELECT skewed(24, i, 3000), pick(25, i, 14000), i FROM numbers WHERE i <= 16000;
INSERT INTO deletedItems SELECT i * 40, '2020-01-01' FROM numbers WHERE i <= 300;

-- statement: zotero-01
-- fine
-- because: a collection of 60: each step is by a key
-- run: 30

SELECT i.itemID, v.value AS title FROM collectionItems ci JOIN items i ON i.itemID = ci.itemID
LEFT JOIN itemData d ON d.itemID = i.itemID AND d.fieldID = 110 LEFT JOIN itemDataValues v ON v.valueID = d.valueID
WHERE ci.collectionID = ? ORDER BY v.value COLLATE NOCASE

-- statement: zotero-02
-- is: automatic-index, full-scan, index-not-covering, join-order, type-mismatch
-- because: from the value nothing leads back to the items, and an index can't either: the column has no type, that of the key has one
-- run: 26, '10.1000/048659' | 14, 1999

SELECT d.itemID FROM itemData d JOIN itemDataValues v ON v.valueID = d.valueID WHERE d.fieldID = ? AND v.value = ?

-- best
-- index: itemData (valueID)

SELECT d.itemID FROM itemData d JOIN itemDataValues v ON d.valueID = +v.valueID WHERE d.fieldID = ? AND v.value = ?

-- statement: zotero-03
-- is: automatic-index, distinct-without-index, full-scan, index-not-covering
-- because: from a name to items takes two indexes: either alone still reads a table
-- run: 'Bana' | 'Babrace'

SELECT DISTINCT ic.itemID FROM itemCreators ic JOIN creators c ON c.creatorID = ic.creatorID
JOIN creatorData cd ON cd.creatorDataID = c.creatorDataID WHERE cd.lastName = ?

-- best
-- index: creatorData (lastName)
-- index: itemCreators (creatorID, itemID)

-- or
-- index: creatorData (lastName)
-- index: itemCreators (creatorID)

-- statement: zotero-04
-- is: automatic-index, full-scan
-- because: a collection with all inside: children are looked for among all
-- run: 3 | 17

WITH RECURSIVE sub (id) AS (
  SELECT ? UNION ALL SELECT c.collectionID FROM collections c JOIN sub ON c.parentCollectionID = sub.id)
SELECT count(DISTINCT ci.itemID) FROM collectionItems ci WHERE ci.collectionID IN (SELECT id FROM sub)

-- best
-- index: collections (parentCollectionID)

-- statement: zotero-05
-- fine
-- because: unfiled items: one pass, with a search in an index for each

SELECT count(*) FROM items i WHERE i.itemTypeID NOT IN (1, 14)
AND NOT EXISTS (SELECT 1 FROM collectionItems ci WHERE ci.itemID = i.itemID)
AND i.itemID NOT IN (SELECT itemID FROM deletedItems)

-- statement: zotero-06
-- is: full-scan, group-without-index, index-not-covering
-- because: titles that occur twice: all of a field, sorted by their values

SELECT valueID, count(*) AS copies, min(itemID) FROM itemData WHERE fieldID = 110 GROUP BY valueID HAVING count(*) > 1

-- best
-- index: itemData (fieldID, valueID, itemID)

-- statement: zotero-07
-- is: full-scan, index-not-covering, sort-without-index
-- because: 97 % are in the library that is NULL, few changed lately
-- run: '2023-01-01 00:00:00'

SELECT itemID, key, clientDateModified FROM items WHERE libraryID IS NULL AND clientDateModified > ? ORDER BY clientDateModified

-- best
-- index: items (libraryID, clientDateModified)

-- statement: zotero-08
-- fine
-- because: the tags of a collection, by two primary keys
-- run: 12

SELECT t.name, count(*) FROM itemTags it JOIN tags t ON t.tagID = it.tagID
WHERE it.itemID IN (SELECT itemID FROM collectionItems WHERE collectionID = ?) GROUP BY t.tagID ORDER BY 2 DESC, 1 LIMIT 20

-- statement: zotero-09
-- is: full-scan
-- because: the same file again: no index on the hash
-- run: '00000000000000000000000000001388', 5

SELECT itemID, path FROM itemAttachments WHERE storageHash = ? AND itemID <> ?

-- best
-- index: itemAttachments (storageHash)
