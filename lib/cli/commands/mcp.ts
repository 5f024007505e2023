import type { Command } from 'commander';
import { type McpFlags, proxyServer } from '../mcp/proxy-server.ts';
import { type WrapFlags, wrapFile } from '../mcp/wrap-file.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { hookOptions, presetOption } from '../options/hook-options.ts';
import { upTo } from '../options/whole-number.ts';
import { logLevels } from '../setup/create-log.ts';

/** In seconds. Node's timers do not support longer delays. */
const MOST_ASK_TIMEOUT = 2_000_000;

/** `hookline mcp`: runs hooks in front of an MCP server. */
export function mcp(command: Command): void {
  command
    .command('wrap')
    .description(
      'Adds hookline mcp, with the given options, to each server in the settings of a client (Claude, Cursor, VS Code, Codex).',
    )
    .argument(
      '<file>',
      'settings file: JSON with "mcpServers" or "servers" (projects included), or TOML with mcp_servers',
    )
    .option('--config <file>', 'configuration file for the servers (repeatable)', append, [])
    .addOption(presetOption())
    .option('--write', 'write the file and keep a backup (default: print the change)')
    .option('--unwrap', 'remove hookline from the settings')
    .action((file: string, _: WrapFlags, own: Command) =>
      // If both commands have an option, it belongs to the parent command.
      wrapFile(file, own.optsWithGlobals()),
    );
  const { outputError } = command.configureOutput();
  command
    .configureOutput({ outputError: (text, write) => outputError?.(withServerHint(text), write) })
    .argument('[server...]', 'command that starts the server, after --')
    .option('--url <url>', 'URL of a server over HTTP, instead of a command')
    .option('--listen <host:port>', 'listen for HTTP clients (default: stdio)')
    .option(
      '--header <header>',
      '"Name: value" for the server; ${NAME} in it is a variable of the environment (repeatable)',
      append,
      [],
    )
    .option('--allowed-host <host>', 'accept this Host header, port included (repeatable)', append, []);
  hookOptions(command, 'configuration file; see check (repeatable; later files win)')
    .option('--workspace <dir>', 'base directory for path rules (default: .)')
    .option('--agent <name>', 'agent name that hooks match (default: mcp)')
    .option('--session <id>', 'session ID of the run (default: a new session)')
    .option('--user <id>', 'user ID of the run')
    .option('--trust-annotations', 'trust tool annotations of the server, such as readOnlyHint')
    .option('--pin <file>', 'pin the tool descriptions in this file and ask when they change')
    .option('--inspect', 'open a web UI that shows calls and answers approval prompts')
    .option('--ask-timeout <seconds>', 'timeout of an approval prompt (default: 600)', upTo(MOST_ASK_TIMEOUT))
    .option('--log-level <level>', `log level on stderr (${logLevels.join(', ')})`, choice(logLevels), 'warn')
    .addHelpText('after', MCP_HELP)
    .action(async (server: readonly string[], flags: McpFlags) => {
      process.exitCode = await proxyServer(server, flags);
    });
}

/** An unknown option may be an option of the server. */
function withServerHint(text: string): string {
  return text.startsWith('error: unknown option') ? `${text.trim()} (options of the server go after --)` : text;
}

/** Help text of `hookline mcp` below the options. */
const MCP_HELP = `
Put hookline mcp before the command of a server in the settings of a client, or let wrap do that. Clients choose the
working directory of a server, so use absolute paths:
  { "mcpServers": { "files": { "command": "node", "args": ["/home/me/app/node_modules/hookline/dist/cli/main.js", "mcp",
    "--config", "/home/me/app/hookline.yaml", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/me"] } } }

Every tool call runs through the hooks; a denied call returns an error result. Other messages pass unchanged, except
for text that a hook redacts. A changed configuration applies from the next start. audit-log and dangerous-confirmation
are always on, as for run. Approval prompts reach the client as forms; a client without forms receives an error.
Logs are written to stderr. Tasks are not forwarded.

For HTTP, use --url for the server and --listen for the clients. Clients keep their own credentials. With an
Authorization in --header, the proxy authenticates for all clients.

Exit codes: 0 the client disconnected, 1 the server ended, 2 bad usage or configuration, 130, 143, 129 signal.

Examples:
  hookline mcp --config hookline.yaml -- npx -y @modelcontextprotocol/server-filesystem .
  hookline mcp --preset safe -- node server.mjs
  hookline mcp --url https://mcp.example.com/mcp --header 'Authorization: Bearer \${TOKEN}'
  hookline mcp --url https://mcp.example.com/mcp --listen 127.0.0.1:3900
  hookline mcp wrap ~/.cursor/mcp.json --config hookline.yaml
`;
