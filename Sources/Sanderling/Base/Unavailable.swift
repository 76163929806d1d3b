/// The body of an unavailable declaration. It never runs, since the compiler accepts no call of the declaration.
func neverRuns() -> Never { fatalError("never runs: the compiler accepts no call of an unavailable declaration") }
