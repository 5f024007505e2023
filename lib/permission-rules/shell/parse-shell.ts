import { type HereDocument, hereDocumentAt } from './here-document.ts';
import { runsNoWord } from './known-programs.ts';
import { readWord } from './read-word.ts';
import type { ShellCommand, ShellLine, ShellWord } from './shell-command.ts';

/** Words before a command that make it part of a larger construct. The parser examines the rest, but does not understand the whole. */
const STRUCTURE = new Set(['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'esac', 'coproc']);
/** Words whose own words are never a command. */
const FOREIGN = new Set(['for', 'case', 'select', 'function', '[[']);
/** Builtins that change the meaning of a command name, or run a text later. */
const CHANGING = /^(alias|hash|enable|trap|shopt|bind|complete)$/;
/** Builtins before a builtin, with their options. */
const BUILTIN = /^(command|builtin|-p|--)$/;
/** A variable that is set for a command. */
const ASSIGNMENT = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/;
/** Variables whose value the shell evaluates. */
const EVALUATED = /^(PS[0-4]|PROMPT_COMMAND|BASH_ENV)\+?=/;
/** An operator that redirects input or output. */
const REDIRECTION = /^(<<<|<<-?|<>|<&|>>|>&|>\||[<>])/;
/** The maximum nesting of substitutions. */
const DEEPEST = 20;
/** The maximum number of commands before a pipe; the input of a command after more of them is not understood. */
const MOST_PIPED = 200;

/**
 * Returns the commands of a line of `sh` or `bash`, as far as known without running it. A line with anything else (a loop, a function, a here-document,
 * arithmetic, an unclosed quote) is not understood as a whole. Commands found in it still count.
 */
export function parseShell(line: string, depth = 0): ShellLine {
  const commands: ShellCommand[] = [];
  let understood = depth < DEEPEST;
  let complete = understood;
  if (!understood) return { commands, understood, complete };
  let words: ShellWord[] = [];
  let assigned = '';
  let written: ShellWord[] = [];
  let hereStrings = '';
  let plain = true;
  let open = 0;
  let at = 0;
  /** The texts of the commands so far, and the beginning of those in the current pipeline. */
  const texts: string[] = [];
  let pipeline = 0;
  let piped = false;
  let grouped = false;

  let hasDocument = false;
  let document: HereDocument | undefined;
  const lose = (): void => {
    understood = false;
    complete = false;
  };
  const parse = (inner: string): ShellLine => parseShell(inner, depth + 1);
  const take = (from: number) => {
    const word = readWord(line, from, parse);
    if (!word.understood) lose();
    for (const one of word.inner) {
      commands.push(...one.commands);
      if (!one.understood) understood = false;
      if (!one.complete) lose();
    }
    at = Math.max(word.end, from + 1);
    return word;
  };
  const endCommand = (): void => {
    while (isStructure(words[0])) {
      const raw = words[0]?.raw ?? '';
      if (STRUCTURE.has(raw)) understood = false;
      // It may have a name before its command.
      if (raw === 'coproc') lose();
      if (raw !== '!') grouped = true;
      words.shift();
    }
    let begin = 0;
    for (let raw = words[0]?.raw ?? ''; ASSIGNMENT.test(raw); raw = words[begin]?.raw ?? '') {
      plain = false;
      if (EVALUATED.test(raw) && /[$`]/.test(raw)) lose();
      assigned += ` ${raw}`;
      begin += 1;
    }
    words = words.slice(begin);
    if (words.at(-1)?.raw === '}') words.pop();
    const own = words.find(({ text }) => !BUILTIN.test(text))?.text ?? '';
    if (FOREIGN.has(words[0]?.raw ?? '')) {
      understood = false;
      if (!isLoop(words)) lose();
    }
    if (CHANGING.test(own)) lose();
    if (hasDocument && !runsNoWord(words)) lose();
    const text = [...words.slice(1).map(({ raw }) => raw), hereStrings].join(' ');
    if (words.length > 0 || !plain) {
      // In a line with groups, everything before any pipe may be the input of a command.
      const before = grouped && piped ? 0 : pipeline;
      const isTooMuch = texts.length - before > MOST_PIPED;
      if (isTooMuch) lose();
      commands.push({ words, plain, text, assigned, written, piped: isTooMuch ? '' : texts.slice(before).join(' ') });
    }
    texts.push(`${words[0]?.raw ?? ''} ${text}`);
    words = [];
    assigned = '';
    written = [];
    hereStrings = '';
    hasDocument = false;
    plain = true;
  };
  const endPipeline = (): void => {
    endCommand();
    pipeline = texts.length;
  };
  const redirect = (operator: string): void => {
    at += operator.length;
    const isDocument = /^<<-?$/.test(operator);
    if (isDocument) understood = false;
    while (line[at] === ' ' || line[at] === '\t') at += 1;
    if (line[at] === '(') return;
    const target = take(at);
    if (isDocument) {
      const first = words.findIndex((word) => !isStructure(word));
      // A document in a substitution ends where the shell ends the substitution.
      const isReadable = depth === 0 && document === undefined && first >= 0 && runsNoWord(words.slice(first));
      document = isReadable ? hereDocumentAt(line, at, target, operator === '<<-') : undefined;
      hasDocument = document !== undefined;
      hereStrings += ` ${document?.text ?? ''}`;
      if (!document) lose();
    }
    if (operator === '<<<') hereStrings += ` ${target.raw}`;
    const harmless =
      target.known &&
      (/^\/dev\/(null|stdout|stderr)$/.test(target.text) || (operator.endsWith('&') && /^(\d+|-)$/.test(target.text)));
    if (!harmless) plain = false;
    if (!harmless && operator.includes('>')) written.push(target);
  };

  while (at < line.length) {
    const char = line[at] as string;
    const operator = char === '<' || char === '>' ? REDIRECTION.exec(line.slice(at, at + 4))?.[0] : undefined;
    if (char === '\\' && line[at + 1] === '\n') at += 2;
    else if (char === ' ' || char === '\t') at += 1;
    else if (char === '#') at = line.indexOf('\n', at) < 0 ? line.length : line.indexOf('\n', at);
    else if (operator !== undefined) redirect(operator);
    else if (char === '(') {
      // A function, or a test in arithmetic; a process substitution after a redirection is also a subshell.
      if (words.length > 0 || line[at + 1] === '(') lose();
      grouped = true;
      endCommand();
      open += 1;
      at += 1;
    } else if (char === ')') {
      endCommand();
      open -= 1;
      if (open < 0) lose();
      at += 1;
    } else if (char === ';' || char === '&' || char === '|' || char === '\n') {
      // `&>` is a redirection in bash; in `sh` the command ends at `&`.
      if (char === '&' && line[at + 1] === '>') lose();
      const isPipe = char === '|' && line[at + 1] !== '|' && line[at - 1] !== '|';
      const isPipeOfBoth = char === '&' && line[at - 1] === '|';
      if (isPipe || isPipeOfBoth) {
        endCommand();
        piped = true;
      } else endPipeline();
      at = at === document?.newline ? document.end : at + 1;
      if (document && at >= document.end) document = undefined;
    } else {
      const word = take(at);
      // The number before a redirection is not one of its words.
      if (/^\d+$/.test(word.raw) && /[<>]/.test(line[at] ?? '')) continue;
      words.push(word);
    }
  }
  endCommand();
  if (open !== 0) lose();
  return { commands, understood, complete };
}

function isStructure(word: ShellWord | undefined): boolean {
  return word !== undefined && (STRUCTURE.has(word.raw) || /^[!{}]$/.test(word.raw));
}

/** Returns whether words are the head of a `for` whose values the shell inserts unchanged. */
function isLoop([first, name, keyword, ...values]: readonly ShellWord[]): boolean {
  if (first?.raw !== 'for' || !/^[A-Za-z_]\w*$/.test(name?.raw ?? '')) return false;
  return (keyword === undefined || keyword.raw === 'in') && values.every(isValue);
}

/** Returns whether a word is a text, a file name, a variable or the output of a command. A text that a builtin may evaluate later is excluded. */
function isValue({ raw, text, known }: ShellWord): boolean {
  return known ? !/[$`[]/.test(text) : /^"?\$(\w+|[@*]|\{\w+\}|\(.*\))"?$/s.test(raw);
}
