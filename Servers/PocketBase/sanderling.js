// What sanderling.pb.js does in each request that writes: handlers run apart from each other, and share nothing but modules.

module.exports = {
  // Gives a record that is being saved a version that it never had.
  mark(record) {
    if (this.isSynced(record.collection())) record.set("version", $security.randomString(20));
  },

  isSynced(collection) {
    return ["version", "deleted", "updated"].every((name) => collection.fields.getByName(name));
  },

  // Writes in one transaction, if the record is as the request says and the request wasn't answered before.
  write(e) {
    const collection = e.collection;
    if (!this.isSynced(collection)) return e.next();
    // Their names in lower case, with underscores.
    const headers = e.requestInfo().headers;
    const key = headers["idempotency_key"] || "";
    const match = headers["if_match"] || "";
    const isNew = headers["if_none_match"] == "*";
    if (!key && !match && !isNew) return e.next();
    if (key.length > 200) throw new BadRequestError("The Idempotency-Key is too long.");

    const app = e.app;
    const find = (tx) => {
      try {
        return e.record.id ? tx.findRecordById(collection, e.record.id) : null;
      } catch (_) {
        return null;
      }
    };
    let answer = null;
    app.runInTransaction((tx) => {
      if (key) {
        const known = tx.findRecordsByFilter("sanderling_mutations", "key = {:key}", "", 1, 0, { key: key });
        if (known.length > 0) {
          answer = [200, { id: e.record.id, version: known[0].getString("answer") }];
          return;
        }
      }
      const present = find(tx);
      const version = present ? present.getString("version") : "";
      const isStale = match && (!present || `"${version}"` != match || e.record.original().getString("version") != version);
      if (isStale || (isNew && present && !present.getBool("deleted"))) {
        answer = [412, { status: 412, message: "The record isn't any more what the change is based on.", data: {} }];
        return;
      }
      // It was deleted, and is there again.
      if (isNew && present) tx.delete(present);
      e.app = tx;
      try {
        e.next();
      } finally {
        e.app = app;
      }
      if (key) {
        const done = new Record(tx.findCollectionByNameOrId("sanderling_mutations"));
        const written = find(tx);
        done.set("key", key);
        done.set("answer", written ? written.getString("version") : "");
        tx.save(done);
      }
    });
    if (answer) return e.json(answer[0], answer[1]);
  },
};
