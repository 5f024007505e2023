import { hookWords, powershellLine, quoted, sayingLine, shellLine } from '../command-line.ts';
import { hostTimeout, type InstallFlags } from '../host-writer.ts';
import { listWriter } from '../list-writer.ts';

/** `hooks.json` of Codex. Its settings in TOML stay as they are. */
export const codexWriter = listWriter({
  host: 'codex',
  user: 'hooks.json',
  project: '.codex/hooks.json',
  call: 'PreToolUse',
  windowsField: 'commandWindows',
  byHand: [
    'Run /hooks in Codex and trust the hooks. Until then, and after each change of the command, Codex skips them and runs every call.',
  ],
  hooks(flags) {
    const hooked = (denies: boolean) => ({ hooks: [handler(flags, denies && !flags.failOpen)] });
    return {
      SessionStart: hooked(false),
      UserPromptSubmit: hooked(true),
      // It runs before PermissionRequest, and limits would count the same call again there.
      PreToolUse: { matcher: '*', ...hooked(true) },
      PostToolUse: { matcher: '*', ...hooked(true) },
      Stop: hooked(false),
      SubagentStop: hooked(false),
    };
  },
});

function handler(flags: InstallFlags, denies: boolean) {
  const words = hookWords(flags);
  return {
    type: 'command',
    // The shell of the user may be one without braces, such as fish.
    command: denies ? `sh -c ${quoted(sayingLine(words))}` : shellLine(words),
    commandWindows: powershellLine(words, denies),
    timeout: hostTimeout(flags),
  };
}
