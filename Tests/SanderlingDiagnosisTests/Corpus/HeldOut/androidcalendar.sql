-- schema: androidcalendar
-- about: The calendars of a telephone: events and their exceptions, days, guests and reminders, kept together by triggers.
-- origin: Android CalendarProvider, database version 601 (Apache-2.0, Copyright The Android Open Source Project): nine of its tables with \
--   their indexes, triggers and the view of events, which has fewer columns of sync data here

CREATE TABLE Colors (_id INTEGER PRIMARY KEY, account_name TEXT NOT NULL, account_type TEXT NOT NULL, data TEXT, color_type INTEGER NOT \
NULL, color_index TEXT NOT NULL, color INTEGER NOT NULL);
CREATE TABLE Calendars (
  _id INTEGER PRIMARY KEY, account_name TEXT, account_type TEXT, _sync_id TEXT, dirty INTEGER, mutators TEXT, name TEXT, \
calendar_displayName TEXT, calendar_color INTEGER, calendar_color_index TEXT, calendar_access_level INTEGER,
  visible INTEGER NOT NULL DEFAULT 1, sync_events INTEGER NOT NULL DEFAULT 0, calendar_location TEXT, calendar_timezone TEXT, ownerAccount \
TEXT, isPrimary INTEGER, canOrganizerRespond INTEGER NOT NULL DEFAULT 1,
  canModifyTimeZone INTEGER DEFAULT 1, canPartiallyUpdate INTEGER DEFAULT 0, maxReminders INTEGER DEFAULT 5, allowedReminders TEXT DEFAULT \
'0,1', allowedAvailability TEXT DEFAULT '0,1', allowedAttendeeTypes TEXT DEFAULT '0,1,2',
  deleted INTEGER NOT NULL DEFAULT 0, cal_sync1 TEXT, cal_sync2 TEXT);
CREATE TABLE Events (
  _id INTEGER PRIMARY KEY AUTOINCREMENT, _sync_id TEXT, dirty INTEGER, mutators TEXT, lastSynced INTEGER DEFAULT 0, calendar_id INTEGER \
NOT NULL, title TEXT, eventLocation TEXT, description TEXT, eventColor INTEGER, eventColor_index TEXT,
  eventStatus INTEGER, selfAttendeeStatus INTEGER NOT NULL DEFAULT 0, dtstart INTEGER, dtend INTEGER, eventTimezone TEXT, duration TEXT, \
allDay INTEGER NOT NULL DEFAULT 0, accessLevel INTEGER NOT NULL DEFAULT 0,
  availability INTEGER NOT NULL DEFAULT 0, hasAlarm INTEGER NOT NULL DEFAULT 0, hasExtendedProperties INTEGER NOT NULL DEFAULT 0, rrule \
TEXT, rdate TEXT, exrule TEXT, exdate TEXT, original_id INTEGER, original_sync_id TEXT,
  originalInstanceTime INTEGER, originalAllDay INTEGER, lastDate INTEGER, hasAttendeeData INTEGER NOT NULL DEFAULT 0, guestsCanModify \
INTEGER NOT NULL DEFAULT 0, guestsCanInviteOthers INTEGER NOT NULL DEFAULT 1,
  guestsCanSeeGuests INTEGER NOT NULL DEFAULT 1, organizer STRING, isOrganizer INTEGER, deleted INTEGER NOT NULL DEFAULT 0, \
eventEndTimezone TEXT, customAppPackage TEXT, customAppUri TEXT, uid2445 TEXT, sync_data1 TEXT, sync_data2 TEXT);
CREATE INDEX eventsCalendarIdIndex ON Events (calendar_id);
CREATE TABLE EventsRawTimes (_id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL, dtstart2445 TEXT, dtend2445 TEXT, \
originalInstanceTime2445 TEXT, lastDate2445 TEXT, UNIQUE (event_id));
CREATE TABLE Instances (
  _id INTEGER PRIMARY KEY, event_id INTEGER, begin INTEGER, end INTEGER, startDay INTEGER, endDay INTEGER, startMinute INTEGER, endMinute \
INTEGER, UNIQUE (event_id, begin, end));
CREATE INDEX instancesStartDayIndex ON Instances (startDay);
CREATE TABLE Attendees (
  _id INTEGER PRIMARY KEY, event_id INTEGER, attendeeName TEXT, attendeeEmail TEXT, attendeeStatus INTEGER, attendeeRelationship INTEGER, \
attendeeType INTEGER, attendeeIdentity TEXT, attendeeIdNamespace TEXT);
CREATE INDEX attendeesEventIdIndex ON Attendees (event_id);
CREATE TABLE Reminders (_id INTEGER PRIMARY KEY, event_id INTEGER, minutes INTEGER, method INTEGER NOT NULL DEFAULT 0);
CREATE INDEX remindersEventIdIndex ON Reminders (event_id);
CREATE TABLE CalendarAlerts (
  _id INTEGER PRIMARY KEY, event_id INTEGER, begin INTEGER NOT NULL, end INTEGER NOT NULL, alarmTime INTEGER NOT NULL, creationTime \
INTEGER NOT NULL DEFAULT 0, receivedTime INTEGER NOT NULL DEFAULT 0, notifyTime INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL, minutes INTEGER, UNIQUE (alarmTime, begin, event_id));
CREATE INDEX calendarAlertsEventIdIndex ON CalendarAlerts (event_id);
CREATE TABLE ExtendedProperties (_id INTEGER PRIMARY KEY, event_id INTEGER, name TEXT, value TEXT);
CREATE INDEX extendedPropertiesEventIdIndex ON ExtendedProperties (event_id);
CREATE VIEW view_events AS SELECT Events._id AS _id, title, description, eventLocation, eventColor, eventColor_index, eventStatus, \
selfAttendeeStatus, dtstart, dtend, duration, eventTimezone, eventEndTimezone, allDay, accessLevel, availability, hasAlarm,
  hasExtendedProperties, rrule, rdate, exrule, exdate, original_sync_id, original_id, originalInstanceTime, originalAllDay, lastDate, \
hasAttendeeData, calendar_id, guestsCanInviteOthers, guestsCanModify, guestsCanSeeGuests, organizer,
  COALESCE(isOrganizer, organizer = ownerAccount) AS isOrganizer, customAppPackage, customAppUri, uid2445, sync_data1, sync_data2, \
Events.deleted AS deleted, Events._sync_id AS _sync_id, Events.dirty AS dirty, Events.mutators AS mutators, lastSynced,
  Calendars.account_name AS account_name, Calendars.account_type AS account_type, calendar_timezone, calendar_displayName, \
calendar_location, visible, calendar_color, calendar_color_index, calendar_access_level, maxReminders, ownerAccount, sync_events,
  ifnull(eventColor, calendar_color) AS displayColor
FROM Events JOIN Calendars ON (Events.calendar_id = Calendars._id);

INSERT INTO Colors SELECT i, word(1 + i % 3) || '@x.example', 'com.google', NULL, i % 2, CAST(i AS TEXT), i * 7919 FROM numbers WHERE i <= 60;
INSERT INTO Calendars (_id, account_name, account_type, _sync_id, dirty, calendar_displayName, calendar_color, visible, sync_events, \
ownerAccount, calendar_access_level)
SELECT i, iif(i <= 9, word(1 + i % 3) || '@x.example', 'local'), iif(i <= 9, 'com.google', 'LOCAL'), 'cal' || i, 0, title(1, i, 1), i * \
90, i <> 5, i <> 6, word(1 + i % 3) || '@x.example', 700 FROM numbers WHERE i <= 12;
INSERT INTO Events (_id, _sync_id, dirty, calendar_id, title, eventLocation, description, eventStatus, dtstart, dtend, eventTimezone, \
duration, allDay, hasAlarm, rrule, original_id, original_sync_id, originalInstanceTime, lastDate, hasAttendeeData, organizer, deleted, \
uid2445)
SELECT i, iif(chance(2, i) < 0.01, NULL, printf('%026x', i * 15485863)), chance(3, i) < 0.004, skewed(4, i, 12), title(5, i, 3), \
iif(chance(6, i) < 0.4, title(7, i, 2), NULL), iif(chance(8, i) < 0.5, prose(9, i, 80 + skewed(10, i, 900)), NULL), 1,
  1400000000000 + i * 14500000, iif(chance(11, i) < 0.04, NULL, 1400000000000 + i * 14500000 + 3600000), 'Europe/Berlin', iif(chance(11, \
i) < 0.04, 'P3600S', NULL), chance(12, i) < 0.1, chance(13, i) < 0.4, iif(chance(11, i) < 0.04, 'FREQ=WEEKLY', NULL),
  iif(chance(14, i) < 0.08, 1 + i / 60 * 30, NULL), iif(chance(14, i) < 0.08, printf('%026x', (1 + i / 60 * 30) * 15485863), NULL), \
iif(chance(14, i) < 0.08, 1400000000000 + i * 14500000, NULL),
  iif(chance(11, i) < 0.04, iif(chance(15, i) < 0.1, NULL, 1400000000000 + i * 14500000 + 8000000000), 1400000000000 + i * 14500000 + \
3600000), 1, word(skewed(16, i, 400)) || '@x.example', chance(17, i) < 0.01, 'uid-' || i
FROM numbers WHERE i <= 24000;
INSERT INTO EventsRawTimes (event_id, dtstart2445) SELECT _id, '20240101T100000' FROM Events;
INSERT INTO Instances (event_id, begin, end, startDay, endDay, startMinute, endMinute)
SELECT _id, dtstart, dtstart + 3600000, 2440588 + dtstart / 86400000, 2440588 + (dtstart + 3600000) / 86400000, 600, 660 FROM Events WHERE \
deleted = 0;
INSERT OR IGNORE INTO Instances (event_id, begin, end, startDay, endDay, startMinute, endMinute)
SELECT e._id, e.dtstart + w.i * 604800000, e.dtstart + w.i * 604800000 + 3600000, 2440588 + (e.dtstart + w.i * 604800000) / 86400000, \
2440588 + (e.dtstart + w.i * 604800000 + 3600000) / 86400000, 600, 660
FROM Events AS e JOIN numbers AS w ON w.i <= 12 WHERE e.rrule IS NOT NULL AND e.deleted = 0;
INSERT INTO Attendees (event_id, attendeeName, attendeeEmail, attendeeStatus, attendeeRelationship, attendeeType)
SELECT pick(18, i, 24000), title(19, skewed(20, i, 3000), 2), iif(chance(21, i) < 0.3, title(22, skewed(20, i, 3000), 1), word(skewed(20, \
i, 3000))) || '@x.example', pick(23, i, 4), 1, 1 FROM numbers WHERE i <= 50000;
INSERT INTO Reminders (event_id, minutes, method) SELECT pick(24, i, 24000), 10 * pick(25, i, 6), 1 FROM numbers WHERE i <= 12000;
INSERT OR IGNORE INTO CalendarAlerts (event_id, begin, end, alarmTime, creationTime, receivedTime, notifyTime, state, minutes)
SELECT pick(26, i, 24000), 1400000000000 + i * 17000000, 1400000000000 + i * 17000000 + 3600000, 1400000000000 + i * 17000000 - 600000, 0, \
0, 0, iif(chance(27, i) < 0.004, i % 2, 2), 10 FROM numbers WHERE i <= 20000;
INSERT INTO ExtendedProperties (event_id, name, value) SELECT pick(28, i, 24000), 'iconUrl', 'https://x.example/' || i FROM numbers WHERE i <= 6000;

CREATE TRIGGER events_cleanup_delete DELETE ON Events BEGIN
  DELETE FROM Instances WHERE event_id = old._id; DELETE FROM EventsRawTimes WHERE event_id = old._id; DELETE FROM Attendees WHERE \
event_id = old._id; DELETE FROM Reminders WHERE event_id = old._id;
  DELETE FROM CalendarAlerts WHERE event_id = old._id; DELETE FROM ExtendedProperties WHERE event_id = old._id;
END;
CREATE TRIGGER calendar_cleanup DELETE ON Calendars BEGIN DELETE FROM Events WHERE calendar_id = old._id; END;
CREATE TRIGGER original_sync_update UPDATE OF _sync_id ON Events BEGIN UPDATE Events SET original_sync_id = new._sync_id WHERE original_id \
= old._id; END;

-- statement: androidcalendar-01
-- is: full-scan
-- because: whether an event from the server is there already
-- sampled
-- run: '000000000000000012072595b8' | '0000000000000000481d82a287'

SELECT COUNT(*) FROM Events WHERE _sync_id = ?

-- best
-- index: Events (_sync_id)

-- statement: androidcalendar-02
-- is: full-scan
-- because: an event gets its name on the server: a trigger tells its exceptions, and reads all events for them
-- run: 'new0001', 4501 | 'new0002', 17001

UPDATE Events SET _sync_id = ? WHERE _id = ?

-- best
-- index: Events (original_id)

-- or
-- index: Events (original_id, original_sync_id)

-- or
-- index: Events (original_id) WHERE original_id IS NOT NULL

-- statement: androidcalendar-03
-- is: full-scan, index-not-covering
-- because: the exceptions of a repeated event: by its index all events of the calendar are read
-- run: '00000000000000001934e5f589', 1

SELECT _id, title, dtstart, originalInstanceTime FROM view_events WHERE original_sync_id = ? AND calendar_id = ?

-- best
-- index: Events (original_sync_id, calendar_id)

-- or
-- index: Events (calendar_id, original_sync_id)

-- statement: androidcalendar-04
-- is: full-scan, index-not-covering, join-order, missing-statistics, partial-index
-- because: what was changed on the telephone and has to go to the server: very few events
-- run: 'vace@x.example', 'com.google'

SELECT * FROM view_events WHERE dirty = 1 AND account_name = ? AND account_type = ?

-- best
-- index: Events (dirty)

-- or
-- index: Events (dirty, calendar_id)

-- or
-- index: Events (calendar_id) WHERE dirty = 1

-- or
-- index: Events (dirty) WHERE dirty = 1

-- statement: androidcalendar-05
-- is: automatic-index, full-scan, join-order, sort-without-index
-- because: the week on the screen: nearly all instances lie before it
-- run: 1742000000000, 1741400000000

SELECT Instances.event_id, title, begin, end, allDay, displayColor FROM Instances INNER JOIN view_events ON (Instances.event_id = \
view_events._id) WHERE begin <= ? AND end >= ? AND visible = 1 ORDER BY begin, end DESC, title

-- best
-- index: Instances (end, begin, event_id)

-- or
-- index: Instances (end)

-- or
-- index: Instances (end, begin)

-- statement: androidcalendar-06
-- is: full-scan, index-not-covering, join-order, or-without-index, partial-index, sort-without-index
-- because: alarms that ring now: by the unique index of the times all that ever rang are read
-- run: 0, 1, 1742000000000

SELECT CalendarAlerts._id, view_events.title, begin, end, alarmTime, state FROM CalendarAlerts, view_events WHERE view_events._id = \
CalendarAlerts.event_id AND (state = ? OR state = ?) AND alarmTime <= ? ORDER BY begin DESC, title ASC

-- best
-- index: CalendarAlerts (state, alarmTime)

-- or
-- index: CalendarAlerts (state)

-- or
-- index: CalendarAlerts (state, begin)

-- statement: androidcalendar-07
-- is: case-insensitive-without-index, full-scan, join-order, pattern-without-index
-- because: the meetings with somebody, whatever the case of the address
-- run: 'xigrudi@x.example' | 'FLOBRA@x.example'

SELECT v._id, v.title, v.dtstart, a.attendeeStatus FROM Attendees AS a JOIN view_events AS v ON v._id = a.event_id WHERE a.attendeeEmail \
LIKE ? ORDER BY v.dtstart DESC LIMIT 20

-- best
-- index: Attendees (attendeeEmail COLLATE NOCASE)

-- or
-- index: Attendees (attendeeEmail COLLATE NOCASE, event_id)

-- or
-- index: Attendees (attendeeEmail COLLATE NOCASE, event_id, attendeeStatus)

-- statement: androidcalendar-08
-- is: full-scan, large-offset, sort-without-index
-- because: an agenda scrolled far into the past

SELECT _id, title, dtstart, displayColor FROM view_events WHERE deleted = 0 AND visible = 1 ORDER BY dtstart DESC, _id DESC LIMIT 50 OFFSET 6000

-- best
-- index: Events (dtstart)
-- run: 1653213500000, 17463

SELECT _id, title, dtstart, displayColor FROM view_events WHERE deleted = 0 AND visible = 1 AND (dtstart, _id) < (?, ?) ORDER BY dtstart \
DESC, _id DESC LIMIT 50

-- or
-- index: Events (dtstart)

-- or
-- index: Events (deleted, dtstart)

-- statement: androidcalendar-09
-- is: full-scan, or-without-index
-- because: the events of a window of time, to repeat them in it: one branch of the OR has an OR within, and but for that each could use \
--   an index
-- run: 1742000000000, 1741400000000, 1742000000000, 1740800000000

SELECT _id, dtstart, lastDate, rrule, originalInstanceTime FROM view_events WHERE ((dtstart <= ?1 AND (lastDate IS NULL OR lastDate >= \
?2)) OR (originalInstanceTime IS NOT NULL AND originalInstanceTime <= ?3 AND originalInstanceTime >= ?4)) AND sync_events = 1

-- best
-- index: Events (lastDate, dtstart)
-- index: Events (originalInstanceTime)

SELECT _id, dtstart, lastDate, rrule, originalInstanceTime FROM view_events WHERE ((lastDate >= ?2 AND dtstart <= ?1) OR (lastDate IS NULL \
AND dtstart <= ?1) OR (originalInstanceTime <= ?3 AND originalInstanceTime >= ?4)) AND sync_events = 1

-- statement: androidcalendar-10
-- is: repeated-statement
-- because: the guests of each event of a calendar, one event after the other
-- operation: sync
-- run: 3255 | 3256 | 3263 | 3268 | 3276 | 3280 | 3286 | 3295 | 3302 | 3303 | 3304 | 3317 | 3318 | 3332 | 3335 | 3336 | 3346 | 3352 | 3355 \
--   | 3372 | 3373 | 3380 | 3383 | 3399 | 3404 | 3405 | 3408 | 3412 | 3416 | 3417 | 3418 | 3421 | 3422 | 3425 | 3431 | 3436 | 3441 | 3442 | \
--   3452 | 3463 | 3472 | 3482 | 3483 | 3485 | 3491 | 3510 | 3518 | 3520 | 3523 | 3535 | 3537 | 3540 | 3544 | 3550 | 3551 | 3555 | 3567 | 3570 \
--   | 3575 | 3579

SELECT event_id, attendeeName, attendeeEmail, attendeeStatus FROM Attendees WHERE event_id = ?

-- best
-- run: 3255, 3256, 3263, 3268, 3276, 3280, 3286, 3295, 3302, 3303, 3304, 3317, 3318, 3332, 3335, 3336, 3346, 3352, 3355, 3372, 3373, \
--   3380, 3383, 3399, 3404, 3405, 3408, 3412, 3416, 3417, 3418, 3421, 3422, 3425, 3431, 3436, 3441, 3442, 3452, 3463, 3472, 3482, 3483, 3485, \
--   3491, 3510, 3518, 3520, 3523, 3535, 3537, 3540, 3544, 3550, 3551, 3555, 3567, 3570, 3575, 3579

SELECT event_id, attendeeName, attendeeEmail, attendeeStatus FROM Attendees WHERE event_id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
?, ?, ?, ?, ?, ?,
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: androidcalendar-11
-- fine
-- because: an event goes, and by a trigger all that belongs to it, each by an index
-- run: 12345

DELETE FROM Events WHERE _id = ?

-- statement: androidcalendar-12
-- fine
-- tolerated: full-scan
-- because: there are few calendars
-- run: 'local', 'LOCAL'

SELECT * FROM Calendars WHERE account_name = ? AND account_type = ?

-- statement: androidcalendar-13
-- fine
-- tolerated: full-scan, subquery-per-row
-- because: guests of events that are gone, looked for at an update: all are compared, by an index and by keys

DELETE FROM Attendees WHERE event_id IN (SELECT event_id FROM Attendees LEFT OUTER JOIN Events ON event_id = Events._id WHERE Events._id IS NULL)
