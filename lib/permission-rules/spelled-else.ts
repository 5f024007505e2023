import { isSameSubcommand } from './shell/npm-subcommands.ts';
import type { ShellWord } from './shell/shell-command.ts';

/** A program in a folder of the search path: its name suffices. */
const BIN = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/*]+$/;
/** Letters of options, alone or together; longer words are names of options (`-delete`). */
const CLUSTER = /^-[a-zA-Z]{1,3}$/;

/** Returns the name of a program in a folder of the search path, otherwise the word. */
export function plainProgram(word: string): string {
  return BIN.test(word) ? withoutFolder(word) : word;
}

/**
 * Creates a test for the words of a command: whether they name the program of a pattern by another path, its subcommand by an alias (`npm i`), or its
 * options in another place, order or cluster (`rm -r -f` for `rm -rf`).
 */
export function spelledElse([name = '', ...rest]: readonly string[]): (words: readonly ShellWord[]) => boolean {
  const literals = rest.filter((word) => word !== '*');
  if (name.includes('*') || name.endsWith('/') || literals.some((word) => word.includes('*'))) return () => false;
  const hasOptions = literals.some((word) => word.startsWith('-'));
  const isElsewhere = (program: string) => name.includes('/') && (program.includes('/') || BIN.test(name));
  return ([program, ...given]) => {
    if (!program || withoutFolder(program.text) !== withoutFolder(name)) return false;
    if (isElsewhere(program.text) && literals.every((word, at) => word === given[at]?.text)) return true;
    return (hasOptions && hasAll(given, literals)) || isAliased(withoutFolder(name), given, literals);
  };
}

/** Returns whether all words occur before `--`, in any order, and options of one letter in any cluster. */
function hasAll(given: readonly ShellWord[], wanted: readonly string[]): boolean {
  const end = given.findIndex(({ text }) => text === '--');
  const texts = (end < 0 ? given : given.slice(0, end)).map(({ text }) => text);
  const letters = texts.filter((text) => /^-[a-zA-Z]+$/.test(text)).join('');
  return wanted.every(
    (word) => texts.includes(word) || (CLUSTER.test(word) && [...word].every((letter) => letters.includes(letter))),
  );
}

/** Returns whether the first word that is no option is an alias of the subcommand, and the same words follow. */
function isAliased(program: string, given: readonly ShellWord[], [subcommand, ...others]: readonly string[]): boolean {
  if (subcommand === undefined) return false;
  const at = given.findIndex(({ text }) => text !== subcommand && isSameSubcommand(program, text, subcommand));
  const isFirst = given.slice(0, at).every(({ text }, place) => text.startsWith('-') || isOption(given[place - 1]));
  return at >= 0 && isFirst && others.every((word, place) => word === given[at + 1 + place]?.text);
}

const isOption = (word: ShellWord | undefined): boolean => word?.text.startsWith('-') === true;

/** Returns a program without its folder: `rm` for `/bin/rm`. */
export function withoutFolder(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
