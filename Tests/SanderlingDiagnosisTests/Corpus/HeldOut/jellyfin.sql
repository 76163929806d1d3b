-- schema: jellyfin
-- about: A media server: films, series and music as items of one wide table with many indexes, who plays in them, and what each user has \
--   seen.
-- origin: Jellyfin 12 (GPL-2.0, Copyright the Jellyfin contributors): fifteen of the tables of its Entity Framework model with their \
--   indexes, some of the items' many columns

CREATE TABLE Users (Id TEXT NOT NULL CONSTRAINT PK_Users PRIMARY KEY, Username TEXT NOT NULL, NormalizedUsername TEXT NOT NULL, Password \
TEXT, LastActivityDate TEXT, InternalId INTEGER NOT NULL, RowVersion INTEGER NOT NULL);
CREATE UNIQUE INDEX IX_Users_NormalizedUsername ON Users (NormalizedUsername);
CREATE UNIQUE INDEX IX_Users_Username ON Users (Username);
CREATE TABLE ActivityLogs (
  Id INTEGER NOT NULL CONSTRAINT PK_ActivityLogs PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, Overview TEXT, ShortOverview TEXT, Type \
TEXT NOT NULL, UserId TEXT NOT NULL, ItemId TEXT, DateCreated TEXT NOT NULL,
  LogSeverity INTEGER NOT NULL, RowVersion INTEGER NOT NULL);
CREATE INDEX IX_ActivityLogs_DateCreated ON ActivityLogs (DateCreated);
CREATE TABLE BaseItems (
  Id TEXT NOT NULL CONSTRAINT PK_BaseItems PRIMARY KEY, Type TEXT NOT NULL, Data TEXT, Path TEXT, StartDate TEXT, EndDate TEXT, ChannelId \
TEXT, IsMovie INTEGER NOT NULL, CommunityRating REAL, CustomRating TEXT,
  IndexNumber INTEGER, IsLocked INTEGER NOT NULL, Name TEXT, OfficialRating TEXT, MediaType TEXT, Overview TEXT, ParentIndexNumber \
INTEGER, PremiereDate TEXT, ProductionYear INTEGER, Genres TEXT, SortName TEXT,
  ForcedSortName TEXT, RunTimeTicks INTEGER, DateCreated TEXT, DateModified TEXT, IsSeries INTEGER NOT NULL, EpisodeTitle TEXT, IsRepeat \
INTEGER NOT NULL, PreferredMetadataLanguage TEXT, DateLastRefreshed TEXT,
  DateLastSaved TEXT, IsInMixedFolder INTEGER NOT NULL, Studios TEXT, Tags TEXT, IsFolder INTEGER NOT NULL, InheritedParentalRatingValue \
INTEGER, CriticRating REAL, IsVirtualItem INTEGER NOT NULL, SeriesName TEXT,
  CleanName TEXT, PresentationUniqueKey TEXT, OriginalTitle TEXT, PrimaryVersionId TEXT, DateLastMediaAdded TEXT, Album TEXT, \
NormalizationGain REAL, SeasonName TEXT, SeriesPresentationUniqueKey TEXT, Tagline TEXT,
  Width INTEGER, Height INTEGER, Size INTEGER, Audio INTEGER, ExtraType INTEGER, Artists TEXT, AlbumArtists TEXT, ParentId TEXT, \
TopParentId TEXT, SeasonId TEXT, SeriesId TEXT, OwnerId TEXT,
  CONSTRAINT FK_BaseItems_BaseItems_OwnerId FOREIGN KEY (OwnerId) REFERENCES BaseItems (Id), CONSTRAINT FK_BaseItems_BaseItems_ParentId \
FOREIGN KEY (ParentId) REFERENCES BaseItems (Id) ON DELETE CASCADE);
CREATE INDEX IX_BaseItems_ExtraType_OwnerId ON BaseItems (ExtraType, OwnerId);
CREATE INDEX IX_BaseItems_IsFolder_TopParentId_IsVirtualItem_PresentationUniqueKey_DateCreated ON BaseItems (IsFolder, TopParentId, \
IsVirtualItem, PresentationUniqueKey, DateCreated);
CREATE INDEX IX_BaseItems_MediaType_TopParentId_IsVirtualItem_PresentationUniqueKey ON BaseItems (MediaType, TopParentId, IsVirtualItem, \
PresentationUniqueKey);
CREATE INDEX IX_BaseItems_Name ON BaseItems (Name);
CREATE INDEX IX_BaseItems_OwnerId ON BaseItems (OwnerId);
CREATE INDEX IX_BaseItems_ParentId ON BaseItems (ParentId);
CREATE INDEX IX_BaseItems_Path ON BaseItems (Path);
CREATE INDEX IX_BaseItems_PresentationUniqueKey ON BaseItems (PresentationUniqueKey);
CREATE INDEX IX_BaseItems_SeasonId ON BaseItems (SeasonId);
CREATE INDEX IX_BaseItems_SeriesId ON BaseItems (SeriesId);
CREATE INDEX IX_BaseItems_SeriesName ON BaseItems (SeriesName);
CREATE INDEX IX_BaseItems_TopParentId_Id ON BaseItems (TopParentId, Id);
CREATE INDEX IX_BaseItems_TopParentId_IsFolder_IsVirtualItem_DateCreated ON BaseItems (TopParentId, IsFolder, IsVirtualItem, DateCreated);
CREATE INDEX IX_BaseItems_TopParentId_MediaType_IsVirtualItem_DateCreated ON BaseItems (TopParentId, MediaType, IsVirtualItem, DateCreated);
CREATE INDEX IX_BaseItems_TopParentId_Type_IsVirtualItem_DateCreated ON BaseItems (TopParentId, Type, IsVirtualItem, DateCreated);
CREATE INDEX IX_BaseItems_Type_CleanName ON BaseItems (Type, CleanName);
CREATE INDEX IX_BaseItems_Type_SeriesPresentationUniqueKey_IsFolder_IsVirtualItem ON BaseItems (Type, SeriesPresentationUniqueKey, \
IsFolder, IsVirtualItem);
CREATE INDEX IX_BaseItems_Type_SeriesPresentationUniqueKey_ParentIndexNumber_IndexNumber ON BaseItems (Type, SeriesPresentationUniqueKey, \
ParentIndexNumber, IndexNumber);
CREATE INDEX IX_BaseItems_Type_SeriesPresentationUniqueKey_PresentationUniqueKey_SortName ON BaseItems (Type, SeriesPresentationUniqueKey, \
PresentationUniqueKey, SortName);
CREATE INDEX IX_BaseItems_Type_TopParentId_Id ON BaseItems (Type, TopParentId, Id);
CREATE INDEX IX_BaseItems_Type_TopParentId_IsVirtualItem_PresentationUniqueKey_DateCreated ON BaseItems (Type, TopParentId, IsVirtualItem, \
PresentationUniqueKey, DateCreated);
CREATE INDEX IX_BaseItems_Type_TopParentId_PresentationUniqueKey ON BaseItems (Type, TopParentId, PresentationUniqueKey);
CREATE INDEX IX_BaseItems_Type_TopParentId_SortName ON BaseItems (Type, TopParentId, SortName);
CREATE INDEX IX_BaseItems_Type_TopParentId_StartDate ON BaseItems (Type, TopParentId, StartDate);
CREATE INDEX IX_BaseItems_PrimaryVersionId ON BaseItems (PrimaryVersionId) WHERE PrimaryVersionId IS NOT NULL;
CREATE INDEX IX_BaseItems_TopParentId_Type_IsVirtualItem ON BaseItems (TopParentId, Type, IsVirtualItem) WHERE PrimaryVersionId IS NULL \
AND (OwnerId IS NULL OR ExtraType IS NOT NULL);
CREATE TABLE AncestorIds (
  ParentItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE, ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE \
CASCADE, CONSTRAINT PK_AncestorIds PRIMARY KEY (ItemId, ParentItemId));
CREATE INDEX IX_AncestorIds_ParentItemId ON AncestorIds (ParentItemId);
CREATE TABLE BaseItemImageInfos (
  Id TEXT NOT NULL CONSTRAINT PK_BaseItemImageInfos PRIMARY KEY, Path TEXT NOT NULL, DateModified TEXT, ImageType INTEGER NOT NULL, Width \
INTEGER NOT NULL, Height INTEGER NOT NULL, Blurhash BLOB,
  ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE);
CREATE INDEX IX_BaseItemImageInfos_ItemId_ImageType ON BaseItemImageInfos (ItemId, ImageType);
CREATE TABLE BaseItemProviders (
  ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE, ProviderId TEXT NOT NULL, ProviderValue TEXT NOT NULL, CONSTRAINT \
PK_BaseItemProviders PRIMARY KEY (ItemId, ProviderId));
CREATE INDEX IX_BaseItemProviders_ProviderId_ItemId_ProviderValue ON BaseItemProviders (ProviderId, ItemId, ProviderValue);
CREATE TABLE ItemValues (ItemValueId TEXT NOT NULL CONSTRAINT PK_ItemValues PRIMARY KEY, Type INTEGER NOT NULL, Value TEXT NOT NULL, \
CleanValue TEXT NOT NULL);
CREATE INDEX IX_ItemValues_Type_CleanValue ON ItemValues (Type, CleanValue);
CREATE UNIQUE INDEX IX_ItemValues_Type_Value ON ItemValues (Type, Value);
CREATE TABLE ItemValuesMap (
  ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE, ItemValueId TEXT NOT NULL REFERENCES ItemValues (ItemValueId) ON \
DELETE CASCADE, CONSTRAINT PK_ItemValuesMap PRIMARY KEY (ItemValueId, ItemId));
CREATE INDEX IX_ItemValuesMap_ItemId ON ItemValuesMap (ItemId);
CREATE TABLE MediaSegments (
  Id TEXT NOT NULL CONSTRAINT PK_MediaSegments PRIMARY KEY, ItemId TEXT NOT NULL, Type INTEGER NOT NULL, EndTicks INTEGER NOT NULL, \
StartTicks INTEGER NOT NULL, SegmentProviderId TEXT NOT NULL);
CREATE TABLE MediaStreamInfos (
  ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE, StreamIndex INTEGER NOT NULL, StreamType INTEGER NOT NULL, Codec TEXT, \
Language TEXT, ChannelLayout TEXT, Profile TEXT, AspectRatio TEXT, Path TEXT,
  IsInterlaced INTEGER, BitRate INTEGER, Channels INTEGER, SampleRate INTEGER, IsDefault INTEGER NOT NULL, IsForced INTEGER NOT NULL, \
IsExternal INTEGER NOT NULL, Height INTEGER, Width INTEGER, Title TEXT,
  CONSTRAINT PK_MediaStreamInfos PRIMARY KEY (ItemId, StreamIndex));
CREATE INDEX IX_MediaStreamInfos_StreamType_ItemId_Language_IsExternal ON MediaStreamInfos (StreamType, ItemId, Language, IsExternal);
CREATE TABLE Peoples (Id TEXT NOT NULL CONSTRAINT PK_Peoples PRIMARY KEY, Name TEXT NOT NULL, PersonType TEXT);
CREATE INDEX IX_Peoples_Name ON Peoples (Name);
CREATE TABLE PeopleBaseItemMap (
  ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE, PeopleId TEXT NOT NULL REFERENCES Peoples (Id) ON DELETE CASCADE, \
SortOrder INTEGER, ListOrder INTEGER, Role TEXT NOT NULL,
  CONSTRAINT PK_PeopleBaseItemMap PRIMARY KEY (ItemId, PeopleId, Role));
CREATE INDEX IX_PeopleBaseItemMap_ItemId_ListOrder ON PeopleBaseItemMap (ItemId, ListOrder);
CREATE INDEX IX_PeopleBaseItemMap_ItemId_SortOrder ON PeopleBaseItemMap (ItemId, SortOrder);
CREATE INDEX IX_PeopleBaseItemMap_PeopleId_ItemId ON PeopleBaseItemMap (PeopleId, ItemId);
CREATE TABLE UserData (
  CustomDataKey TEXT NOT NULL, ItemId TEXT NOT NULL REFERENCES BaseItems (Id) ON DELETE CASCADE, UserId TEXT NOT NULL REFERENCES Users \
(Id) ON DELETE CASCADE, Rating REAL, PlaybackPositionTicks INTEGER NOT NULL,
  PlayCount INTEGER NOT NULL, IsFavorite INTEGER NOT NULL, LastPlayedDate TEXT, Played INTEGER NOT NULL, AudioStreamIndex INTEGER, \
SubtitleStreamIndex INTEGER, Likes INTEGER, RetentionDate TEXT,
  CONSTRAINT PK_UserData PRIMARY KEY (ItemId, UserId, CustomDataKey));
CREATE INDEX IX_UserData_ItemId_UserId_IsFavorite ON UserData (ItemId, UserId, IsFavorite);
CREATE INDEX IX_UserData_ItemId_UserId_LastPlayedDate ON UserData (ItemId, UserId, LastPlayedDate);
CREATE INDEX IX_UserData_ItemId_UserId_PlaybackPositionTicks ON UserData (ItemId, UserId, PlaybackPositionTicks);
CREATE INDEX IX_UserData_ItemId_UserId_Played ON UserData (ItemId, UserId, Played);
CREATE INDEX IX_UserData_UserId_IsFavorite_ItemId ON UserData (UserId, IsFavorite, ItemId);
CREATE INDEX IX_UserData_UserId_ItemId_LastPlayedDate ON UserData (UserId, ItemId, LastPlayedDate);
CREATE INDEX IX_UserData_UserId_Played_ItemId ON UserData (UserId, Played, ItemId);

INSERT INTO Users SELECT printf('9%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), word(i * 40), upper(word(i * 40)), NULL, NULL, i, 1 FROM \
numbers WHERE i <= 7;
INSERT INTO BaseItems (Id, Type, Name, SortName, CleanName, IsFolder, IsSeries, IsMovie, IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat)
SELECT printf('1%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.Folder', word(i), word(i), word(i), 1, 0, 0, \
0, 0, 0, 0 FROM numbers WHERE i <= 3;
INSERT INTO BaseItems (Id, Type, ParentId, TopParentId, Name, CleanName, SortName, Path, MediaType, IsFolder, IsSeries, IsMovie, \
IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat, DateCreated, PremiereDate, ProductionYear,
  PresentationUniqueKey, SeriesPresentationUniqueKey, SeriesId, SeasonId, SeriesName, ParentIndexNumber, IndexNumber, RunTimeTicks, \
CommunityRating, OfficialRating, Genres, Album, Overview, Data)
SELECT printf('D%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.Movies.Movie', \
'10000001-5B2F-4C1D-9E3A-000000001EEF', '10000001-5B2F-4C1D-9E3A-000000001EEF', title(1, i, 3), lower(title(1, i, 3)),
  lower(title(1, i, 3)) || printf(' %06d', i), '/media/films/' || title(1, i, 3) || ' (' || i || ').mkv', 'Video', 0, 0, 1, 0, 0, 0, 0, \
strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 9000 % 150000000 + i, 'unixepoch'),
  strftime('%Y-%m-%d %H:%M:%S', 100000000 + pick(2, i, 1600000000), 'unixepoch'), CAST(strftime('%Y', 100000000 + pick(2, i, 1600000000), \
'unixepoch') AS INTEGER), printf('%08x', i * 7919), NULL, NULL, NULL, NULL, NULL, NULL,
  pick(8, i, 90) * 600000000, round(3 + chance(9, i) * 6, 1), CASE WHEN chance(10, i) < 0.5 THEN 'PG-13' END, word(skewed(11, i, 40)), \
NULL, prose(12, i, 120 + pick(13, i, 200)), '{"Id":"' || i || '","ProviderIds":{},"People":"'
  || prose(14, i, 160) || '"}'
FROM numbers WHERE i <= 3600;
INSERT INTO BaseItems (Id, Type, ParentId, TopParentId, Name, CleanName, SortName, Path, MediaType, IsFolder, IsSeries, IsMovie, \
IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat, DateCreated, PremiereDate, ProductionYear,
  PresentationUniqueKey, SeriesPresentationUniqueKey, SeriesId, SeasonId, SeriesName, ParentIndexNumber, IndexNumber, RunTimeTicks, \
CommunityRating, OfficialRating, Genres, Album, Overview, Data)
SELECT printf('A%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.TV.Series', \
'10000002-5B2F-4C1D-9E3A-000000003DDE', '10000002-5B2F-4C1D-9E3A-000000003DDE', title(3, i, 2), lower(title(3, i, 2)),
  lower(title(3, i, 2)) || printf(' %06d', i), '/media/series/' || title(3, i, 2) || ' ' || i, NULL, 1, 1, 0, 0, 0, 0, 0, \
strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 9000 % 150000000 + i, 'unixepoch'),
  strftime('%Y-%m-%d %H:%M:%S', 800000000 + pick(4, i, 900000000), 'unixepoch'), CAST(strftime('%Y', 800000000 + pick(4, i, 900000000), \
'unixepoch') AS INTEGER), printf('%08x', i * 7919), printf('%08x', (i) * 7919),
  printf('A%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), NULL, NULL, NULL, NULL, pick(8, i, 90) * 600000000, round(3 + chance(9, i) * 6, 1), \
CASE WHEN chance(10, i) < 0.5 THEN 'PG-13' END, word(skewed(11, i, 40)), NULL, prose(12, i,
  120 + pick(13, i, 200)), '{"Id":"' || i || '","ProviderIds":{},"People":"' || prose(14, i, 160) || '"}'
FROM numbers WHERE i <= 200;
INSERT INTO BaseItems (Id, Type, ParentId, TopParentId, Name, CleanName, SortName, Path, MediaType, IsFolder, IsSeries, IsMovie, \
IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat, DateCreated, PremiereDate, ProductionYear,
  PresentationUniqueKey, SeriesPresentationUniqueKey, SeriesId, SeasonId, SeriesName, ParentIndexNumber, IndexNumber, RunTimeTicks, \
CommunityRating, OfficialRating, Genres, Album, Overview, Data)
SELECT printf('B%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.TV.Season', \
printf('A%07X-5B2F-4C1D-9E3A-%012X', (i - 1) / 4 + 1, ((i - 1) / 4 + 1) * 7919), '10000002-5B2F-4C1D-9E3A-000000003DDE',
  'Season ' || (1 + (i - 1) % 4), lower('Season ' || (1 + (i - 1) % 4)), lower('Season ' || (1 + (i - 1) % 4)) || printf(' %06d', i), \
'/media/series/' || title(3, (i - 1) / 4 + 1, 2) || '/Season ' || i, NULL, 1, 0, 0, 0, 0, 0, 0,
  strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 9000 % 150000000 + i, 'unixepoch'), NULL, NULL, printf('%08x', i * 7919), printf('%08x', \
((i - 1) / 4 + 1) * 7919), printf('A%07X-5B2F-4C1D-9E3A-%012X', (i - 1) / 4 + 1, ((i - 1) /
  4 + 1) * 7919), NULL, title(3, (i - 1) / 4 + 1, 2), NULL, 1 + (i - 1) % 4, pick(8, i, 90) * 600000000, round(3 + chance(9, i) * 6, 1), \
CASE WHEN chance(10, i) < 0.5 THEN 'PG-13' END, word(skewed(11, i, 40)), NULL, prose(12, i,
  120 + pick(13, i, 200)), '{"Id":"' || i || '","ProviderIds":{},"People":"' || prose(14, i, 160) || '"}'
FROM numbers WHERE i <= 800;
INSERT INTO BaseItems (Id, Type, ParentId, TopParentId, Name, CleanName, SortName, Path, MediaType, IsFolder, IsSeries, IsMovie, \
IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat, DateCreated, PremiereDate, ProductionYear,
  PresentationUniqueKey, SeriesPresentationUniqueKey, SeriesId, SeasonId, SeriesName, ParentIndexNumber, IndexNumber, RunTimeTicks, \
CommunityRating, OfficialRating, Genres, Album, Overview, Data)
SELECT printf('C%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.TV.Episode', \
printf('B%07X-5B2F-4C1D-9E3A-%012X', (i - 1) / 12 + 1, ((i - 1) / 12 + 1) * 7919), '10000002-5B2F-4C1D-9E3A-000000003DDE',
  title(5, i, 3), lower(title(5, i, 3)), lower(title(5, i, 3)) || printf(' %06d', i), '/media/series/' || title(3, (i - 1) / 48 + 1, 2) || \
'/Season/' || i || '.mkv', 'Video', 0, 0, 0, chance(15, i) < 0.02, 0, 0, 0,
  strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 9000 % 150000000 + i, 'unixepoch'), strftime('%Y-%m-%d %H:%M:%S', 800000000 + i * 60000, \
'unixepoch'), CAST(strftime('%Y', 800000000 + i * 60000, 'unixepoch') AS INTEGER),
  printf('%08x', i * 7919), printf('%08x', ((i - 1) / 48 + 1) * 7919), printf('A%07X-5B2F-4C1D-9E3A-%012X', (i - 1) / 48 + 1, ((i - 1) / \
48 + 1) * 7919), printf('B%07X-5B2F-4C1D-9E3A-%012X', (i - 1) / 12 + 1, ((i - 1) / 12 + 1) *
  7919), title(3, (i - 1) / 48 + 1, 2), 1 + (i - 1) / 12 % 4, 1 + (i - 1) % 12, pick(8, i, 90) * 600000000, round(3 + chance(9, i) * 6, \
1), CASE WHEN chance(10, i) < 0.5 THEN 'PG-13' END, word(skewed(11, i, 40)), NULL, prose(12,
  i, 120 + pick(13, i, 200)), '{"Id":"' || i || '","ProviderIds":{},"People":"' || prose(14, i, 160) || '"}'
FROM numbers WHERE i <= 9600;
INSERT INTO BaseItems (Id, Type, ParentId, TopParentId, Name, CleanName, SortName, Path, MediaType, IsFolder, IsSeries, IsMovie, \
IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat, DateCreated, PremiereDate, ProductionYear,
  PresentationUniqueKey, SeriesPresentationUniqueKey, SeriesId, SeasonId, SeriesName, ParentIndexNumber, IndexNumber, RunTimeTicks, \
CommunityRating, OfficialRating, Genres, Album, Overview, Data)
SELECT printf('F%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.Audio.MusicAlbum', \
'10000003-5B2F-4C1D-9E3A-000000005CCD', '10000003-5B2F-4C1D-9E3A-000000005CCD', title(6, i, 2), lower(title(6, i,
  2)), lower(title(6, i, 2)) || printf(' %06d', i), '/media/music/' || i, NULL, 1, 0, 0, 0, 0, 0, 0, strftime('%Y-%m-%d %H:%M:%S', \
1600000000 + i * 9000 % 150000000 + i, 'unixepoch'), NULL, NULL, printf('%08x', i * 7919), NULL,
  NULL, NULL, NULL, NULL, NULL, pick(8, i, 90) * 600000000, round(3 + chance(9, i) * 6, 1), CASE WHEN chance(10, i) < 0.5 THEN 'PG-13' \
END, word(skewed(11, i, 40)), NULL, prose(12, i, 120 + pick(13, i, 200)), '{"Id":"' || i ||
  '","ProviderIds":{},"People":"' || prose(14, i, 160) || '"}'
FROM numbers WHERE i <= 500;
INSERT INTO BaseItems (Id, Type, ParentId, TopParentId, Name, CleanName, SortName, Path, MediaType, IsFolder, IsSeries, IsMovie, \
IsVirtualItem, IsLocked, IsInMixedFolder, IsRepeat, DateCreated, PremiereDate, ProductionYear,
  PresentationUniqueKey, SeriesPresentationUniqueKey, SeriesId, SeasonId, SeriesName, ParentIndexNumber, IndexNumber, RunTimeTicks, \
CommunityRating, OfficialRating, Genres, Album, Overview, Data)
SELECT printf('E%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), 'MediaBrowser.Controller.Entities.Audio.Audio', \
printf('F%07X-5B2F-4C1D-9E3A-%012X', (i - 1) / 11 + 1, ((i - 1) / 11 + 1) * 7919), '10000003-5B2F-4C1D-9E3A-000000005CCD',
  title(7, i, 3), lower(title(7, i, 3)), lower(title(7, i, 3)) || printf(' %06d', i), '/media/music/' || ((i - 1) / 11 + 1) || '/' || i || \
'.flac', 'Audio', 0, 0, 0, 0, 0, 0, 0, strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 9000
  % 150000000 + i, 'unixepoch'), NULL, NULL, printf('%08x', i * 7919), NULL, NULL, NULL, NULL, NULL, 1 + (i - 1) % 11, pick(8, i, 90) * \
600000000, round(3 + chance(9, i) * 6, 1), CASE WHEN chance(10, i) < 0.5 THEN 'PG-13' END,
  word(skewed(11, i, 40)), title(6, (i - 1) / 11 + 1, 2), prose(12, i, 120 + pick(13, i, 200)), '{"Id":"' || i || \
'","ProviderIds":{},"People":"' || prose(14, i, 160) || '"}'
FROM numbers WHERE i <= 5500;
INSERT INTO AncestorIds SELECT ParentId, Id FROM BaseItems WHERE ParentId IS NOT NULL;
INSERT OR IGNORE INTO AncestorIds SELECT SeriesId, Id FROM BaseItems WHERE SeriesId IS NOT NULL AND SeriesId <> Id;
INSERT OR IGNORE INTO AncestorIds SELECT TopParentId, Id FROM BaseItems WHERE TopParentId IS NOT NULL;
INSERT INTO BaseItemImageInfos SELECT printf('7%07X-5B2F-4C1D-9E3A-%012X', rowid, (rowid) * 7919), '/config/metadata/' || Id || \
'/poster.jpg', '2024-01-01 00:00:00', 0, 1000, 1500, NULL, Id FROM BaseItems WHERE Type <>
  'MediaBrowser.Controller.Entities.Audio.Audio';
INSERT INTO BaseItemImageInfos SELECT printf('8%07X-5B2F-4C1D-9E3A-%012X', rowid, (rowid) * 7919), '/config/metadata/' || Id || \
'/backdrop.jpg', '2024-01-01 00:00:00', 2, 1920, 1080, NULL, Id FROM BaseItems WHERE Type IN
  ('MediaBrowser.Controller.Entities.Movies.Movie', 'MediaBrowser.Controller.Entities.TV.Series');
INSERT INTO BaseItemProviders SELECT Id, 'Tmdb', CAST(100 + rowid * 7919 % 900007 AS TEXT) FROM BaseItems WHERE Type IN \
('MediaBrowser.Controller.Entities.Movies.Movie', 'MediaBrowser.Controller.Entities.TV.Series',
  'MediaBrowser.Controller.Entities.TV.Episode') AND chance(20, rowid) < 0.95;
INSERT INTO BaseItemProviders SELECT Id, 'Imdb', 'tt' || printf('%07d', rowid * 7919 % 9000011) FROM BaseItems WHERE Type IN \
('MediaBrowser.Controller.Entities.Movies.Movie', 'MediaBrowser.Controller.Entities.TV.Series',
  'MediaBrowser.Controller.Entities.TV.Episode') AND chance(21, rowid) < 0.8;
INSERT INTO ItemValues SELECT printf('4%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), CASE WHEN i <= 60 THEN 2 WHEN i <= 500 THEN 3 WHEN i <= \
1400 THEN 0 ELSE 4 END, title(22, i, 1) || ' ' || word(i), lower(title(22, i, 1) || ' ' ||
  word(i)) FROM numbers WHERE i <= 2200;
INSERT OR IGNORE INTO ItemValuesMap SELECT b.Id, printf('4%07X-5B2F-4C1D-9E3A-%012X', skewed(23, b.rowid * 4 + n.i, 60), (skewed(23, \
b.rowid * 4 + n.i, 60)) * 7919) FROM BaseItems AS b JOIN numbers AS n ON n.i <= 2 WHERE b.Type IN
  ('MediaBrowser.Controller.Entities.Movies.Movie', 'MediaBrowser.Controller.Entities.TV.Series');
INSERT OR IGNORE INTO ItemValuesMap SELECT b.Id, printf('4%07X-5B2F-4C1D-9E3A-%012X', 60 + skewed(24, b.rowid, 440), (60 + skewed(24, \
b.rowid, 440)) * 7919) FROM BaseItems AS b WHERE b.Type IN
  ('MediaBrowser.Controller.Entities.Movies.Movie', 'MediaBrowser.Controller.Entities.TV.Series');
INSERT OR IGNORE INTO ItemValuesMap SELECT b.Id, printf('4%07X-5B2F-4C1D-9E3A-%012X', 500 + skewed(25, b.rowid, 900), (500 + skewed(25, \
b.rowid, 900)) * 7919) FROM BaseItems AS b WHERE b.Type =
  'MediaBrowser.Controller.Entities.Audio.Audio';
INSERT INTO MediaSegments SELECT printf('5%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), printf('C%07X-5B2F-4C1D-9E3A-%012X', (i + 1) / 2, \
((i + 1) / 2) * 7919), 1 + i % 2 * 4, i % 2 * 1200000000 + 900000000, i % 2 * 1200000000,
  'Chapter Segments Provider' FROM numbers WHERE i <= 19000;
INSERT INTO MediaStreamInfos (ItemId, StreamIndex, StreamType, Codec, Language, BitRate, Channels, IsDefault, IsForced, IsExternal, Height, Width)
SELECT b.Id, n.i - 1, CASE n.i WHEN 1 THEN 1 WHEN 2 THEN 0 ELSE 2 END, CASE n.i WHEN 1 THEN 'hevc' WHEN 2 THEN 'aac' ELSE 'subrip' END, \
CASE WHEN n.i > 1 THEN word(skewed(26, b.rowid * 4 + n.i, 20)) END, pick(27, b.rowid,
  9000000), 2, 1, 0, 0,
  CASE n.i WHEN 1 THEN iif(chance(28, b.rowid) < 0.015, 2160, 1080) END, CASE n.i WHEN 1 THEN iif(chance(28, b.rowid) < 0.015, 3840, 1920) END
FROM BaseItems AS b JOIN numbers AS n ON n.i <= 3 WHERE b.MediaType = 'Video';
INSERT INTO Peoples SELECT printf('6%07X-5B2F-4C1D-9E3A-%012X', i, (i) * 7919), title(29, i, 1) || ' ' || title(30, i, 1), CASE WHEN \
chance(31, i) < 0.9 THEN 'Actor' WHEN chance(31, i) < 0.96 THEN 'Director' WHEN chance(31, i) <
  0.995 THEN 'Writer' ELSE 'Composer' END FROM numbers WHERE i <= 16000;
INSERT OR IGNORE INTO PeopleBaseItemMap SELECT b.Id, printf('6%07X-5B2F-4C1D-9E3A-%012X', skewed(32, b.rowid * 8 + n.i, 16000), \
(skewed(32, b.rowid * 8 + n.i, 16000)) * 7919), n.i, n.i, word(b.rowid) FROM BaseItems AS b JOIN
  numbers AS n ON n.i <= 6 WHERE b.Type IN ('MediaBrowser.Controller.Entities.Movies.Movie', 'MediaBrowser.Controller.Entities.TV.Series');
INSERT INTO UserData
SELECT Id, Id, u, NULL, iif(chance(33, r * 8 + n) < 0.012, pick(34, r, 9000) * 10000000, 0), 1, chance(35, r * 8 + n) < 0.01, \
strftime('%Y-%m-%d %H:%M:%S', 1600000000 + pick(36, r * 8 + n, 119000000), 'unixepoch'), chance(37, r *
  8 + n) < 0.9, NULL, NULL, NULL, NULL
FROM (SELECT b.Id AS Id, b.rowid AS r, n.i AS n, printf('9%07X-5B2F-4C1D-9E3A-%012X', n.i, (n.i) * 7919) AS u FROM BaseItems AS b JOIN \
numbers AS n ON n.i <= 7 WHERE b.MediaType = 'Video' AND chance(38, b.rowid * 8 + n.i) < 0.5 /
  n.i);
INSERT INTO ActivityLogs SELECT i, title(39, i, 4), NULL, NULL, CASE WHEN chance(40, i) < 0.5 THEN 'VideoPlayback' WHEN chance(40, i) < \
0.95 THEN 'SessionStarted' ELSE 'TaskCompleted' END,
  CASE WHEN chance(41, i) < 0.03 THEN '00000000-0000-0000-0000-000000000000' ELSE printf('9%07X-5B2F-4C1D-9E3A-%012X', iif(i < 3000, 1 + i \
% 7, 1 + i % 3), (iif(i < 3000, 1 + i % 7, 1 + i % 3)) * 7919) END, NULL,
    strftime('%Y-%m-%d %H:%M:%S', 1600000000 + i * 4000, 'unixepoch'), CASE WHEN chance(42, i) < 0.02 THEN 4 ELSE 2 END, 1 FROM numbers \
WHERE i <= 30000;
ANALYZE;

-- statement: jellyfin-01
-- is: full-scan, sort-without-index
-- because: the intro and the end of an episode: segments have no index of items
-- sampled
-- run: 'C0000190-5B2F-4C1D-9E3A-000000305570' | 'C0002328-5B2F-4C1D-9E3A-0000043F8258'

SELECT m.Id, m.EndTicks, m.ItemId, m.SegmentProviderId, m.StartTicks, m.Type FROM MediaSegments AS m WHERE m.ItemId = ? AND m.Type IN (1, 5)
ORDER BY m.StartTicks

-- best
-- index: MediaSegments (ItemId)

-- or
-- index: MediaSegments (ItemId, StartTicks)

-- or
-- index: MediaSegments (ItemId, Type)

-- statement: jellyfin-02
-- is: full-scan, index-not-covering, sort-without-index
-- because: what a user did last who hasn't been here for long: all that others did since is passed over
-- run: '90000006-5B2F-4C1D-9E3A-00000000B99A' | '90000007-5B2F-4C1D-9E3A-00000000D889'

SELECT a.Id, a.Name, a.Type, a.DateCreated, a.LogSeverity FROM ActivityLogs AS a WHERE a.UserId = ? ORDER BY a.DateCreated DESC LIMIT 25

-- best
-- index: ActivityLogs (UserId, DateCreated)

-- or
-- index: ActivityLogs (UserId)

-- statement: jellyfin-03
-- is: full-scan, index-not-covering, join-order, partial-index, sort-without-index, subquery-per-row
-- because: what a user began and didn't end: each film and episode is asked, instead of the few rows that say so
-- run: '90000002-5B2F-4C1D-9E3A-000000003DDE' | '90000005-5B2F-4C1D-9E3A-000000009AAB'

SELECT b.Id, b.Name, b.SeriesName FROM BaseItems AS b WHERE b.MediaType = 'Video' AND b.IsVirtualItem = 0 AND EXISTS (SELECT 1 FROM UserData AS u
WHERE b.Id = u.ItemId AND u.UserId = ?1 AND u.PlaybackPositionTicks > 0) ORDER BY (SELECT u0.LastPlayedDate FROM UserData AS u0
WHERE b.Id = u0.ItemId AND u0.UserId = ?1 LIMIT 1) DESC LIMIT 12

-- best
-- index: UserData (UserId, PlaybackPositionTicks)

SELECT b.Id, b.Name, b.SeriesName FROM UserData AS u JOIN BaseItems AS b ON b.Id = u.ItemId WHERE u.UserId = ?1 AND u.PlaybackPositionTicks > 0
AND b.MediaType = 'Video' AND b.IsVirtualItem = 0 ORDER BY u.LastPlayedDate DESC LIMIT 12

-- or
-- index: UserData (UserId, PlaybackPositionTicks, ItemId)

SELECT b.Id, b.Name, b.SeriesName FROM BaseItems AS b WHERE b.MediaType = 'Video' AND b.IsVirtualItem = 0 AND b.Id IN (SELECT u.ItemId
FROM UserData AS u WHERE u.UserId = ?1 AND u.PlaybackPositionTicks > 0) ORDER BY (SELECT u0.LastPlayedDate FROM UserData AS u0
WHERE b.Id = u0.ItemId AND u0.UserId = ?1 LIMIT 1) DESC LIMIT 12

-- statement: jellyfin-04
-- is: full-scan, index-not-covering, join-order, sort-without-index, subquery-per-row
-- because: films of a rare genre: each film's genres are looked up, though the genre knows its films
-- run: '10000001-5B2F-4C1D-9E3A-000000001EEF', 'natreha quipe' | '10000001-5B2F-4C1D-9E3A-000000001EEF', 'wetuha drilo'

SELECT b.Id, b.Name, b.ProductionYear FROM BaseItems AS b WHERE b.Type = 'MediaBrowser.Controller.Entities.Movies.Movie' AND b.TopParentId = ?
AND EXISTS (SELECT 1 FROM ItemValuesMap AS m INNER JOIN ItemValues AS v ON m.ItemValueId = v.ItemValueId WHERE b.Id = m.ItemId AND v.Type = 2
AND v.CleanValue = ?) ORDER BY b.SortName LIMIT 100

-- best

SELECT b.Id, b.Name, b.ProductionYear FROM BaseItems AS b WHERE b.Type = 'MediaBrowser.Controller.Entities.Movies.Movie' AND b.TopParentId = ?
AND b.Id IN (SELECT m.ItemId FROM ItemValues AS v INNER JOIN ItemValuesMap AS m ON m.ItemValueId = v.ItemValueId WHERE v.Type = 2
AND v.CleanValue = ?) ORDER BY b.SortName LIMIT 100

-- statement: jellyfin-05
-- is: full-scan, index-not-covering, sort-without-index
-- because: films of some years: each film of the library is looked up for its year
-- run: '10000001-5B2F-4C1D-9E3A-000000001EEF', 1994, 1995 | '10000001-5B2F-4C1D-9E3A-000000001EEF', 2015, 2016

SELECT b.Id, b.Name, b.ProductionYear FROM BaseItems AS b WHERE b.Type = 'MediaBrowser.Controller.Entities.Movies.Movie' AND b.TopParentId = ?
AND b.ProductionYear >= ? AND b.ProductionYear <= ? ORDER BY b.ProductionYear DESC, b.SortName LIMIT 60

-- best
-- index: BaseItems (Type, TopParentId, ProductionYear, SortName)

-- or
-- index: BaseItems (Type, ProductionYear)

-- or
-- index: BaseItems (ProductionYear)

-- or
-- index: BaseItems (TopParentId, Type, ProductionYear)

-- statement: jellyfin-06
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: somebody by name, whatever its case: the index of names has none of upper-case ones
-- run: 'PETHA TRERIPE' | 'KIFO FOCEJE'

SELECT p.Id, p.Name, p.PersonType FROM Peoples AS p WHERE upper(p.Name) = ?

-- best
-- index: Peoples (upper(Name))

-- statement: jellyfin-07
-- is: full-scan, index-not-covering, join-order
-- because: the item with a number elsewhere: in the index that number comes last
-- run: '167115' | '83543'

SELECT b.Id, b.Name FROM BaseItems AS b INNER JOIN BaseItemProviders AS p ON b.Id = p.ItemId WHERE p.ProviderId = 'Tmdb' AND p.ProviderValue = ?

-- best
-- index: BaseItemProviders (ProviderId, ProviderValue)

-- or
-- index: BaseItemProviders (ProviderValue)

-- or
-- index: BaseItemProviders (ProviderId, ProviderValue, ItemId)

-- statement: jellyfin-08
-- is: repeated-statement
-- because: the images of each film of a page, one after the other
-- operation: page of films
-- run: 'D0000003-5B2F-4C1D-9E3A-000000005CCD' | 'D0000040-5B2F-4C1D-9E3A-00000007BBC0' | 'D000007D-5B2F-4C1D-9E3A-0000000F1AB3' | \
--   'D00000BA-5B2F-4C1D-9E3A-0000001679A6' | 'D00000F7-5B2F-4C1D-9E3A-0000001DD899' | 'D0000134-5B2F-4C1D-9E3A-00000025378C' | \
--   'D0000171-5B2F-4C1D-9E3A-0000002C967F' | 'D00001AE-5B2F-4C1D-9E3A-00000033F572' | 'D00001EB-5B2F-4C1D-9E3A-0000003B5465' | \
--   'D0000228-5B2F-4C1D-9E3A-00000042B358' | 'D0000265-5B2F-4C1D-9E3A-0000004A124B' | 'D00002A2-5B2F-4C1D-9E3A-00000051713E' | \
--   'D00002DF-5B2F-4C1D-9E3A-00000058D031' | 'D000031C-5B2F-4C1D-9E3A-000000602F24' | 'D0000359-5B2F-4C1D-9E3A-000000678E17' | \
--   'D0000396-5B2F-4C1D-9E3A-0000006EED0A' | 'D00003D3-5B2F-4C1D-9E3A-000000764BFD' | 'D0000410-5B2F-4C1D-9E3A-0000007DAAF0' | \
--   'D000044D-5B2F-4C1D-9E3A-0000008509E3' | 'D000048A-5B2F-4C1D-9E3A-0000008C68D6' | 'D00004C7-5B2F-4C1D-9E3A-00000093C7C9' | \
--   'D0000504-5B2F-4C1D-9E3A-0000009B26BC' | 'D0000541-5B2F-4C1D-9E3A-000000A285AF' | 'D000057E-5B2F-4C1D-9E3A-000000A9E4A2' | \
--   'D00005BB-5B2F-4C1D-9E3A-000000B14395' | 'D00005F8-5B2F-4C1D-9E3A-000000B8A288' | 'D0000635-5B2F-4C1D-9E3A-000000C0017B' | \
--   'D0000672-5B2F-4C1D-9E3A-000000C7606E' | 'D00006AF-5B2F-4C1D-9E3A-000000CEBF61' | 'D00006EC-5B2F-4C1D-9E3A-000000D61E54' | \
--   'D0000729-5B2F-4C1D-9E3A-000000DD7D47' | 'D0000766-5B2F-4C1D-9E3A-000000E4DC3A' | 'D00007A3-5B2F-4C1D-9E3A-000000EC3B2D' | \
--   'D00007E0-5B2F-4C1D-9E3A-000000F39A20' | 'D000081D-5B2F-4C1D-9E3A-000000FAF913' | 'D000085A-5B2F-4C1D-9E3A-000001025806' | \
--   'D0000897-5B2F-4C1D-9E3A-00000109B6F9' | 'D00008D4-5B2F-4C1D-9E3A-0000011115EC' | 'D0000911-5B2F-4C1D-9E3A-0000011874DF' | \
--   'D000094E-5B2F-4C1D-9E3A-0000011FD3D2' | 'D000098B-5B2F-4C1D-9E3A-0000012732C5' | 'D00009C8-5B2F-4C1D-9E3A-0000012E91B8' | \
--   'D0000A05-5B2F-4C1D-9E3A-00000135F0AB' | 'D0000A42-5B2F-4C1D-9E3A-0000013D4F9E' | 'D0000A7F-5B2F-4C1D-9E3A-00000144AE91' | \
--   'D0000ABC-5B2F-4C1D-9E3A-0000014C0D84' | 'D0000AF9-5B2F-4C1D-9E3A-000001536C77' | 'D0000B36-5B2F-4C1D-9E3A-0000015ACB6A' | \
--   'D0000B73-5B2F-4C1D-9E3A-000001622A5D' | 'D0000BB0-5B2F-4C1D-9E3A-000001698950'

SELECT i.Id, i.ImageType, i.Path FROM BaseItemImageInfos AS i WHERE i.ItemId = ?

-- best
-- run: '["D0000003-5B2F-4C1D-9E3A-000000005CCD","D0000040-5B2F-4C1D-9E3A-00000007BBC0","D000007D-5B2F-4C1D-9E3A-0000000F1AB3",\
--   "D00000BA-5B2F-4C1D-9E3A-0000001679A6","D00000F7-5B2F-4C1D-9E3A-0000001DD899","D0000134-5B2F-4C1D-9E3A-00000025378C",\
--   "D0000171-5B2F-4C1D-9E3A-0000002C967F","D00001AE-5B2F-4C1D-9E3A-00000033F572","D00001EB-5B2F-4C1D-9E3A-0000003B5465",\
--   "D0000228-5B2F-4C1D-9E3A-00000042B358","D0000265-5B2F-4C1D-9E3A-0000004A124B","D00002A2-5B2F-4C1D-9E3A-00000051713E",\
--   "D00002DF-5B2F-4C1D-9E3A-00000058D031","D000031C-5B2F-4C1D-9E3A-000000602F24","D0000359-5B2F-4C1D-9E3A-000000678E17",\
--   "D0000396-5B2F-4C1D-9E3A-0000006EED0A","D00003D3-5B2F-4C1D-9E3A-000000764BFD","D0000410-5B2F-4C1D-9E3A-0000007DAAF0",\
--   "D000044D-5B2F-4C1D-9E3A-0000008509E3","D000048A-5B2F-4C1D-9E3A-0000008C68D6","D00004C7-5B2F-4C1D-9E3A-00000093C7C9",\
--   "D0000504-5B2F-4C1D-9E3A-0000009B26BC","D0000541-5B2F-4C1D-9E3A-000000A285AF","D000057E-5B2F-4C1D-9E3A-000000A9E4A2",\
--   "D00005BB-5B2F-4C1D-9E3A-000000B14395","D00005F8-5B2F-4C1D-9E3A-000000B8A288","D0000635-5B2F-4C1D-9E3A-000000C0017B",\
--   "D0000672-5B2F-4C1D-9E3A-000000C7606E","D00006AF-5B2F-4C1D-9E3A-000000CEBF61","D00006EC-5B2F-4C1D-9E3A-000000D61E54",\
--   "D0000729-5B2F-4C1D-9E3A-000000DD7D47","D0000766-5B2F-4C1D-9E3A-000000E4DC3A","D00007A3-5B2F-4C1D-9E3A-000000EC3B2D",\
--   "D00007E0-5B2F-4C1D-9E3A-000000F39A20","D000081D-5B2F-4C1D-9E3A-000000FAF913","D000085A-5B2F-4C1D-9E3A-000001025806",\
--   "D0000897-5B2F-4C1D-9E3A-00000109B6F9","D00008D4-5B2F-4C1D-9E3A-0000011115EC","D0000911-5B2F-4C1D-9E3A-0000011874DF",\
--   "D000094E-5B2F-4C1D-9E3A-0000011FD3D2","D000098B-5B2F-4C1D-9E3A-0000012732C5","D00009C8-5B2F-4C1D-9E3A-0000012E91B8",\
--   "D0000A05-5B2F-4C1D-9E3A-00000135F0AB","D0000A42-5B2F-4C1D-9E3A-0000013D4F9E","D0000A7F-5B2F-4C1D-9E3A-00000144AE91",\
--   "D0000ABC-5B2F-4C1D-9E3A-0000014C0D84","D0000AF9-5B2F-4C1D-9E3A-000001536C77","D0000B36-5B2F-4C1D-9E3A-0000015ACB6A",\
--   "D0000B73-5B2F-4C1D-9E3A-000001622A5D","D0000BB0-5B2F-4C1D-9E3A-000001698950"]'

SELECT i.Id, i.ImageType, i.Path FROM BaseItemImageInfos AS i WHERE i.ItemId IN (SELECT value FROM json_each(?))

-- statement: jellyfin-09
-- is: full-scan, function-on-column, group-without-index, index-not-covering, join-order, sort-without-index
-- because: series that were seen lately: all that was ever seen is grouped before the old is left out
-- run: '90000001-5B2F-4C1D-9E3A-000000001EEF', '2024-04-01 00:00:00' | '90000002-5B2F-4C1D-9E3A-000000003DDE', '2024-01-01 00:00:00'

SELECT b.SeriesPresentationUniqueKey, MAX(u.LastPlayedDate) AS LastPlayedDate FROM UserData AS u INNER JOIN BaseItems AS b ON b.Id = u.ItemId
WHERE u.UserId = ?1 AND b.Type = 'MediaBrowser.Controller.Entities.TV.Episode' GROUP BY b.SeriesPresentationUniqueKey
HAVING MAX(u.LastPlayedDate) >= ?2 ORDER BY LastPlayedDate DESC LIMIT 20

-- best
-- index: UserData (UserId, LastPlayedDate, ItemId)

SELECT b.SeriesPresentationUniqueKey, MAX(u.LastPlayedDate) AS LastPlayedDate FROM UserData AS u INNER JOIN BaseItems AS b ON b.Id = u.ItemId
WHERE u.UserId = ?1 AND u.LastPlayedDate >= ?2 AND b.Type = 'MediaBrowser.Controller.Entities.TV.Episode' GROUP BY b.SeriesPresentationUniqueKey
ORDER BY LastPlayedDate DESC LIMIT 20

-- statement: jellyfin-10
-- fine
-- tolerated: index-not-covering
-- because: the newest episodes of a library by the index that ends with their time
-- run: '10000002-5B2F-4C1D-9E3A-000000003DDE'

SELECT b.Id, b.Name, b.DateCreated FROM BaseItems AS b WHERE b.Type = 'MediaBrowser.Controller.Entities.TV.Episode' AND b.TopParentId = ?
AND b.IsVirtualItem = 0 ORDER BY b.DateCreated DESC LIMIT 16

-- statement: jellyfin-11
-- fine
-- because: files that are there twice: the whole index of paths, in its order

SELECT Path, count(*) AS n FROM BaseItems WHERE Path IS NOT NULL GROUP BY Path HAVING count(*) > 1

-- statement: jellyfin-12
-- fine
-- tolerated: index-not-covering, sort-without-index
-- because: what isn't seen of a series: its few items, and a look-up for each
-- run: 'A0000011-5B2F-4C1D-9E3A-000000020DDF', '90000001-5B2F-4C1D-9E3A-000000001EEF'

SELECT b.Id, b.Name FROM BaseItems AS b WHERE b.SeriesId = ? AND NOT EXISTS (SELECT 1 FROM UserData AS u WHERE u.ItemId = b.Id AND u.UserId = ?
AND u.Played) ORDER BY b.ParentIndexNumber, b.IndexNumber
