import TestPrograms

/// Random numbers that a seed reproduces.
typealias SeededGenerator = TestPrograms.SeededGenerator
