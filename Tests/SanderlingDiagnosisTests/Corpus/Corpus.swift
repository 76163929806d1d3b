/// All schemas with their statements.
enum Corpus {
  /// The schemas that the diagnosis was developed with.
  static let built: [CorpusSchema] = [
    todo, contacts, notes, items, mail, music, photos, commerce, chat, history, places, core, fleet, school,
    library, tickets, sensors, workshop,
  ]

  /// The held-out schemas: those of other programs, with rows and statements of our own. Documentation/Diagnosis-rounds.md has the
  /// figures at first sight. A schema is known once something was mended for it, so each release adds new ones.
  static let heldOut: [CorpusSchema] = [
    feeds, beets, trac, synapse, llm, fossil, svn, recorder, mlflow, linkding, uptime, gitea, github, queue, kine,
    relay,
    anki, zotero, memos, kanboard,
    joplin, quassel, pihole, calibre, vaultwarden, ntfy, atuin,
    tautulli, dendrite, grocy, gnucash, kodi, digikam, chromium,
    nix, goatcounter, trilium, frigate, k9, mediawiki,
    navidrome, antennapod, firefox, sonarr, nextcloud, syncthing,
    deltachat, actual, domoticz, darktable, redmine, webkit,
    pkg, coreprotect, sabredav, soju, gramps,
    ejabberd, lightning, telephony, gloda, jellyfin, paperless,
    healthchecks, prosody, audiobookshelf, mixxx, androidcalendar,
    wordpress, komga, strawberry, airflow, stash, signal,
    moneymanager, dnf, syncjournal, mihon, conversations, newpipe,
    powerdns, bareos, gtfs, koreader, drone, twitter,
    duplicati, grafana, mediaprovider, sleuthkit, zcash, chembl,
    monotone, lahman, rippled, dino, firefly, kismet,
    buildbot, n8n, ghost, spiderfoot, lyrion, geary,
    lnd, kavita, taskchampion, weewx, bazarr, podgrab,
    mailspring, gomuks, tasksorg, gerbera, opentracks, rotki,
    cgeo, gffutils, tusky, homebox, luckperms, zim,
    encroissant, jlcparts, sourcetrail, wordnet, moonfire, shiori,
  ]

  static var schemas: [CorpusSchema] { built + heldOut }

  static var statements: [CorpusStatement] { schemas.flatMap(\.statements) }
}
