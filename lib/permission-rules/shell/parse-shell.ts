import { readWord } from './read-word.ts';
import type { ShellCommand, ShellLine, ShellWord } from './shell-command.ts';

/** Words that stand in front of a command and make something larger of it; what follows is looked at, the whole is not understood. */
const STRUCTURE = new Set(['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'esac', 'coproc']);
/** Words whose own words are no command at all, or which change what a name of a command means. */
const FOREIGN = new Set(['for', 'case', 'select', 'function', '[[', 'alias', 'hash', 'enable', 'trap']);
/** A variable that is set for a command. */
const ASSIGNMENT = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/;
/** Deeper than this nobody nests substitutions. */
const DEEPEST = 20;

/**
 * The commands of a line of `sh` or `bash`, as far as they can be told without running it. A line that holds anything else (a loop, a
 * function, a here-document, arithmetic, a quote without an end) is not understood as a whole; commands that were found in it stand nevertheless.
 */
export function parseShell(line: string, depth = 0): ShellLine {
  const commands: ShellCommand[] = [];
  let understood = depth < DEEPEST;
  if (!understood) return { commands, understood };
  let words: ShellWord[] = [];
  let plain = true;
  let open = 0;
  let at = 0;

  const parse = (inner: string): ShellLine => parseShell(inner, depth + 1);
  const take = (from: number) => {
    const word = readWord(line, from, parse);
    if (!word.understood) understood = false;
    for (const one of word.inner) {
      commands.push(...one.commands);
      if (!one.understood) understood = false;
    }
    at = Math.max(word.end, from + 1);
    return word;
  };
  const endCommand = (): void => {
    while (words[0] && (STRUCTURE.has(words[0].raw) || /^[!{}]$/.test(words[0].raw))) {
      if (STRUCTURE.has(words[0].raw)) understood = false;
      words.shift();
    }
    while (ASSIGNMENT.test(words[0]?.raw ?? '')) {
      plain = false;
      words.shift();
    }
    if (words.at(-1)?.raw === '}') words.pop();
    if (FOREIGN.has(words[0]?.raw ?? '')) understood = false;
    if (words.length > 0 || !plain) commands.push({ words, plain });
    words = [];
    plain = true;
  };
  const redirect = (operator: string): void => {
    at += operator.length;
    if (/^<<-?$/.test(operator)) understood = false;
    while (line[at] === ' ' || line[at] === '\t') at += 1;
    if (line[at] === '(') return;
    const target = take(at);
    const harmless =
      target.known &&
      (/^\/dev\/(null|stdout|stderr)$/.test(target.text) || (operator.endsWith('&') && /^(\d+|-)$/.test(target.text)));
    if (!harmless) plain = false;
  };

  while (at < line.length) {
    const rest = line.slice(at, at + 4);
    const operator = /^(<<<|<<-?|<>|<&|>>|>&|>\||[<>])/.exec(rest)?.[0];
    const char = line[at] as string;
    if (char === '\\' && line[at + 1] === '\n') at += 2;
    else if (char === ' ' || char === '\t') at += 1;
    else if (char === '#') at = line.indexOf('\n', at) < 0 ? line.length : line.indexOf('\n', at);
    else if (operator !== undefined) redirect(operator);
    else if (char === '(') {
      // A function, or a test in arithmetic; a process substitution behind a redirection is a subshell as well.
      if (words.length > 0 || line[at + 1] === '(') understood = false;
      endCommand();
      open += 1;
      at += 1;
    } else if (char === ')') {
      endCommand();
      open -= 1;
      if (open < 0) understood = false;
      at += 1;
    } else if (char === ';' || char === '&' || char === '|' || char === '\n') {
      // `&>` is a redirection for bash; for `sh` the command ends at `&`.
      if (char === '&' && line[at + 1] === '>') understood = false;
      endCommand();
      at += 1;
    } else {
      const word = take(at);
      // The number in front of a redirection is none of its words.
      if (/^\d+$/.test(word.raw) && /[<>]/.test(line[at] ?? '')) continue;
      words.push(word);
    }
  }
  endCommand();
  if (open !== 0) understood = false;
  return { commands, understood };
}
