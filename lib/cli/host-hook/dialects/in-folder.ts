import { isAbsolute, resolve } from 'node:path';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostTool } from '../judge/host-call.ts';
import { unreadable } from './host-tool.ts';

/**
 * Returns the shell of a host that runs a command in the folder of the field `key`. If that is not the folder of the session, rules see `cd folder` before
 * the command, because they evaluate relative paths from the folder of the session.
 */
export function inFolder(tool: HostTool, input: JsonObject, key: string, root: string | undefined): HostTool {
  const folder = input[key];
  const apart = (given: JsonObject): JsonObject => {
    const { [key]: _, ...rest } = given;
    return rest;
  };
  if (folder === undefined || folder === '') return { ...tool, toOurs: (given) => tool.toOurs(apart(given)) };
  if (typeof folder !== 'string') throw unreadable('the shell', `"${key}"`);
  const isSame = root !== undefined && resolve(root, folder) === resolve(root);
  const place = isAbsolute(folder) || root === undefined ? folder : resolve(root, folder);
  const before = isSame ? '' : `cd '${place.replaceAll("'", `'\\''`)}' && `;
  return {
    ...tool,
    toOurs: (given) => {
      const ours = tool.toOurs(apart(given));
      return typeof ours['command'] === 'string' ? { ...ours, command: `${before}${ours['command']}` } : ours;
    },
    restore: (ours) => {
      const { command } = ours;
      // A command that no longer starts in the folder cannot be returned.
      if (typeof command !== 'string' || !command.startsWith(before)) return undefined;
      const whole = { ...ours, command: command.slice(before.length) };
      return tool.restore ? tool.restore(whole) : whole;
    },
  };
}
