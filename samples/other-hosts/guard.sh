#!/bin/sh
# A command hook of Claude Code: denies each Bash call that contains `git push`.
if grep -q 'git push'; then
  echo 'git push is not allowed.' >&2
  exit 2
fi
