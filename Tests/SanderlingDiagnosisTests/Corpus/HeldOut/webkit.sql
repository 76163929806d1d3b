-- schema: webkit
-- about: What a browser knows of who follows its user: domains, and pairs of them in tables that are unique by one side first and refer \
--   to both.
-- origin: WebKit of 2025 (BSD 2-Clause, Copyright Apple Inc.): the eight larger tables of its statistics of resource loads with their \
--   indexes

CREATE TABLE ObservedDomains (
  domainID INTEGER PRIMARY KEY, registrableDomain TEXT NOT NULL UNIQUE ON CONFLICT FAIL, lastSeen REAL NOT NULL, hadUserInteraction \
INTEGER NOT NULL, mostRecentUserInteractionTime REAL NOT NULL,
  grandfathered INTEGER NOT NULL, isPrevalent INTEGER NOT NULL, isVeryPrevalent INTEGER NOT NULL, dataRecordsRemoved INTEGER NOT NULL, \
timesAccessedAsFirstPartyDueToUserInteraction INTEGER NOT NULL,
  timesAccessedAsFirstPartyDueToStorageAccessAPI INTEGER NOT NULL, isScheduledForAllButCookieDataRemoval INTEGER NOT NULL, \
mostRecentWebPushInteractionTime REAL NOT NULL);
CREATE TABLE StorageAccessUnderTopFrameDomains (
  domainID INTEGER NOT NULL, topLevelDomainID INTEGER NOT NULL,
  FOREIGN KEY(domainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(topLevelDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE TABLE TopFrameUniqueRedirectsTo (
  sourceDomainID INTEGER NOT NULL, toDomainID INTEGER NOT NULL,
  FOREIGN KEY(sourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(toDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE TABLE TopFrameLinkDecorationsFrom (
  toDomainID INTEGER NOT NULL, lastUpdated REAL NOT NULL, fromDomainID INTEGER NOT NULL,
  FOREIGN KEY(toDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(fromDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE TABLE TopFrameLoadedThirdPartyScripts (
  topFrameDomainID INTEGER NOT NULL, subresourceDomainID INTEGER NOT NULL,
  FOREIGN KEY(topFrameDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(subresourceDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE TABLE SubframeUnderTopFrameDomains (
  subFrameDomainID INTEGER NOT NULL, lastUpdated REAL NOT NULL, topFrameDomainID INTEGER NOT NULL,
  FOREIGN KEY(subFrameDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(topFrameDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE TABLE SubresourceUnderTopFrameDomains (
  subresourceDomainID INTEGER NOT NULL, lastUpdated REAL NOT NULL, topFrameDomainID INTEGER NOT NULL,
  FOREIGN KEY(subresourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(topFrameDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE TABLE SubresourceUniqueRedirectsFrom (
  subresourceDomainID INTEGER NOT NULL, fromDomainID INTEGER NOT NULL,
  FOREIGN KEY(subresourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(fromDomainID) REFERENCES \
ObservedDomains(domainID) ON DELETE CASCADE);
CREATE UNIQUE INDEX StorageAccessUnderTopFrameDomains_domainID_topLevelDomainID on StorageAccessUnderTopFrameDomains ( domainID, topLevelDomainID );
CREATE UNIQUE INDEX TopFrameUniqueRedirectsTo_sourceDomainID_toDomainID on TopFrameUniqueRedirectsTo ( sourceDomainID, toDomainID );
CREATE UNIQUE INDEX TopFrameLinkDecorationsFrom_toDomainID_fromDomainID on TopFrameLinkDecorationsFrom ( toDomainID, fromDomainID );
CREATE UNIQUE INDEX TopFrameLoadedThirdPartyScripts_topFrameDomainID_subresourceDomainID on TopFrameLoadedThirdPartyScripts ( \
topFrameDomainID, subresourceDomainID );
CREATE UNIQUE INDEX SubframeUnderTopFrameDomains_subFrameDomainID_topFrameDomainID on SubframeUnderTopFrameDomains ( subFrameDomainID, \
topFrameDomainID );
CREATE UNIQUE INDEX SubresourceUnderTopFrameDomains_subresourceDomainID_topFrameDomainID on SubresourceUnderTopFrameDomains ( \
subresourceDomainID, topFrameDomainID );
CREATE UNIQUE INDEX SubresourceUniqueRedirectsFrom_subresourceDomainID_fromDomainID on SubresourceUniqueRedirectsFrom ( \
subresourceDomainID, fromDomainID );

INSERT INTO ObservedDomains
SELECT i, word(i * 7919) || '.example', 1740000000.0 + pick(1, i, 8000000), chance(2, i) < 0.12, iif(chance(2, i) < 0.12, 1740000000.0 + \
pick(3, i, 8000000), -1), 0, chance(4, i) < 0.04, chance(4, i) < 0.004,
  skewed(5, i, 20) - 1, iif(chance(2, i) < 0.12, skewed(6, i, 50), 0), 0, chance(7, i) < 0.01, -1 FROM numbers WHERE i <= 9000;
INSERT OR IGNORE INTO StorageAccessUnderTopFrameDomains SELECT skewed(8, i, 9000), pick(9, i, 9000) FROM numbers WHERE i <= 400;
INSERT OR IGNORE INTO TopFrameUniqueRedirectsTo SELECT pick(10, i, 9000), skewed(11, i, 9000) FROM numbers WHERE i <= 6000;
INSERT OR IGNORE INTO TopFrameLinkDecorationsFrom SELECT skewed(12, i, 9000), 1740000000.0 + pick(13, i, 8000000), pick(14, i, 9000) FROM \
numbers WHERE i <= 8000;
INSERT OR IGNORE INTO TopFrameLoadedThirdPartyScripts SELECT pick(15, i, 9000), skewed(16, i, 9000) FROM numbers WHERE i <= 30000;
INSERT OR IGNORE INTO SubframeUnderTopFrameDomains SELECT skewed(17, i, 9000), 1740000000.0 + pick(18, i, 8000000), pick(19, i, 9000) FROM \
numbers WHERE i <= 12000;
INSERT OR IGNORE INTO SubresourceUnderTopFrameDomains SELECT skewed(20, i, 9000), 1740000000.0 + pick(21, i, 8000000), pick(22, i, 9000) \
FROM numbers WHERE i <= 60000;
INSERT OR IGNORE INTO SubresourceUniqueRedirectsFrom SELECT skewed(23, i, 9000), skewed(24, i, 9000) FROM numbers WHERE i <= 20000;

-- statement: webkit-01
-- is: foreign-key-without-index, full-scan, or-without-index
-- because: whether a domain is on either side: one side has no index
-- run: 8713, 8713 | 0, 0

SELECT EXISTS (SELECT * FROM SubframeUnderTopFrameDomains WHERE subFrameDomainID = ? OR topFrameDomainID = ?)

-- best
-- index: SubframeUnderTopFrameDomains (topFrameDomainID)

-- statement: webkit-02
-- is: foreign-key-without-index
-- because: a domain goes, and with it its pairs: in each of seven tables the other side has no index
-- run: 8001 | 8002

DELETE FROM ObservedDomains WHERE domainID = ?

-- best
-- index: StorageAccessUnderTopFrameDomains (topLevelDomainID)
-- index: TopFrameUniqueRedirectsTo (toDomainID)
-- index: TopFrameLinkDecorationsFrom (fromDomainID)
-- index: TopFrameLoadedThirdPartyScripts (subresourceDomainID)
-- index: SubframeUnderTopFrameDomains (topFrameDomainID)
-- index: SubresourceUnderTopFrameDomains (topFrameDomainID)
-- index: SubresourceUniqueRedirectsFrom (fromDomainID)

-- statement: webkit-03
-- is: full-scan, partial-index
-- because: domains that nobody used for long
-- run: 1740100000.0

SELECT domainID FROM ObservedDomains WHERE hadUserInteraction = 1 AND mostRecentUserInteractionTime < ?

-- best
-- index: ObservedDomains (hadUserInteraction, mostRecentUserInteractionTime)

-- or
-- index: ObservedDomains (mostRecentUserInteractionTime) WHERE hadUserInteraction = 1

-- statement: webkit-04
-- is: full-scan, partial-index
-- because: one domain in two hundred

SELECT registrableDomain FROM ObservedDomains WHERE isVeryPrevalent = 1

-- best
-- index: ObservedDomains (isVeryPrevalent)

-- or
-- index: ObservedDomains (registrableDomain) WHERE isVeryPrevalent = 1

-- statement: webkit-05
-- is: foreign-key-without-index, full-scan, sort-without-index
-- because: the least useful domains go: all are sorted, and each is looked for on the other side of the pairs
-- run: 5

DELETE FROM ObservedDomains WHERE domainID IN (SELECT domainID FROM ObservedDomains ORDER BY hadUserInteraction, isPrevalent, lastSeen LIMIT ?)

-- best
-- index: StorageAccessUnderTopFrameDomains (topLevelDomainID)
-- index: TopFrameUniqueRedirectsTo (toDomainID)
-- index: TopFrameLinkDecorationsFrom (fromDomainID)
-- index: TopFrameLoadedThirdPartyScripts (subresourceDomainID)
-- index: SubframeUnderTopFrameDomains (topFrameDomainID)
-- index: SubresourceUnderTopFrameDomains (topFrameDomainID)
-- index: SubresourceUniqueRedirectsFrom (fromDomainID)
-- index: ObservedDomains (hadUserInteraction, isPrevalent, lastSeen)

-- statement: webkit-06
-- is: foreign-key-without-index, full-scan, group-without-index, join-order
-- because: how much a site loads from others: all pairs are read
-- run: 4000 | 7000

SELECT o.domainID, o.registrableDomain, COUNT(*) AS n FROM SubresourceUnderTopFrameDomains s JOIN ObservedDomains o ON o.domainID = s.topFrameDomainID
WHERE s.topFrameDomainID = ? GROUP BY o.domainID

-- best
-- index: SubresourceUnderTopFrameDomains (topFrameDomainID)

-- statement: webkit-07
-- is: group-without-index, join-fan-out, join-order, subquery-per-row
-- because: domains under many sites: the pairs of each are looked for, where they could be counted in their order

SELECT o.registrableDomain, COUNT(s.topFrameDomainID) AS n FROM ObservedDomains o LEFT JOIN SubresourceUnderTopFrameDomains s ON \
s.subresourceDomainID = o.domainID
WHERE o.isPrevalent = 0 GROUP BY o.domainID HAVING COUNT(s.topFrameDomainID) > 40 ORDER BY n DESC

-- best

SELECT o.registrableDomain, s.n FROM (
  SELECT subresourceDomainID, COUNT(topFrameDomainID) AS n FROM SubresourceUnderTopFrameDomains GROUP BY subresourceDomainID HAVING \
COUNT(topFrameDomainID) > 40) s
CROSS JOIN ObservedDomains o ON o.domainID = s.subresourceDomainID WHERE o.isPrevalent = 0 ORDER BY s.n DESC

-- statement: webkit-08
-- fine
-- because: who sent a domain's visitors, by the first side of the pairs
-- run: 900

SELECT SubresourceUniqueRedirectsFrom.fromDomainID FROM SubresourceUniqueRedirectsFrom INNER JOIN ObservedDomains ON \
ObservedDomains.domainID = SubresourceUniqueRedirectsFrom.fromDomainID
WHERE subresourceDomainID = ? AND ObservedDomains.isPrevalent = 0

-- statement: webkit-09
-- fine
-- because: when a pair was seen last, by both of its sides
-- run: 1, 4000, 1, 4000, 1, 4000

SELECT MAX(lastUpdated) FROM (SELECT lastUpdated FROM SubframeUnderTopFrameDomains WHERE subFrameDomainID = ? AND topFrameDomainID = ?
UNION ALL SELECT lastUpdated FROM TopFrameLinkDecorationsFrom WHERE toDomainID = ? AND fromDomainID = ?
UNION ALL SELECT lastUpdated FROM SubresourceUnderTopFrameDomains WHERE subresourceDomainID = ? AND topFrameDomainID = ?)

-- statement: webkit-10
-- fine
-- tolerated: index-not-covering
-- because: all that led to a domain, from pair to pair by the first side
-- run: 3

WITH RECURSIVE sources (id) AS (
  SELECT ? UNION SELECT r.fromDomainID FROM SubresourceUniqueRedirectsFrom r JOIN sources ON r.subresourceDomainID = sources.id
  JOIN ObservedDomains o ON o.domainID = r.fromDomainID WHERE o.isPrevalent = 0)
SELECT COUNT(*) FROM sources

-- statement: webkit-11
-- is: foreign-key-without-index, full-scan, subquery-per-row
-- because: domains that are no sites which load from others: for each all pairs are read

SELECT o.registrableDomain FROM ObservedDomains o WHERE NOT EXISTS (SELECT 1 FROM SubresourceUnderTopFrameDomains s WHERE \
s.topFrameDomainID = o.domainID)
AND NOT EXISTS (SELECT 1 FROM SubframeUnderTopFrameDomains f WHERE f.topFrameDomainID = o.domainID) AND o.isVeryPrevalent = 1

-- best
-- index: SubresourceUnderTopFrameDomains (topFrameDomainID)
-- index: SubframeUnderTopFrameDomains (topFrameDomainID)

-- statement: webkit-12
-- is: foreign-key-without-index, full-scan, join-order
-- because: what is around a site: one half has no index
-- run: 5000, 5000 | 7000, 7000

SELECT domainID FROM TopFrameUniqueRedirectsTo r JOIN ObservedDomains o ON o.domainID = r.sourceDomainID WHERE r.toDomainID = ?
UNION SELECT subresourceDomainID FROM TopFrameLoadedThirdPartyScripts WHERE topFrameDomainID = ?

-- best
-- index: TopFrameUniqueRedirectsTo (toDomainID)

-- or
-- index: TopFrameUniqueRedirectsTo (toDomainID, sourceDomainID)

-- statement: webkit-13
-- fine
-- because: pairs of a domain with some others
-- run: 5, 1749000000.0, 'fodi.example', 'tudi.example'

INSERT OR REPLACE INTO SubframeUnderTopFrameDomains (subFrameDomainID, lastUpdated, topFrameDomainID) SELECT ?, ?, domainID FROM \
ObservedDomains WHERE registrableDomain IN (?, ?)
