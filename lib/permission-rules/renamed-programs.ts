import { commandOfXargs } from './shell/known-programs.ts';
import type { ShellCommand, ShellWord } from './shell/shell-command.ts';
import { withoutFolder } from './spelled-else.ts';

/** Programs that give a file another name, or copy it. */
const COPIES = /^(?:ln|cp|mv|link|install|rsync|ditto|dd)$/;
/** With such an option, the files keep their names. */
const INTO_FOLDER = /^(?:-[a-zA-Z]*t|--target-directory)(?:=|$)/;
const PLAIN = /^[\w.+-]+$/;
/** The maximum number of copies in a line, of old names of one file, and of renames of one file. */
const MOST = 200;
const MOST_NAMES = 4;
const MOST_RENAMES = 8;

type Words = readonly ShellWord[];

/** The new and the old name of a file; `undefined` stands for an unknown one. */
interface Copy {
  readonly name: string | undefined;
  readonly was: string | undefined;
}
type OldName = (name: string | undefined, choice: number) => string | undefined;

/**
 * Returns the commands that mention the new name of a file that the line links or copies, with its old name instead: `./rm x` for `./q x` after
 * `ln -s /bin/rm q`. `undefined` stands for too many. `readings`: everything that the commands may run.
 */
export function renamedCommands(
  commands: readonly ShellCommand[],
  readings: readonly Words[],
): readonly ShellCommand[] | undefined {
  const copies = readings.flatMap(copyBy);
  if (copies.length === 0) return [];
  if (copies.length > MOST) return undefined;
  const named = new Map<string | undefined, Copy['was'][]>();
  for (const { name, was } of copies) named.set(name, [...(named.get(name) ?? []), was]);
  const choices = Math.max(...[...named.values()].map((all) => all.length));
  if (choices > MOST_NAMES) return undefined;
  const oldName: OldName = (name, choice) => {
    let old = name;
    for (let step = 0; step < MOST_RENAMES; step += 1) {
      const all = named.get(old);
      if (!all || (step > 0 && old === undefined)) return old;
      old = all[Math.min(choice, all.length - 1)];
    }
    return undefined;
  };
  const names = [...named.keys()].filter((name) => name !== undefined);
  const isAnywhere = named.has(undefined);
  const mentions = new RegExp(`(?<![\\w.+-])(?:${names.map(escaped).join('|') || '(?!)'})(?![\\w.+-])`, 'g');
  const others = commands.filter(
    ({ words }) => !COPIES.test(withoutFolder(words[0]?.text ?? '')) && !commandOfXargs(words),
  );
  return Array.from({ length: choices }, (_, choice) => choice).flatMap((choice) =>
    others.flatMap((command) => {
      const renamed = withOldNames(command, mentions, (name) => oldName(name, choice));
      const [program, ...rest] = command.words;
      if (!isAnywhere || !program?.text.includes('/')) return renamed;
      return [...renamed, { ...command, plain: false, words: [wordOf(program, oldName(undefined, choice)), ...rest] }];
    }),
  );
}

/** Returns the file that a command copies or renames. */
function copyBy([program, ...rest]: Words): readonly Copy[] {
  const name = withoutFolder(program?.text ?? '');
  if (!COPIES.test(name) || rest.some(({ text }) => INTO_FOLDER.test(text))) return [];
  const operand = (start: string) => rest.findLast(({ text }) => text.startsWith(start));
  const files = rest.filter(({ text }) => !text.startsWith('-'));
  const [from, to] = name === 'dd' ? [operand('if='), operand('of=')] : files.slice(-2);
  if (!from || !to) return [];
  const copy = { name: fileName(to), was: fileName(from) };
  return copy.name === copy.was && copy.name !== undefined ? [] : [copy];
}

function fileName({ raw, text, known, glob }: ShellWord): string | undefined {
  const path = (known ? text : raw.replace(/["']/g, '')).replace(/^[io]f=/, '').replace(/\/+$/, '');
  const name = withoutFolder(path);
  return !glob && PLAIN.test(name) ? name : undefined;
}

/** Returns the command with old names; nothing if it mentions no new one. */
function withOldNames(
  command: ShellCommand,
  mentions: RegExp,
  oldName: (name: string) => string | undefined,
): readonly ShellCommand[] {
  const renamed = (text: string) => text.replace(mentions, (name) => oldName(name) ?? name);
  const words = command.words.map((word, at) => {
    const old = renamed(word.text);
    if (old !== word.text) return { ...word, text: old, raw: renamed(word.raw) };
    const isUnknown = (at === 0 || word.text.includes('/')) && word.text.search(mentions) >= 0;
    return isUnknown && oldName(withoutFolder(word.text)) === undefined ? wordOf(word, undefined) : word;
  });
  const [text, assigned, piped] = [renamed(command.text), renamed(command.assigned), renamed(command.piped)];
  const isSame =
    words.every((word, at) => word === command.words[at]) &&
    text === command.text &&
    assigned === command.assigned &&
    piped === command.piped;
  return isSame ? [] : [{ words, plain: false, text, assigned, written: command.written, piped }];
}

function wordOf(word: ShellWord, text: string | undefined): ShellWord {
  return text === undefined ? { ...word, text: '', known: false } : { ...word, text, raw: text };
}

function escaped(name: string): string {
  return name.replace(/[.+]/g, '\\$&');
}
