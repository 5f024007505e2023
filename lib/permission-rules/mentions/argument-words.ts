import { commandsOf, type RunCommand } from '../danger/commands-of.ts';
import { LONGEST_PATH, looksLikePath } from '../fields/path-shapes.ts';
import type { RulePlace } from '../match-path.ts';
import { bareLine, foldersOf, lineReadings, partsOf, SEPARATORS } from './line-words.ts';
import { finds } from './moved-places.ts';

/** The words of a shell line that may be paths. */
export interface ArgumentWords {
  /** Words with the shape of a path, variables and globs, from the whole text. */
  readonly shaped: ReadonlySet<string>;
  /** Other words that a program receives: `secrets`. */
  readonly plain: ReadonlySet<string>;
  /** Paths that source code may join from several texts. */
  readonly joined: ReadonlySet<string>;
  /** The folders in which the words may be meant; the first one is the working directory. */
  readonly folders: readonly string[];
  /** Whether they may be meant in other folders, too. */
  readonly isAnywhere: boolean;
  /** Whether `*` also means names that begin with a dot. */
  readonly isDotted: boolean;
}

/** Programs whose first words are subcommands, scripts and targets, and how many. */
const SUBCOMMANDS: readonly (readonly [programs: RegExp, words: number])[] = [
  [/^(?:make|just|task|gradle|mvn|ninja)$/, Number.POSITIVE_INFINITY],
  [/^(?:npm|pnpm|yarn|bun|npx|cargo|go|gh|docker|podman|kubectl|poetry|uv|dotnet|systemctl|aws|gcloud|az)$/, 2],
  [/^(?:git|pip\d?|brew|apt|apt-get|terraform|helm|svn|hg|jj)$/, 1],
];
const PLAIN = /^[\w:@+-]+$/;
/** Addresses: their paths are elsewhere. One with `..` may be a path through a folder of that name. */
const ADDRESS = /\b[a-z][\w+.-]{0,20}:\/\/[^\s;&|<>()"'`]*/gi;
/** Programs that run or evaluate quoted text, or have globs of their own. */
const EVALUATES = /\b(?:(?:ba|da|z|k|fi)?sh|eval|find|fd|fdfind|xargs|ssh|su|pwsh|powershell|parallel|watch)\b/;
const REDIRECTED = /[<>]\s*([^\s;&|<>()`]+)/g;

/** What joins the parts of a path in source code: `'config' + '/.env'`, `join('config', '.env')`. */
const JOINS = / ?(?:\/?[+,][ +,/]*|\/ )/g;

/** The words of the last line: several rules judge the same one. */
let last: { readonly line: string; readonly place: RulePlace; readonly words: readonly ArgumentWords[] } | undefined;

/** Returns the words of a line that may be paths, for each way to read it. */
export function argumentWords(line: string, place: RulePlace): readonly ArgumentWords[] {
  if (last?.line === line && last.place === place) return last.words;
  const words = [...lineReadings(line, place)].map((one) => wordsOf(one, place));
  last = { line, place, words };
  return words;
}

function wordsOf(reading: string, place: RulePlace): ArgumentWords {
  const local = reading.replace(ADDRESS, (address) =>
    /^file:/i.test(address) ? address.slice('file://'.length) : address.includes('..') ? address : ' ',
  );
  const line = EVALUATES.test(local) ? local : withoutQuotedGlobs(local);
  const bare = bareLine(line);
  const commands = commandsOf(line);
  const text = bare.split(SEPARATORS);
  const redirected = Array.from(bare.matchAll(REDIRECTED), ([, word]) => word as string);
  const given = [...commands.flatMap(argumentsOf), ...redirected].flatMap((word) => [word, ...word.split(SEPARATORS)]);
  const all = [...text, ...given].flatMap(piecesOf);
  const { folders, isUnknown } = foldersOf([...text, ...commands.flatMap(({ words }) => words)], place);
  const isFinding = commands.some(finds);
  return {
    shaped: new Set(all.filter(hasShape)),
    plain: new Set(given.flatMap(piecesOf).filter((word) => word !== '' && !hasShape(word))),
    joined: new Set(bare.replace(JOINS, '/').split(SEPARATORS).filter(hasShape)),
    folders,
    isAnywhere: isUnknown || isFinding,
    isDotted: isFinding || /\bdotglob\b/.test(line),
  };
}

/** Returns the words that a program receives, without those that name what it does. */
function argumentsOf({ name, words: [, ...words] }: RunCommand): readonly string[] {
  const most = SUBCOMMANDS.find(([programs]) => programs.test(name))?.[1] ?? 0;
  let count = 0;
  return words.filter((word) => {
    if (count >= most || !PLAIN.test(word) || word.startsWith('-')) return true;
    count += 1;
    return false;
  });
}

/** Returns a word and its parts: the value of an option, a file after `@`, a default of a variable. */
function piecesOf(word: string): readonly string[] {
  if (word === '' || word.length > LONGEST_PATH) return [];
  const parts = partsOf(word).flatMap((part) => (part.includes('@') ? [part, ...part.split('@')] : [part]));
  return parts.map((part) => part.replace(/^[-+=?]+(?=\.)/, ''));
}

function hasShape(word: string): boolean {
  return word.length <= LONGEST_PATH && (/[*?[{$~%]/.test(word) || word.startsWith('.') || looksLikePath(word));
}

/** Returns a line in which quoted wildcards are no wildcards. */
function withoutQuotedGlobs(line: string): string {
  if (!/["']/.test(line)) return line;
  let quote = '';
  let isEscaped = false;
  return line.replace(/[\s\S]/g, (char) => {
    if (isEscaped) {
      isEscaped = false;
      return char;
    }
    if (char === '\\' && quote !== "'") isEscaped = true;
    else if (quote === '' && /["']/.test(char)) quote = char;
    else if (char === quote) quote = '';
    else if (quote !== '' && /[*?[]/.test(char)) return '\u0001';
    return char;
  });
}
