import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { folderCommands } from './folder-commands.ts';

const CLAUDE = '.claude/settings.json';

/** A configuration for a folder, with comments: it asks about what changes anything, and bounds what goes on. */
export function starterConfig(folder: string): string {
  const commands = folderCommands(folder);
  return `# Hooks for an agent that works in this folder. Next to do:
#   hookline check hookline.yaml
#   hookline run "list the files in ." --config hookline.yaml
# All kinds of hooks: hookline list --available. The options of one: hookline list --available permission

# offline needs no key and understands little. For others see hookline run --help.
model: offline
workspace: .

hooks:
  # Allows, asks or denies; deny goes before ask, and ask before allow.
  permission:
    type: permission
    options:
      allow:
        - { permission: [read] } # every tool that only reads
${lines(
  commands.length > 0
    ? [
        '# The commands of this folder. They may do whatever the files of this folder make them do.',
        ...commands.map((command) => `- run_command(${command})`),
      ]
    : ['# - run_command(make test)'],
  8,
)}
      ask:
        - run_command(git push:*)
      deny:
        - Read(.env)
        - Read(.env.*)
        - Edit(.env)
        - Edit(.env.*)
        - Read(*.pem)
        - Edit(*.pem)
        - Edit(.git/**)
      default: ask
${existsSync(join(folder, CLAUDE)) ? `      # Rules that Claude Code has here already:\n      # files: [${CLAUDE}]\n` : ''}
  # Takes secrets out of answers, results and the transcript.
  security-scan:
    type: security-scan

  # When nothing is left, the model gives a last answer without tools.
  budget:
    type: budget
    options:
      limits:
        - { of: steps, max: 100, warnAt: 0.8 }
        - { of: ms, max: 3600000 } # an hour

  # Stops the same call over and over.
  loop-guard:
    type: loop-guard

  # The first limit that fits a tool holds for it.
  tool-time-limit:
    type: tool-time-limit
    options:
      limits:
        - { tools: [run_command], ms: 600000 }
        - { ms: 60000 }

  # Of longer results the beginning and the end are kept.
  tool-result-limit:
    type: tool-result-limit
    options: { limits: [{ maxChars: 50000 }] }
`;
}

function lines(texts: readonly string[], indent: number): string {
  return texts.map((text) => `${' '.repeat(indent)}${text}`).join('\n');
}
