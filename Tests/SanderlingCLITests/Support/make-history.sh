#!/bin/sh
# Makes a bare git repository with a synthetic history, the same for the same arguments.
#
# usage: make-history.sh DIRECTORY [COMMITS [AUTHORS]]
#
# The first commit adds 500 text files of 40 lines. Each later commit changes about four of them. Every tenth commit merges a
# branch of one commit. One commit in a hundred renames a file, and one in a hundred adds a binary file.
set -eu
directory=${1:?usage: make-history.sh DIRECTORY [COMMITS [AUTHORS]]}
commits=${2:-40000}
authors=${3:-300}

git init --quiet --bare "$directory"
LC_ALL=C awk -v commits="$commits" -v authors="$authors" '
  function random(limit) {
    # The generator of Park and Miller, whose products fit into floating-point numbers.
    seed = seed * 16807 % 2147483647
    return seed % limit
  }
  function data(text) { printf "data %d\n%s\n", length(text), text }
  function write(file,    line, text) {
    text = ""
    for (line = 0; line < 40; line++) text = text lines[file, line] "\n"
    print "M 100644 inline " path[file]
    data(text)
  }
  function change(file) {
    lines[file, random(40)] = "line " random(1000) " of a text that is about as wide as source code"
    lines[file, random(40)] = "value = " random(1000)
    write(file)
  }
  # A few authors make most of the commits.
  function commit(number, subject,    author, time) {
    author = int(authors * (random(32768) / 32768) ^ 3)
    time = 1000000000 + number * 3600
    print "commit refs/heads/main"
    print "mark :" number
    printf "author Author %d <author%d@example.com> %d %s\n", author, author, time, zones[1 + number % 3]
    printf "committer Committer <committer@example.com> %d +0000\n", time + 60
    data(subject)
  }
  BEGIN {
    seed = 42
    split("+0000 +0530 -0800", zones, " ")
    commit(1, "Add all files")
    for (file = 0; file < 500; file++) {
      path[file] = "folder" file % 20 "/file" file ".txt"
      for (line = 0; line < 40; line++) lines[file, line] = "line " line " of file " file
      write(file)
    }
    for (number = 2; number <= commits; number++) {
      if (number % 10 == 0) {
        commit(number, "Merge change number " number - 1)
        print "from :" number - 2
        print "merge :" number - 1
        for (i = 0; i < count; i++) write(changed[i])
        continue
      }
      commit(number, "Change number " number)
      print "from :" number - 1
      count = 2 + random(5)
      for (i = 0; i < count; i++) {
        changed[i] = random(500)
        change(changed[i])
      }
      if (number % 100 == 1) {
        file = random(500)
        renamed = "moved/" number ".txt"
        print "R " path[file] " " renamed
        path[file] = renamed
      }
      if (number % 100 == 2) {
        print "M 100644 inline binary/" number
        printf "data 3\n%c%c%c\n", 0, 1, 2
      }
    }
    print "done"
  }' | git -C "$directory" fast-import --quiet --done
git -C "$directory" symbolic-ref HEAD refs/heads/main
