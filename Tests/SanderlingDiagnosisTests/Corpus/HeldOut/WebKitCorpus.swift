extension Corpus {
  /// A browser's knowledge of its user's trackers: domains, and pairs of domains. The tables of pairs are unique with
  /// one side first and refer to both.
  static let webkit = CorpusSchema(
    name: "webkit", script: webkitScript, statements: webkitStatements,
    origin:
      "WebKit of 2025 (BSD 2-Clause, Copyright Apple Inc.): the eight larger tables of its statistics of resource loads with their indexes"
  )

  private static let webkitScript = """
    CREATE TABLE ObservedDomains (
      domainID INTEGER PRIMARY KEY, registrableDomain TEXT NOT NULL UNIQUE ON CONFLICT FAIL, lastSeen REAL NOT NULL, hadUserInteraction INTEGER NOT NULL, mostRecentUserInteractionTime REAL NOT NULL,
      grandfathered INTEGER NOT NULL, isPrevalent INTEGER NOT NULL, isVeryPrevalent INTEGER NOT NULL, dataRecordsRemoved INTEGER NOT NULL, timesAccessedAsFirstPartyDueToUserInteraction INTEGER NOT NULL,
      timesAccessedAsFirstPartyDueToStorageAccessAPI INTEGER NOT NULL, isScheduledForAllButCookieDataRemoval INTEGER NOT NULL, mostRecentWebPushInteractionTime REAL NOT NULL);
    CREATE TABLE StorageAccessUnderTopFrameDomains (
      domainID INTEGER NOT NULL, topLevelDomainID INTEGER NOT NULL,
      FOREIGN KEY(domainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(topLevelDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE TABLE TopFrameUniqueRedirectsTo (
      sourceDomainID INTEGER NOT NULL, toDomainID INTEGER NOT NULL,
      FOREIGN KEY(sourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(toDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE TABLE TopFrameLinkDecorationsFrom (
      toDomainID INTEGER NOT NULL, lastUpdated REAL NOT NULL, fromDomainID INTEGER NOT NULL,
      FOREIGN KEY(toDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(fromDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE TABLE TopFrameLoadedThirdPartyScripts (
      topFrameDomainID INTEGER NOT NULL, subresourceDomainID INTEGER NOT NULL,
      FOREIGN KEY(topFrameDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(subresourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE TABLE SubframeUnderTopFrameDomains (
      subFrameDomainID INTEGER NOT NULL, lastUpdated REAL NOT NULL, topFrameDomainID INTEGER NOT NULL,
      FOREIGN KEY(subFrameDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(topFrameDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE TABLE SubresourceUnderTopFrameDomains (
      subresourceDomainID INTEGER NOT NULL, lastUpdated REAL NOT NULL, topFrameDomainID INTEGER NOT NULL,
      FOREIGN KEY(subresourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(topFrameDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE TABLE SubresourceUniqueRedirectsFrom (
      subresourceDomainID INTEGER NOT NULL, fromDomainID INTEGER NOT NULL,
      FOREIGN KEY(subresourceDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE, FOREIGN KEY(fromDomainID) REFERENCES ObservedDomains(domainID) ON DELETE CASCADE);
    CREATE UNIQUE INDEX StorageAccessUnderTopFrameDomains_domainID_topLevelDomainID on StorageAccessUnderTopFrameDomains ( domainID, topLevelDomainID );
    CREATE UNIQUE INDEX TopFrameUniqueRedirectsTo_sourceDomainID_toDomainID on TopFrameUniqueRedirectsTo ( sourceDomainID, toDomainID );
    CREATE UNIQUE INDEX TopFrameLinkDecorationsFrom_toDomainID_fromDomainID on TopFrameLinkDecorationsFrom ( toDomainID, fromDomainID );
    CREATE UNIQUE INDEX TopFrameLoadedThirdPartyScripts_topFrameDomainID_subresourceDomainID on TopFrameLoadedThirdPartyScripts ( topFrameDomainID, subresourceDomainID );
    CREATE UNIQUE INDEX SubframeUnderTopFrameDomains_subFrameDomainID_topFrameDomainID on SubframeUnderTopFrameDomains ( subFrameDomainID, topFrameDomainID );
    CREATE UNIQUE INDEX SubresourceUnderTopFrameDomains_subresourceDomainID_topFrameDomainID on SubresourceUnderTopFrameDomains ( subresourceDomainID, topFrameDomainID );
    CREATE UNIQUE INDEX SubresourceUniqueRedirectsFrom_subresourceDomainID_fromDomainID on SubresourceUniqueRedirectsFrom ( subresourceDomainID, fromDomainID );

    INSERT INTO ObservedDomains
    SELECT i, word(i * 7919) || '.example', 1740000000.0 + pick(1, i, 8000000), chance(2, i) < 0.12, iif(chance(2, i) < 0.12, 1740000000.0 + pick(3, i, 8000000), -1), 0, chance(4, i) < 0.04, chance(4, i) < 0.004,
      skewed(5, i, 20) - 1, iif(chance(2, i) < 0.12, skewed(6, i, 50), 0), 0, chance(7, i) < 0.01, -1 FROM numbers WHERE i <= 9000;
    INSERT OR IGNORE INTO StorageAccessUnderTopFrameDomains SELECT skewed(8, i, 9000), pick(9, i, 9000) FROM numbers WHERE i <= 400;
    INSERT OR IGNORE INTO TopFrameUniqueRedirectsTo SELECT pick(10, i, 9000), skewed(11, i, 9000) FROM numbers WHERE i <= 6000;
    INSERT OR IGNORE INTO TopFrameLinkDecorationsFrom SELECT skewed(12, i, 9000), 1740000000.0 + pick(13, i, 8000000), pick(14, i, 9000) FROM numbers WHERE i <= 8000;
    INSERT OR IGNORE INTO TopFrameLoadedThirdPartyScripts SELECT pick(15, i, 9000), skewed(16, i, 9000) FROM numbers WHERE i <= 30000;
    INSERT OR IGNORE INTO SubframeUnderTopFrameDomains SELECT skewed(17, i, 9000), 1740000000.0 + pick(18, i, 8000000), pick(19, i, 9000) FROM numbers WHERE i <= 12000;
    INSERT OR IGNORE INTO SubresourceUnderTopFrameDomains SELECT skewed(20, i, 9000), 1740000000.0 + pick(21, i, 8000000), pick(22, i, 9000) FROM numbers WHERE i <= 60000;
    INSERT OR IGNORE INTO SubresourceUniqueRedirectsFrom SELECT skewed(23, i, 9000), skewed(24, i, 9000) FROM numbers WHERE i <= 20000;
    """

  private static let webkitStatements: [CorpusStatement] = [
    .slow(
      "webkit-01",
      "SELECT EXISTS (SELECT * FROM SubframeUnderTopFrameDomains WHERE subFrameDomainID = ? OR topFrameDomainID = ?)",
      [8713, 8713], [0, 0],
      is: [.orWithoutIndex, .fullScan, .slowForeignKey],
      best: .index("SubframeUnderTopFrameDomains (topFrameDomainID)"),
      because: "whether a domain is on either side: one side has no index"),
    .slow(
      "webkit-02",
      "DELETE FROM ObservedDomains WHERE domainID = ?", [8001], [8002],
      is: [.slowForeignKey],
      best: .index(
        "StorageAccessUnderTopFrameDomains (topLevelDomainID)", "TopFrameUniqueRedirectsTo (toDomainID)",
        "TopFrameLinkDecorationsFrom (fromDomainID)", "TopFrameLoadedThirdPartyScripts (subresourceDomainID)",
        "SubframeUnderTopFrameDomains (topFrameDomainID)", "SubresourceUnderTopFrameDomains (topFrameDomainID)",
        "SubresourceUniqueRedirectsFrom (fromDomainID)"),
      because: "a domain goes, and with it its pairs: in each of seven tables the other side has no index"),
    .slow(
      "webkit-03",
      "SELECT domainID FROM ObservedDomains WHERE hadUserInteraction = 1 AND mostRecentUserInteractionTime < ?",
      [1740100000.0],
      is: [.fullScan, .partialIndex],
      best: .index("ObservedDomains (hadUserInteraction, mostRecentUserInteractionTime)"),
      or: [
        .change(
          "CREATE INDEX corpus_best_1 ON ObservedDomains (mostRecentUserInteractionTime) WHERE hadUserInteraction = 1")
      ],
      because: "domains that nobody used for long"),
    .slow(
      "webkit-04",
      "SELECT registrableDomain FROM ObservedDomains WHERE isVeryPrevalent = 1",
      is: [.fullScan, .partialIndex],
      best: .index("ObservedDomains (isVeryPrevalent)"),
      or: [.change("CREATE INDEX corpus_best_1 ON ObservedDomains (registrableDomain) WHERE isVeryPrevalent = 1")],
      because: "one domain in two hundred"),
    .slow(
      "webkit-05",
      "DELETE FROM ObservedDomains WHERE domainID IN (SELECT domainID FROM ObservedDomains ORDER BY hadUserInteraction, isPrevalent, lastSeen LIMIT ?)",
      [5],
      is: [.slowForeignKey, .sortWithoutIndex, .fullScan],
      best: .index(
        "StorageAccessUnderTopFrameDomains (topLevelDomainID)", "TopFrameUniqueRedirectsTo (toDomainID)",
        "TopFrameLinkDecorationsFrom (fromDomainID)", "TopFrameLoadedThirdPartyScripts (subresourceDomainID)",
        "SubframeUnderTopFrameDomains (topFrameDomainID)", "SubresourceUnderTopFrameDomains (topFrameDomainID)",
        "SubresourceUniqueRedirectsFrom (fromDomainID)", "ObservedDomains (hadUserInteraction, isPrevalent, lastSeen)"),
      because: "the least useful domains go: all are sorted, and each is looked for on the other side of the pairs"),
    .slow(
      "webkit-06",
      """
      SELECT o.domainID, o.registrableDomain, COUNT(*) AS n FROM SubresourceUnderTopFrameDomains s JOIN ObservedDomains o ON o.domainID = s.topFrameDomainID
      WHERE s.topFrameDomainID = ? GROUP BY o.domainID
      """, [4000], [7000],
      is: [.fullScan, .slowForeignKey, .joinOrder, .groupWithoutIndex],
      best: .index("SubresourceUnderTopFrameDomains (topFrameDomainID)"),
      because: "how much a site loads from others: all pairs are read"),
    .slow(
      "webkit-07",
      """
      SELECT o.registrableDomain, COUNT(s.topFrameDomainID) AS n FROM ObservedDomains o LEFT JOIN SubresourceUnderTopFrameDomains s ON s.subresourceDomainID = o.domainID
      WHERE o.isPrevalent = 0 GROUP BY o.domainID HAVING COUNT(s.topFrameDomainID) > 40 ORDER BY n DESC
      """,
      is: [.joinOrder, .subqueryPerRow, .groupWithoutIndex, .joinFanOut],
      best: .rewrite(
        """
        SELECT o.registrableDomain, s.n FROM (
          SELECT subresourceDomainID, COUNT(topFrameDomainID) AS n FROM SubresourceUnderTopFrameDomains GROUP BY subresourceDomainID HAVING COUNT(topFrameDomainID) > 40) s
        CROSS JOIN ObservedDomains o ON o.domainID = s.subresourceDomainID WHERE o.isPrevalent = 0 ORDER BY s.n DESC
        """),
      because: "domains under many sites: the pairs of each are looked for, where they could be counted in their order"),
    .fine(
      "webkit-08",
      """
      SELECT SubresourceUniqueRedirectsFrom.fromDomainID FROM SubresourceUniqueRedirectsFrom INNER JOIN ObservedDomains ON ObservedDomains.domainID = SubresourceUniqueRedirectsFrom.fromDomainID
      WHERE subresourceDomainID = ? AND ObservedDomains.isPrevalent = 0
      """, [900],
      because: "who sent a domain's visitors, by the first side of the pairs"),
    .fine(
      "webkit-09",
      """
      SELECT MAX(lastUpdated) FROM (SELECT lastUpdated FROM SubframeUnderTopFrameDomains WHERE subFrameDomainID = ? AND topFrameDomainID = ?
      UNION ALL SELECT lastUpdated FROM TopFrameLinkDecorationsFrom WHERE toDomainID = ? AND fromDomainID = ?
      UNION ALL SELECT lastUpdated FROM SubresourceUnderTopFrameDomains WHERE subresourceDomainID = ? AND topFrameDomainID = ?)
      """, [1, 4000, 1, 4000, 1, 4000],
      because: "when a pair was seen last, by both of its sides"),
    .fine(
      "webkit-10",
      """
      WITH RECURSIVE sources (id) AS (
        SELECT ? UNION SELECT r.fromDomainID FROM SubresourceUniqueRedirectsFrom r JOIN sources ON r.subresourceDomainID = sources.id
        JOIN ObservedDomains o ON o.domainID = r.fromDomainID WHERE o.isPrevalent = 0)
      SELECT COUNT(*) FROM sources
      """, [3],
      tolerated: [.indexNotCovering],
      because: "all that led to a domain, from pair to pair by the first side"),
    .slow(
      "webkit-11",
      """
      SELECT o.registrableDomain FROM ObservedDomains o WHERE NOT EXISTS (SELECT 1 FROM SubresourceUnderTopFrameDomains s WHERE s.topFrameDomainID = o.domainID)
      AND NOT EXISTS (SELECT 1 FROM SubframeUnderTopFrameDomains f WHERE f.topFrameDomainID = o.domainID) AND o.isVeryPrevalent = 1
      """,
      is: [.subqueryPerRow, .fullScan, .slowForeignKey],
      best: .index(
        "SubresourceUnderTopFrameDomains (topFrameDomainID)", "SubframeUnderTopFrameDomains (topFrameDomainID)"),
      because: "domains that are no sites which load from others: for each all pairs are read"),
    .slow(
      "webkit-12",
      """
      SELECT domainID FROM TopFrameUniqueRedirectsTo r JOIN ObservedDomains o ON o.domainID = r.sourceDomainID WHERE r.toDomainID = ?
      UNION SELECT subresourceDomainID FROM TopFrameLoadedThirdPartyScripts WHERE topFrameDomainID = ?
      """, [5000, 5000], [7000, 7000],
      is: [.fullScan, .slowForeignKey, .joinOrder],
      best: .index("TopFrameUniqueRedirectsTo (toDomainID)"),
      or: [.index("TopFrameUniqueRedirectsTo (toDomainID, sourceDomainID)")],
      because: "what is around a site: one half has no index"),
    .fine(
      "webkit-13",
      "INSERT OR REPLACE INTO SubframeUnderTopFrameDomains (subFrameDomainID, lastUpdated, topFrameDomainID) SELECT ?, ?, domainID FROM ObservedDomains WHERE registrableDomain IN (?, ?)",
      [5, 1749000000.0, "fodi.example", "tudi.example"],
      because: "pairs of a domain with some others"),
  ]
}
