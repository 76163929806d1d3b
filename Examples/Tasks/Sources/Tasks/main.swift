#if canImport(SwiftUI)
  import TasksViews

  TasksApp.main()
#else
  print("This system has no SwiftUI. Start the terminal version: swift run tasks-terminal")
#endif
