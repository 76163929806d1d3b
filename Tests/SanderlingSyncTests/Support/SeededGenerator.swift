import TestPrograms

/// Random numbers that a seed repeats.
typealias SeededGenerator = TestPrograms.SeededGenerator
