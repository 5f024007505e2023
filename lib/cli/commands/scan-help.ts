/** What `hookline scan --help` says below the options. */
export const SCAN_HELP = `
A finding is a line of file, line, column and rule; what was found is never printed. A pipe of any
length takes the same little memory. Text is UTF-8; what holds a NUL within its first 8 KiB is no text.
Other bytes that are no UTF-8 are warned of once; --redact, which would change them, ends a file there.

Exit codes:
  0  nothing found    1  secrets found    2  bad usage, or something could not be read
  130, 143, 129  stopped by Ctrl-C, SIGTERM, a closed terminal
  141            nobody reads the output any more

Examples:
  hookline scan src/*.ts .env
  git diff --cached | hookline scan || echo "do not commit this"
  tail -f app.log | hookline scan --redact
  hookline scan --json notes.txt | jq .rule
  hookline scan --rules gitleaks.toml src/*.ts
`;
