import { textReadings } from './named-in-text.ts';
import { renamedCommands } from './renamed-programs.ts';
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
  /** The commands with old names in place of those that the line gives to files; `undefined` if there are too many. Created on first use. */
  readonly renamed: readonly SeenCommand[] | undefined;
}

/** The last line read: several lists of rules judge the same call. */
let last: (SeenLine & { readonly line: string }) | undefined;

/** Reads a shell line for rules. */
export function lookAtLine(line: string): SeenLine {
  if (last?.line === line) return last;
  const { commands, understood, complete } = parseShell(line);
  const seen = commands.map(lookAt);
  let renamed: readonly SeenCommand[] | undefined | null = null;
  last = {
    line,
    understood,
    complete,
    commands: seen,
    get renamed() {
      if (renamed !== null) return renamed;
      const readings = seen.flatMap(({ readings }) => [...readings.same, ...readings.inside]);
      renamed = renamedCommands(commands, readings)?.map(lookAt);
      return renamed;
    },
  };
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
