import { resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import { wholeModuleName } from '../options/whole-module-name.ts';
import type { McpFlags } from './proxy-server.ts';

/**
 * Returns a command line that starts the proxy in any folder and with any PATH. Its paths are absolute. Options that locate a server are
 * `INPUT_INVALID`, because they have no meaning before a command.
 */
export function proxyWords(script: string, flags: McpFlags): readonly string[] {
  const { url, listen, header, allowedHost } = flags;
  const ends = { '--url': url, '--listen': listen, '--header': header[0], '--allowed-host': allowedHost[0] };
  const [unsupported] = Object.entries(ends).find(([, given]) => given !== undefined) ?? [];
  if (unsupported !== undefined)
    throw new HooklineError(
      'INPUT_INVALID',
      `hookline mcp wrap does not support ${unsupported}, because it wraps servers that a command starts. Remove it. For a server over HTTP, see hookline mcp --help.`,
    );
  const { workspace, pin, askTimeout, logLevel } = flags;
  const option = (name: string, value: string | number | undefined): readonly string[] =>
    value === undefined ? [] : [name, String(value)];
  const set = (name: string, value: boolean | undefined): readonly string[] => (value ? [name] : []);
  return [
    ...[process.execPath, script, 'mcp'],
    ...option('--preset', flags.preset),
    ...flags.config.flatMap((one) => ['--config', resolve(one)]),
    ...set('--allow-weaker', flags.allowWeaker),
    ...flags.hooks.flatMap((one) => ['--hooks', wholeModuleName(one)]),
    ...option('--workspace', workspace && resolve(workspace)),
    ...option('--agent', flags.agent),
    ...option('--session', flags.session),
    ...option('--user', flags.user),
    ...set('--trust-annotations', flags.trustAnnotations),
    ...option('--pin', pin && resolve(pin)),
    ...set('--inspect', flags.inspect),
    ...option('--ask-timeout', askTimeout),
    ...option('--log-level', logLevel === 'warn' ? undefined : logLevel),
  ];
}
