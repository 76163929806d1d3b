-- schema: domoticz
-- about: What devices of a house measured: tables without keys, each with an index of the device and one of the device and the time.
-- origin: Domoticz 2025.1 (GPL-3.0, Copyright the Domoticz authors): ten of its tables with their indexes and two triggers, dates without \
--   their defaults
-- superfluous: redundant-index tc_id_idx
-- superfluous: redundant-index mc_id_idx

CREATE TABLE [DeviceStatus] (
  [ID] INTEGER PRIMARY KEY, [HardwareID] INTEGER NOT NULL, [OrgHardwareID] INTEGER DEFAULT 0, [DeviceID] VARCHAR(25) NOT NULL, [Unit] \
INTEGER DEFAULT 0, [Name] VARCHAR(100) DEFAULT Unknown,
  [Used] INTEGER DEFAULT 0, [Type] INTEGER NOT NULL, [SubType] INTEGER NOT NULL, [SwitchType] INTEGER DEFAULT 0, [Favorite] INTEGER \
DEFAULT 0, [SignalLevel] INTEGER DEFAULT 0,
  [BatteryLevel] INTEGER DEFAULT 0, [nValue] INTEGER DEFAULT 0, [sValue] VARCHAR(200) DEFAULT null, [LastUpdate] DATETIME, [Order] INTEGER \
BIGINT(10) default 0,
  [AddjValue] FLOAT DEFAULT 0, [AddjMulti] FLOAT DEFAULT 1, [StrParam1] VARCHAR(200) DEFAULT '', [StrParam2] VARCHAR(200) DEFAULT '', \
[LastLevel] INTEGER DEFAULT 0, [Protected] INTEGER DEFAULT 0,
  [CustomImage] INTEGER DEFAULT 0, [Description] VARCHAR(200) DEFAULT '', [Options] TEXT DEFAULT null, [Color] TEXT DEFAULT NULL);
CREATE TABLE [LightingLog] ([DeviceRowID] BIGINT(10) NOT NULL, [nValue] INTEGER DEFAULT 0, [sValue] VARCHAR(200), [User] VARCHAR(100) \
DEFAULT (''), [Date] DATETIME);
CREATE TABLE [Rain] ([DeviceRowID] BIGINT(10) NOT NULL, [Total] FLOAT NOT NULL, [Rate] INTEGER DEFAULT 0, [Date] DATETIME);
CREATE TABLE [Temperature] (
  [DeviceRowID] BIGINT(10) NOT NULL, [Temperature] FLOAT NOT NULL, [Chill] FLOAT DEFAULT 0, [Humidity] INTEGER DEFAULT 0, [Barometer] \
INTEGER DEFAULT 0, [DewPoint] FLOAT DEFAULT 0,
  [SetPoint] FLOAT DEFAULT 0, [Date] DATETIME);
CREATE TABLE [Temperature_Calendar] (
  [DeviceRowID] BIGINT(10) NOT NULL, [Temp_Min] FLOAT NOT NULL, [Temp_Max] FLOAT NOT NULL, [Temp_Avg] FLOAT DEFAULT 0, [Chill_Min] FLOAT \
DEFAULT 0, [Chill_Max] FLOAT,
  [Humidity] INTEGER DEFAULT 0, [Barometer] INTEGER DEFAULT 0, [DewPoint] FLOAT DEFAULT 0, [Date] DATE NOT NULL);
CREATE TABLE [MultiMeter] (
  [DeviceRowID] BIGINT(10) NOT NULL, [Value1] BIGINT NOT NULL, [Value2] BIGINT DEFAULT 0, [Value3] BIGINT DEFAULT 0, [Value4] BIGINT \
DEFAULT 0, [Value5] BIGINT DEFAULT 0,
  [Value6] BIGINT DEFAULT 0, [Price] FLOAT DEFAULT 0, [Date] DATETIME);
CREATE TABLE [Meter] ([DeviceRowID] BIGINT NOT NULL, [Value] BIGINT NOT NULL, [Usage] INTEGER DEFAULT 0, [Price] FLOAT DEFAULT 0, [Date] DATETIME);
CREATE TABLE [Meter_Calendar] ([DeviceRowID] BIGINT NOT NULL, [Value] BIGINT NOT NULL, [Counter] BIGINT DEFAULT 0, [Price] FLOAT DEFAULT \
0, [Date] DATETIME);
CREATE TABLE [DeviceToPlansMap] (
  [ID] INTEGER PRIMARY KEY, [DeviceRowID] BIGINT NOT NULL, [DevSceneType] INTEGER DEFAULT 0, [PlanID] BIGINT NOT NULL, [Order] INTEGER \
BIGINT(10) DEFAULT 0, [XOffset] INTEGER default 0,
  [YOffset] INTEGER default 0);
CREATE TABLE [SharedDevices] ([ID] INTEGER PRIMARY KEY, [SharedUserID] BIGINT NOT NULL, [DeviceRowID] BIGINT NOT NULL, [Favorite] INTEGER \
DEFAULT 0, [Order] INTEGER BIGINT(10) default 0);
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

INSERT INTO DeviceStatus (HardwareID, DeviceID, Unit, Name, Used, Type, SubType, SwitchType, BatteryLevel, nValue, sValue, LastUpdate, \
[Order], Options)
SELECT skewed(1, i, 20), iif(chance(2, i) < 0.02, 'WMI' || i, upper(printf('%08x', i * 40503))), 1 + i % 4, iif(chance(3, i) < 0.15, \
'Unknown', title(4, i, 2)), chance(5, i) < 0.4,
  CASE WHEN chance(6, i) < 0.4 THEN 244 WHEN chance(6, i) < 0.6 THEN 80 + pick(7, i, 6) WHEN chance(6, i) < 0.95 THEN 243 ELSE 250 END, \
pick(8, i, 34), skewed(9, i, 22), iif(chance(10, i) < 0.6, 255, pick(11, i, 100)),
  pick(12, i, 2) - 1, pick(13, i, 400) || '.' || pick(14, i, 9) || ';' || pick(15, i, 100), datetime(1750000000 - skewed(16, i, 90000000), \
'unixepoch'), i, iif(chance(17, i) < 0.1, prose(18, i, 60), NULL)
FROM numbers WHERE i <= 1400;
INSERT INTO LightingLog SELECT skewed(19, i, 300), i % 2, iif(chance(20, i) < 0.9, '0', word(i)), iif(chance(21, i) < 0.2, 'admin', ''), \
datetime(1740000000 + i * 400, 'unixepoch') FROM numbers WHERE i <= 25000;
INSERT INTO Rain SELECT 601 + i % 2, i / 20 * 0.3, 0, datetime(1749000000 + i / 2 * 300, 'unixepoch') FROM numbers WHERE i <= 4000;
INSERT INTO Temperature SELECT 401 + i % 40, 20 + pick(22, i, 100) * 0.1, 0, 30 + pick(23, i, 60), 1013, 8 + pick(24, i, 40) * 0.1, 0, \
datetime(1749400000 + i / 40 * 300, 'unixepoch') FROM numbers WHERE i <= 40000;
INSERT INTO Temperature_Calendar SELECT 401 + i % 12, pick(25, i, 100) * 0.1, 15 + pick(26, i, 100) * 0.1, 12.5, 0, 0, 55, 1013, 8, \
date(1650000000 + i / 12 * 86400, 'unixepoch') FROM numbers WHERE i <= 13800;
INSERT INTO MultiMeter SELECT 701 + i % 3, i * 40, i * 3, pick(27, i, 3000), 0, i * 30, i * 2, 0.25, datetime(1749400000 + i / 3 * 300, \
'unixepoch') FROM numbers WHERE i <= 6000;
INSERT INTO Meter SELECT 501 + i % 24, i * 17, pick(28, i, 2500), 0.25, datetime(1749400000 + i / 24 * 300, 'unixepoch') FROM numbers \
WHERE i <= 40000;
INSERT INTO Meter_Calendar SELECT 501 + i % 10, pick(29, i, 20000), i * 400, 0.25, date(1600000000 + i / 10 * 86400, 'unixepoch') FROM \
numbers WHERE i <= 17000;
INSERT INTO Meter_Calendar SELECT DeviceRowID, Value, Counter, Price, Date FROM Meter_Calendar WHERE rowid % 3001 = 0;
INSERT INTO DeviceToPlansMap (DeviceRowID, DevSceneType, PlanID, [Order]) SELECT pick(30, i, 1400), chance(31, i) < 0.1, 1 + skewed(32, i, \
30), i FROM numbers WHERE i <= 900;
INSERT INTO SharedDevices (SharedUserID, DeviceRowID, Favorite, [Order]) SELECT 1 + i % 6, pick(33, i, 1400), chance(34, i) < 0.2, i FROM \
numbers WHERE i <= 1500;
CREATE TRIGGER devicestatusupdate AFTER INSERT ON DeviceStatus
BEGIN
  UPDATE DeviceStatus SET [Order] = (SELECT MAX([Order]) FROM DeviceStatus)+1 WHERE DeviceStatus.ID = NEW.ID;
END;

-- statement: domoticz-01
-- fine
-- because: the newest of a meter: the index of devices has its rows in their order
-- run: 505

SELECT Value, Usage, Price FROM Meter WHERE (DeviceRowID = ?) ORDER BY ROWID DESC LIMIT 1

-- statement: domoticz-02
-- fine
-- tolerated: index-not-covering
-- because: some hours of a thermometer, by both
-- run: 405, '2025-06-10', '2025-06-10 06:00:00'

SELECT MIN(Temperature), MAX(Temperature), AVG(Temperature), AVG(Humidity) FROM Temperature WHERE (DeviceRowID = ? AND Date >= ? AND Date <= ?)

-- statement: domoticz-03
-- is: expression-index, function-on-column, group-without-index, index-not-covering, missing-statistics
-- because: the hours of a meter: each of its rows is looked up
-- run: 702

SELECT strftime('%Y-%m-%d %H:00:00', Date) AS ymd, MIN(Value1) AS u1, MIN(Value5) AS u2, MIN(Value2) AS d1, MIN(Value6) AS d2, Price
FROM MultiMeter WHERE (DeviceRowID == ?) GROUP BY ymd

-- best
-- index: MultiMeter (DeviceRowID, Date, Value1, Value5, Value2, Value6, Price)

-- statement: domoticz-04
-- is: expression-index, function-on-column, group-without-index, index-not-covering, missing-statistics, sort-without-index
-- because: the months of a meter: each of its days is looked up
-- run: 503 | 507

SELECT strftime('%Y', Date) AS y, strftime('%m', Date) AS m, SUM(Value), MAX(Value) FROM Meter_Calendar WHERE (DeviceRowID == ?) GROUP BY \
y, m ORDER BY y, m

-- best
-- index: Meter_Calendar (DeviceRowID, Date, Value)

-- statement: domoticz-05
-- is: full-scan
-- because: what is too old: all that was switched is read, since the indexes begin with the device
-- run: '2025-02-20 18:00:00'

DELETE FROM LightingLog WHERE (Date < ?)

-- best
-- index: LightingLog (Date)

-- statement: domoticz-06
-- is: distinct-without-index, full-scan, index-not-covering
-- because: forty thermometers, of which each has a thousand rows in the index

SELECT DISTINCT(DeviceRowID) FROM Temperature ORDER BY DeviceRowID

-- best

WITH RECURSIVE d (v) AS (SELECT MIN(DeviceRowID) FROM Temperature UNION ALL SELECT (SELECT MIN(DeviceRowID) FROM Temperature WHERE \
DeviceRowID > d.v) FROM d WHERE d.v IS NOT NULL)
SELECT v FROM d WHERE v IS NOT NULL

-- statement: domoticz-07
-- is: full-scan, or-without-index
-- because: devices of two kinds
-- run: 81, 3, 84, 2 | 250, 1, 86, 4

SELECT ID, Type, SubType, nValue, sValue, LastUpdate FROM DeviceStatus WHERE (Type = ? AND SubType = ?) OR (Type = ? AND SubType = ?)

-- best
-- index: DeviceStatus (Type, SubType)

-- or
-- index: DeviceStatus (SubType, Type)

-- statement: domoticz-08
-- is: harmful-index, index-not-covering, missing-statistics, sort-without-index
-- because: the newest of a rain gauge since a day: all of the days since are looked up and sorted
-- run: 601, '2025-06-10'

SELECT Total, Rate FROM Rain WHERE (DeviceRowID = ? AND Date >= ?) ORDER BY ROWID DESC LIMIT 1

-- best

SELECT Total, Rate FROM Rain WHERE (DeviceRowID = ? AND +Date >= ?) ORDER BY ROWID DESC LIMIT 1

-- statement: domoticz-09
-- is: full-scan
-- because: a device by its number: the index begins with its hardware
-- run: 1, '0', '2025-06-16 10:00:00', '00003CD4', 244, 3, 1 | 0, '0', '2025-06-16 10:00:00', '0001EE42', 244, 3, 0

UPDATE DeviceStatus SET nValue = ?, sValue = ?, LastUpdate = ? WHERE (DeviceID == ?) AND (Type == ?) AND (SubType == ?) AND (nValue != ?)

-- best
-- index: DeviceStatus (DeviceID)

-- or
-- index: DeviceStatus (DeviceID, Type)

-- or
-- index: DeviceStatus (DeviceID, SubType)

-- statement: domoticz-10
-- is: case-insensitive-without-index, full-scan, index-not-covering, pattern-without-index
-- because: devices by the beginning of their number, whatever its case

SELECT ID FROM DeviceStatus WHERE (DeviceID LIKE 'WMI%')

-- best
-- index: DeviceStatus (DeviceID COLLATE NOCASE)

-- statement: domoticz-11
-- is: full-scan
-- because: a new device: a trigger looks for the highest number of all
-- run: 4, '0000ABCD', 1, 'Unknown', 244, 73, 0, '', '2025-06-16 10:00:00'

INSERT INTO DeviceStatus (HardwareID, DeviceID, Unit, Name, Type, SubType, nValue, sValue, LastUpdate) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- best
-- index: DeviceStatus ([Order])

-- statement: domoticz-12
-- is: index-not-covering, missing-statistics
-- because: all that was done with a lamp: each row is looked up
-- run: 1 | 4

SELECT ROWID, nValue, sValue, User, Date FROM LightingLog WHERE (DeviceRowID == ?) ORDER BY Date DESC

-- best
-- index: LightingLog (DeviceRowID, Date DESC, nValue, sValue, User)

-- or
-- index: LightingLog (DeviceRowID, Date, nValue, sValue, User)

-- statement: domoticz-13
-- is: full-scan, index-not-covering, join-fan-out, join-order, sort-without-index, subquery-per-row
-- because: days that are there twice: each day of all is looked for again

SELECT t.RowID, u.RowID, t.Value, u.Value, t.Date FROM Meter_Calendar AS t, Meter_Calendar AS u
WHERE (t.[Date] == u.[Date]) AND (t.[DeviceRowID] == u.[DeviceRowID]) AND (t.[RowID] != u.[RowID]) ORDER BY t.[RowID]

-- best

SELECT t.RowID, u.RowID, t.Value, u.Value, t.Date FROM (SELECT DeviceRowID, Date FROM Meter_Calendar GROUP BY DeviceRowID, Date HAVING \
COUNT(*) > 1) AS d
CROSS JOIN Meter_Calendar AS t ON t.DeviceRowID = d.DeviceRowID AND t.Date = d.Date
CROSS JOIN Meter_Calendar AS u ON u.DeviceRowID = d.DeviceRowID AND u.Date = d.Date AND t.RowID != u.RowID ORDER BY t.RowID

-- statement: domoticz-14
-- fine
-- tolerated: index-not-covering
-- because: a month of a thermometer
-- run: 404, '2024-05-01', '2024-05-31'

SELECT Temp_Min, Temp_Max, Humidity, Date FROM Temperature_Calendar WHERE (DeviceRowID == ? AND Date >= ? AND Date <= ?) ORDER BY Date ASC

-- statement: domoticz-15
-- fine
-- because: the first value of a day
-- run: 510, '2025-06-12'

SELECT Value FROM Meter WHERE (DeviceRowID == ? AND Date >= ?) ORDER BY Date ASC LIMIT 1

-- statement: domoticz-16
-- is: full-scan
-- because: what is shared with a user
-- run: 3 | 5

SELECT COUNT(*) FROM SharedDevices WHERE (SharedUserID == ?)

-- best
-- index: SharedDevices (SharedUserID)
