import { textReadings } from './named-in-text.ts';
import { commandOfXargs, runsNoWord } from './shell/known-programs.ts';
import { parseShell } from './shell/parse-shell.ts';
import { ALIAS, type Readings, readingsOf } from './shell/readings.ts';
import type { ShellCommand, ShellLine, ShellWord } from './shell/shell-command.ts';

/** A command of a line, with the data that rules search in it. */
export interface SeenCommand {
  readonly command: ShellCommand;
  readonly readings: Readings;
  /** The texts that it reads, evaluates or passes to another program, as that program may read them. Created on first use. */
  readonly mayRun: readonly string[];
}

/** A shell line as rules read it. */
export interface SeenLine extends Pick<ShellLine, 'understood' | 'complete'> {
  readonly commands: readonly SeenCommand[];
}

/** The last line read: several lists of rules judge the same call. */
let last: (SeenLine & { readonly line: string }) | undefined;

/** Reads a shell line for rules. */
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

/** Returns whether a command of git, or one behind another program, may rename a subcommand. */
function setsAlias(words: readonly ShellWord[], assigned: string): boolean {
  const isGit = words.some(({ text }) => /(^|\/)git$/.test(text));
  return isGit && (ALIAS.test(assigned) || words.some(({ text }) => ALIAS.test(text)));
}
