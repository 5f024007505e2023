import { textReadings } from './named-in-text.ts';
import { commandOfXargs, runsNoWord } from './shell/known-programs.ts';
import { parseShell } from './shell/parse-shell.ts';
import { ALIAS, type Readings, readingsOf } from './shell/readings.ts';
import type { ShellCommand, ShellLine, ShellWord } from './shell/shell-command.ts';

/** A command of a line, with what rules look for in it. */
export interface SeenCommand {
  readonly command: ShellCommand;
  readonly readings: Readings;
  /** What it reads, evaluates or hands to another program, as that may read it; made when a rule looks at it. */
  readonly mayRun: readonly string[];
}

/** A line of a shell as rules see it. */
export interface SeenLine extends Pick<ShellLine, 'understood' | 'complete'> {
  readonly commands: readonly SeenCommand[];
}

/** The line that was looked at last: several lists of rules judge the same call. */
let last: (SeenLine & { readonly line: string }) | undefined;

/** Reads a line of a shell for rules. */
export function lookAtLine(line: string): SeenLine {
  if (last?.line === line) return last;
  const { commands, understood, complete } = parseShell(line);
  last = { line, understood, complete, commands: commands.map(lookAt) };
  return last;
}

function lookAt(command: ShellCommand): SeenCommand {
  let mayRun: readonly string[] | undefined;
  return {
    command,
    readings: readingsOf(command),
    get mayRun() {
      mayRun ??= textsOf(command).flatMap(textReadings);
      return mayRun;
    },
  };
}

function textsOf({ words, text, assigned, piped }: ShellCommand): readonly string[] {
  const read = runsNoWord(words) || commandOfXargs(words) ? [] : [text, piped];
  const aliases = setsAlias(words, assigned) ? [`git ${assigned} ${text}`] : [];
  return [assigned, ...read, ...aliases].filter((one) => one.trim() !== '');
}

/** Whether a command of git, or one behind another program, may give another name to a subcommand. */
function setsAlias(words: readonly ShellWord[], assigned: string): boolean {
  const isGit = words.some(({ text }) => /(^|\/)git$/.test(text));
  return isGit && (ALIAS.test(assigned) || words.some(({ text }) => ALIAS.test(text)));
}
