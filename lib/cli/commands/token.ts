import { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import type { Tokens } from '../../server/tokens.ts';
import { append } from '../options/append.ts';
import { loadFlags } from '../presets/load-flags.ts';
import type { ServeSettings } from '../run/serve-api.ts';
import { serverState } from '../run/server-state.ts';
import { backplaneOf, serverStores } from '../run/server-stores.ts';
import { loadServer } from '../setup/load-server.ts';
import { harmlessLine } from '../terminal/harmless-line.ts';
import { printJson } from '../view/print-json.ts';

const HELP = `
A token is shown once, when it is issued. Revocation applies from the next request on. A token belongs to the server of
one workspace: pass the same --workspace, --config, --state or --backplane as to serve.

Examples:
  hookline token issue --user ann --rights read,approve --expires 2030-01-31T00:00:00Z
  hookline token list --workspace ../other
  hookline token revoke 0123456789abcdef
`;

type Flags = Pick<ServeSettings, 'state' | 'workspace' | 'config' | 'backplane' | 'json'>;

interface IssueFlags extends Flags {
  readonly user: string;
  readonly rights: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly name?: string;
  readonly approvesFor?: string;
}

/** `hookline token`: manages access to the server. */
export function token(command: Command): void {
  command
    .helpCommand(false)
    .addHelpText('after', HELP)
    .addCommand(
      part('issue', 'Issues a token and prints it, once.')
        .requiredOption('--user <name>', 'user that the token acts as')
        .option(
          '--rights <list>',
          'rights of the token: read, approve, configure, run, runs:read (read the runs of all users)',
          'read,approve,configure,run',
        )
        .option('--scopes <list>', 'scopes whose configuration the token may use')
        .option('--expires <time>', 'expiry time in ISO 8601, e.g. 2030-01-31T00:00:00Z (default: never)')
        .option('--name <name>', 'name of the token in lists and audit logs')
        .option('--approves-for <users>', 'other users whose approvals the token may answer: names, or * for all')
        .action(async ({ user, rights, scopes, expires, name, approvesFor, ...flags }: IssueFlags) => {
          const grant = {
            user,
            rights: list(rights) as never,
            ...(scopes !== undefined && { scopes: list(scopes) }),
            ...(expires !== undefined && { expiresAt: expires }),
            ...(name !== undefined && { name }),
            ...(approvesFor !== undefined && { approvesFor: approvesFor === '*' ? ('*' as const) : list(approvesFor) }),
          };
          const issued = await withTokens(flags, (tokens) => tokens.issue(grant));
          if (flags.json) printJson({ token: issued });
          else process.stdout.write(`${issued}\n`);
        }),
    )
    .addCommand(
      part('list', 'Lists the tokens: id, user, rights, when they were issued and when they expire.').action(
        async (flags: Flags) => {
          for (const info of await withTokens(flags, (tokens) => tokens.list())) {
            if (flags.json) printJson(info);
            else {
              const { id, user, rights, issuedAt, expiresAt, name, approvesFor } = info;
              const whose = approvesFor === undefined ? [] : [`approves for ${[approvesFor].flat().join(',')}`];
              const parts = [id, user, rights.join(','), issuedAt, expiresAt ?? '-', ...(name ? [name] : []), ...whose];
              process.stdout.write(`${parts.map(harmlessLine).join('  ')}\n`);
            }
          }
        },
      ),
    )
    .addCommand(
      part('revoke', 'Revokes a token.')
        .argument('<id>', 'id from token list, or the token')
        .action(async (given: string, flags: Flags) => {
          const id = /^hlk_([0-9a-f]{16})/.exec(given)?.[1] ?? given;
          const revoked = await withTokens(flags, (tokens) => tokens.revoke(id));
          if (!revoked)
            throw new HooklineError(
              'INPUT_INVALID',
              `There is no token with the ID ${JSON.stringify(id)}. hookline token list shows the tokens.`,
            );
          if (flags.json) printJson({ revoked: id });
        }),
    );
}

function part(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--workspace <dir>', 'workspace of the server (default: that of --config, else .)')
    .option('--config <file>', 'configuration file of the server (repeatable)', append, [])
    .option('--state <dir>', 'state directory of the server (default: that of the workspace)')
    .option('--backplane <url>', 'NATS server of a fleet, as for serve')
    .option('--json', 'print JSON');
}

async function open(flags: Flags) {
  const { config } = await loadFlags(flags);
  const backplane = backplaneOf(flags, config.settings.server?.backplane);
  const store = serverStores(serverState(flags, config), { backplane });
  return { tokens: loadServer().createTokens(store.documents), close: store.close };
}

async function withTokens<T>(flags: Flags, work: (tokens: Tokens) => Promise<T>): Promise<T> {
  const { tokens, close } = await open(flags);
  try {
    return await work(tokens);
  } finally {
    await close();
  }
}

function list(text: string): string[] {
  return text.split(',').map((one) => one.trim());
}
