import TestPrograms

/// A generator that gives the same random numbers for the same seed.
typealias SeededGenerator = TestPrograms.SeededGenerator
