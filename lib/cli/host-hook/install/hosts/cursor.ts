import { hookWords, shellLine } from '../command-line.ts';
import { hostTimeout } from '../host-writer.ts';
import { listWriter } from '../list-writer.ts';

/** `hooks.json` of Cursor. Each call is evaluated by one event: shell commands, MCP and reads have events of their own, which can do more. */
export const cursorWriter = listWriter({
  host: 'cursor',
  user: 'hooks.json',
  project: '.cursor/hooks.json',
  root: { version: 1 },
  call: 'preToolUse',
  byHand: [
    'Trust the project in Cursor if these are its settings.',
    'If Cursor also loads the settings of Claude Code (third-party hooks), remove the hooks of hookline there: Cursor would run both.',
    'node must be on the PATH of Cursor, also if it is started from the desktop.',
  ],
  hooks(flags) {
    const hook = {
      command: shellLine(hookWords(flags)),
      timeout: hostTimeout(flags),
      ...(!flags.failOpen && { failClosed: true }),
    };
    return {
      beforeShellExecution: hook,
      beforeMCPExecution: hook,
      beforeReadFile: hook,
      preToolUse: { ...hook, matcher: '^(?!(?:Shell|Read)$|MCP:)' },
      postToolUse: hook,
      beforeSubmitPrompt: hook,
      stop: hook,
    };
  },
});
