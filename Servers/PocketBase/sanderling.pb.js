/// <reference path="../pb_data/types.d.ts" />

// What PocketBase lacks for synchronisation. Put this file into the folder pb_hooks beside the server (or into that of --hooksDir).
//
// It works on every collection that has these fields, and leaves others alone:
//   version  text, which it sets anew with every write, by whomever: an ETag
//   deleted  bool, true for a record that was deleted: devices must hear of it
//   updated  autodate, set on create and update
//
// With the header If-Match a write is done only if the record has that version, with If-None-Match: * only if there is none or it is deleted;
// else the answer is 412. With the header Idempotency-Key it is done once, however often it is sent: what comes again gets the answer
// that it had. The collection sanderling_mutations, which is made here, remembers them for 90 days.
//
// A token that isn't valid any more gets 401, as it does elsewhere: PocketBase takes its bearer for a guest, who sees nothing.

onBootstrap((e) => {
  e.next();
  try {
    e.app.findCollectionByNameOrId("sanderling_mutations");
  } catch (_) {
    e.app.save(new Collection({
      type: "base",
      name: "sanderling_mutations",
      fields: [
        { name: "key", type: "text", required: true, max: 200 },
        { name: "answer", type: "text" },
        { name: "created", type: "autodate", onCreate: true },
      ],
      indexes: [
        "CREATE UNIQUE INDEX sanderling_mutations_key ON sanderling_mutations (key)",
        "CREATE INDEX sanderling_mutations_created ON sanderling_mutations (created)",
      ],
    }));
  }
});

cronAdd("sanderling", "17 3 * * *", () => {
  $app.db().newQuery("DELETE FROM sanderling_mutations WHERE created < strftime('%Y-%m-%d %H:%M:%fZ', 'now', '-90 days')").execute();
});

routerAdd("GET", "/api/sanderling", (e) => e.json(200, { hook: 1 }));

routerUse((e) => {
  if (e.request.header.get("Authorization") && !e.auth) return e.json(401, { status: 401, message: "The token isn't valid.", data: {} });
  return e.next();
});

onRecordCreate((e) => {
  require(`${__hooks}/sanderling.js`).mark(e.record);
  e.next();
});

onRecordUpdate((e) => {
  require(`${__hooks}/sanderling.js`).mark(e.record);
  e.next();
});

onRecordCreateRequest((e) => require(`${__hooks}/sanderling.js`).write(e));
onRecordUpdateRequest((e) => require(`${__hooks}/sanderling.js`).write(e));
onRecordDeleteRequest((e) => require(`${__hooks}/sanderling.js`).write(e));
