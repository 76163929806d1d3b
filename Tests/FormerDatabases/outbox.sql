BEGIN TRANSACTION;
CREATE TABLE "notes" (
  "id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "weight",
  "picture" BLOB,
  PRIMARY KEY ("id")
);
INSERT INTO "notes" VALUES('changed','both',1.5,X'00FF');
INSERT INTO "notes" VALUES('equal','server',1.5,X'00FF');
INSERT INTO "notes" VALUES('sendingChange','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('sentAgain','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('failed','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('editedSince','later',1.5,X'00FF');
INSERT INTO "notes" VALUES('toldAgain','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('rebased','mine',2.5,X'00FF');
INSERT INTO "notes" VALUES('sendingDeparted','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('departed','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('refused','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('refusedEdited','later',1.5,X'00FF');
INSERT INTO "notes" VALUES('refusedDeparted','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('stuck','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('conflicted','mine',1.5,X'00FF');
INSERT INTO "notes" VALUES('new','mine',9e999,X'01');
INSERT INTO "notes" VALUES('uncertain','mine',9e999,X'01');
INSERT INTO "notes" VALUES('taken','mine',9e999,X'01');
INSERT INTO "notes" VALUES('sendingNew','mine',9e999,X'01');
CREATE TABLE "sanderling_schema" ("name" TEXT NOT NULL PRIMARY KEY, "sql" TEXT NOT NULL);
INSERT INTO "sanderling_schema" VALUES('notes','CREATE TABLE "notes" (
  "id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "weight",
  "picture" BLOB,
  PRIMARY KEY ("id")
)');
INSERT INTO "sanderling_schema" VALUES('sanderling_schema','071ada905f3f7ef2 b33c148f129816cf');
INSERT INTO "sanderling_schema" VALUES('tallies','CREATE TABLE "tallies" (
  "id" BLOB NOT NULL,
  "visits" INTEGER NOT NULL,
  PRIMARY KEY ("id")
)');
CREATE TABLE "sanderling_sync_changes_notes" (sequence INTEGER PRIMARY KEY, k0 TEXT NOT NULL COLLATE BINARY, state INTEGER NOT NULL DEFAULT 0, existed INTEGER NOT NULL, rebased INTEGER NOT NULL DEFAULT 0, departed INTEGER NOT NULL DEFAULT 0, mutation INTEGER, sent INTEGER NOT NULL DEFAULT 0, columns TEXT, version TEXT, attempts INTEGER NOT NULL DEFAULT 0, error TEXT, held TEXT, conflicts INTEGER NOT NULL DEFAULT 0, "base_id", "base_title", "base_weight", "base_picture", "sent_id", "sent_title", "sent_weight", "sent_picture", UNIQUE (k0, state));
INSERT INTO "sanderling_sync_changes_notes" VALUES(1,'new',0,0,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(2,'changed',0,1,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,'changed','server',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(3,'deleted',0,1,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,'deleted','server',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(4,'equal',0,1,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,'equal','server',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(5,'uncertain',0,0,0,0,6,1,'["id","title","weight","picture"]',NULL,0,NULL,NULL,1,NULL,NULL,NULL,NULL,'uncertain','mine',9e999,X'01');
INSERT INTO "sanderling_sync_changes_notes" VALUES(7,'taken',0,0,1,0,8,1,'["id","title","weight","picture"]','7',0,NULL,NULL,0,NULL,NULL,NULL,NULL,'taken','mine',9e999,X'01');
INSERT INTO "sanderling_sync_changes_notes" VALUES(9,'sendingNew',1,0,0,0,10,1,'["id","title","weight","picture"]',NULL,0,NULL,NULL,0,NULL,NULL,NULL,NULL,'sendingNew','mine',9e999,X'01');
INSERT INTO "sanderling_sync_changes_notes" VALUES(11,'sendingChange',1,1,0,0,12,2,'["title"]','1',0,NULL,NULL,0,'sendingChange','server',1.5,X'00FF','sendingChange','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(13,'sendingDeletion',1,1,0,0,14,3,'[]','1',0,NULL,NULL,0,'sendingDeletion','server',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(15,'sentAgain',1,1,0,0,16,2,'["title"]','1',1,NULL,NULL,0,'sentAgain','server',1.5,X'00FF','sentAgain','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(17,'failed',1,1,0,0,18,2,'["title"]','1',0,'no network',NULL,0,'failed','server',1.5,X'00FF','failed','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(19,'editedSince',1,1,0,0,20,2,'["title"]','1',0,NULL,NULL,0,'editedSince','server',1.5,X'00FF','editedSince','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(21,'editedSince',0,1,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,'editedSince','mine',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(22,'toldAgain',1,1,2,0,23,2,'["title"]',NULL,0,NULL,NULL,0,'toldAgain','server',1.5,X'00FF','toldAgain','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(24,'rebased',1,1,1,0,25,2,'["title"]','1',0,NULL,NULL,0,'rebased','server',2.5,X'00FF','rebased','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(26,'sendingDeparted',1,1,0,1,27,2,'["title"]','1',0,NULL,NULL,0,'sendingDeparted','server',1.5,X'00FF','sendingDeparted','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(28,'departed',0,1,0,1,NULL,0,NULL,NULL,0,NULL,NULL,0,'departed','server',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(29,'refused',2,1,0,0,30,2,'["title"]','1',0,'no',NULL,0,'refused','server',1.5,X'00FF','refused','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(31,'refusedEdited',2,1,0,0,32,2,'["title"]','1',0,'no',NULL,0,'refusedEdited','server',1.5,X'00FF','refusedEdited','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(33,'refusedDeparted',2,1,0,1,34,2,'["title"]','1',0,'no',NULL,0,'refusedDeparted','server',1.5,X'00FF','refusedDeparted','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(35,'refusedEdited',0,1,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,'refusedEdited','mine',1.5,X'00FF',NULL,NULL,NULL,NULL);
INSERT INTO "sanderling_sync_changes_notes" VALUES(36,'stuck',0,1,0,0,39,2,'["title"]','1',0,NULL,NULL,3,'stuck','server',1.5,X'00FF','stuck','mine',1.5,X'00FF');
INSERT INTO "sanderling_sync_changes_notes" VALUES(40,'conflicted',0,1,0,0,41,2,'["title"]','1',0,NULL,NULL,1,'conflicted','server',1.5,X'00FF','conflicted','mine',1.5,X'00FF');
CREATE TABLE "sanderling_sync_changes_tallies" (sequence INTEGER PRIMARY KEY, k0 BLOB NOT NULL COLLATE BINARY, state INTEGER NOT NULL DEFAULT 0, existed INTEGER NOT NULL, rebased INTEGER NOT NULL DEFAULT 0, departed INTEGER NOT NULL DEFAULT 0, mutation INTEGER, sent INTEGER NOT NULL DEFAULT 0, columns TEXT, version TEXT, attempts INTEGER NOT NULL DEFAULT 0, error TEXT, held TEXT, conflicts INTEGER NOT NULL DEFAULT 0, "base_id", "base_visits", "sent_id", "sent_visits", UNIQUE (k0, state));
INSERT INTO "sanderling_sync_changes_tallies" VALUES(42,X'01',1,1,0,0,43,2,'["visits"]','1',0,NULL,'{"content":"row","version":"3","values":{"visits":8}}',0,X'01',5,X'01',7);
INSERT INTO "sanderling_sync_changes_tallies" VALUES(44,X'02',2,1,0,0,45,2,'["visits"]','1',0,'no é',NULL,0,X'02',5,X'02',7);
INSERT INTO "sanderling_sync_changes_tallies" VALUES(46,X'03',1,1,0,0,47,2,'["visits"]','1',0,NULL,'{"content":"row","version":"3","values":{"visits":8}}',0,X'03',5,X'03',7);
INSERT INTO "sanderling_sync_changes_tallies" VALUES(48,X'03',0,1,0,0,NULL,0,NULL,NULL,0,NULL,NULL,0,X'03',7,NULL,NULL);
CREATE TABLE sanderling_sync_comparisons (name TEXT NOT NULL PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE "sanderling_sync_conflicts" (id INTEGER PRIMARY KEY, record TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, side TEXT NOT NULL, column TEXT, lost, kept, at INTEGER NOT NULL);
INSERT INTO "sanderling_sync_conflicts" VALUES(1,'notes','["gone"]','row','local',NULL,'{"id":"gone","picture":{"blob":"00ff"},"title":"a\"\né","weight":{"real":"-0.0"}}',NULL,1000);
INSERT INTO "sanderling_sync_conflicts" VALUES(2,'tallies','[{"blob":"ff"}]','row','server',NULL,'{"id":{"blob":"ff"},"visits":9223372036854775807}',NULL,2000);
INSERT INTO "sanderling_sync_conflicts" VALUES(3,'notes','["gone"]','value','server','weight',9e999,NULL,3000);
CREATE TABLE "sanderling_sync_control" (id INTEGER PRIMARY KEY CHECK (id = 1), applying INTEGER NOT NULL DEFAULT 0, client TEXT NOT NULL, sequence INTEGER NOT NULL DEFAULT 0);
INSERT INTO "sanderling_sync_control" VALUES(1,0,'f91f4b0fc8a40f5b085e12196c143b8c',48);
CREATE TABLE "sanderling_sync_extra_notes" (k0 TEXT NOT NULL COLLATE BINARY, json TEXT NOT NULL, PRIMARY KEY (k0)) WITHOUT ROWID;
CREATE TABLE "sanderling_sync_extra_tallies" (k0 BLOB NOT NULL COLLATE BINARY, json TEXT NOT NULL, PRIMARY KEY (k0)) WITHOUT ROWID;
CREATE TABLE sanderling_sync_outboxes (name TEXT PRIMARY KEY COLLATE NOCASE, session TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "sanderling_sync_outboxes" VALUES('notes','test');
INSERT INTO "sanderling_sync_outboxes" VALUES('tallies','test');
CREATE TABLE sanderling_sync_parents (target TEXT NOT NULL, key TEXT NOT NULL, parked INTEGER NOT NULL REFERENCES sanderling_sync_parked (id) ON DELETE CASCADE, PRIMARY KEY (target, key, parked)) WITHOUT ROWID;
CREATE TABLE sanderling_sync_parked (id INTEGER PRIMARY KEY, name TEXT NOT NULL, record TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, at REAL NOT NULL, UNIQUE (name, record, key));
INSERT INTO "sanderling_sync_parked" VALUES(1,'test','notes','["parked"]','{"content":"row","version":"5","values":{"picture":{"base64":"AP8="},"title":"server","weight":1.5}}',1.79574038336979866026e+09);
CREATE TABLE sanderling_sync_quarantine (id INTEGER PRIMARY KEY, name TEXT NOT NULL, record TEXT NOT NULL, key TEXT NOT NULL, direction TEXT NOT NULL, reason TEXT NOT NULL, "column" TEXT, payload TEXT, at REAL NOT NULL);
INSERT INTO "sanderling_sync_quarantine" VALUES(1,'test','notes','["refused"]','push','no',NULL,'{"title":"mine"}',1.79574038334573793406e+09);
INSERT INTO "sanderling_sync_quarantine" VALUES(2,'test','notes','["refusedEdited"]','push','no',NULL,'{"title":"mine"}',1.79574038334834980962e+09);
INSERT INTO "sanderling_sync_quarantine" VALUES(3,'test','notes','["refusedDeparted"]','push','no',NULL,'{"title":"mine"}',1.79574038335008764272e+09);
INSERT INTO "sanderling_sync_quarantine" VALUES(4,'test','tallies','[{"blob":"02"}]','push','no é',NULL,'{"visits":7}',1.79574038336380672458e+09);
CREATE TABLE "sanderling_sync_seen_notes" (k0 TEXT NOT NULL COLLATE BINARY, PRIMARY KEY (k0)) WITHOUT ROWID;
CREATE TABLE "sanderling_sync_seen_tallies" (k0 BLOB NOT NULL COLLATE BINARY, PRIMARY KEY (k0)) WITHOUT ROWID;
CREATE TABLE sanderling_sync_staged (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, record TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL);
INSERT INTO "sanderling_sync_staged" VALUES(1,'test','notes','["staged"]','{"content":"row","version":"5","values":{"picture":{"base64":"AP8="},"title":"server","weight":1.5}}');
CREATE TABLE sanderling_sync_stages (name TEXT NOT NULL PRIMARY KEY, cursor TEXT, last INTEGER NOT NULL, restarts INTEGER NOT NULL, complete INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "sanderling_sync_stages" VALUES('test','cursor',1,0,0);
CREATE TABLE sanderling_sync_state (name TEXT NOT NULL PRIMARY KEY, cursor TEXT, checkpoint TEXT, restarting INTEGER NOT NULL DEFAULT 0, started REAL, finished REAL, holder TEXT, process INTEGER, alive REAL);
INSERT INTO "sanderling_sync_state" VALUES('test',NULL,NULL,0,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE sanderling_sync_unknown (record TEXT NOT NULL, "column" TEXT NOT NULL, PRIMARY KEY (record, "column")) WITHOUT ROWID;
CREATE TABLE "sanderling_sync_versions_notes" (k0 TEXT NOT NULL COLLATE BINARY, version TEXT NOT NULL, PRIMARY KEY (k0)) WITHOUT ROWID;
INSERT INTO "sanderling_sync_versions_notes" VALUES('changed','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('conflicted','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('deleted','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('departed','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('editedSince','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('equal','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('failed','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('rebased','2');
INSERT INTO "sanderling_sync_versions_notes" VALUES('refused','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('refusedDeparted','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('refusedEdited','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('sendingChange','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('sendingDeletion','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('sendingDeparted','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('sentAgain','1');
INSERT INTO "sanderling_sync_versions_notes" VALUES('stuck','1');
CREATE TABLE "sanderling_sync_versions_tallies" (k0 BLOB NOT NULL COLLATE BINARY, version TEXT NOT NULL, PRIMARY KEY (k0)) WITHOUT ROWID;
INSERT INTO "sanderling_sync_versions_tallies" VALUES(X'01','1');
INSERT INTO "sanderling_sync_versions_tallies" VALUES(X'02','1');
INSERT INTO "sanderling_sync_versions_tallies" VALUES(X'03','1');
CREATE TABLE "tallies" (
  "id" BLOB NOT NULL,
  "visits" INTEGER NOT NULL,
  PRIMARY KEY ("id")
);
INSERT INTO "tallies" VALUES(X'01',7);
INSERT INTO "tallies" VALUES(X'02',7);
INSERT INTO "tallies" VALUES(X'03',8);
CREATE INDEX sanderling_sync_parents_parked ON sanderling_sync_parents (parked);
CREATE INDEX sanderling_sync_quarantine_key ON sanderling_sync_quarantine (name, record, key);
CREATE INDEX "sanderling_sync_changes_notes_sending" ON "sanderling_sync_changes_notes" ("mutation") WHERE state = 1;
CREATE INDEX "sanderling_sync_changes_notes_stuck" ON "sanderling_sync_changes_notes" ("conflicts") WHERE conflicts > 2;
CREATE TRIGGER "sanderling_sync_notes_insert" BEFORE INSERT ON "notes" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed", "base_id", "base_title", "base_weight", "base_picture") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."title", existing."weight", existing."picture" FROM "notes" AS existing WHERE existing."rowid" = NEW."rowid" AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed", "base_id", "base_title", "base_weight", "base_picture") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."title", existing."weight", existing."picture" FROM "notes" AS existing WHERE existing."id" = NEW."id" COLLATE "BINARY" AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_notes_inserted" AFTER INSERT ON "notes" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_notes_update" BEFORE UPDATE ON "notes" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed", "base_id", "base_title", "base_weight", "base_picture") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), OLD."id", 1, OLD."id", OLD."title", OLD."weight", OLD."picture" WHERE OLD."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_notes_unique" BEFORE UPDATE OF "id", "rowid", "_rowid_", "oid" ON "notes" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed", "base_id", "base_title", "base_weight", "base_picture") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."title", existing."weight", existing."picture" FROM "notes" AS existing WHERE existing."rowid" = NEW."rowid" AND (OLD."rowid" IS NOT NEW."rowid" COLLATE BINARY) AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed", "base_id", "base_title", "base_weight", "base_picture") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."title", existing."weight", existing."picture" FROM "notes" AS existing WHERE existing."id" = NEW."id" COLLATE "BINARY" AND (OLD."id" IS NOT NEW."id" COLLATE BINARY) AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE (OLD."id" IS NOT NEW."id" COLLATE BINARY) AND NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_notes_keyed" AFTER UPDATE OF "id" ON "notes" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE (OLD."id" IS NOT NEW."id" COLLATE BINARY) AND NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_notes_delete" BEFORE DELETE ON "notes" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_notes" (sequence, "k0", "existed", "base_id", "base_title", "base_weight", "base_picture") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), OLD."id", 1, OLD."id", OLD."title", OLD."weight", OLD."picture" WHERE OLD."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE INDEX "sanderling_sync_changes_tallies_sending" ON "sanderling_sync_changes_tallies" ("mutation") WHERE state = 1;
CREATE INDEX "sanderling_sync_changes_tallies_stuck" ON "sanderling_sync_changes_tallies" ("conflicts") WHERE conflicts > 2;
CREATE TRIGGER "sanderling_sync_tallies_insert" BEFORE INSERT ON "tallies" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed", "base_id", "base_visits") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."visits" FROM "tallies" AS existing WHERE existing."rowid" = NEW."rowid" AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed", "base_id", "base_visits") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."visits" FROM "tallies" AS existing WHERE existing."id" = NEW."id" COLLATE "BINARY" AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_tallies_inserted" AFTER INSERT ON "tallies" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_tallies_update" BEFORE UPDATE ON "tallies" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed", "base_id", "base_visits") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), OLD."id", 1, OLD."id", OLD."visits" WHERE OLD."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_tallies_unique" BEFORE UPDATE OF "id", "rowid", "_rowid_", "oid" ON "tallies" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed", "base_id", "base_visits") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."visits" FROM "tallies" AS existing WHERE existing."rowid" = NEW."rowid" AND (OLD."rowid" IS NOT NEW."rowid" COLLATE BINARY) AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed", "base_id", "base_visits") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), existing."id", 1, existing."id", existing."visits" FROM "tallies" AS existing WHERE existing."id" = NEW."id" COLLATE "BINARY" AND (OLD."id" IS NOT NEW."id" COLLATE BINARY) AND existing."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE (OLD."id" IS NOT NEW."id" COLLATE BINARY) AND NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_tallies_keyed" AFTER UPDATE OF "id" ON "tallies" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), NEW."id", 0 WHERE (OLD."id" IS NOT NEW."id" COLLATE BINARY) AND NEW."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
CREATE TRIGGER "sanderling_sync_tallies_delete" BEFORE DELETE ON "tallies" WHEN (SELECT applying FROM sanderling_sync_control) IS NOT 1 BEGIN INSERT INTO "sanderling_sync_changes_tallies" (sequence, "k0", "existed", "base_id", "base_visits") SELECT (SELECT sequence + 1 FROM sanderling_sync_control), OLD."id", 1, OLD."id", OLD."visits" WHERE OLD."id" IS NOT NULL ON CONFLICT (k0, state) DO NOTHING; UPDATE sanderling_sync_control SET sequence = sequence + 1 WHERE changes() > 0; END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('sanderling_sync_staged',1);
COMMIT;