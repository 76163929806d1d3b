import ArgumentParser
import Logging
import Sanderling
