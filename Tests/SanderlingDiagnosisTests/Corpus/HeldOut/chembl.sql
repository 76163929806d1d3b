-- schema: chembl
-- about: A database of chemistry that is read by scripts: molecules with their structures, assays on targets, and what was measured.
-- origin: ChEMBL 33 (CC BY-SA 3.0, Copyright EMBL-EBI): fifteen tables of its SQLite dump with a part of their columns and of their indexes

CREATE TABLE docs (doc_id INTEGER NOT NULL PRIMARY KEY, journal VARCHAR(50), year INTEGER, volume VARCHAR(50), first_page VARCHAR(50), \
pubmed_id BIGINT, doi VARCHAR(100), chembl_id VARCHAR(20) NOT NULL, title VARCHAR(500), doc_type VARCHAR(50) NOT NULL, authors \
VARCHAR(4000), abstract TEXT, src_id INTEGER NOT NULL, UNIQUE (chembl_id));
CREATE TABLE molecule_dictionary (
  molregno INTEGER NOT NULL PRIMARY KEY, pref_name VARCHAR(255), chembl_id VARCHAR(20) NOT NULL, max_phase NUMERIC(2, 1), therapeutic_flag \
SMALLINT NOT NULL, structure_type VARCHAR(10) NOT NULL, molecule_type VARCHAR(30), first_approval INTEGER, oral SMALLINT NOT NULL,
  black_box_warning SMALLINT NOT NULL, natural_product SMALLINT NOT NULL, first_in_class SMALLINT NOT NULL, chirality SMALLINT NOT NULL, \
prodrug SMALLINT NOT NULL, UNIQUE (chembl_id));
CREATE TABLE compound_structures (molregno INTEGER NOT NULL PRIMARY KEY, molfile TEXT, standard_inchi VARCHAR(4000), standard_inchi_key \
VARCHAR(27) NOT NULL, canonical_smiles VARCHAR(4000), FOREIGN KEY (molregno) REFERENCES molecule_dictionary (molregno) ON DELETE CASCADE);
CREATE TABLE compound_properties (
  molregno INTEGER NOT NULL PRIMARY KEY, mw_freebase NUMERIC(9, 2), alogp NUMERIC(9, 2), hba INTEGER, hbd INTEGER, psa NUMERIC(9, 2), rtb \
INTEGER, ro3_pass VARCHAR(3), num_ro5_violations SMALLINT, full_mwt NUMERIC(9, 2), aromatic_rings INTEGER, heavy_atoms INTEGER, \
qed_weighted NUMERIC(3, 2), full_molformula VARCHAR(100),
  FOREIGN KEY (molregno) REFERENCES molecule_dictionary (molregno) ON DELETE CASCADE);
CREATE TABLE molecule_hierarchy (molregno INTEGER NOT NULL PRIMARY KEY, parent_molregno INTEGER, active_molregno INTEGER);
CREATE TABLE molecule_synonyms (molregno INTEGER NOT NULL, syn_type VARCHAR(50) NOT NULL, molsyn_id INTEGER NOT NULL PRIMARY KEY, \
res_stem_id INTEGER, synonyms VARCHAR(250), UNIQUE (molregno, synonyms, syn_type));
CREATE TABLE compound_records (record_id INTEGER NOT NULL PRIMARY KEY, molregno INTEGER, doc_id INTEGER NOT NULL, compound_key \
VARCHAR(250), compound_name VARCHAR(4000), src_id INTEGER NOT NULL, src_compound_id VARCHAR(150));
CREATE TABLE target_dictionary (tid INTEGER NOT NULL PRIMARY KEY, target_type VARCHAR(30), pref_name VARCHAR(200) NOT NULL, tax_id BIGINT, \
organism VARCHAR(150), chembl_id VARCHAR(20) NOT NULL, species_group_flag SMALLINT NOT NULL, UNIQUE (chembl_id));
CREATE TABLE component_sequences (component_id INTEGER NOT NULL PRIMARY KEY, component_type VARCHAR(50), accession VARCHAR(25), sequence \
TEXT, description VARCHAR(200), tax_id BIGINT, organism VARCHAR(150), UNIQUE (accession));
CREATE TABLE target_components (tid INTEGER NOT NULL, component_id INTEGER NOT NULL, targcomp_id INTEGER NOT NULL PRIMARY KEY, homologue \
SMALLINT NOT NULL, UNIQUE (tid, component_id));
CREATE TABLE assays (assay_id INTEGER NOT NULL PRIMARY KEY, doc_id INTEGER NOT NULL, description VARCHAR(4000), assay_type VARCHAR(1), \
assay_organism VARCHAR(250), assay_cell_type VARCHAR(100), tid INTEGER, relationship_type VARCHAR(1), confidence_score SMALLINT, src_id \
INTEGER NOT NULL, src_assay_id VARCHAR(50), chembl_id VARCHAR(20) NOT NULL, UNIQUE (chembl_id));
CREATE TABLE activities (
  activity_id BIGINT NOT NULL, assay_id INTEGER NOT NULL, doc_id INTEGER, record_id INTEGER NOT NULL, molregno INTEGER, standard_relation \
VARCHAR(50), standard_value NUMERIC, standard_units VARCHAR(100), standard_flag SMALLINT, standard_type VARCHAR(250), activity_comment \
VARCHAR(4000),
  data_validity_comment VARCHAR(30), potential_duplicate SMALLINT, pchembl_value NUMERIC(4, 2), src_id INTEGER, CONSTRAINT pk_act_actid \
PRIMARY KEY (activity_id));
CREATE TABLE drug_mechanism (mec_id INTEGER NOT NULL PRIMARY KEY, record_id INTEGER NOT NULL, molregno INTEGER, mechanism_of_action \
VARCHAR(250), tid INTEGER, action_type VARCHAR(50), direct_interaction SMALLINT);
CREATE TABLE action_type (action_type VARCHAR(50) NOT NULL PRIMARY KEY, description VARCHAR(200) NOT NULL, parent_type VARCHAR(50));
CREATE TABLE molecule_atc_classification (mol_atc_id INTEGER NOT NULL PRIMARY KEY, level5 VARCHAR(10) NOT NULL, molregno INTEGER NOT NULL);
CREATE INDEX idx_moldict_pref_name ON molecule_dictionary (pref_name);
CREATE INDEX idx_cmpdstr_stdkey ON compound_structures (standard_inchi_key);
CREATE INDEX fk_comprec_molregno ON compound_records (molregno);
CREATE INDEX fk_comprec_docid ON compound_records (doc_id);
CREATE INDEX idx_assays_doc_id ON assays (doc_id);
CREATE INDEX fk_assays_tid ON assays (tid);
CREATE INDEX fk_act_assay_id ON activities (assay_id);
CREATE INDEX fk_act_molregno ON activities (molregno);
CREATE INDEX fk_act_doc_id ON activities (doc_id);
CREATE INDEX idx_docs_pmid ON docs (pubmed_id);

INSERT INTO docs SELECT i, CASE skewed(1, i, 4) WHEN 1 THEN 'J Med Chem' WHEN 2 THEN 'Bioorg Med Chem Lett' WHEN 3 THEN 'Eur J Med Chem' \
ELSE 'ACS Med Chem Lett' END, 1980 + pick(2, i, 43), '', '', iif(chance(3, i) < 0.9, 10000000 + i * 37, NULL), '10.1021/x' || i, 'CHEMBL1' \
|| printf('%06d', i), title(4, i, 8), 'PUBLICATION', title(5, i, 6), prose(6, i, 300), 1 FROM numbers WHERE i <= 5000;
INSERT INTO molecule_dictionary
SELECT i, iif(chance(7, i) < 0.12, upper(word(i)), NULL), 'CHEMBL2' || printf('%06d', i), CASE WHEN chance(8, i) < 0.02 THEN 4 WHEN \
chance(8, i) < 0.05 THEN skewed(9, i, 3) ELSE NULL END, 0, iif(chance(10, i) < 0.98, 'MOL', 'SEQ'), iif(chance(10, i) < 0.98, 'Small \
molecule', 'Protein'), iif(chance(8, i) < 0.02, 1950 + pick(11, i, 73), NULL), chance(12, i) < 0.3, 0, chance(13, i) < 0.1, 0, 0, 0
FROM numbers WHERE i <= 26000;
INSERT INTO compound_structures
SELECT molregno, NULL, 'InChI=1S/C' || pick(14, molregno, 40) || 'H' || pick(15, molregno, 60) || '/' || prose(16, molregno, 80), \
upper(printf('%014x', molregno * 7919 % 1000003)) || '-UHFFFAOYSA-N', 'CC(=O)N' || CASE pick(17, molregno, 4) WHEN 1 THEN 'c1ccccc1' WHEN \
2 THEN 'C1CCNCC1' WHEN 3 THEN 'c1ccncc1' ELSE 'CCO' END || iif(chance(18, molregno) < 0.01, 'B(O)O', '') || \
substr('CCOCCNC(=O)CCSCCFCCClCC', 1, pick(19, molregno, 20))
FROM molecule_dictionary WHERE chance(10, molregno) < 0.98 AND chance(20, molregno) < 0.99;
INSERT INTO compound_properties SELECT molregno, round(180 + pick(21, molregno, 50000) / 100.0, 2), round(pick(22, molregno, 900) / 100.0 \
- 2, 2), pick(23, molregno, 11), pick(24, molregno, 6), round(pick(25, molregno, 16000) / 100.0, 2), pick(26, molregno, 12), \
iif(chance(27, molregno) < 0.1, 'Y', 'N'), iif(chance(28, molregno) < 0.7, 0, pick(29, molregno, 4)), round(180 + pick(21, molregno, \
50000) / 100.0, 2), skewed(30, molregno, 6) - 1, pick(31, molregno, 45), round(chance(32, molregno), 2), 'C' || pick(14, molregno, 40) || \
'H20N2O' FROM compound_structures;
INSERT INTO molecule_hierarchy SELECT molregno, iif(chance(33, molregno) < 0.9, molregno, max(1, molregno - pick(34, molregno, 50))), \
molregno FROM molecule_dictionary;
INSERT OR IGNORE INTO molecule_synonyms SELECT iif(chance(35, i) < 0.5, skewed(36, i, 26000), pick(37, i, 26000)), CASE pick(38, i, 3) \
WHEN 1 THEN 'RESEARCH_CODE' WHEN 2 THEN 'INN' ELSE 'TRADE_NAME' END, i, NULL, iif(chance(39, i) < 0.5, word(i), title(40, i, 1) || '-' || \
(i * 37 % 9999)) FROM numbers WHERE i <= 24000;
INSERT INTO compound_records SELECT i, 1 + i * 26000 / 36001, 1 + (i / 8 * 7) % 5000, '' || pick(41, i, 60), title(42, i, 6), skewed(43, \
i, 12), CASE WHEN chance(44, i) < 0.3 THEN CAST(100000 + i * 7 AS TEXT) WHEN chance(44, i) < 0.35 THEN word(i) ELSE NULL END FROM numbers \
WHERE i <= 36000;
INSERT INTO target_dictionary SELECT i, CASE WHEN chance(45, i) < 0.7 THEN 'SINGLE PROTEIN' WHEN chance(45, i) < 0.8 THEN 'ORGANISM' ELSE \
'CELL-LINE' END, title(46, i, 3), 9606, CASE skewed(47, i, 4) WHEN 1 THEN 'Homo sapiens' WHEN 2 THEN 'Rattus norvegicus' WHEN 3 THEN 'Mus \
musculus' ELSE 'Plasmodium falciparum' END, 'CHEMBL3' || printf('%06d', i), 0 FROM numbers WHERE i <= 1500;
INSERT INTO component_sequences SELECT i, 'PROTEIN', 'P' || printf('%05d', i), upper(prose(48, i, 400)), title(49, i, 4), 9606, 'Homo \
sapiens' FROM numbers WHERE i <= 1100;
INSERT OR IGNORE INTO target_components SELECT pick(50, i, 1500), pick(51, i, 1100), i, 0 FROM numbers WHERE i <= 1600;
INSERT INTO assays SELECT i, 1 + i / 3, title(52, i, 12), CASE skewed(53, i, 4) WHEN 1 THEN 'B' WHEN 2 THEN 'F' WHEN 3 THEN 'A' ELSE 'T' \
END, NULL, NULL, iif(chance(54, i) < 0.05, NULL, skewed(55, i, 1500)), 'D', pick(56, i, 10) - 1, 1, NULL, 'CHEMBL4' || printf('%06d', i) \
FROM numbers WHERE i <= 14000;
INSERT INTO activities
SELECT 31000 + n * 45000 + i, 1 + (i * 14000 / 45001 + n * 5) % 14000, NULL, pick(57, i * 3 + n, 36000), iif(chance(58, i * 3 + n) < 0.2, \
skewed(59, i * 3 + n, 26000), pick(60, i * 3 + n, 26000)), iif(chance(61, i * 3 + n) < 0.85, '=', '>'), round(skewed(62, i * 3 + n, \
1000000) * 1.5, 2), CASE WHEN chance(63, i * 3 + n) < 0.8 THEN 'nM' WHEN chance(63, i * 3 + n) < 0.9 THEN '%' ELSE NULL END, 1,
  CASE skewed(64, i * 3 + n, 6) WHEN 1 THEN 'IC50' WHEN 2 THEN 'Ki' WHEN 3 THEN 'Inhibition' WHEN 4 THEN 'EC50' WHEN 5 THEN 'Potency' ELSE \
'Kd' END, NULL, iif(chance(65, i * 3 + n) < 0.02, 'Outside typical range', NULL), chance(66, i * 3 + n) < 0.01, iif(chance(67, i * 3 + n) \
< 0.4, NULL, round(4 + 7 * chance(68, i * 3 + n) * chance(69, i * 3 + n), 2)), 1
FROM (SELECT i FROM numbers WHERE i <= 45000), (SELECT i - 1 AS n FROM numbers WHERE i <= 2);
UPDATE activities SET doc_id = (SELECT doc_id FROM assays AS a WHERE a.assay_id = activities.assay_id);
INSERT INTO action_type SELECT upper(word(i)), title(70, i, 3), NULL FROM numbers WHERE i <= 30;
INSERT INTO drug_mechanism SELECT i, i, skewed(71, i, 26000), title(72, i, 3), skewed(73, i, 1500), upper(word(skewed(74, i, 30))), 1 FROM \
numbers WHERE i <= 700;
INSERT INTO molecule_atc_classification SELECT i, upper(substr(word(i), 1, 1)) || printf('%02d', i % 20) || 'AB' || printf('%02d', i % \
60), skewed(75, i, 26000) FROM numbers WHERE i <= 900;

-- statement: chembl-01
-- fine
-- tolerated: index-not-covering
-- because: what was measured on a target: one table after the other by its index
-- run: 'CHEMBL3000040' | 'CHEMBL3000300'

SELECT m.chembl_id, s.canonical_smiles, a.standard_type, a.standard_value, a.pchembl_value FROM target_dictionary AS t JOIN assays AS y ON \
y.tid = t.tid JOIN activities AS a ON a.assay_id = y.assay_id
JOIN molecule_dictionary AS m ON m.molregno = a.molregno JOIN compound_structures AS s ON s.molregno = m.molregno
WHERE t.chembl_id = ? AND a.standard_relation = '=' AND y.assay_type = 'B'

-- statement: chembl-02
-- is: case-insensitive-without-index, expression-index, full-scan, function-on-column
-- because: a molecule by name: names are stored in upper case, with an index, and all are made lower case
-- run: 'shuceba' | 'lolaba'

SELECT molregno, chembl_id, max_phase FROM molecule_dictionary WHERE lower(pref_name) = ?

-- best
-- index: molecule_dictionary (lower(pref_name))

-- or

SELECT molregno, chembl_id, max_phase FROM molecule_dictionary WHERE pref_name = upper(?)

-- statement: chembl-03
-- is: case-insensitive-without-index, full-scan, join-order, pattern-without-index
-- because: names with a beginning, in whatever case: the key begins with the molecule

SELECT DISTINCT m.chembl_id, m.pref_name, y.synonyms FROM molecule_synonyms AS y JOIN molecule_dictionary AS m ON m.molregno = y.molregno \
WHERE y.synonyms LIKE 'nope%' ORDER BY y.synonyms LIMIT 25

-- best
-- index: molecule_synonyms (synonyms COLLATE NOCASE, molregno)

-- or
-- index: molecule_synonyms (synonyms COLLATE NOCASE)

-- statement: chembl-04
-- is: full-scan, sort-without-index
-- because: the most potent of a kind: all activities are read

SELECT activity_id, molregno, assay_id, pchembl_value FROM activities WHERE pchembl_value >= 10.5 AND standard_type = 'Ki' AND \
potential_duplicate = 0 ORDER BY pchembl_value DESC LIMIT 50

-- best
-- index: activities (standard_type, pchembl_value)

-- or
-- index: activities (pchembl_value)

-- or
-- index: activities (standard_type, potential_duplicate, pchembl_value)

-- statement: chembl-05
-- is: expression-index, full-scan, function-on-column, type-mismatch
-- because: a compound by the number that its source has for it, stored as text

SELECT record_id, molregno, compound_name FROM compound_records WHERE CAST(src_compound_id AS INTEGER) = 121007

-- best
-- index: compound_records (src_compound_id)

SELECT record_id, molregno, compound_name FROM compound_records WHERE src_compound_id = '121007'

-- or
-- index: compound_records (CAST(src_compound_id AS INTEGER))

-- statement: chembl-06
-- fine
-- because: molecules without a structure: all have to be looked for, by their key

SELECT m.chembl_id, m.molecule_type FROM molecule_dictionary AS m LEFT JOIN compound_structures AS s ON s.molregno = m.molregno WHERE \
s.molregno IS NULL ORDER BY m.molregno

-- statement: chembl-07
-- is: group-without-index, index-not-covering, join-order
-- because: molecules that act on much: the assay of each activity is looked up in the order of molecules

SELECT a.molregno, count(DISTINCT y.tid) AS targets FROM activities AS a JOIN assays AS y ON y.assay_id = a.assay_id WHERE y.tid IS NOT \
NULL GROUP BY a.molregno HAVING count(DISTINCT y.tid) >= 10 ORDER BY targets DESC, a.molregno

-- best
-- index: activities (molregno, assay_id)

-- statement: chembl-08
-- is: full-scan
-- because: molecules of about some weight

SELECT p.molregno, s.canonical_smiles, p.mw_freebase FROM compound_properties AS p JOIN compound_structures AS s ON s.molregno = \
p.molregno WHERE p.mw_freebase BETWEEN 300 AND 303 AND p.alogp <= 3 AND p.hba <= 5 AND p.hbd <= 3

-- best
-- index: compound_properties (mw_freebase, alogp)

-- or
-- index: compound_properties (mw_freebase)

-- statement: chembl-09
-- fine
-- tolerated: full-scan, group-without-index, sort-without-index
-- because: a summary of nearly all molecules into a few groups

SELECT aromatic_rings, count(*) AS n, avg(qed_weighted), avg(mw_freebase), avg(alogp), avg(psa), max(heavy_atoms), sum(num_ro5_violations \
= 0) FROM compound_properties WHERE num_ro5_violations <= 1 GROUP BY aromatic_rings ORDER BY aromatic_rings

-- statement: chembl-10
-- fine
-- tolerated: full-scan, pattern-without-index
-- because: a part of a structure: no index finds it

SELECT molregno, canonical_smiles FROM compound_structures WHERE canonical_smiles LIKE '%c1ccncc1B(O)O%'

-- statement: chembl-11
-- is: index-not-covering, subquery-per-row
-- because: the best value on each target: each activity is looked up

SELECT t.chembl_id, t.pref_name, (SELECT max(a.pchembl_value) FROM activities AS a JOIN assays AS y ON y.assay_id = a.assay_id WHERE y.tid \
= t.tid) AS best FROM target_dictionary AS t
WHERE t.target_type = 'SINGLE PROTEIN' AND t.organism = 'Homo sapiens' ORDER BY best DESC LIMIT 40

-- best
-- index: activities (assay_id, pchembl_value)

-- statement: chembl-12
-- is: full-scan, join-fan-out, or-without-index
-- because: a molecule by any of its names: an OR over two tables

SELECT DISTINCT m.molregno, m.chembl_id FROM molecule_dictionary AS m LEFT JOIN molecule_synonyms AS y ON y.molregno = m.molregno WHERE \
m.pref_name = 'SHUCEBA' OR y.synonyms = 'Shuceba' ORDER BY m.molregno

-- best
-- index: molecule_synonyms (synonyms)

SELECT molregno, chembl_id FROM molecule_dictionary WHERE pref_name = 'SHUCEBA'
UNION SELECT m.molregno, m.chembl_id FROM molecule_synonyms AS y JOIN molecule_dictionary AS m ON m.molregno = y.molregno WHERE y.synonyms \
= 'Shuceba' ORDER BY 1

-- statement: chembl-13
-- is: large-offset
-- because: the seventy-first piece of an export: all before it are read and dropped

SELECT activity_id, molregno, standard_type, standard_value FROM activities ORDER BY activity_id LIMIT 1000 OFFSET 70000

-- best
-- run: 101001

SELECT activity_id, molregno, standard_type, standard_value FROM activities WHERE activity_id >= ? ORDER BY activity_id LIMIT 1000

-- statement: chembl-14
-- is: expression-index, full-scan, function-on-column
-- because: structures with the same skeleton: the beginning of a key that has an index

SELECT molregno, standard_inchi_key FROM compound_structures WHERE substr(standard_inchi_key, 1, 14) = '00000000077E9F'

-- best

SELECT molregno, standard_inchi_key FROM compound_structures WHERE standard_inchi_key >= '00000000077E9F' AND standard_inchi_key < \
'00000000077E9F' || '.'

-- or

SELECT molregno, standard_inchi_key FROM compound_structures WHERE standard_inchi_key GLOB '00000000077E9F*'

-- or
-- index: compound_structures (substr(standard_inchi_key, 1, 14))

-- statement: chembl-15
-- fine
-- tolerated: full-scan, sort-without-index
-- because: drugs by what they do: the table of mechanisms is small, all others are met by their keys
-- run: 'YODI'

SELECT m.chembl_id, p.chembl_id AS parent, q.mechanism_of_action, t.pref_name FROM drug_mechanism AS q JOIN molecule_dictionary AS m ON \
m.molregno = q.molregno JOIN molecule_hierarchy AS h ON h.molregno = m.molregno
JOIN molecule_dictionary AS p ON p.molregno = h.parent_molregno LEFT JOIN target_dictionary AS t ON t.tid = q.tid WHERE q.action_type = ? \
ORDER BY m.chembl_id

-- statement: chembl-16
-- fine
-- tolerated: sort-without-index
-- because: the lowest value of each assay of a molecule, which has few
-- run: 2600 | 17000

SELECT * FROM (SELECT activity_id, assay_id, standard_value, row_number() OVER (PARTITION BY assay_id ORDER BY standard_value) AS place \
FROM activities WHERE molregno = ? AND standard_type = 'IC50') WHERE place = 1
