import { relative, sep } from 'node:path';
import { hookWords, quoted, shellLine } from '../command-line.ts';
import type { InstallFlags } from '../host-writer.ts';
import { claudeGroups } from './claude.ts';

/** Returns the settings that Claude Code needs to call these hooks, and its limitations. */
export function claudeText(flags: InstallFlags): string {
  const { listen, failOpen = false } = flags;
  const words = hookWords(flags);
  const hooks = Object.fromEntries(Object.entries(claudeGroups(flags)).map(([event, group]) => [event, [group]]));
  const start = listen ? `Start this, and keep it running:\n\n  ${shellLine(words)}\n\n` : '';
  const unreachable = listen
    ? 'If the server is not reachable, the call runs: only Claude Code 2.1.295 and later supports "onFailure". A command hook denies the call instead.\n'
    : '';
  return `${start}Add this to ~/.claude/settings.json, or to .claude/settings.json of a project:

${JSON.stringify({ hooks }, undefined, 2)}

${listen ? '' : shared(words, failOpen)}Limitations in Claude Code:
  - respond denies the call, with the response as its reason
  - hooks cannot read or change chunks of the model, wrap steps (around), or change model requests
  - a prompt that a hook changes is blocked, with the new prompt as the reason
  - hooks cannot retract the output of a failed tool, or replace an output with another shape
  - a call that a hook renames, or in which it seals a value, is denied
${flags.ask === 'deny' ? DENIES : ASKS}${unreachable}`;
}

/** Returns the command for a shared project. Paths outside this folder are unchanged. */
function shared([node = '', _, ...words]: readonly string[], failOpen: boolean): string {
  const folder = '"$CLAUDE_PROJECT_DIR"';
  const here = `${process.cwd()}${sep}`;
  const quotedWords = words.map((word) =>
    word.startsWith(here) ? `${folder}/${quoted(relative(here, word).replaceAll(sep, '/'))}` : quoted(word),
  );
  const command = [node, `${folder}/node_modules/hookline/dist/cli/main.js`, ...quotedWords].join(' ');
  return `The paths are those of this machine. In a shared project, use "$CLAUDE_PROJECT_DIR" for its directory and add hookline as a dependency:
  ${command}${failOpen ? '' : ' || exit 2'}

`;
}

const DENIES = 'A call that needs approval, or that a hook changes, is denied (--ask deny).\n';

const ASKS = `A call that needs approval, or that a hook changes, is shown to you before it runs. Codex has no such prompt and denies it.
Cursor reads these settings, too, but runs such calls without asking: use --ask deny for it and for similar hosts.
`;
