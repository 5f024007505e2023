/** What `hookline audit verify --help` says below the options. */
export const AUDIT_HELP = `
An audit is chained by the option chain: true of audit-log. With one file, the files that were rotated
from it (audit.2026-11-21.1.jsonl beside audit.jsonl) are read before it; several are read as given.
Memory stays small however long they are. Lines that a crash cut short are told of, and are no breach.

A chain cannot show that its last lines were cut off: note the hash that is printed somewhere else, and
give it to --expect later. Without a chainKey whoever can write the file can compute all of it anew,
which --expect shows too. Files that rotation removed (keep) are not missed.

Exit codes:
  0  whole    1  broken, with file:line and what is wrong    2  bad usage, or no chained audit

Examples:
  hookline audit verify audit.jsonl
  hookline audit verify audit.jsonl --expect "$(cat /mnt/elsewhere/last-hash)"
  AUDIT_KEY=... hookline audit verify audit.jsonl --key-env AUDIT_KEY
  hookline audit verify audit.jsonl --json | jq -r .last.hash
`;
