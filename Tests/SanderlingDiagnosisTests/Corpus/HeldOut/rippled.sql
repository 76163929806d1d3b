-- schema: rippled
-- about: A server of the XRP ledger: ledgers with what validators signed, transactions, and which accounts each touched.
-- origin: rippled 1.2 (ISC, Copyright Ripple Labs Inc.): the tables of its ledger and transaction databases with their indexes, in one \
--   database

CREATE TABLE Ledgers (
  LedgerHash CHARACTER(64) PRIMARY KEY, LedgerSeq BIGINT UNSIGNED, PrevHash CHARACTER(64), TotalCoins BIGINT UNSIGNED, ClosingTime BIGINT \
UNSIGNED, PrevClosingTime BIGINT UNSIGNED, CloseTimeRes BIGINT UNSIGNED,
  CloseFlags BIGINT UNSIGNED, AccountSetHash CHARACTER(64), TransSetHash CHARACTER(64));
CREATE INDEX SeqLedger ON Ledgers(LedgerSeq);
CREATE TABLE Validations (LedgerSeq BIGINT UNSIGNED, InitialSeq BIGINT UNSIGNED, LedgerHash CHARACTER(64), NodePubKey CHARACTER(56), \
SignTime BIGINT UNSIGNED, RawData BLOB);
CREATE INDEX ValidationsByHash ON Validations(LedgerHash);
CREATE INDEX ValidationsBySeq ON Validations(LedgerSeq);
CREATE INDEX ValidationsByInitialSeq ON Validations(InitialSeq, LedgerSeq);
CREATE INDEX ValidationsByTime ON Validations(SignTime);
CREATE TABLE Transactions (
  TransID CHARACTER(64) PRIMARY KEY, TransType CHARACTER(24), FromAcct CHARACTER(35), FromSeq BIGINT UNSIGNED, LedgerSeq BIGINT UNSIGNED, \
Status CHARACTER(1), RawTxn BLOB, TxnMeta BLOB);
CREATE INDEX TxLgrIndex ON Transactions(LedgerSeq);
CREATE TABLE AccountTransactions (TransID CHARACTER(64), Account CHARACTER(64), LedgerSeq BIGINT UNSIGNED, TxnSeq INTEGER);
CREATE INDEX AcctTxIDIndex ON AccountTransactions(TransID);
CREATE INDEX AcctTxIndex ON AccountTransactions(Account, LedgerSeq, TxnSeq, TransID);
CREATE INDEX AcctLgrIndex ON AccountTransactions(LedgerSeq, Account, TransID);

CREATE TEMP TABLE accounts (k INTEGER PRIMARY KEY, address TEXT);
INSERT INTO accounts SELECT i, 'r' || substr(word(i * 97 + 5) || upper(substr(word(i * 31), 1, 3)) || word(i * 53 + 1) || 'zK' || word(i * \
7919) || word(i * 611), 1, 33) FROM numbers WHERE i <= 8000;
INSERT INTO Ledgers
SELECT printf('%08X%08X%032X%016X', pick(1, i, 4294967295), pick(2, i, 4294967295), i * 7919, i), 41000000 + i + i / 9000 * 40, \
printf('%08X%08X%032X%016X', pick(1, i - 1, 4294967295), pick(2, i - 1, 4294967295), (i - 1) * 7919, i - 1), 99993000000000000 - i * 900,
  590000000 + i * 40 + pick(3, i, 2), 590000000 + i * 40 - 40, 10, iif(chance(4, i) < 0.01, 1, 0), printf('%064X', i * 104729), \
iif(chance(5, i) < 0.02, printf('%064X', 0), printf('%064X', i * 15485863))
FROM numbers WHERE i <= 20000;
INSERT INTO Ledgers SELECT 'F' || substr(LedgerHash, 2), LedgerSeq, PrevHash, TotalCoins, ClosingTime, PrevClosingTime, 10, 1, \
AccountSetHash, TransSetHash FROM Ledgers WHERE rowid % 3001 = 17;
INSERT INTO Validations
SELECT l.LedgerSeq, l.LedgerSeq, l.LedgerHash, 'n9' || word(1000 + n.i * 77) || 'Q' || word(n.i * 7919) || word(5 + n.i * 7) || 'Tm', \
l.ClosingTime + 1 + pick(6, l.rowid * 40 + n.i, 3), CAST(prose(7, l.rowid + n.i, 90) AS BLOB)
FROM Ledgers AS l JOIN numbers AS n ON n.i <= 34 WHERE l.LedgerSeq > 41017500 AND chance(8, l.rowid * 40 + n.i) < iif(n.i < 30, 0.97, 0.1);
INSERT INTO Transactions
SELECT printf('%08X%08X%032X%016X', pick(9, i, 4294967295), pick(10, i, 4294967295), i * 104729, i),
  CASE WHEN chance(11, i) < 0.52 THEN 'OfferCreate' WHEN chance(11, i) < 0.8 THEN 'Payment' WHEN chance(11, i) < 0.95 THEN 'OfferCancel' \
WHEN chance(11, i) < 0.985 THEN 'TrustSet' WHEN chance(11, i) < 0.998 THEN 'AccountSet' ELSE 'EscrowFinish' END,
  (SELECT address FROM accounts WHERE k = skewed(12, i, 6000)), 1000 + i, 41000001 + i * 2 / 5 + (i * 2 / 5 + 1) / 9000 * 40, \
iif(chance(13, i) < 0.003, 'C', 'V'), CAST(prose(14, i, 90 + pick(15, i, 60)) AS BLOB), iif(chance(16, i) < 0.01, NULL, CAST(prose(17, i, \
100 + pick(18, i, 200)) AS BLOB))
FROM numbers WHERE i <= 45000;
INSERT INTO AccountTransactions SELECT TransID, FromAcct, LedgerSeq, rowid % 5 FROM Transactions;
INSERT INTO AccountTransactions
SELECT t.TransID, a.address, t.LedgerSeq, t.rowid % 5 FROM Transactions AS t JOIN numbers AS n ON n.i <= 4 JOIN accounts AS a ON a.k = \
skewed(19, t.rowid * 5 + n.i, 8000)
WHERE chance(20, t.rowid * 5 + n.i) < CASE t.TransType WHEN 'Payment' THEN 0.6 WHEN 'OfferCreate' THEN 0.3 ELSE 0.05 END;
DROP TABLE accounts;

-- statement: rippled-01
-- fine
-- tolerated: index-not-covering
-- because: the transactions of an account between two ledgers, by an index with all that it takes
-- run: 'rpefloTREplirizKnahadricedrijegu'

SELECT AccountTransactions.LedgerSeq, AccountTransactions.TxnSeq, Status, RawTxn, TxnMeta FROM AccountTransactions INNER JOIN Transactions \
ON Transactions.TransID = AccountTransactions.TransID
AND AccountTransactions.Account = ? WHERE AccountTransactions.LedgerSeq BETWEEN '41004000' AND '41004400' ORDER BY \
AccountTransactions.LedgerSeq ASC, AccountTransactions.TxnSeq ASC LIMIT 200

-- statement: rippled-02
-- is: large-offset
-- because: a far page of the history: all rows before it are walked
-- run: 12000

SELECT LedgerSeq, Status, RawTxn FROM Transactions ORDER BY LedgerSeq DESC, rowid DESC LIMIT 20 OFFSET ?

-- best
-- run: 41013241, 33001

SELECT LedgerSeq, Status, RawTxn FROM Transactions WHERE (LedgerSeq, rowid) < (?, ?) ORDER BY LedgerSeq DESC, rowid DESC LIMIT 20

-- statement: rippled-03
-- is: full-scan, sort-without-index
-- because: what an account sent last: all transactions are read
-- run: 'rthahafohaKIHnahastadizKkithagubas' | 'rpeplitukifoTREplibaxigrucezKnacey'

SELECT TransID, TransType, FromSeq, LedgerSeq FROM Transactions WHERE FromAcct = ? ORDER BY FromSeq DESC LIMIT 25

-- best
-- index: Transactions (FromAcct, FromSeq)

-- or
-- index: Transactions (FromAcct)

-- statement: rippled-04
-- is: full-scan, group-without-index, partial-index
-- because: the few transactions that conflicted, by type
-- run: 'C'

SELECT TransType, count(*) AS n, sum(TxnMeta IS NULL) AS without_meta FROM Transactions WHERE Status = ? GROUP BY TransType ORDER BY n DESC

-- best
-- index: Transactions (Status, TransType)

-- or
-- index: Transactions (Status)

-- statement: rippled-05
-- is: expression-index, full-scan, function-on-column
-- because: the ledgers of a day: the date is computed for each of all
-- run: '2018-09-12' | '2018-09-13'

SELECT count(*), min(LedgerSeq), max(LedgerSeq), sum(CloseFlags) FROM Ledgers WHERE date(ClosingTime + 946684800, 'unixepoch') = ?

-- best
-- index: Ledgers (ClosingTime, LedgerSeq, CloseFlags)

SELECT count(*), min(LedgerSeq), max(LedgerSeq), sum(CloseFlags) FROM Ledgers WHERE ClosingTime >= strftime('%s', ?1) - 946684800 AND \
ClosingTime < strftime('%s', ?1, '+1 day') - 946684800

-- or
-- index: Ledgers (date(ClosingTime + 946684800, 'unixepoch'), LedgerSeq, CloseFlags)

-- statement: rippled-06
-- is: full-scan, group-without-index, index-not-covering, sort-without-index
-- because: how often each validator signed, and when last

SELECT NodePubKey, count(*) AS n, max(SignTime) AS latest FROM Validations GROUP BY NodePubKey ORDER BY n DESC, NodePubKey

-- best
-- index: Validations (NodePubKey, SignTime)

-- statement: rippled-07
-- is: index-not-covering
-- because: with whom an account has to do: each transaction is looked up in the table for the others
-- run: 'rpefloTREplirizKnahadricedrijegu'

SELECT b.Account, count(*) AS together FROM AccountTransactions AS a JOIN AccountTransactions AS b ON b.TransID = a.TransID WHERE \
a.Account = ? AND b.Account <> a.Account GROUP BY b.Account ORDER BY together DESC, b.Account LIMIT 20

-- best
-- index: AccountTransactions (TransID, Account)

-- statement: rippled-08
-- is: case-insensitive-without-index, full-scan, pattern-without-index
-- because: addresses by how they begin: LIKE ignores case, which addresses do not, so that the index is walked from end to end
-- run: 'rvamuz' | 'rshupe'

SELECT Account, count(*) AS n, max(LedgerSeq) AS latest FROM AccountTransactions WHERE Account LIKE ? || '%' GROUP BY Account ORDER BY n \
DESC, Account LIMIT 10

-- best

SELECT Account, count(*) AS n, max(LedgerSeq) AS latest FROM AccountTransactions WHERE Account >= ?1 AND Account < ?1 || char(1114111) \
GROUP BY Account ORDER BY n DESC, Account LIMIT 10

-- or

SELECT Account, count(*) AS n, max(LedgerSeq) AS latest FROM AccountTransactions WHERE Account >= ?1 AND Account < ?1 || '{' GROUP BY \
Account ORDER BY n DESC, Account LIMIT 10

-- statement: rippled-09
-- is: case-insensitive-without-index, full-scan
-- because: a transaction by its identifier in lower case: the key has upper case
-- run: '0d4eae241b38284d000000000000000000000000045ea05c00000000000002bc' | \
--   '47fa05fc455bb74e000000000000000000000000c1832b580000000000007918'

SELECT LedgerSeq, Status, RawTxn, TxnMeta FROM Transactions WHERE TransID = ? COLLATE NOCASE

-- best

SELECT LedgerSeq, Status, RawTxn, TxnMeta FROM Transactions WHERE TransID = upper(?)

-- or
-- index: Transactions (TransID COLLATE NOCASE)

-- statement: rippled-10
-- fine
-- because: old ledgers go: by an index that begins with the ledger
-- run: 41000100

DELETE FROM AccountTransactions WHERE LedgerSeq < ?

-- statement: rippled-11
-- fine
-- because: the gaps in the history: one walk through the index

SELECT LedgerSeq + 1 AS first, following - 1 AS last FROM (SELECT LedgerSeq, lead(LedgerSeq) OVER (ORDER BY LedgerSeq) AS following FROM \
Ledgers) WHERE following > LedgerSeq + 1

-- statement: rippled-12
-- is: join-fan-out, multiplied-aggregate
-- because: transactions and validations of each ledger: each of the ones is counted once for each of the others
-- run: 41017600, 41018600

SELECT l.LedgerSeq, count(t.TransID) AS transactions, count(v.NodePubKey) AS validations FROM Ledgers AS l LEFT JOIN Transactions AS t ON \
t.LedgerSeq = l.LedgerSeq LEFT JOIN Validations AS v ON v.LedgerHash = l.LedgerHash
WHERE l.LedgerSeq BETWEEN ? AND ? GROUP BY l.LedgerHash ORDER BY l.LedgerSeq, l.LedgerHash

-- best
-- changes results

SELECT l.LedgerSeq, (SELECT count(*) FROM Transactions AS t WHERE t.LedgerSeq = l.LedgerSeq) AS transactions, (SELECT count(*) FROM \
Validations AS v WHERE v.LedgerHash = l.LedgerHash) AS validations
FROM Ledgers AS l WHERE l.LedgerSeq BETWEEN ? AND ? ORDER BY l.LedgerSeq, l.LedgerHash

-- statement: rippled-13
-- fine
-- tolerated: index-not-covering
-- because: a ledger and those before it, one by one by the key
-- run: '2F9738510DF8C8DF000000000000000000000000071483E80000000000003A98'

WITH RECURSIVE chain (hash, depth) AS (SELECT ?, 0 UNION ALL SELECT l.PrevHash, c.depth + 1 FROM chain AS c JOIN Ledgers AS l ON \
l.LedgerHash = c.hash WHERE c.depth < 400)
SELECT min(l.LedgerSeq), max(l.LedgerSeq), count(*) FROM chain AS c JOIN Ledgers AS l ON l.LedgerHash = c.hash

-- statement: rippled-14
-- is: automatic-index, full-scan, subquery-per-row
-- because: forks: for each ledger, all are searched for one with the same parent
-- run: 41003000, 41003100

SELECT a.LedgerSeq, a.LedgerHash FROM Ledgers AS a WHERE EXISTS (SELECT 1 FROM Ledgers AS b WHERE b.PrevHash = a.PrevHash AND b.LedgerHash \
<> a.LedgerHash) AND a.LedgerSeq BETWEEN ? AND ?

-- best
-- index: Ledgers (PrevHash)

-- or
-- index: Ledgers (PrevHash, LedgerHash)

-- statement: rippled-15
-- fine
-- tolerated: index-not-covering
-- because: the hashes of some ledgers in a row
-- run: 41012000, 41012255

SELECT LedgerHash, PrevHash FROM Ledgers INDEXED BY SeqLedger WHERE LedgerSeq >= ? AND LedgerSeq <= ?

-- statement: rippled-16
-- fine
-- tolerated: full-scan
-- because: the metadata of all transactions, for a migration: that needs all of them

SELECT TransID, TxnMeta FROM Transactions

-- statement: rippled-17
-- fine
-- because: the place of a transaction in its ledger, by its index
-- run: 3, '0D4EAE241B38284D000000000000000000000000045EA05C00000000000002BC'

UPDATE AccountTransactions SET TxnSeq = ? WHERE TransID = ?
