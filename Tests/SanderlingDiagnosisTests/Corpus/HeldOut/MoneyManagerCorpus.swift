extension Corpus {
  /// A household's books over twenty years: accounts, payees, categories and transactions, some of them split, and the
  /// reports that users write in SQL.
  static let moneymanager = CorpusSchema(
    name: "moneymanager", script: moneymanagerScript, statements: moneymanagerStatements,
    superfluousIndexes: [
      .redundant("IDX_CATEGORY_CATEGNAME"), .duplicate("IDX_CATEGORY_CATEGNAME_PARENTID"),
      .duplicate("IDX_CURRENCYHISTORY_CURRENCYID_CURRDATE"), .duplicate("IDX_PAYEE_INFONAME"),
      .redundant("IDX_STOCKHISTORY_SYMBOL"), .duplicate("IDX_CUSTOMFIELDDATA_REF"),
    ],
    origin:
      "Money Manager Ex, database version 19 (GPL-2.0-or-later, Copyright the Money Manager Ex contributors): twelve of its tables with their indexes; some statements after its general reports"
  )

  private static let moneymanagerScript = """
    CREATE TABLE ACCOUNTLIST_V1 (
      ACCOUNTID integer primary key, ACCOUNTNAME TEXT COLLATE NOCASE NOT NULL UNIQUE, ACCOUNTTYPE TEXT NOT NULL, ACCOUNTNUM TEXT, STATUS TEXT NOT NULL, NOTES TEXT, INITIALBAL numeric, INITIALDATE TEXT,
      FAVORITEACCT TEXT NOT NULL, CURRENCYID integer NOT NULL, STATEMENTDATE TEXT);
    CREATE INDEX IDX_ACCOUNTLIST_ACCOUNTTYPE ON ACCOUNTLIST_V1(ACCOUNTTYPE);
    CREATE TABLE BILLSDEPOSITS_V1 (
      BDID integer primary key, ACCOUNTID integer NOT NULL, TOACCOUNTID integer, PAYEEID integer NOT NULL, TRANSCODE TEXT NOT NULL, TRANSAMOUNT numeric NOT NULL, STATUS TEXT, CATEGID integer, TRANSDATE TEXT,
      TOTRANSAMOUNT numeric, REPEATS integer, NEXTOCCURRENCEDATE TEXT, NUMOCCURRENCES integer);
    CREATE INDEX IDX_BILLSDEPOSITS_ACCOUNT ON BILLSDEPOSITS_V1 (ACCOUNTID, TOACCOUNTID);
    CREATE TABLE CATEGORY_V1 (CATEGID INTEGER PRIMARY KEY, CATEGNAME TEXT NOT NULL COLLATE NOCASE, ACTIVE INTEGER, PARENTID INTEGER, UNIQUE(CATEGNAME, PARENTID));
    CREATE INDEX IDX_CATEGORY_CATEGNAME ON CATEGORY_V1(CATEGNAME);
    CREATE INDEX IDX_CATEGORY_CATEGNAME_PARENTID ON CATEGORY_V1(CATEGNAME, PARENTID);
    CREATE TABLE CHECKINGACCOUNT_V1 (
      TRANSID integer primary key, ACCOUNTID integer NOT NULL, TOACCOUNTID integer, PAYEEID integer NOT NULL, TRANSCODE TEXT NOT NULL, TRANSAMOUNT numeric NOT NULL, STATUS TEXT, TRANSACTIONNUMBER TEXT, NOTES TEXT,
      CATEGID integer, TRANSDATE TEXT, LASTUPDATEDTIME TEXT, DELETEDTIME TEXT, FOLLOWUPID integer, TOTRANSAMOUNT numeric);
    CREATE INDEX IDX_CHECKINGACCOUNT_ACCOUNT ON CHECKINGACCOUNT_V1 (ACCOUNTID, TOACCOUNTID);
    CREATE INDEX IDX_CHECKINGACCOUNT_TRANSDATE ON CHECKINGACCOUNT_V1 (TRANSDATE);
    CREATE TABLE CURRENCYHISTORY_V1 (CURRHISTID INTEGER PRIMARY KEY, CURRENCYID INTEGER NOT NULL, CURRDATE TEXT NOT NULL, CURRVALUE NUMERIC NOT NULL, CURRUPDTYPE INTEGER, UNIQUE(CURRENCYID, CURRDATE));
    CREATE INDEX IDX_CURRENCYHISTORY_CURRENCYID_CURRDATE ON CURRENCYHISTORY_V1(CURRENCYID, CURRDATE);
    CREATE TABLE CURRENCYFORMATS_V1 (CURRENCYID integer primary key, CURRENCYNAME TEXT COLLATE NOCASE NOT NULL UNIQUE, SCALE integer, BASECONVRATE numeric, CURRENCY_SYMBOL TEXT COLLATE NOCASE NOT NULL UNIQUE, CURRENCY_TYPE TEXT NOT NULL);
    CREATE TABLE PAYEE_V1 (PAYEEID integer primary key, PAYEENAME TEXT COLLATE NOCASE NOT NULL UNIQUE, CATEGID integer, NUMBER TEXT, WEBSITE TEXT, NOTES TEXT, ACTIVE integer);
    CREATE INDEX IDX_PAYEE_INFONAME ON PAYEE_V1(PAYEENAME);
    CREATE TABLE SPLITTRANSACTIONS_V1 (SPLITTRANSID integer primary key, TRANSID integer NOT NULL, CATEGID integer, SPLITTRANSAMOUNT numeric, NOTES TEXT);
    CREATE INDEX IDX_SPLITTRANSACTIONS_TRANSID ON SPLITTRANSACTIONS_V1(TRANSID);
    CREATE TABLE STOCK_V1 (
      STOCKID integer primary key, HELDAT integer, PURCHASEDATE TEXT NOT NULL, STOCKNAME TEXT COLLATE NOCASE NOT NULL, SYMBOL TEXT, NUMSHARES numeric, PURCHASEPRICE numeric NOT NULL, NOTES TEXT, CURRENTPRICE numeric NOT NULL, VALUE numeric);
    CREATE INDEX IDX_STOCK_HELDAT ON STOCK_V1(HELDAT);
    CREATE TABLE STOCKHISTORY_V1 (HISTID integer primary key, SYMBOL TEXT NOT NULL, DATE TEXT NOT NULL, VALUE numeric NOT NULL, UPDTYPE integer, UNIQUE(SYMBOL, DATE));
    CREATE INDEX IDX_STOCKHISTORY_SYMBOL ON STOCKHISTORY_V1(SYMBOL);
    CREATE TABLE CUSTOMFIELD_V1 (FIELDID INTEGER NOT NULL PRIMARY KEY, REFTYPE TEXT NOT NULL, DESCRIPTION TEXT COLLATE NOCASE, TYPE TEXT NOT NULL, PROPERTIES TEXT NOT NULL);
    CREATE INDEX IDX_CUSTOMFIELD_REF ON CUSTOMFIELD_V1 (REFTYPE);
    CREATE TABLE CUSTOMFIELDDATA_V1 (FIELDATADID INTEGER NOT NULL PRIMARY KEY, FIELDID INTEGER NOT NULL, REFID INTEGER NOT NULL, CONTENT TEXT, UNIQUE(FIELDID, REFID));
    CREATE INDEX IDX_CUSTOMFIELDDATA_REF ON CUSTOMFIELDDATA_V1 (FIELDID, REFID);

    INSERT INTO CURRENCYFORMATS_V1 SELECT i, word(i) || ' money', 100, i / 4.0, upper(substr(word(i), 1, 3)) || i, iif(i = 20, 'Crypto', 'Fiat') FROM numbers WHERE i <= 20;
    INSERT INTO CURRENCYHISTORY_V1 SELECT i, 1 + i % 12, date('2012-01-01', '+' || (i / 12) || ' days'), pick(1, i, 400) / 100.0, 1 FROM numbers WHERE i <= 30000;
    INSERT INTO ACCOUNTLIST_V1
    SELECT i, word(i) || ' ' || i, CASE WHEN i <= 12 THEN 'Checking' WHEN i <= 16 THEN 'Credit Card' WHEN i >= 33 THEN 'Investment' ELSE 'Cash' END, printf('%08d', i * 7919), iif(i % 5 = 0, 'Closed', 'Open'), '', i * 250, '2003-01-01', 'FALSE', 1 + i % 12, '' FROM numbers WHERE i <= 40;
    INSERT INTO CATEGORY_V1 SELECT i, word(i), 1, iif(i <= 25, -1, iif(i <= 110, 1 + i % 25, 25 + i % 80)) FROM numbers WHERE i <= 160;
    INSERT INTO PAYEE_V1 SELECT i, word(i) || iif(chance(2, i) < 0.3, ' ' || word(i * 3), ''), skewed(3, i, 160), '', '', '', 1 FROM numbers WHERE i <= 1200;
    INSERT INTO CHECKINGACCOUNT_V1
    SELECT i, skewed(4, i, 40), iif(chance(5, i) < 0.1, pick(6, i, 40), -1), iif(chance(5, i) < 0.1, -1, skewed(7, i, 1200)), CASE WHEN chance(5, i) < 0.1 THEN 'Transfer' WHEN chance(5, i) < 0.24 THEN 'Deposit' ELSE 'Withdrawal' END,
      pick(8, i, 4000) / 4.0, CASE WHEN chance(9, i) < 0.03 THEN 'V' WHEN chance(9, i) < 0.05 THEN 'F' WHEN chance(9, i) < 0.06 THEN 'D' WHEN chance(9, i) < 0.7 THEN 'R' ELSE '' END, iif(chance(10, i) < 0.1, CAST(i AS TEXT), ''),
      iif(chance(11, i) < 0.35, prose(12, i, 10 + pick(13, i, 70)), ''), iif(chance(14, i) < 0.1, -1, skewed(15, i, 160)), strftime('%Y-%m-%dT%H:%M:%S', 1041379200 + i * 13200, 'unixepoch'), strftime('%Y-%m-%dT%H:%M:%S', 1041400000 + i * 13200, 'unixepoch'),
      iif(chance(16, i) < 0.01, '2023-01-01T00:00:00', ''), -1, pick(8, i, 4000) / 4.0
    FROM numbers WHERE i <= 48000;
    INSERT INTO SPLITTRANSACTIONS_V1 SELECT NULL, t.TRANSID, skewed(17, t.TRANSID * 8 + n.i, 160), pick(18, t.TRANSID * 8 + n.i, 800) / 4.0, '' FROM CHECKINGACCOUNT_V1 AS t CROSS JOIN numbers AS n WHERE n.i <= 2 + t.TRANSID % 3 AND t.CATEGID = -1 AND t.TRANSID % 97 > 0;
    INSERT INTO BILLSDEPOSITS_V1 SELECT i, skewed(19, i, 40), -1, skewed(20, i, 1200), 'Withdrawal', pick(21, i, 900) / 4.0, '', skewed(22, i, 160), '2024-01-01', 0, 3, date('2024-01-01', '+' || pick(23, i, 60) || ' days'), -1 FROM numbers WHERE i <= 70;
    INSERT INTO STOCK_V1 SELECT i, 33 + i % 8, date('2015-01-01', '+' || i || ' days'), word(i), iif(i % 3 = 0, lower(word(i)), upper(word(i))), pick(24, i, 300), pick(25, i, 9000) / 100.0, '', pick(26, i, 9000) / 100.0, 0 FROM numbers WHERE i <= 60;
    INSERT INTO STOCKHISTORY_V1 SELECT i, upper(word(1 + i % 90)), date('2020-01-01', '+' || (i / 90) || ' days'), pick(27, i, 9000) / 100.0, 1 FROM numbers WHERE i <= 40000;
    INSERT INTO CUSTOMFIELD_V1 SELECT i, iif(i <= 4, 'Transaction', 'Payee'), word(i), 'String', '{}' FROM numbers WHERE i <= 8;
    INSERT INTO CUSTOMFIELDDATA_V1 SELECT i, 1 + i % 8, i, word(pick(28, i, 500)) FROM numbers WHERE i <= 16000;
    """

  private static let moneymanagerStatements: [CorpusStatement] = [
    .slow(
      "moneymanager-01",
      """
      select a.ACCOUNTNAME, (select a.INITIALBAL + total(t.TRANSAMOUNT) from
          (select ACCOUNTID, STATUS, (case when TRANSCODE = 'Deposit' then TRANSAMOUNT else -TRANSAMOUNT end) as TRANSAMOUNT from CHECKINGACCOUNT_V1
          union all select TOACCOUNTID, STATUS, TOTRANSAMOUNT from CHECKINGACCOUNT_V1 where TRANSCODE = 'Transfer') as t
        where t.ACCOUNTID = a.ACCOUNTID and t.STATUS NOT IN ('V','D')) as Balance
      from ACCOUNTLIST_V1 as a where a.STATUS = 'Open' order by a.ACCOUNTNAME
      """,
      is: [.subqueryPerRow, .automaticIndex, .fullScan],
      best: .rewrite(
        """
        SELECT a.ACCOUNTNAME, a.INITIALBAL + coalesce(o.amount, 0.0) + coalesce(i.amount, 0.0) AS Balance FROM ACCOUNTLIST_V1 AS a
        LEFT JOIN (SELECT ACCOUNTID, total(CASE WHEN TRANSCODE = 'Deposit' THEN TRANSAMOUNT ELSE -TRANSAMOUNT END) AS amount FROM CHECKINGACCOUNT_V1 WHERE STATUS NOT IN ('V','D') GROUP BY ACCOUNTID) AS o ON o.ACCOUNTID = a.ACCOUNTID
        LEFT JOIN (SELECT TOACCOUNTID, total(TOTRANSAMOUNT) AS amount FROM CHECKINGACCOUNT_V1 WHERE TRANSCODE = 'Transfer' AND STATUS NOT IN ('V','D') GROUP BY TOACCOUNTID) AS i ON i.TOACCOUNTID = a.ACCOUNTID
        WHERE a.STATUS = 'Open' ORDER BY a.ACCOUNTNAME
        """, with: "CHECKINGACCOUNT_V1 (ACCOUNTID, STATUS, TRANSCODE, TRANSAMOUNT)"),
      because: "the balance of each account: all transactions are put together for every one of them"),
    .slow(
      "moneymanager-02",
      """
      select strftime('%Y', t1.TRANSDATE) as YEAR, total(t1.TRANSAMOUNT) + (select a.INITIALBAL + total(t2.TRANSAMOUNT) from
          (select ACCOUNTID, TRANSDATE, STATUS, (case when TRANSCODE = 'Deposit' then TRANSAMOUNT else -TRANSAMOUNT end) as TRANSAMOUNT from CHECKINGACCOUNT_V1
          union all select TOACCOUNTID, TRANSDATE, STATUS, TOTRANSAMOUNT from CHECKINGACCOUNT_V1 where TRANSCODE = 'Transfer') as t2
        where t2.ACCOUNTID = t1.ACCOUNTID and t2.STATUS NOT IN ('D', 'V') and strftime('%Y', t2.TRANSDATE) < strftime('%Y', t1.TRANSDATE)) as Balance
      from (select ACCOUNTID, TRANSDATE, STATUS, (case when TRANSCODE = 'Deposit' then TRANSAMOUNT else -TRANSAMOUNT end) as TRANSAMOUNT from CHECKINGACCOUNT_V1
        union all select TOACCOUNTID, TRANSDATE, STATUS, TOTRANSAMOUNT from CHECKINGACCOUNT_V1 where TRANSCODE = 'Transfer') as t1
      inner join ACCOUNTLIST_V1 as a on a.ACCOUNTID = t1.ACCOUNTID where ACCOUNTNAME = ? and t1.STATUS NOT IN ('D', 'V') group by YEAR order by YEAR asc
      """, ["bafo 9"],
      is: [.subqueryPerRow, .automaticIndex, .fullScan, .groupWithoutIndex],
      best: .rewrite(
        """
        WITH account AS (SELECT ACCOUNTID, INITIALBAL FROM ACCOUNTLIST_V1 WHERE ACCOUNTNAME = ?),
        moves AS (
          SELECT TRANSDATE, CASE WHEN TRANSCODE = 'Deposit' THEN TRANSAMOUNT ELSE -TRANSAMOUNT END AS amount FROM CHECKINGACCOUNT_V1 WHERE ACCOUNTID = (SELECT ACCOUNTID FROM account) AND STATUS NOT IN ('D', 'V')
          UNION ALL SELECT TRANSDATE, TOTRANSAMOUNT FROM CHECKINGACCOUNT_V1 WHERE TOACCOUNTID = (SELECT ACCOUNTID FROM account) AND TRANSCODE = 'Transfer' AND STATUS NOT IN ('D', 'V')),
        years AS (SELECT strftime('%Y', TRANSDATE) AS YEAR, total(amount) AS amount FROM moves GROUP BY YEAR)
        SELECT YEAR, (SELECT INITIALBAL FROM account) + sum(amount) OVER (ORDER BY YEAR) AS Balance FROM years ORDER BY YEAR
        """, with: "CHECKINGACCOUNT_V1 (TOACCOUNTID)"),
      because: "an account's balance by year: for each year, all transactions before are read again"),
    .slow(
      "moneymanager-03",
      """
      select strftime('%Y', t.TRANSDATE) as YEAR, total(case when '01' = strftime('%m', t.TRANSDATE) then t.TRANSAMOUNT * c.BASECONVRATE else 0 end) as Jan, total(t.TRANSAMOUNT * c.BASECONVRATE) as Amount, p.PAYEENAME AS PAYEENAME
      from CHECKINGACCOUNT_V1 as t inner join ACCOUNTLIST_V1 as a on a.ACCOUNTID = t.ACCOUNTID inner join CURRENCYFORMATS_V1 as c on c.CURRENCYID = a.CURRENCYID inner join PAYEE_V1 as p on t.PAYEEID = p.PAYEEID
      where p.PAYEENAME = ? and t.TRANSCODE='Withdrawal' and t.STATUS NOT IN ('D', 'V') group by YEAR order by YEAR desc
      """, ["SOHA"],
      is: [.fullScan, .joinOrder, .missingStatistics, .automaticIndex],
      best: .index("CHECKINGACCOUNT_V1 (PAYEEID)"),
      or: [.index("CHECKINGACCOUNT_V1 (PAYEEID, TRANSCODE)"), .index("CHECKINGACCOUNT_V1 (PAYEEID, TRANSDATE)")],
      because: "what was paid to somebody: no index leads from a payee to the transactions"),
    .slow(
      "moneymanager-04",
      """
      SELECT account.ACCOUNTNAME, account.INITIALBAL, txn.TRANSID, txn.TRANSDATE, txn.TRANSAMOUNT FROM CHECKINGACCOUNT_V1 AS txn
      JOIN ACCOUNTLIST_V1 AS account ON txn.ACCOUNTID = account.ACCOUNTID OR txn.TOACCOUNTID = account.ACCOUNTID
      WHERE account.ACCOUNTTYPE = 'Investment' AND account.STATUS = 'Open'
      """,
      is: [.orWithoutIndex, .fullScan, .joinOrder, .missingStatistics],
      best: .index("CHECKINGACCOUNT_V1 (TOACCOUNTID)"),
      because: "what went into or out of accounts for investment: for one side of the OR there is no index"),
    .slow(
      "moneymanager-05",
      """
      SELECT TRANSID, ACCOUNTID, TRANSAMOUNT, NOTES FROM CHECKINGACCOUNT_V1 WHERE strftime('%Y-%m', TRANSDATE) = ? AND STATUS <> 'V' ORDER BY TRANSDATE
      """, ["2019-05"], ["2007-12"],
      is: [.functionOnColumn, .expressionIndex, .fullScan],
      best: .index("CHECKINGACCOUNT_V1 (strftime('%Y-%m', TRANSDATE), TRANSDATE)"),
      or: [
        .index("CHECKINGACCOUNT_V1 (strftime('%Y-%m', TRANSDATE))"),
        .rewrite(
          """
          SELECT TRANSID, ACCOUNTID, TRANSAMOUNT, NOTES FROM CHECKINGACCOUNT_V1 WHERE TRANSDATE >= ?1 AND TRANSDATE < strftime('%Y-%m', ?1 || '-01', '+1 month') AND STATUS <> 'V' ORDER BY TRANSDATE
          """),
      ],
      because: "a month: the date is taken apart in every row although there is an index of dates"),
    .slow(
      "moneymanager-06",
      """
      SELECT CATEGID, TRANSAMOUNT, TRANSCODE FROM CHECKINGACCOUNT_V1 WHERE PAYEEID = ? AND TRANSCODE <> 'Transfer' AND DELETEDTIME = '' ORDER BY TRANSDATE DESC LIMIT 1
      """, [1003], [877], [1190],
      is: [.fullScan, .sortWithoutIndex, .indexNotCovering],
      best: .index("CHECKINGACCOUNT_V1 (PAYEEID, TRANSDATE)"),
      or: [.index("CHECKINGACCOUNT_V1 (PAYEEID)")],
      because: "how a payee was booked last, for the form: with rare ones, years of transactions are walked back"),
    .slow(
      "moneymanager-07",
      """
      SELECT s.STOCKNAME, s.NUMSHARES * (SELECT h.VALUE FROM STOCKHISTORY_V1 AS h WHERE h.SYMBOL = s.SYMBOL COLLATE NOCASE ORDER BY h.DATE DESC LIMIT 1) AS worth FROM STOCK_V1 AS s WHERE s.HELDAT = ? ORDER BY s.STOCKNAME
      """, [35], [36],
      is: [.caseInsensitiveWithoutIndex, .subqueryPerRow, .fullScan, .sortWithoutIndex],
      best: .index("STOCKHISTORY_V1 (SYMBOL COLLATE NOCASE, DATE)"),
      or: [
        .index("STOCKHISTORY_V1 (SYMBOL COLLATE NOCASE, DATE, VALUE)"),
        .index("STOCKHISTORY_V1 (SYMBOL COLLATE NOCASE)"),
      ],
      because: "the last prices of what an account holds, whatever the case of a symbol: the unique key heeds it"),
    .slow(
      "moneymanager-08",
      """
      WITH RECURSIVE tree (id) AS (SELECT CATEGID FROM CATEGORY_V1 WHERE CATEGNAME = ? AND PARENTID = -1 UNION ALL SELECT c.CATEGID FROM CATEGORY_V1 AS c JOIN tree ON c.PARENTID = tree.id)
      SELECT count(*), total(amount) FROM (
        SELECT TRANSAMOUNT AS amount FROM CHECKINGACCOUNT_V1 WHERE CATEGID IN (SELECT id FROM tree)
        UNION ALL SELECT SPLITTRANSAMOUNT FROM SPLITTRANSACTIONS_V1 WHERE CATEGID IN (SELECT id FROM tree))
      """, ["drice"], ["clefo"],
      is: [.fullScan],
      best: .index("CHECKINGACCOUNT_V1 (CATEGID)", "SPLITTRANSACTIONS_V1 (CATEGID)"),
      or: [
        .index("CHECKINGACCOUNT_V1 (CATEGID, TRANSAMOUNT)", "SPLITTRANSACTIONS_V1 (CATEGID, SPLITTRANSAMOUNT)"),
        .index("CHECKINGACCOUNT_V1 (CATEGID, TRANSAMOUNT)"),
      ],
      because: "what a category and those below it cost, in whole transactions and in parts"),
    .slow(
      "moneymanager-09",
      "SELECT min(TRANSDATE), max(TRANSDATE) FROM CHECKINGACCOUNT_V1",
      is: [.fullScan],
      best: .rewrite(
        "SELECT (SELECT min(TRANSDATE) FROM CHECKINGACCOUNT_V1), (SELECT max(TRANSDATE) FROM CHECKINGACCOUNT_V1)"),
      because: "the first day and the last: either alone is found at an end of the index, both at once aren't"),
    .repeated(
      "moneymanager-10",
      "SELECT SPLITTRANSID, CATEGID, SPLITTRANSAMOUNT, NOTES FROM SPLITTRANSACTIONS_V1 WHERE TRANSID = ?",
      (1...240).map { [.integer(40000 + $0 * 7)] }, in: "show account",
      best: .batch(
        "SELECT SPLITTRANSID, CATEGID, SPLITTRANSAMOUNT, NOTES FROM SPLITTRANSACTIONS_V1 WHERE TRANSID IN (SELECT value FROM json_each(?))",
        [.text("[" + (1...240).map { String(40000 + $0 * 7) }.joined(separator: ",") + "]")]),
      because: "the parts of each transaction on the screen"),
    .fine(
      "moneymanager-11",
      "SELECT PAYEEID, PAYEENAME FROM PAYEE_V1 WHERE PAYEENAME LIKE 'ha%' ORDER BY PAYEENAME LIMIT 10",
      because: "the column ignores case as LIKE does, so the index serves the prefix"),
    .fine(
      "moneymanager-12",
      """
      select a.ACCOUNTNAME, IFNULL(CH.CURRVALUE, c.BASECONVRATE) from ACCOUNTLIST_V1 as a inner join CURRENCYFORMATS_V1 as c on c.CURRENCYID = a.CURRENCYID
      LEFT JOIN CURRENCYHISTORY_V1 AS CH ON CH.CURRENCYID = c.CURRENCYID AND CH.CURRDATE = (SELECT MAX(CRHST.CURRDATE) FROM CURRENCYHISTORY_V1 AS CRHST WHERE CRHST.CURRENCYID = c.CURRENCYID)
      """,
      tolerated: [.subqueryPerRow],
      because: "the newest rate for each account: a subquery per row, but each is one step in the unique key"),
    .fine(
      "moneymanager-13",
      "SELECT BDID, PAYEEID, TRANSAMOUNT FROM BILLSDEPOSITS_V1 WHERE date(NEXTOCCURRENCEDATE) <= date(?) ORDER BY NEXTOCCURRENCEDATE",
      ["2024-01-20"],
      tolerated: [.functionOnColumn, .fullScan, .sortWithoutIndex],
      because: "bills that are due: there are 70 at all"),
    .fine(
      "moneymanager-14",
      "INSERT INTO STOCKHISTORY_V1 (SYMBOL, DATE, VALUE, UPDTYPE) VALUES (?, ?, ?, 1) ON CONFLICT (SYMBOL, DATE) DO UPDATE SET VALUE = excluded.VALUE",
      ["BAFO", "2020-03-04", 17.25],
      because: "a price, new or mended, by the unique key"),
    .fine(
      "moneymanager-15",
      """
      SELECT f.DESCRIPTION, d.CONTENT FROM CUSTOMFIELD_V1 AS f LEFT JOIN CUSTOMFIELDDATA_V1 AS d ON d.FIELDID = f.FIELDID AND d.REFID = ? WHERE f.REFTYPE = 'Transaction' ORDER BY f.DESCRIPTION
      """, [4001],
      tolerated: [.sortWithoutIndex],
      because: "the user's own fields of a transaction: few fields, and the key has both columns"),
    .slow(
      "moneymanager-16",
      """
      SELECT p.PAYEENAME, sum(t.TRANSAMOUNT) AS amount, count(s.SPLITTRANSID) AS parts FROM CHECKINGACCOUNT_V1 AS t JOIN PAYEE_V1 AS p ON p.PAYEEID = t.PAYEEID LEFT JOIN SPLITTRANSACTIONS_V1 AS s ON s.TRANSID = t.TRANSID
      WHERE t.TRANSDATE >= ? AND t.TRANSDATE < ? GROUP BY p.PAYEEID ORDER BY amount DESC, p.PAYEENAME LIMIT 20
      """, ["2016-01-01", "2017-01-01"],
      is: [.multipliedAggregate, .joinFanOut],
      best: .correct(
        """
        SELECT p.PAYEENAME, g.amount, g.parts FROM (
          SELECT PAYEEID, sum(TRANSAMOUNT) AS amount, sum(CASE WHEN CATEGID = -1 THEN (SELECT count(*) FROM SPLITTRANSACTIONS_V1 AS s WHERE s.TRANSID = t.TRANSID) ELSE 0 END) AS parts
          FROM CHECKINGACCOUNT_V1 AS t WHERE TRANSDATE >= ? AND TRANSDATE < ? AND PAYEEID > 0 GROUP BY PAYEEID) AS g JOIN PAYEE_V1 AS p ON p.PAYEEID = g.PAYEEID ORDER BY g.amount DESC, p.PAYEENAME LIMIT 20
        """),
      because: "who got most in a year: what was split into parts counts as often as it has parts"),
    .fine(
      "moneymanager-17",
      "SELECT c.CATEGID, c.CATEGNAME, p.CATEGNAME AS PARENT FROM CATEGORY_V1 AS c LEFT JOIN CATEGORY_V1 AS p ON p.CATEGID = c.PARENTID ORDER BY p.CATEGNAME, c.CATEGNAME",
      tolerated: [.fullScan, .sortWithoutIndex],
      because: "all categories with the one above: 160"),
  ]
}
