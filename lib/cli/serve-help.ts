/** What `hookline serve --help` says below the options. */
export const SERVE_HELP = `
GET /api/openapi.json describes the API. Every request needs a token (Authorization: Bearer ...). The first
start makes one with all rights and prints it, once; further ones come from hookline token issue.

It listens on loopback only, unless --host says otherwise and there are a token and --allowed-host. Runs
begin with the hooks of the moment and keep them; a configuration that is wrong changes nothing. SIGHUP
reads the files again. dangerous-confirmation suspends a run; POST /api/approvals/:id answers.

SIGTERM and Ctrl-C: no new runs, those that go on get --grace seconds and are cancelled then, suspended
ones stay in the state. Exit codes: 0 ended in order, 2 bad usage or configuration; a second signal exits
at once.

Examples:
  hookline serve --config hookline.yaml
  curl -N -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8787/api/runs
`;
