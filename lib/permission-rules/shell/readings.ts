import { parseShell } from './parse-shell.ts';
import type { ShellCommand, ShellWord } from './shell-command.ts';

/** The commands that one command may run, and whether there may be others. */
export interface Readings {
  /** Those that mean the same as the command itself: it, and what stands behind `timeout 30`, `nice`, `nohup`. */
  readonly same: readonly (readonly ShellWord[])[];
  /** Those that it may run besides: what stands behind `sudo`, `xargs`, `sh -c`. */
  readonly inside: readonly (readonly ShellWord[])[];
  /** Whether it runs something that cannot be told. */
  readonly hidden: boolean;
}

/** Programs that run what stands behind them and change nothing else, with what may stand between: options, then so many words. */
const SAME: Readonly<Record<string, readonly [options: RegExp, words: number]>> = {
  timeout: [/^(-v|--verbose|--foreground|--preserve-status|-[ks]\S+|--(kill-after|signal)=\S+)$/, 1],
  nice: [/^(-n|-?\d+|-n-?\d+|--adjustment=-?\d+)$/, 0],
  nohup: [/^$/, 0],
  time: [/^-p$/, 0],
  stdbuf: [/^-[ioe]\S+$/, 0],
};

/** Programs that run a command which stands somewhere among their words. */
const RUNNERS = new Set([
  ...Object.keys(SAME),
  ...[
    'sudo',
    'doas',
    'env',
    'command',
    'builtin',
    'exec',
    'xargs',
    'find',
    'parallel',
    'watch',
    'setsid',
    'ionice',
    'chroot',
  ],
  ...['busybox', 'flock', 'script', 'strace', 'su', 'runuser', 'unshare', 'nsenter', 'taskset', 'chrt', 'caffeinate'],
]);

/** Programs that take a line of a shell as a word. */
const SHELLS = /^((ba|da|z|k|fi)?sh|eval|su|ssh|watch|parallel)$/;

/** Programs that read what they run from elsewhere. */
const HIDING = /^((ba|da|z|k|fi)?sh|source|\.|eval|xargs|parallel)$/;

/** So many readings of one command are looked at; behind more of them anything may stand, for a model may write any number of words. */
const MOST = 50;

/** All that one command may run, as far as its words tell. */
export function readingsOf({ words }: ShellCommand): Readings {
  const same = [words];
  let next = behind(words);
  for (; next && same.length < MOST; next = behind(next)) same.push(next);
  const inside: (readonly ShellWord[])[] = [];
  let hidden = next !== undefined;
  for (const reading of same) {
    const name = nameOf(reading[0]);
    if (reading[0]?.known === false) hidden = true;
    if (HIDING.test(name)) hidden = true;
    if (RUNNERS.has(name)) {
      for (let from = 1; from < reading.length && inside.length < MOST; from += 1) inside.push(reading.slice(from));
      if (inside.length >= MOST) hidden = true;
    }
    if (!SHELLS.test(name) && !RUNNERS.has(name)) continue;
    for (const { known, text } of reading.slice(1)) {
      if (!known || !/\s/.test(text)) continue;
      const line = parseShell(text);
      if (!line.understood) hidden = true;
      inside.push(...line.commands.map((one) => one.words));
    }
  }
  // What is found inside may run something in turn; once is enough to see `sudo sh -c ".."`.
  return { same, inside, hidden };
}

function behind(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const [first, ...rest] = words;
  const skip = first?.known ? SAME[first.text] : undefined;
  if (!skip || !Object.hasOwn(SAME, first?.text ?? '')) return undefined;
  const [options, between] = skip;
  const from = rest.findIndex(({ text }) => !options.test(text));
  const next = from < 0 ? [] : rest.slice(from + between);
  return next.length === 0 || next[0]?.text.startsWith('-') ? undefined : next;
}

function nameOf(word: ShellWord | undefined): string {
  return word?.text.slice(word.text.lastIndexOf('/') + 1) ?? '';
}
