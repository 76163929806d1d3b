mkdir Todo
cd Todo
swift package init --type executable
