import { join } from 'node:path';
import { hookWords, powershellLine, sayingLine, shellLine } from '../command-line.ts';
import type { InstallFlags } from '../host-writer.ts';
import { listWriter } from '../list-writer.ts';

const EVENTS = ['pre_user_prompt', 'pre_read_code', 'pre_write_code', 'pre_run_command', 'pre_mcp_tool_use'];

/** `hooks.json` of Windsurf. Only exit code 2 of the events before an action denies, and there is no timeout to set. */
export const windsurfWriter = listWriter({
  host: 'windsurf',
  user: join('windsurf', 'hooks.json'),
  project: '.windsurf/hooks.json',
  call: 'pre_write_code',
  windowsField: 'powershell',
  byHand: ['node must be on the PATH of Windsurf, also if it is started from the desktop.'],
  hooks: (flags) => Object.fromEntries(EVENTS.map((event) => [event, hook(flags)])),
});

function hook(flags: InstallFlags) {
  const words = hookWords(flags);
  const denies = !flags.failOpen;
  return {
    command: denies ? sayingLine(words) : shellLine(words),
    powershell: powershellLine(words, denies),
    // The reason of a denial is on standard error.
    show_output: true,
  };
}
