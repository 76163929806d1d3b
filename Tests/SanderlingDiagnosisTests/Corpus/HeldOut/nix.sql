-- schema: nix
-- about: Packages and what they refer to: a graph in two tables, whose paths have names within them.
-- origin: Nix 2.18, store schema 10 (LGPL-2.1-or-later, Copyright the Nix contributors): its three tables with their indexes, without \
--   triggers
-- superfluous: redundant-index IndexReferrer

CREATE TABLE ValidPaths (
  id integer primary key autoincrement not null, path text unique not null, hash text not null, registrationTime integer not null,
  deriver text, narSize integer, ultimate integer, sigs text, ca text);
CREATE TABLE Refs (
  referrer integer not null, reference integer not null, primary key (referrer, reference),
  foreign key (referrer) references ValidPaths(id) on delete cascade,
  foreign key (reference) references ValidPaths(id) on delete restrict);
CREATE INDEX IndexReferrer on Refs(referrer);
CREATE INDEX IndexReference on Refs(reference);
CREATE TABLE DerivationOutputs (
  drv integer not null, id text not null, path text not null, primary key (drv, id),
  foreign key (drv) references ValidPaths(id) on delete cascade);
CREATE INDEX IndexDerivationOutputs on DerivationOutputs(path);

INSERT INTO ValidPaths
SELECT i, '/nix/store/' || printf('%08x%08x', pick(1, i, 2000000000), i * 7919) || '-' || word(skewed(2, i, 900)) || '-' || pick(3, i, 30) \
|| '.' || pick(4, i, 20)
    || iif(i % 3 = 0, '.drv', ''),
  'sha256:' || printf('%016x%016x', i * 104729, pick(5, i, 2000000000)), 1600000000 + i * 900 + pick(6, i, 800),
  iif(i % 3 = 0, NULL, '/nix/store/' || printf('%016x', skewed(7, i / 3, 3000) * 65537) || '-' || word(skewed(2, i, 900)) || '.drv'),
  pick(8, i, 1000) * pick(9, i, 40000), iif(chance(10, i) < 0.1, 1, NULL), iif(i % 3 = 0, NULL, 'cache.example.org-1:' || hex(word(i) || \
word(i * 3))), NULL
FROM numbers WHERE i <= 12000;
INSERT OR IGNORE INTO Refs SELECT 1 + i % 12000, 1 + skewed(11, i, 1 + i % 12000) % (1 + i % 12000) FROM numbers WHERE i <= 50000;
INSERT OR IGNORE INTO Refs SELECT i, i FROM numbers WHERE i <= 12000 AND i % 4 = 1;
INSERT OR IGNORE INTO DerivationOutputs
SELECT v.id, 'out', o.path FROM ValidPaths v JOIN ValidPaths o ON o.id = v.id + 1 WHERE v.id % 3 = 0;

-- statement: nix-01
-- fine
-- because: what one package refers to: a few rows, each by its key
-- run: 7777 | 11111

SELECT path FROM Refs JOIN ValidPaths ON reference = id WHERE referrer = ?

-- statement: nix-02
-- is: full-scan, sort-without-index
-- because: what takes most room

SELECT path, narSize FROM ValidPaths ORDER BY narSize DESC LIMIT 20

-- best
-- index: ValidPaths (narSize)

-- statement: nix-03
-- fine
-- tolerated: index-not-covering
-- because: all that a package needs, by keys
-- run: '/nix/store/4efed8c305a9e431-yodi-29.10'

WITH RECURSIVE closure (id) AS (
  SELECT id FROM ValidPaths WHERE path = ? UNION SELECT reference FROM Refs JOIN closure ON referrer = closure.id)
SELECT count(*), sum(narSize) FROM closure JOIN ValidPaths USING (id)

-- statement: nix-04
-- is: full-scan
-- because: what a derivation made: nothing leads there
-- run: '/nix/store/0000000000010001-clena.drv' | '/nix/store/0000000001640164-fokice.drv'

SELECT id, path FROM ValidPaths WHERE deriver = ?

-- best
-- index: ValidPaths (deriver)

-- statement: nix-05
-- fine
-- because: a path by the beginning of its hash
-- run: '/nix/store/4a0' | '/nix/store/0c1f'

SELECT path FROM ValidPaths WHERE path >= ? LIMIT 1

-- statement: nix-06
-- is: full-scan, join-order
-- because: what came lately and needs a package: the time leaves few, the name doesn't
-- run: 'clena', 1610750000

SELECT DISTINCT v.path FROM ValidPaths v JOIN Refs r ON r.referrer = v.id JOIN ValidPaths d ON d.id = r.reference
WHERE d.path LIKE '%-' || ? || '-%' AND v.registrationTime > ?

-- best
-- index: ValidPaths (registrationTime)

SELECT DISTINCT v.path FROM ValidPaths v CROSS JOIN Refs r ON r.referrer = v.id CROSS JOIN ValidPaths d ON d.id = r.reference
WHERE d.path LIKE '%-' || ? || '-%' AND v.registrationTime > ?

-- statement: nix-07
-- is: full-scan, group-without-index, partial-index
-- because: all are sorted by a long text, to count them

SELECT deriver, count(*) AS n, sum(narSize) FROM ValidPaths WHERE deriver IS NOT NULL GROUP BY deriver HAVING count(*) > 20

-- best
-- index: ValidPaths (deriver, narSize)

-- statement: nix-08
-- is: full-scan, index-not-covering
-- because: old paths that nothing needs: a tenth is old
-- run: 1600900000

SELECT path FROM ValidPaths v WHERE NOT EXISTS (SELECT 1 FROM Refs r WHERE r.reference = v.id AND r.referrer <> v.id) AND registrationTime < ?

-- best
-- index: ValidPaths (registrationTime)
-- index: Refs (reference, referrer)
