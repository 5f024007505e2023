import { commandOfXargs } from './known-programs.ts';
import { parseShell } from './parse-shell.ts';
import type { ShellCommand, ShellWord } from './shell-command.ts';

type Words = readonly ShellWord[];

/** The commands that one command may run, and whether there may be others. */
export interface Readings {
  /** Commands with the same meaning as the command itself: it, and the command after `timeout 30`, `nice`, `nohup`. The last one runs. */
  readonly same: readonly Words[];
  /** Commands that it may also run: those after `sudo`, `xargs`, `sh -c`. */
  readonly inside: readonly Words[];
  /** Whether it may run something unknown. */
  readonly hidden: boolean;
  /** Whether nothing runs except the last one of `same`. */
  readonly alone: boolean;
}

/** Programs that run the command after them and change nothing else, with the words between. */
const SAME: Readonly<Record<string, RegExp>> = {
  timeout: /^((-v|--verbose|--foreground|--preserve-status|-[ks] ?\w+|--(kill-after|signal)[= ]\w+) )*[\d.]+[smhd]? /,
  nice: /^((-n ?-?\d+|-\d+|--adjustment[= ]-?\d+) )*/,
  nohup: /^/,
  // The keyword of bash runs a pipeline, which `!` may negate.
  time: /^(-p )?(! )*/,
  stdbuf: /^(-[ioe] ?\w+ )+/,
};

/** Programs that run a command somewhere among their words. */
export const RUNNERS: ReadonlySet<string> = new Set([
  ...Object.keys(SAME),
  ...[
    'sudo',
    'doas',
    'pkexec',
    'su',
    'runuser',
    'env',
    'command',
    'builtin',
    'exec',
    'xargs',
    'parallel',
    'watch',
    'ssh',
  ],
  ...['setsid', 'ionice', 'chroot', 'busybox', 'flock', 'script', 'strace', 'ltrace', 'unshare', 'nsenter', 'taskset'],
  ...['chrt', 'caffeinate', 'systemd-run', 'setpriv', 'fakeroot', 'toybox', 'screen', 'tmux', 'entr', 'prlimit'],
  ...['setarch', 'linux32', 'linux64', 'numactl', 'cpulimit', 'firejail', 'bwrap', 'proot', 'unbuffer', 'xvfb-run'],
  ...['dbus-run-session', 'start-stop-daemon', 'valgrind', 'perf'],
]);

/** Programs that take a shell line as a word. */
export const SHELLS = /^((ba|da|z|k|mk|fi|c|tc|a|pw)?sh|eval)$/;

/** Programs that read the code that they run from elsewhere. */
const HIDING = /^((ba|da|z|k|mk|fi|c|tc|a|pw)?sh|source|\.|eval|xargs|parallel|su|runuser|script|at|batch)$/;
/** With these, `sudo` starts a shell. */
const SUDO_SHELL = /^(-[a-zA-Z]*[si]|--shell|--login)$/;

/** Builtins of bash that read a word as the name of a variable. A substitution in its index, `a[$(rm x)]`, runs even if it is quoted. */
const NAMING = /^(printf|test|\[|read|unset|let|declare|typeset|local|readonly|mapfile|readarray|wait)$/;
const INDEX = /\[.*(\$\(|`)/s;

/** Programs and builtins that take a shell line as one of several words. */
const EVALUATING = /^(mapfile|readarray|compgen|jobs|split)$/;

/** `find` runs the command after the first ones; with the others it deletes and writes itself. */
export const FIND_RUNS = /^-(exec|ok)(dir)?$/;
const FIND_CHANGES = /^-(delete|fls|fprint.*)$/;

/** Another name of a subcommand of git. */
export const ALIAS = /\balias\./i;

/** The maximum number of readings of one command. The rest may be anything, because a model may write any number of words. */
const MOST = 50;
/** Readings of long commands are equally long: beyond this total number of words, the rest counts as hidden. */
const MOST_WORDS = 50_000;

/** Returns everything that one command may run, as far as its words show. */
export function readingsOf({ words, assigned }: ShellCommand): Readings {
  const same = [words];
  let next = behind(words);
  const most = Math.min(MOST, MOST_WORDS / words.length);
  for (; next && same.length < most; next = behind(next)) same.push(next);
  const last = same.at(-1) as Words;
  const isAlias = ALIAS.test(assigned) && /[$`]/.test(assigned);
  const found: Found = { inside: [], hidden: next !== undefined || isAlias, words: 0 };
  look(last, found);
  const alone = !found.hidden && found.inside.length === 0 && !(nameOf(last[0]) === 'find' && last.some(mayChange));
  return { same, inside: found.inside, hidden: found.hidden, alone };
}

interface Found {
  readonly inside: Words[];
  hidden: boolean;
  words: number;
}

/** Records the further commands of a command. If they may begin anywhere in another command, its other words are already examined. */
function look(words: Words, found: Found, whole = true): void {
  const name = nameOf(words[0]);
  const ofXargs = name === 'xargs' ? commandOfXargs(words) : undefined;
  if (ofXargs) {
    add(ofXargs, found);
    return;
  }
  if (HIDING.test(name) || (whole && words[0]?.known === false)) found.hidden = true;
  if (name === 'sudo' && optionsOf(words).some(({ text }) => SUDO_SHELL.test(text))) found.hidden = true;
  if (NAMING.test(name) && words.some((word, at) => INDEX.test(word.text) || mayNameIndex(name, words, at)))
    found.hidden = true;
  if (EVALUATING.test(name) && words.slice(1).some(mayBecomeAnother)) found.hidden = true;
  if (name === 'env' && words.some(({ text }) => /^-\w*S|^--s/.test(text)) && words.some(mayBecomeAnother))
    found.hidden = true;
  // An alias stands for a subcommand or a shell line.
  if (name === 'git' && words.some(({ text }) => ALIAS.test(text)) && words.some(({ known }) => !known))
    found.hidden = true;
  if (name === 'find') {
    for (const [at, { text, known }] of words.entries()) {
      if (!known) found.hidden = true;
      if (!FIND_RUNS.test(text)) continue;
      // The found file is the program.
      if (words[at + 1]?.text.includes('{}')) found.hidden = true;
      if (!add(words.slice(at + 1), found)) break;
    }
  }
  if (!whole || !(RUNNERS.has(name) || SHELLS.test(name)) || isLookup(words)) return;
  for (let from = 1; RUNNERS.has(name) && from < words.length; from += 1) {
    if (!add(words.slice(from), found, false)) break;
  }
  for (const { known, text } of words.slice(1)) {
    if (!known || !/\s/.test(text)) continue;
    const line = parseShell(text);
    if (!line.understood) found.hidden = true;
    for (const one of line.commands) add(one.words, found);
  }
}

function add(words: Words, found: Found, whole = true): boolean {
  if (found.inside.length >= MOST || found.words > MOST_WORDS) {
    found.hidden = true;
    return false;
  }
  found.words += words.length;
  found.inside.push(words);
  look(words, found, whole);
  return true;
}

/** Returns whether an evaluated word contains something that the shell replaces. */
function mayBecomeAnother({ text, known }: ShellWord): boolean {
  return !known || /[$`*?[\\]/.test(text);
}

/** Returns whether a variable is in a place where a builtin reads the name of one. */
function mayNameIndex(name: string, words: Words, at: number): boolean {
  const word = words[at];
  if (at === 0 || !word || word.known || /^\w+=/.test(word.raw)) return false;
  return !/^(test|\[|printf)$/.test(name) || words[at - 1]?.text === '-v';
}

/** `command -v rm` prints what `rm` stands for. */
function isLookup([first, second]: Words): boolean {
  return first?.text === 'command' && /^-p?[vV]$/.test(second?.text ?? '');
}

/** Returns the words before the command; each option may have a word of its own. */
function optionsOf(words: Words): Words {
  const isOption = (word: ShellWord | undefined) => word?.text.startsWith('-') === true;
  const end = words.findIndex((word, at) => at > 0 && !isOption(word) && !isOption(words[at - 1]));
  return words.slice(1, end < 0 ? undefined : end);
}

/** A file name in the place of a glob may also be such a word. */
function mayChange({ raw, text, glob }: ShellWord): boolean {
  return FIND_CHANGES.test(text) || (glob && /^-?[*?[]/.test(raw));
}

function behind([first, ...rest]: Words): Words | undefined {
  const between = first?.known && Object.hasOwn(SAME, first.text) ? SAME[first.text] : undefined;
  if (!between) return undefined;
  // Only literal words are skipped.
  const end = rest.findIndex(({ raw }) => !/^(?:[\w.=-]+|!)$/.test(raw));
  const plain = rest.slice(0, end < 0 ? undefined : end).map(({ raw }) => `${raw} `);
  const skipped = between.exec(plain.join(''))?.[0];
  const next = skipped === undefined ? [] : rest.slice(skipped.split(' ').length - 1);
  return next.length === 0 || next[0]?.text.startsWith('-') ? undefined : next;
}

function nameOf(word: ShellWord | undefined): string {
  return word?.text.slice(word.text.lastIndexOf('/') + 1) ?? '';
}
