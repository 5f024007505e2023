import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CLAUDE = '.claude/settings.json';

/** Cases of the configuration for `hookline test`. */
export const starterCases = `# Cases of hookline.yaml. Run them with: npx hookline test
cases:
  - name: environment files stay closed
    call: { tool: read_file, input: { path: .env } }
    expect: { action: deny, rule: Read(.env) }
  - name: a push needs approval
    call: { tool: run_command, input: { command: git push } }
    expect: { action: ask, by: permission }
  - name: reading is allowed
    call: { tool: read_file, input: { path: README.md } }
    expect: allow
`;

/** Returns a commented configuration for a folder. It asks before changes and limits runs. */
export function starterConfig(folder: string): string {
  const commands = folderCommands(folder);
  return `# Hooks for an agent that works in this directory. Next steps:
#   npx hookline check hookline.yaml
#   npx hookline test
#   npx hookline run "list the files in ." --config hookline.yaml
# All built-in hooks: npx hookline list --available. Options of one: npx hookline list --available permission

# offline is a few rules and needs no key. For language models, see npx hookline run --help.
model: offline
workspace: .

hooks:
  # Rules for tool calls. deny takes precedence over ask, and ask over allow.
  permission:
    type: permission
    options:
      allow:
        - { permission: [read] } # all tools that only read
${lines(
  commands.length > 0
    ? [
        '# Commands of this directory. They run code of this directory, which may do anything.',
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
${existsSync(join(folder, CLAUDE)) ? `      # Adds the rules of Claude Code in this directory:\n      # files: [${CLAUDE}]\n` : ''}
  # Redacts secrets in answers, results and the transcript.
  security-scan:
    type: security-scan

  # At the limit, the model gives a last answer without tools.
  budget:
    type: budget
    options:
      limits:
        - { of: steps, max: 100, warnAt: 0.8 }
        - { of: ms, max: 3600000 } # an hour

  # Ends loops of repeated calls.
  loop-guard:
    type: loop-guard

  # The first limit that matches a tool applies.
  tool-time-limit:
    type: tool-time-limit
    options:
      limits:
        - { tools: [run_command], ms: 600000 }
        - { ms: 60000 }

  # Keeps the beginning and the end of longer results.
  tool-result-limit:
    type: tool-result-limit
    options: { limits: [{ maxChars: 50000 }] }
`;
}

function lines(texts: readonly string[], indent: number): string {
  return texts.map((text) => `${' '.repeat(indent)}${text}`).join('\n');
}

/** Scripts that are usually harmless to repeat. */
const SCRIPTS = ['test', 'check', 'lint', 'typecheck', 'build'];

/** Other files that show how a folder is tested. */
const MARKS: readonly (readonly [file: string, command: string])[] = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pyproject.toml', 'python3 -m pytest'],
];

/** Returns the build and test commands of a folder, as far as its files show them. */
function folderCommands(folder: string): readonly string[] {
  const here = (name: string): boolean => existsSync(join(folder, name));
  const manager = here('pnpm-lock.yaml') ? 'pnpm' : here('yarn.lock') ? 'yarn' : 'npm';
  const scripts = scriptsOf(join(folder, 'package.json'));
  return [
    ...SCRIPTS.filter((name) => scripts.includes(name)).map((name) =>
      name === 'test' ? `${manager} test` : `${manager} run ${name}`,
    ),
    ...MARKS.filter(([file]) => here(file)).map(([, command]) => command),
  ];
}

function scriptsOf(file: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8'));
    return Object.keys(scripts);
  } catch {
    // Without a readable package.json there are no scripts to offer.
    return [];
  }
}
