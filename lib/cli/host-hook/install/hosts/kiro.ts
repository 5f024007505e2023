import { hookWords, sayingLine, shellLine } from '../command-line.ts';
import { hostTimeout } from '../host-writer.ts';
import { jsonText } from '../json-settings.ts';
import { ownFileWriter } from '../own-file-writer.ts';

/** A file of our own in the hooks folder of Kiro, from its IDE 1.0 and its CLI 3.0 on. Only the event before a call denies. */
export const kiroWriter = ownFileWriter({
  host: 'kiro',
  user: 'hooks/hookline.json',
  project: '.kiro/hooks/hookline.json',
  byHand: [
    'Before IDE 1.0 and CLI 3.0, Kiro does not read this file. Its CLI 2 has hooks in the file of each agent: add the command as preToolUse with the matcher "*" there.',
    'node must be on the PATH of Kiro, also if it is started from the desktop.',
  ],
  text(flags) {
    const words = hookWords(flags);
    const command = flags.failOpen ? shellLine(words) : sayingLine(words);
    const action = { type: 'command', command };
    const hook = { name: 'hookline', trigger: 'PreToolUse', action, timeout: hostTimeout(flags), enabled: true };
    return jsonText({ version: 'v1', hooks: [hook] });
  },
  commandOf(text) {
    const { hooks } = JSON.parse(text) as { hooks: readonly { action: { command: string }; enabled?: boolean }[] };
    const [hook] = hooks;
    return hook?.enabled === false ? undefined : hook?.action.command;
  },
});
