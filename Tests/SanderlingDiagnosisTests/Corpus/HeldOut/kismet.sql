-- schema: kismet
-- about: A log of what is in the air: packets, the devices that sent them as JSON documents, alerts, messages and snapshots; nothing but \
--   two keys has an index.
-- origin: Kismet 2023-07 (GPL-2.0-or-later, Copyright Mike Kershaw and the Kismet contributors): the tables of its kismetdb log, version 8

CREATE TABLE KISMET (kismet_version TEXT, db_version INT, db_module TEXT);
CREATE TABLE devices (
  first_time INT, last_time INT, devkey TEXT, phyname TEXT, devmac TEXT, strongest_signal INT, min_lat REAL, min_lon REAL, max_lat REAL, \
max_lon REAL, avg_lat REAL, avg_lon REAL, bytes_data INT, type TEXT, device BLOB,
  UNIQUE(phyname, devmac) ON CONFLICT REPLACE);
CREATE TABLE packets (
  ts_sec INT, ts_usec INT, phyname TEXT, sourcemac TEXT, destmac TEXT, transmac TEXT, frequency REAL, devkey TEXT, lat REAL, lon REAL, alt \
REAL, speed REAL, heading REAL, packet_len INT, signal INT, datasource TEXT, dlt INT, packet BLOB,
  error INT, tags TEXT, datarate REAL, hash INT, packetid INT);
CREATE TABLE data (ts_sec INT, ts_usec INT, phyname TEXT, devmac TEXT, lat REAL, lon REAL, alt REAL, speed REAL, heading REAL, datasource \
TEXT, type TEXT, json BLOB);
CREATE TABLE datasources (uuid TEXT, typestring TEXT, definition TEXT, name TEXT, interface TEXT, json BLOB, UNIQUE(uuid) ON CONFLICT REPLACE);
CREATE TABLE alerts (ts_sec INT, ts_usec INT, phyname TEXT, devmac TEXT, lat REAL, lon REAL, header TEXT, json BLOB);
CREATE TABLE messages (ts_sec INT, lat REAL, lon REAL, msgtype TEXT, message TEXT);
CREATE TABLE snapshots (ts_sec INT, ts_usec INT, lat REAL, lon REAL, snaptype TEXT, json BLOB);

INSERT INTO KISMET VALUES ('2023.07.0', 8, 'kismetlog');
INSERT INTO datasources SELECT printf('5FE308BD-0000-0000-0000-00C0CA9A0B%02X', i), CASE i WHEN 4 THEN 'linuxbluetooth' WHEN 5 THEN \
'rtl433' ELSE 'linuxwifi' END, 'wlan' || i || ':type=linuxwifi', 'radio' || i, 'wlan' || i, '{"kismet.datasource.running": 1}' FROM \
numbers WHERE i <= 5;
CREATE TEMP TABLE d (i INTEGER PRIMARY KEY, mac TEXT, phy TEXT, devkey TEXT, first INTEGER, ap INTEGER);
INSERT INTO d SELECT i, printf('%02X:%02X:%02X:%02X:%02X:%02X', 4 * skewed(1, i, 60), skewed(2, i, 250), skewed(1, i, 60), pick(3, i, \
255), i / 256, i % 256), CASE WHEN chance(4, i) < 0.72 THEN 'IEEE802.11' WHEN chance(4, i) < 0.97 THEN 'Bluetooth' ELSE 'RFSENSOR' END,
  printf('4202770D00000000_%012X', i * 7919), 1690000000 + pick(5, i, 84000), chance(6, i) < 0.15 FROM numbers WHERE i <= 9000;
INSERT INTO devices
SELECT first, first + skewed(7, i, 80000), devkey, phy, mac, iif(chance(8, i) < 0.1, 0, -20 - pick(9, i, 75)), 0, 0, 0, 0, iif(chance(10, \
i) < 0.3, 0, 52.3 + chance(11, i) * 0.2), iif(chance(10, i) < 0.3, 0, 4.8 + chance(12, i) * 0.3), skewed(13, i, 5000000), CASE WHEN phy = \
'Bluetooth' THEN 'BTLE' WHEN phy = 'RFSENSOR' THEN 'Sensor' WHEN ap THEN 'Wi-Fi AP' ELSE 'Wi-Fi Client' END,
  json_object('kismet.device.base.key', devkey, 'kismet.device.base.macaddr', mac, 'kismet.device.base.name', iif(ap, word(skewed(14, i, \
800)), mac), 'kismet.device.base.manuf', word(skewed(1, i, 60)), 'kismet.device.base.channel', CAST(pick(15, i, 13) AS TEXT),
    'dot11.device', json_object('dot11.device.last_beaconed_ssid', iif(ap, word(skewed(14, i, 800)), NULL), 'dot11.device.num_retries', \
pick(16, i, 90), 'dot11.device.notes', prose(17, i, 300)))
FROM d;
INSERT INTO packets
SELECT 1690000000 + n.i, pick(18, n.i, 999999), d.phy, d.mac, iif(chance(19, n.i) < 0.5, 'FF:FF:FF:FF:FF:FF', (SELECT mac FROM d AS e \
WHERE e.i = skewed(20, n.i, 9000))), (SELECT mac FROM d AS e WHERE e.i = skewed(21, n.i, 500)), 2412000 + 5000 * pick(22, n.i, 11), \
d.devkey, 52.3 + chance(23, n.i / 60) * 0.2, 4.8 + chance(24, n.i / 60) * 0.3, 0, 0, 0,
  40 + skewed(25, n.i, 1400), -20 - pick(26, n.i, 75), printf('5FE308BD-0000-0000-0000-00C0CA9A0B%02X', skewed(27, n.i, 4)), 127, \
CAST(prose(28, n.i, 30 + skewed(29, n.i, 300)) AS BLOB), chance(30, n.i) < 0.004, iif(chance(31, n.i) < 0.02, 'DOT11_WPAHANDSHAKE', ''), \
pick(32, n.i, 54), n.i * 7919, n.i
FROM (SELECT a.i + 45000 * (b.i - 1) AS i FROM numbers AS b CROSS JOIN numbers AS a WHERE b.i <= 2 AND a.i <= 45000) AS n JOIN d ON d.i = \
skewed(33, n.i, 8800);
INSERT INTO data SELECT 1690000000 + n.i * 7, 0, 'RFSENSOR', d.mac, 0, 0, 0, 0, 0, '5FE308BD-0000-0000-0000-00C0CA9A0B05', 'RTL433', \
json_object('model', word(skewed(34, n.i, 30)), 'temperature_C', pick(35, n.i, 300) / 10.0, 'humidity', pick(36, n.i, 100)) FROM numbers \
AS n JOIN d ON d.i = 1 + n.i % 40 WHERE n.i <= 12000;
INSERT INTO alerts SELECT 1690000000 + n.i * 18, 0, 'IEEE802.11', d.mac, 0, 0, CASE WHEN chance(37, n.i) < 0.7 THEN 'PROBECHAN' WHEN \
chance(37, n.i) < 0.97 THEN 'DEAUTHFLOOD' ELSE 'APSPOOF' END, json_object('kismet.alert.severity', pick(38, n.i, 20), 'kismet.alert.text', \
prose(39, n.i, 80)) FROM numbers AS n JOIN d ON d.i = skewed(40, n.i, 3000) AND d.phy = 'IEEE802.11' WHERE n.i <= 5000;
INSERT INTO messages SELECT 1690000000 + i * 4, 0, 0, CASE WHEN chance(41, i) < 0.9 THEN 'INFO' WHEN chance(41, i) < 0.98 THEN 'ALERT' \
ELSE 'ERROR' END, 'Detected new ' || iif(chance(42, i) < 0.7, '802.11 Wi-Fi device ', 'Bluetooth device ') || printf('%012X', i * 7919) || \
' ' || prose(43, i, 50) FROM numbers WHERE i <= 22000;
INSERT INTO snapshots SELECT 1690000000 + i * 6, 0, 0, 0, CASE WHEN i % 40 = 0 THEN 'SYSTEM' WHEN i % 4 = 0 THEN 'GPS' ELSE 'CHANNELS' \
END, json_object('uptime', i * 6, 'notes', prose(44, i, 250)) FROM numbers WHERE i <= 15000;
DROP TABLE d;

-- statement: kismet-01
-- is: full-scan
-- because: what is too old goes, once a minute: all packets are read for it
-- run: 1690000600

DELETE FROM packets WHERE ts_sec < ?

-- best
-- index: packets (ts_sec)

-- statement: kismet-02
-- is: full-scan, or-without-index, sort-without-index
-- because: the packets of a device, whatever it is in them
-- run: '04:05:01:74:1B:58' | '04:01:01:3D:1F:A9'

SELECT ts_sec, ts_usec, dlt, packet FROM packets WHERE sourcemac = ?1 OR destmac = ?1 OR transmac = ?1 ORDER BY ts_sec, ts_usec

-- best
-- index: packets (sourcemac)
-- index: packets (destmac)
-- index: packets (transmac)

-- statement: kismet-03
-- fine
-- tolerated: full-scan
-- because: all packets for a capture file, in the order in which they came

SELECT ts_sec, ts_usec, dlt, packet FROM packets

-- statement: kismet-04
-- is: expression-index, full-scan, function-on-column
-- because: the access points of a name: each document of all is parsed
-- run: 'floje' | 'stawe'

SELECT devmac, type, strongest_signal FROM devices WHERE json_extract(device, '$."dot11.device"."dot11.device.last_beaconed_ssid"') = ?

-- best
-- index: devices (json_extract(device, '$."dot11.device"."dot11.device.last_beaconed_ssid"'))

-- statement: kismet-05
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: devices of a manufacturer: LIKE ignores case, which the key does not, so that all of the kind are looked up
-- run: '4C:%' | '20:01:%'

SELECT devkey, type, last_time FROM devices WHERE phyname = 'IEEE802.11' AND devmac LIKE ? ORDER BY devmac

-- best

SELECT devkey, type, last_time FROM devices WHERE phyname = 'IEEE802.11' AND devmac >= rtrim(?1, '%') AND devmac < rtrim(?1, '%') || '~' \
ORDER BY devmac

-- statement: kismet-06
-- is: full-scan, index-not-covering, wide-rows-for-count
-- because: how many packets there are: without any index, all of them are walked with what they carry

SELECT count(*) FROM packets

-- best
-- index: packets (ts_sec)

-- or
-- index: packets (packetid)

-- statement: kismet-07
-- is: full-scan
-- because: devices in a part of the map: all documents are passed over
-- run: 52.31, 52.312, 4.9, 4.95

SELECT devmac, type, strongest_signal FROM devices WHERE avg_lat BETWEEN ? AND ? AND avg_lon BETWEEN ? AND ?

-- best
-- index: devices (avg_lat, avg_lon)

-- or
-- index: devices (avg_lat)

-- or
-- index: devices (avg_lat, avg_lon, devmac, type, strongest_signal)

-- statement: kismet-08
-- is: automatic-index, full-scan, group-without-index, index-not-covering
-- because: packets and bytes by the type of their device: wide rows are read and an index made for each run

SELECT d.type, count(*) AS packets, sum(p.packet_len) AS bytes FROM packets AS p JOIN devices AS d ON d.devkey = p.devkey GROUP BY d.type \
ORDER BY bytes DESC

-- best
-- index: packets (devkey, packet_len)
-- index: devices (devkey, type)

SELECT d.type, sum(p.packets) AS packets, sum(p.bytes) AS bytes FROM (SELECT devkey, count(*) AS packets, sum(packet_len) AS bytes FROM \
packets GROUP BY devkey) AS p JOIN devices AS d ON d.devkey = p.devkey GROUP BY d.type ORDER BY bytes DESC

-- statement: kismet-09
-- is: automatic-index, full-scan, subquery-per-row
-- because: packets by source: all are read twice for each

SELECT ds.name, ds.typestring, (SELECT count(*) FROM packets AS p WHERE p.datasource = ds.uuid) AS packets, (SELECT max(ts_sec) FROM \
packets AS p WHERE p.datasource = ds.uuid) AS latest FROM datasources AS ds ORDER BY ds.name

-- best
-- index: packets (datasource, ts_sec)

-- or

SELECT ds.name, ds.typestring, coalesce(p.packets, 0) AS packets, p.latest FROM datasources AS ds LEFT JOIN (SELECT datasource, count(*) \
AS packets, max(ts_sec) AS latest FROM packets GROUP BY datasource) AS p ON p.datasource = ds.uuid ORDER BY ds.name

-- statement: kismet-10
-- is: full-scan, sort-without-index
-- because: the state of the system within an hour
-- run: 1690040000, 1690043600

SELECT json FROM snapshots WHERE snaptype = 'SYSTEM' AND ts_sec BETWEEN ? AND ? ORDER BY ts_sec

-- best
-- index: snapshots (snaptype, ts_sec)

-- or
-- index: snapshots (ts_sec)

-- statement: kismet-11
-- is: expression-index, full-scan, function-on-column
-- because: the latest errors: the time is made a text for each message
-- run: '2023-07-23 02:00:00'

SELECT datetime(ts_sec, 'unixepoch') AS t, msgtype, message FROM messages WHERE datetime(ts_sec, 'unixepoch') >= ? AND msgtype = 'ERROR'

-- best
-- index: messages (msgtype, ts_sec)

SELECT datetime(ts_sec, 'unixepoch') AS t, msgtype, message FROM messages WHERE ts_sec >= CAST(strftime('%s', ?) AS INTEGER) AND msgtype = 'ERROR'

-- or
-- index: messages (msgtype)

-- or
-- index: messages (msgtype, datetime(ts_sec, 'unixepoch'))

-- statement: kismet-12
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: messages with something anywhere in them
-- run: '%Bluetooth device 00000%'

SELECT count(*) FROM messages WHERE message LIKE ?

-- statement: kismet-13
-- is: full-scan, subquery-per-row
-- because: devices of which no packet was kept: all packets are read for each
-- run: 1690010000, 1690010600

SELECT d.devmac, d.type FROM devices AS d WHERE d.first_time BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM packets AS p WHERE p.devkey = \
d.devkey) ORDER BY d.devmac

-- best
-- index: packets (devkey)

-- or

SELECT d.devmac, d.type FROM devices AS d WHERE d.first_time BETWEEN ? AND ? AND d.devkey NOT IN (SELECT p.devkey FROM packets AS p WHERE \
p.devkey IS NOT NULL) ORDER BY d.devmac

-- statement: kismet-14
-- fine
-- tolerated: full-scan
-- because: all alerts, and whether their device is still there, by its key

SELECT a.ts_sec, a.header, a.devmac, d.devmac IS NULL AS gone, json_extract(a.json, '$."kismet.alert.text"') AS text FROM alerts AS a LEFT \
JOIN devices AS d ON d.phyname = a.phyname AND d.devmac = a.devmac WHERE a.ts_sec >= 1690000000

-- statement: kismet-15
-- fine
-- because: a device is written anew in the place of the old row, by its key
-- run: 1690086000, -31, 5000, 'IEEE802.11', '04:01:01:08:1F:94'

INSERT INTO devices (first_time, last_time, devkey, phyname, devmac, strongest_signal, bytes_data, type, device) SELECT first_time, ?, \
devkey, phyname, devmac, max(strongest_signal, ?), bytes_data + ?, type, device FROM devices WHERE phyname = ? AND devmac = ?

-- statement: kismet-16
-- fine
-- tolerated: full-scan, group-without-index, sort-without-index
-- because: the temperatures of all sensors by hour: all documents are needed

WITH per AS (SELECT ts_sec / 3600 AS hour, json_extract(json, '$.model') AS model, avg(json_extract(json, '$.temperature_C')) AS mean, \
count(*) AS n FROM data GROUP BY hour, model)
SELECT hour, model, mean, mean - lag(mean) OVER (PARTITION BY model ORDER BY hour) AS change, n FROM per WHERE n > 3 ORDER BY model, hour

-- statement: kismet-17
-- fine
-- tolerated: full-scan, pattern-without-index, sort-without-index
-- because: the sources, of which there are five
-- run: 'linux%'

SELECT uuid, name, interface FROM datasources WHERE typestring LIKE ? ORDER BY name
