extension Corpus {
  /// The measurements of devices in a house: tables without keys, each with an index of the device and one of the
  /// device and the time.
  static let domoticz = CorpusSchema(
    name: "domoticz", script: domoticzScript, statements: domoticzStatements,
    superfluousIndexes: [.redundant("tc_id_idx"), .redundant("mc_id_idx")],
    origin:
      "Domoticz 2025.1 (GPL-3.0, Copyright the Domoticz authors): ten of its tables with their indexes and two triggers, dates without their defaults"
  )

  private static let domoticzScript = """
    CREATE TABLE [DeviceStatus] (
      [ID] INTEGER PRIMARY KEY, [HardwareID] INTEGER NOT NULL, [OrgHardwareID] INTEGER DEFAULT 0, [DeviceID] VARCHAR(25) NOT NULL, [Unit] INTEGER DEFAULT 0, [Name] VARCHAR(100) DEFAULT Unknown,
      [Used] INTEGER DEFAULT 0, [Type] INTEGER NOT NULL, [SubType] INTEGER NOT NULL, [SwitchType] INTEGER DEFAULT 0, [Favorite] INTEGER DEFAULT 0, [SignalLevel] INTEGER DEFAULT 0,
      [BatteryLevel] INTEGER DEFAULT 0, [nValue] INTEGER DEFAULT 0, [sValue] VARCHAR(200) DEFAULT null, [LastUpdate] DATETIME, [Order] INTEGER BIGINT(10) default 0,
      [AddjValue] FLOAT DEFAULT 0, [AddjMulti] FLOAT DEFAULT 1, [StrParam1] VARCHAR(200) DEFAULT '', [StrParam2] VARCHAR(200) DEFAULT '', [LastLevel] INTEGER DEFAULT 0, [Protected] INTEGER DEFAULT 0,
      [CustomImage] INTEGER DEFAULT 0, [Description] VARCHAR(200) DEFAULT '', [Options] TEXT DEFAULT null, [Color] TEXT DEFAULT NULL);
    CREATE TABLE [LightingLog] ([DeviceRowID] BIGINT(10) NOT NULL, [nValue] INTEGER DEFAULT 0, [sValue] VARCHAR(200), [User] VARCHAR(100) DEFAULT (''), [Date] DATETIME);
    CREATE TABLE [Rain] ([DeviceRowID] BIGINT(10) NOT NULL, [Total] FLOAT NOT NULL, [Rate] INTEGER DEFAULT 0, [Date] DATETIME);
    CREATE TABLE [Temperature] (
      [DeviceRowID] BIGINT(10) NOT NULL, [Temperature] FLOAT NOT NULL, [Chill] FLOAT DEFAULT 0, [Humidity] INTEGER DEFAULT 0, [Barometer] INTEGER DEFAULT 0, [DewPoint] FLOAT DEFAULT 0,
      [SetPoint] FLOAT DEFAULT 0, [Date] DATETIME);
    CREATE TABLE [Temperature_Calendar] (
      [DeviceRowID] BIGINT(10) NOT NULL, [Temp_Min] FLOAT NOT NULL, [Temp_Max] FLOAT NOT NULL, [Temp_Avg] FLOAT DEFAULT 0, [Chill_Min] FLOAT DEFAULT 0, [Chill_Max] FLOAT,
      [Humidity] INTEGER DEFAULT 0, [Barometer] INTEGER DEFAULT 0, [DewPoint] FLOAT DEFAULT 0, [Date] DATE NOT NULL);
    CREATE TABLE [MultiMeter] (
      [DeviceRowID] BIGINT(10) NOT NULL, [Value1] BIGINT NOT NULL, [Value2] BIGINT DEFAULT 0, [Value3] BIGINT DEFAULT 0, [Value4] BIGINT DEFAULT 0, [Value5] BIGINT DEFAULT 0,
      [Value6] BIGINT DEFAULT 0, [Price] FLOAT DEFAULT 0, [Date] DATETIME);
    CREATE TABLE [Meter] ([DeviceRowID] BIGINT NOT NULL, [Value] BIGINT NOT NULL, [Usage] INTEGER DEFAULT 0, [Price] FLOAT DEFAULT 0, [Date] DATETIME);
    CREATE TABLE [Meter_Calendar] ([DeviceRowID] BIGINT NOT NULL, [Value] BIGINT NOT NULL, [Counter] BIGINT DEFAULT 0, [Price] FLOAT DEFAULT 0, [Date] DATETIME);
    CREATE TABLE [DeviceToPlansMap] (
      [ID] INTEGER PRIMARY KEY, [DeviceRowID] BIGINT NOT NULL, [DevSceneType] INTEGER DEFAULT 0, [PlanID] BIGINT NOT NULL, [Order] INTEGER BIGINT(10) DEFAULT 0, [XOffset] INTEGER default 0,
      [YOffset] INTEGER default 0);
    CREATE TABLE [SharedDevices] ([ID] INTEGER PRIMARY KEY, [SharedUserID] BIGINT NOT NULL, [DeviceRowID] BIGINT NOT NULL, [Favorite] INTEGER DEFAULT 0, [Order] INTEGER BIGINT(10) default 0);
    CREATE INDEX ds_hduts_idx on DeviceStatus(HardwareID, DeviceID, Unit, Type, SubType);
    CREATE INDEX ll_id_idx on LightingLog(DeviceRowID);
    CREATE INDEX ll_id_date_idx on LightingLog(DeviceRowID, Date);
    CREATE INDEX m_id_idx on Meter(DeviceRowID);
    CREATE INDEX m_id_date_idx on Meter(DeviceRowID, Date);
    CREATE INDEX mc_id_idx on Meter_Calendar(DeviceRowID);
    CREATE INDEX mc_id_date_idx on Meter_Calendar(DeviceRowID, Date);
    CREATE INDEX mm_id_idx on MultiMeter(DeviceRowID);
    CREATE INDEX mm_id_date_idx on MultiMeter(DeviceRowID, Date);
    CREATE INDEX r_id_idx on Rain(DeviceRowID);
    CREATE INDEX r_id_date_idx on Rain(DeviceRowID, Date);
    CREATE INDEX t_id_idx on Temperature(DeviceRowID);
    CREATE INDEX t_id_date_idx on Temperature(DeviceRowID, Date);
    CREATE INDEX tc_id_idx on Temperature_Calendar(DeviceRowID);
    CREATE INDEX tc_id_date_idx on Temperature_Calendar(DeviceRowID, Date);

    INSERT INTO DeviceStatus (HardwareID, DeviceID, Unit, Name, Used, Type, SubType, SwitchType, BatteryLevel, nValue, sValue, LastUpdate, [Order], Options)
    SELECT skewed(1, i, 20), iif(chance(2, i) < 0.02, 'WMI' || i, upper(printf('%08x', i * 40503))), 1 + i % 4, iif(chance(3, i) < 0.15, 'Unknown', title(4, i, 2)), chance(5, i) < 0.4,
      CASE WHEN chance(6, i) < 0.4 THEN 244 WHEN chance(6, i) < 0.6 THEN 80 + pick(7, i, 6) WHEN chance(6, i) < 0.95 THEN 243 ELSE 250 END, pick(8, i, 34), skewed(9, i, 22), iif(chance(10, i) < 0.6, 255, pick(11, i, 100)),
      pick(12, i, 2) - 1, pick(13, i, 400) || '.' || pick(14, i, 9) || ';' || pick(15, i, 100), datetime(1750000000 - skewed(16, i, 90000000), 'unixepoch'), i, iif(chance(17, i) < 0.1, prose(18, i, 60), NULL)
    FROM numbers WHERE i <= 1400;
    INSERT INTO LightingLog SELECT skewed(19, i, 300), i % 2, iif(chance(20, i) < 0.9, '0', word(i)), iif(chance(21, i) < 0.2, 'admin', ''), datetime(1740000000 + i * 400, 'unixepoch') FROM numbers WHERE i <= 25000;
    INSERT INTO Rain SELECT 601 + i % 2, i / 20 * 0.3, 0, datetime(1749000000 + i / 2 * 300, 'unixepoch') FROM numbers WHERE i <= 4000;
    INSERT INTO Temperature SELECT 401 + i % 40, 20 + pick(22, i, 100) * 0.1, 0, 30 + pick(23, i, 60), 1013, 8 + pick(24, i, 40) * 0.1, 0, datetime(1749400000 + i / 40 * 300, 'unixepoch') FROM numbers WHERE i <= 40000;
    INSERT INTO Temperature_Calendar SELECT 401 + i % 12, pick(25, i, 100) * 0.1, 15 + pick(26, i, 100) * 0.1, 12.5, 0, 0, 55, 1013, 8, date(1650000000 + i / 12 * 86400, 'unixepoch') FROM numbers WHERE i <= 13800;
    INSERT INTO MultiMeter SELECT 701 + i % 3, i * 40, i * 3, pick(27, i, 3000), 0, i * 30, i * 2, 0.25, datetime(1749400000 + i / 3 * 300, 'unixepoch') FROM numbers WHERE i <= 6000;
    INSERT INTO Meter SELECT 501 + i % 24, i * 17, pick(28, i, 2500), 0.25, datetime(1749400000 + i / 24 * 300, 'unixepoch') FROM numbers WHERE i <= 40000;
    INSERT INTO Meter_Calendar SELECT 501 + i % 10, pick(29, i, 20000), i * 400, 0.25, date(1600000000 + i / 10 * 86400, 'unixepoch') FROM numbers WHERE i <= 17000;
    INSERT INTO Meter_Calendar SELECT DeviceRowID, Value, Counter, Price, Date FROM Meter_Calendar WHERE rowid % 3001 = 0;
    INSERT INTO DeviceToPlansMap (DeviceRowID, DevSceneType, PlanID, [Order]) SELECT pick(30, i, 1400), chance(31, i) < 0.1, 1 + skewed(32, i, 30), i FROM numbers WHERE i <= 900;
    INSERT INTO SharedDevices (SharedUserID, DeviceRowID, Favorite, [Order]) SELECT 1 + i % 6, pick(33, i, 1400), chance(34, i) < 0.2, i FROM numbers WHERE i <= 1500;
    CREATE TRIGGER devicestatusupdate AFTER INSERT ON DeviceStatus
    BEGIN
      UPDATE DeviceStatus SET [Order] = (SELECT MAX([Order]) FROM DeviceStatus)+1 WHERE DeviceStatus.ID = NEW.ID;
    END;
    """

  private static let domoticzStatements: [CorpusStatement] = [
    .fine(
      "domoticz-01",
      "SELECT Value, Usage, Price FROM Meter WHERE (DeviceRowID = ?) ORDER BY ROWID DESC LIMIT 1", [505],
      because: "the newest of a meter: the index of devices has its rows in their order"),
    .fine(
      "domoticz-02",
      "SELECT MIN(Temperature), MAX(Temperature), AVG(Temperature), AVG(Humidity) FROM Temperature WHERE (DeviceRowID = ? AND Date >= ? AND Date <= ?)",
      [405, "2025-06-10", "2025-06-10 06:00:00"],
      tolerated: [.indexNotCovering],
      because: "some hours of a thermometer, by both"),
    .slow(
      "domoticz-03",
      """
      SELECT strftime('%Y-%m-%d %H:00:00', Date) AS ymd, MIN(Value1) AS u1, MIN(Value5) AS u2, MIN(Value2) AS d1, MIN(Value6) AS d2, Price
      FROM MultiMeter WHERE (DeviceRowID == ?) GROUP BY ymd
      """, [702],
      is: [.indexNotCovering, .groupWithoutIndex, .expressionIndex, .functionOnColumn, .missingStatistics],
      best: .index("MultiMeter (DeviceRowID, Date, Value1, Value5, Value2, Value6, Price)"),
      because: "the hours of a meter: each of its rows is looked up"),
    .slow(
      "domoticz-04",
      "SELECT strftime('%Y', Date) AS y, strftime('%m', Date) AS m, SUM(Value), MAX(Value) FROM Meter_Calendar WHERE (DeviceRowID == ?) GROUP BY y, m ORDER BY y, m",
      [503], [507],
      is: [
        .indexNotCovering, .groupWithoutIndex, .expressionIndex, .functionOnColumn, .sortWithoutIndex,
        .missingStatistics,
      ],
      best: .index("Meter_Calendar (DeviceRowID, Date, Value)"),
      because: "the months of a meter: each of its days is looked up"),
    .slow(
      "domoticz-05",
      "DELETE FROM LightingLog WHERE (Date < ?)", ["2025-02-20 18:00:00"],
      is: [.fullScan],
      best: .index("LightingLog (Date)"),
      because: "what is too old: all that was switched is read, since the indexes begin with the device"),
    .slow(
      "domoticz-06",
      "SELECT DISTINCT(DeviceRowID) FROM Temperature ORDER BY DeviceRowID",
      is: [.distinctWithoutIndex, .fullScan, .indexNotCovering],
      best: .rewrite(
        """
        WITH RECURSIVE d (v) AS (SELECT MIN(DeviceRowID) FROM Temperature UNION ALL SELECT (SELECT MIN(DeviceRowID) FROM Temperature WHERE DeviceRowID > d.v) FROM d WHERE d.v IS NOT NULL)
        SELECT v FROM d WHERE v IS NOT NULL
        """),
      because: "forty thermometers, of which each has a thousand rows in the index"),
    .slow(
      "domoticz-07",
      "SELECT ID, Type, SubType, nValue, sValue, LastUpdate FROM DeviceStatus WHERE (Type = ? AND SubType = ?) OR (Type = ? AND SubType = ?)",
      [81, 3, 84, 2], [250, 1, 86, 4],
      is: [.fullScan, .orWithoutIndex],
      best: .index("DeviceStatus (Type, SubType)"),
      or: [.index("DeviceStatus (SubType, Type)")],
      because: "devices of two kinds"),
    .slow(
      "domoticz-08",
      "SELECT Total, Rate FROM Rain WHERE (DeviceRowID = ? AND Date >= ?) ORDER BY ROWID DESC LIMIT 1",
      [601, "2025-06-10"],
      is: [.sortWithoutIndex, .harmfulIndex, .missingStatistics, .indexNotCovering],
      best: .rewrite("SELECT Total, Rate FROM Rain WHERE (DeviceRowID = ? AND +Date >= ?) ORDER BY ROWID DESC LIMIT 1"),
      because: "the newest of a rain gauge since a day: all of the days since are looked up and sorted"),
    .slow(
      "domoticz-09",
      "UPDATE DeviceStatus SET nValue = ?, sValue = ?, LastUpdate = ? WHERE (DeviceID == ?) AND (Type == ?) AND (SubType == ?) AND (nValue != ?)",
      [1, "0", "2025-06-16 10:00:00", "00003CD4", 244, 3, 1], [0, "0", "2025-06-16 10:00:00", "0001EE42", 244, 3, 0],
      is: [.fullScan],
      best: .index("DeviceStatus (DeviceID)"),
      or: [.index("DeviceStatus (DeviceID, Type)"), .index("DeviceStatus (DeviceID, SubType)")],
      because: "a device by its number: the index begins with its hardware"),
    .slow(
      "domoticz-10",
      "SELECT ID FROM DeviceStatus WHERE (DeviceID LIKE 'WMI%')",
      is: [.fullScan, .patternWithoutIndex, .caseInsensitiveWithoutIndex, .indexNotCovering],
      best: .index("DeviceStatus (DeviceID COLLATE NOCASE)"),
      because: "devices by the beginning of their number, whatever its case"),
    .slow(
      "domoticz-11",
      "INSERT INTO DeviceStatus (HardwareID, DeviceID, Unit, Name, Type, SubType, nValue, sValue, LastUpdate) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [4, "0000ABCD", 1, "Unknown", 244, 73, 0, "", "2025-06-16 10:00:00"],
      is: [.fullScan],
      best: .index("DeviceStatus ([Order])"),
      because: "a new device: a trigger looks for the highest number of all"),
    .slow(
      "domoticz-12",
      "SELECT ROWID, nValue, sValue, User, Date FROM LightingLog WHERE (DeviceRowID == ?) ORDER BY Date DESC", [1], [4],
      is: [.indexNotCovering, .missingStatistics],
      best: .index("LightingLog (DeviceRowID, Date DESC, nValue, sValue, User)"),
      or: [.index("LightingLog (DeviceRowID, Date, nValue, sValue, User)")],
      because: "all that was done with a lamp: each row is looked up"),
    .slow(
      "domoticz-13",
      """
      SELECT t.RowID, u.RowID, t.Value, u.Value, t.Date FROM Meter_Calendar AS t, Meter_Calendar AS u
      WHERE (t.[Date] == u.[Date]) AND (t.[DeviceRowID] == u.[DeviceRowID]) AND (t.[RowID] != u.[RowID]) ORDER BY t.[RowID]
      """,
      is: [.subqueryPerRow, .fullScan, .joinFanOut, .joinOrder, .indexNotCovering, .sortWithoutIndex],
      best: .rewrite(
        """
        SELECT t.RowID, u.RowID, t.Value, u.Value, t.Date FROM (SELECT DeviceRowID, Date FROM Meter_Calendar GROUP BY DeviceRowID, Date HAVING COUNT(*) > 1) AS d
        CROSS JOIN Meter_Calendar AS t ON t.DeviceRowID = d.DeviceRowID AND t.Date = d.Date
        CROSS JOIN Meter_Calendar AS u ON u.DeviceRowID = d.DeviceRowID AND u.Date = d.Date AND t.RowID != u.RowID ORDER BY t.RowID
        """),
      because: "days that are there twice: each day of all is looked for again"),
    .fine(
      "domoticz-14",
      "SELECT Temp_Min, Temp_Max, Humidity, Date FROM Temperature_Calendar WHERE (DeviceRowID == ? AND Date >= ? AND Date <= ?) ORDER BY Date ASC",
      [404, "2024-05-01", "2024-05-31"],
      tolerated: [.indexNotCovering],
      because: "a month of a thermometer"),
    .fine(
      "domoticz-15",
      "SELECT Value FROM Meter WHERE (DeviceRowID == ? AND Date >= ?) ORDER BY Date ASC LIMIT 1", [510, "2025-06-12"],
      because: "the first value of a day"),
    .slow(
      "domoticz-16",
      "SELECT COUNT(*) FROM SharedDevices WHERE (SharedUserID == ?)", [3], [5],
      is: [.fullScan],
      best: .index("SharedDevices (SharedUserID)"),
      because: "what is shared with a user"),
  ]
}
