import Foundation
import TasksTerminal

exit(await TerminalApp.run(Array(CommandLine.arguments.dropFirst())))
