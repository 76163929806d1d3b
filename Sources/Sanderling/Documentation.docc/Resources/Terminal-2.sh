swift run Todo
# Home: 2 open
