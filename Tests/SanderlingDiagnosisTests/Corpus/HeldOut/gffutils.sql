-- schema: gffutils
-- about: A genome's annotation: genes, transcripts, exons, each with its place and its attributes as JSON, and who is whose part at which \
--   distance.
-- source: From github.com/daler/gffutils: gffutils/constants.py (tables) and gffutils/create.py (indexes, ANALYZE of one table)
-- origin: gffutils (MIT, Copyright Ryan Dale): its six tables with their indexes
-- superfluous: redundant-index relationsparent
-- superfluous: redundant-index seqidstartend

CREATE TABLE features (
  id text, seqid text, source text, featuretype text, start int, end int, score text, strand text, frame text, attributes text, extra \
text, bin int, primary key (id));
CREATE TABLE relations (parent text, child text, level int, primary key (parent, child, level));
CREATE TABLE meta (dialect text, version text);
CREATE TABLE directives (directive text);
CREATE TABLE autoincrements (base text, n int, primary key (base));
CREATE TABLE duplicates (idspecid text, newid text, primary key (newid));

INSERT INTO features
SELECT printf('gene%05d', i), 'chr' || skewed(1, i, 20), CASE WHEN chance(2, i) < 0.6 THEN 'ensembl' WHEN chance(2, i) < 0.985 THEN \
'havana' ELSE word(skewed(3, i, 9)) END, 'gene', pick(4, i, 90000000), 0, '.', iif(chance(5, i) < 0.5, '+', '-'), '.',
  '{"ID":["' || printf('gene%05d', i) || '"],"Name":["' || word(i * 3) || '"],"biotype":["' || CASE skewed(6, i, 5) WHEN 1 THEN \
'protein_coding' WHEN 2 THEN 'lncRNA' WHEN 3 THEN 'pseudogene' WHEN 4 THEN 'miRNA' ELSE 'snoRNA' END || '"],"description":["' || prose(7, \
i, 40 + pick(8, i, 80)) || '"]}', '[]', 0
FROM numbers WHERE i <= 5000;
UPDATE features SET end = start + 800 + CAST(60000 * chance(9, rowid) * chance(10, rowid) AS INT);
INSERT INTO features
SELECT printf('rna%05d', i), g.seqid, g.source, 'mRNA', g.start, g.end, '.', g.strand, '.', '{"ID":["' || printf('rna%05d', i) || \
'"],"Parent":["' || g.id || '"],"product":["' || prose(11, i, 30 + pick(12, i, 60)) || '"]}', '[]', 0
FROM numbers JOIN features AS g ON g.id = printf('gene%05d', (i + 1) / 2) WHERE i <= 10000;
INSERT INTO features
SELECT printf('exon-%06d', i), r.seqid, r.source, 'exon', r.start + (i % 4) * ((r.end - r.start) / 4), r.start + (i % 4) * ((r.end - \
r.start) / 4) + 60 + pick(13, i, 130), '.', r.strand, '.', '{"ID":["' || printf('exon-%06d', i) || '"],"Parent":["' || r.id || '"]}', \
'[]', 0
FROM numbers JOIN features AS r ON r.id = printf('rna%05d', (i + 3) / 4) WHERE i <= 38000;
INSERT INTO features
SELECT printf('cds-%06d', i), r.seqid, r.source, 'CDS', r.start + (i % 2) * ((r.end - r.start) / 2), r.start + (i % 2) * ((r.end - \
r.start) / 2) + 50 + pick(14, i, 100), CAST(pick(15, i, 100) AS TEXT), r.strand, CAST(i % 3 AS TEXT), '{"ID":["' || printf('cds-%06d', i) \
|| '"],"Parent":["' || r.id || '"],"protein_id":["NP_' || i * 7 || '"]}', '[]', 0
FROM numbers JOIN features AS r ON r.id = printf('rna%05d', (i + 1) / 2) WHERE i <= 18000;
UPDATE features SET bin = CASE WHEN start >> 17 = end >> 17 THEN 585 + (start >> 17) WHEN start >> 20 = end >> 20 THEN 73 + (start >> 20) \
WHEN start >> 23 = end >> 23 THEN 9 + (start >> 23) WHEN start >> 26 = end >> 26 THEN 1 + (start >> 26) ELSE 0 END;
INSERT INTO relations SELECT printf('gene%05d', (i + 1) / 2), printf('rna%05d', i), 1 FROM numbers WHERE i <= 10000;
INSERT INTO relations SELECT printf('rna%05d', (i + 3) / 4), printf('exon-%06d', i), 1 FROM numbers WHERE i <= 38000;
INSERT INTO relations SELECT printf('gene%05d', ((i + 3) / 4 + 1) / 2), printf('exon-%06d', i), 2 FROM numbers WHERE i <= 38000;
INSERT INTO relations SELECT printf('rna%05d', (i + 1) / 2), printf('cds-%06d', i), 1 FROM numbers WHERE i <= 18000;
INSERT INTO relations SELECT printf('gene%05d', ((i + 1) / 2 + 1) / 2), printf('cds-%06d', i), 2 FROM numbers WHERE i <= 18000;
INSERT INTO autoincrements VALUES ('exon', 38000), ('CDS', 18000);
INSERT INTO meta VALUES ('{"fmt":"gff3"}', '0.13');
CREATE INDEX relationsparent ON relations (parent);
CREATE INDEX relationschild ON relations (child);
CREATE INDEX featuretype ON features (featuretype);
CREATE INDEX seqidstartend ON features (seqid, start, end);
CREATE INDEX seqidstartendstrand ON features (seqid, start, end, strand);
ANALYZE features;

-- statement: gffutils-01
-- is: harmful-index, index-not-covering
-- because: what lies in a region: by the index, all that begins before its end is read, although the bins say where it may be
-- run: 'chr1', 41500000, 41000000 | 'chr2', 41500000, 41000000

SELECT id, start, end, strand FROM features WHERE seqid = ? AND start <= ? AND end >= ?
AND bin IN (0, 1, 2, 9, 10, 11, 12, 13, 14, 73, 112, 113, 897, 898, 899, 900, 901) ORDER BY start, id

-- best
-- index: features (seqid, bin, start, end)

-- or
-- index: features (seqid, bin)

-- or
-- index: features (seqid, bin, start)

-- statement: gffutils-02
-- is: full-scan, group-without-index, index-not-covering, join-order, missing-statistics
-- because: genes with the most coding parts: all relations of exons are followed as well

SELECT relations.parent, count(*) AS n FROM relations JOIN features ON features.id = relations.child
WHERE relations.level = 2 AND features.featuretype = 'CDS' GROUP BY relations.parent HAVING count(*) > 3 ORDER BY n DESC, relations.parent LIMIT 10

-- best
-- index: features (featuretype, id)
-- index: relations (level, parent, child)

SELECT relations.parent, count(*) AS n FROM relations WHERE relations.level = 2 AND relations.child IN (SELECT id FROM features WHERE \
featuretype = 'CDS')
GROUP BY relations.parent HAVING count(*) > 3 ORDER BY n DESC, relations.parent LIMIT 10

-- statement: gffutils-03
-- is: expression-index, function-on-column
-- because: a gene by its name, which is in the JSON: that of each gene is parsed
-- run: 'lofobanace' | 'nafoce'

SELECT id, attributes FROM features WHERE featuretype = 'gene' AND json_extract(attributes, '$.Name[0]') = ?

-- best
-- index: features (json_extract(attributes, '$.Name[0]'))

-- or
-- index: features (featuretype, json_extract(attributes, '$.Name[0]'))

-- or
-- index: features (json_extract(attributes, '$.Name[0]')) WHERE featuretype = 'gene'

-- statement: gffutils-04
-- is: expression-index, sort-without-index
-- because: the longest of a kind: all of them are read and sorted
-- run: 'mRNA' | 'exon'

SELECT id, seqid, end - start AS length FROM features WHERE featuretype = ? ORDER BY (end - start) DESC, id LIMIT 20

-- best
-- index: features (featuretype, end - start DESC, id)

-- statement: gffutils-05
-- is: full-scan
-- because: a rare source gets another name
-- run: 'manual', 'pedi' | 'manual', 'loce'

UPDATE features SET source = ? WHERE source = ?

-- best
-- index: features (source)

-- statement: gffutils-06
-- is: case-insensitive-without-index, full-scan
-- because: a name whatever its case, which the key can't find
-- run: 'GENE00077' | 'Exon-020000'

SELECT id, seqid, start, end FROM features WHERE id = ? COLLATE NOCASE

-- best
-- index: features (id COLLATE NOCASE)

-- statement: gffutils-07
-- is: index-not-covering, subquery-per-row
-- because: what lies in each gene of a chromosome: for each, all that begins behind it is read up to the end
-- run: 'chr5'

SELECT g.id, (SELECT count(*) FROM features AS e WHERE e.seqid = g.seqid AND e.start >= g.start AND e.end <= g.end AND e.featuretype = 'CDS') AS n
FROM features AS g WHERE g.featuretype = 'gene' AND g.seqid = ? ORDER BY n DESC, g.id LIMIT 20

-- best
-- index: features (seqid, featuretype, start, end, id)

SELECT g.id, (SELECT count(*) FROM features AS e WHERE e.seqid = g.seqid AND e.start BETWEEN g.start AND g.end AND e.end <= g.end AND \
e.featuretype = 'CDS') AS n
FROM features AS g WHERE g.featuretype = 'gene' AND g.seqid = ? ORDER BY n DESC, g.id LIMIT 20

-- statement: gffutils-08
-- is: full-scan, harmful-index, index-not-covering, sort-without-index
-- because: the largest gaps between genes: all features are walked in their order

SELECT id, start - lag(end) OVER (PARTITION BY seqid ORDER BY start, id) AS gap FROM features WHERE featuretype = 'gene' ORDER BY gap \
DESC, id LIMIT 10

-- best
-- index: features (featuretype, seqid, start, id, end)

-- or
-- index: features (featuretype, seqid, start, end, id)

-- statement: gffutils-09
-- is: expression-index, full-scan, function-on-column, harmful-index, index-not-covering, type-mismatch
-- because: the best coding parts: scores are texts, as most features have none
-- run: 99

SELECT id, score FROM features WHERE featuretype = 'CDS' AND CAST(score AS INTEGER) >= ? AND frame = '0' ORDER BY id

-- best
-- index: features (featuretype, frame, CAST(score AS INTEGER))

-- statement: gffutils-10
-- is: expression-index, function-on-column, group-without-index, index-not-covering, wide-rows-for-count
-- because: genes by a value in their JSON, which is parsed for each

SELECT json_extract(attributes, '$.biotype[0]') AS biotype, count(*) FROM features WHERE featuretype = 'gene' GROUP BY biotype

-- best
-- index: features (featuretype, json_extract(attributes, '$.biotype[0]'))

-- statement: gffutils-11
-- is: repeated-statement
-- because: the transcripts of forty genes, asked for one by one
-- operation: transcripts of genes
-- run: 'gene00010' | 'gene00110' | 'gene00210' | 'gene00310' | 'gene00410' | 'gene00510' | 'gene00610' | 'gene00710' | 'gene00810' | \
--   'gene00910' | 'gene01010' | 'gene01110' | 'gene01210' | 'gene01310' | 'gene01410' | 'gene01510' | 'gene01610' | 'gene01710' | 'gene01810' \
--   | 'gene01910' | 'gene02010' | 'gene02110' | 'gene02210' | 'gene02310' | 'gene02410' | 'gene02510' | 'gene02610' | 'gene02710' | \
--   'gene02810' | 'gene02910' | 'gene03010' | 'gene03110' | 'gene03210' | 'gene03310' | 'gene03410' | 'gene03510' | 'gene03610' | 'gene03710' \
--   | 'gene03810' | 'gene03910'

SELECT child FROM relations WHERE parent = ? AND level = 1

-- best
-- run:

SELECT child FROM relations WHERE parent IN (
  'gene00010', 'gene00110', 'gene00210', 'gene00310', 'gene00410', 'gene00510', 'gene00610', 'gene00710', 'gene00810', 'gene00910',
  'gene01010', 'gene01110', 'gene01210', 'gene01310', 'gene01410', 'gene01510', 'gene01610', 'gene01710', 'gene01810', 'gene01910',
  'gene02010', 'gene02110', 'gene02210', 'gene02310', 'gene02410', 'gene02510', 'gene02610', 'gene02710', 'gene02810', 'gene02910',
  'gene03010', 'gene03110', 'gene03210', 'gene03310', 'gene03410', 'gene03510', 'gene03610', 'gene03710', 'gene03810', 'gene03910') AND level = 1

-- statement: gffutils-12
-- fine
-- because: the exons of a gene, by keys
-- run: 'gene00077'

SELECT f.id, f.start, f.end FROM features AS f JOIN relations AS r ON r.child = f.id WHERE r.parent = ? AND r.level = 2 AND f.featuretype \
= 'exon' ORDER BY f.start, f.id

-- statement: gffutils-13
-- fine
-- because: the first places on a chromosome, from an index
-- run: 'chr12'

SELECT start, end, strand FROM features WHERE seqid = ? ORDER BY start LIMIT 50

-- statement: gffutils-14
-- fine
-- because: the next ones in the order of the file, by the number of the row
-- run: 20000

SELECT id, seqid, start FROM features WHERE rowid > ? ORDER BY rowid LIMIT 500

-- statement: gffutils-15
-- fine
-- because: the chromosomes: SQLite, which has statistics, jumps from one to the next in an index

SELECT DISTINCT seqid FROM features

-- statement: gffutils-16
-- fine
-- tolerated: index-not-covering
-- because: genes that begin in a short region, by an index
-- run: 'chr3', 30000000, 30500000

SELECT id FROM features WHERE seqid = ? AND start BETWEEN ? AND ? AND strand = '+' AND featuretype = 'gene'

-- statement: gffutils-17
-- fine
-- because: a feature is taken out of all relations, by both indexes
-- run: 'rna00500'

DELETE FROM relations WHERE parent = ?1 OR child = ?1
