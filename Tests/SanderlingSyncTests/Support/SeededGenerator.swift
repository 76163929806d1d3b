import TestPrograms

/// Random numbers that can be repeated with their seed.
typealias SeededGenerator = TestPrograms.SeededGenerator
