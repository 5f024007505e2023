/** What `hookline serve --help` says below the options. */
export const SERVE_HELP = `
GET /api/openapi.json describes the API. Every request needs a token (Authorization: Bearer ...). The first
start makes one with all rights and prints it, once; further ones come from hookline token issue.

It listens on loopback only, unless --host says otherwise and there are a token and --allowed-host. Runs
begin with the hooks of the moment and keep them; a configuration that is wrong changes nothing. SIGHUP
reads the files again. dangerous-confirmation suspends a run; POST /api/approvals/:id answers.

Runs, their events and who answered survive a restart; --keep bounds them. An approval that nobody answers
is denied after seven days. The member "server" of a configuration sets all of this and the limits, shown
with their defaults:
  host, port, allowedHosts, state
  keep { for: "30d", size: "1GB" }    approvals { expireAfter: "7d" }
  limits { runs: 64, runsPerUser: 16, suspendedPerUser: 1000, streams: 2000, streamsPerUser: 100,
           connections: 2000, connectionsPerAddress: 500, failedLogins: 10 (a minute and address) }

SIGTERM and Ctrl-C: no new runs, those that go on get --grace seconds and are cancelled then, suspended
ones stay in the state. Exit codes: 0 ended in order, 2 bad usage or configuration; a second signal exits
at once.

Examples:
  hookline serve --config hookline.yaml
  curl -N -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8787/api/runs
`;
