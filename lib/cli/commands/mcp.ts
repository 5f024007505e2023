import { type Command, Option } from 'commander';
import { type McpFlags, proxyServer } from '../mcp/proxy-server.ts';
import { type WrapFlags, wrapFile } from '../mcp/wrap-file.ts';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { upTo } from '../options/whole-number.ts';
import { presetOption } from '../presets/preset.ts';
import { logLevels } from '../setup/create-log.ts';

/** Seconds: what waits longer, Node's timers do not wait for at all. */
const MOST_ASK_TIMEOUT = 2_000_000;

/** `hookline mcp`: hooks in front of an MCP server. */
export function mcp(command: Command): void {
  command
    .command('wrap')
    .description(
      'Puts hookline mcp, with the options it is given, before each server in the settings of a client (Claude, Cursor, VS Code, Codex).',
    )
    .argument(
      '<file>',
      'the settings: JSON with "mcpServers" or "servers", those of projects too, or TOML with mcp_servers',
    )
    .option('--config <file>', 'the configuration that the servers get (repeatable)', append, [])
    .addOption(presetOption())
    .option('--write', 'write the file, and keep the old one beside; without it the change is only shown')
    .option('--unwrap', 'take hookline away again')
    .action((file: string, _: WrapFlags, own: Command) =>
      // An option that both have is read as that of the command above.
      wrapFile(file, own.optsWithGlobals()),
    );
  const { outputError } = command.configureOutput();
  command
    .configureOutput({ outputError: (text, write) => outputError?.(withServerHint(text), write) })
    .argument('[server...]', 'the command that starts the server, after --')
    .option('--url <url>', 'a server over HTTP, instead of a command')
    .option('--listen <host:port>', 'take clients over HTTP; without it the client has stdin and stdout')
    .option(
      '--header <header>',
      '"Name: value" for the server; ${NAME} in it is a variable of the environment (repeatable)',
      append,
      [],
    )
    .option('--allowed-host <host>', 'what else clients may call this host, port included (repeatable)', append, [])
    .option('--config <file>', 'a configuration of hooks; see check (repeatable; the later one wins)', append, [])
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .option('--hooks <module>', 'a module of hooks, as for run (repeatable)', append, [])
    .option('--workspace <dir>', 'the folder that rules about paths are meant of (default: .)')
    .option('--agent <name>', 'the agent that hooks are matched by (default: mcp)')
    .option('--session <id>', 'session of the run (default: one of its own)')
    .option('--user <id>', 'user of the run')
    .option('--trust-annotations', 'believe what the server says of its tools: that they only read, say')
    .option('--pin <file>', 'keep what the server says of its tools in this file, and ask when it changes')
    .option('--inspect', 'show the calls on a page, which answers what approvers ask')
    .option('--ask-timeout <seconds>', 'how long a user has to answer (default: 600)', upTo(MOST_ASK_TIMEOUT))
    .addOption(
      new Option('--log-level <level>', `what is logged to stderr (${logLevels.join(', ')})`)
        .argParser(choice(logLevels))
        .default('warn'),
    )
    .addHelpText('after', MCP_HELP)
    .action(async (server: readonly string[], flags: McpFlags) => {
      process.exitCode = await proxyServer(server, flags);
    });
}

/** An option that is not known may be one of the server. */
function withServerHint(text: string): string {
  return text.startsWith('error: unknown option') ? `${text.trim()} (options of the server go after --)` : text;
}

/** What `hookline mcp --help` says below the options. */
const MCP_HELP = `
Write it before the command of a server in the settings of its client; wrap does that. Clients start servers in folders
of their own choice, so write whole paths:
  { "mcpServers": { "files": { "command": "node", "args": ["/home/me/app/node_modules/hookline/dist/cli/main.js", "mcp",
    "--config", "/home/me/app/hookline.yaml", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/me"] } } }

Each call of a tool goes through the hooks; a denied one is an error result. Everything else passes as it is,
but for texts where a hook redacts. A changed configuration holds from the next start. audit-log and dangerous-confirmation are always on, as for run. Questions of
approvers go to the client as forms; a client that shows none gets an error. The server and the client have
stdin and stdout; all else is written to stderr. Tasks are not passed on.

A server over HTTP: --url, and --listen for clients over HTTP, which keep their own logins; with an Authorization in
--header the proxy logs in for all of them.

Exit codes: 0 the client has gone, 1 the server has, 2 bad usage or configuration, 130, 143, 129 by a signal.

Examples:
  hookline mcp --config hookline.yaml -- npx -y @modelcontextprotocol/server-filesystem .
  hookline mcp --preset safe -- node server.mjs
  hookline mcp --url https://mcp.example.com/mcp --header 'Authorization: Bearer \${TOKEN}'
  hookline mcp --url https://mcp.example.com/mcp --listen 127.0.0.1:3900
  hookline mcp wrap ~/.cursor/mcp.json --config hookline.yaml
`;
