import { hookWords, powershellLine, sayingLine, shellLine } from '../command-line.ts';
import { hostTimeout, type InstallFlags } from '../host-writer.ts';
import { listWriter } from '../list-writer.ts';

/** A file of our own in the hooks folder of Copilot. Its events are in Pascal case, because only then do payloads have their names. */
export const copilotWriter = listWriter({
  host: 'copilot',
  user: 'hooks/hookline.json',
  project: '.github/hooks/hookline.json',
  root: { version: 1 },
  call: 'PreToolUse',
  windowsField: 'powershell',
  field: 'bash',
  byHand: [
    'Trust the folder in Copilot if these are the settings of a project.',
    'Settings of a repository can switch hooks off (disableAllHooks): only those of a policy of the machine always run.',
  ],
  hooks(flags) {
    const hook = (denies: boolean) => handler(flags, denies && !flags.failOpen);
    return {
      SessionStart: hook(false),
      UserPromptSubmit: hook(true),
      PreToolUse: hook(true),
      PostToolUse: hook(true),
      Stop: hook(false),
      SubagentStop: hook(false),
    };
  },
});

function handler(flags: InstallFlags, denies: boolean) {
  const words = hookWords(flags);
  return {
    type: 'command',
    bash: denies ? sayingLine(words) : shellLine(words),
    powershell: powershellLine(words, denies),
    timeoutSec: hostTimeout(flags),
  };
}
