import type { Rule } from '../../lib/redaction/compile/rule.ts';
import { nativeMatch } from './native-match.ts';
import { walletKey } from './rules/wallet-key.ts';

export interface Example {
  readonly text: string;
  readonly secret: string;
}
export type Random = () => number;

/** Returns the same sequence for the same seed. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(items: ArrayLike<T>, random: Random): T => items[Math.floor(random() * items.length)] as T;

/** Returns a text with a secret for `rule`, generated from its pattern, and the expected secret. No secret is ever written down. */
export function exampleOf(rule: Rule, random: Random): Example {
  const { source } = rule.pattern as RegExp;
  for (let tries = 0; tries < 20000; tries += 1) {
    const context = rule.keywords ? `${rule.keywords[0]} ` : '';
    const text = `${context}${(BY_HAND[rule.id] ?? ((next: Random) => sample(source, next)))(random)}`;
    const secret = nativeMatch(rule, text);
    if (secret !== undefined) return { text, secret };
  }
  throw new Error(`No example of ${rule.id} could be made.`);
}

/** Random text rarely has these checksums, and edges of lines do not exist in the middle of a text. */
const BY_HAND: Readonly<Record<string, (random: Random) => string>> = {
  'chinese-id': (random) => {
    const two = (most: number) => String(1 + Math.floor(random() * most)).padStart(2, '0');
    const digits = `${pick(['11', '31', '44', '51'], random)}${two(20)}${two(20)}19${two(98)}${two(12)}${two(28)}${two(99)}${two(9)[1]}`;
    return ` ${digits}${pick('0123456789X', random)}`;
  },
  'key-word': (random) => `Stripe key ${Array.from({ length: 24 }, () => pick(POOL, random)).join('')} `,
  'private-key-in-wide-lines': (random) => {
    const before = '"name": "value", '.repeat(5);
    const line = Array.from({ length: 64 }, () => pick(POOL, random)).join('');
    return ['-----BEGIN PRIVATE KEY-----', line, '-----END PRIVATE KEY-----'].map((one) => before + one).join('\n');
  },
  'private-key-end': (random) => {
    const line = () => Array.from({ length: 64 }, () => pick(`${POOL}+/`, random)).join('');
    return `\n${line()}\n${line()}\n${line().slice(0, 30)}==\n-----END ${pick(['', 'RSA '], random)}PRIVATE KEY`;
  },
  'wallet-key': (random) => walletKey(Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256))),
};

/** Returns a string that a pattern matches. It supports the syntax of the rules: classes, groups, alternatives, quantifiers; edges are assumed to hold. */
function sample(source: string, random: Random): string {
  let at = 0;

  function alternatives(): string {
    const all: Array<() => string> = [];
    let parts: Array<() => string> = [];
    const close = () => {
      const made = parts;
      all.push(() => made.map((part) => part()).join(''));
      parts = [];
    };
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        close();
        at += 1;
      } else parts.push(quantified());
    }
    close();
    return register(() => pick(all, random)());
  }

  const made: Array<() => string> = [];
  const register = (make: () => string): string => String(made.push(make) - 1);

  function quantified(): () => string {
    const atom = single();
    const [, bounds] = /^(\{\d+(?:,\d*)?\}|[?*+])\??/.exec(source.slice(at)) ?? [];
    if (bounds === undefined) return atom;
    at += bounds.length + (source[at + bounds.length] === '?' ? 1 : 0);
    const [least, most] = { '?': [0, 1], '*': [0, 12], '+': [1, 12] }[bounds] ?? limits(bounds);
    return () => {
      const times =
        Number(least) + Math.floor(random() * (Math.min(Number(most), Number(least) + 24) - Number(least) + 1));
      return Array.from({ length: times }, atom).join('');
    };
  }

  function single(): () => string {
    const character = source[at++] as string;
    if (character === '(') {
      if (source.startsWith('?:', at)) at += 2;
      const group = made.length;
      const index = Number(alternatives());
      at += 1;
      return group <= index ? (made[index] as () => string) : () => '';
    }
    if (character === '^' || character === '$') return () => '';
    if (character === '[') return oneOf(classAt());
    if (character === '.') return oneOf(POOL);
    if (character !== '\\') return () => character;
    const escaped = source[at++] as string;
    if (escaped === 'b') return () => '';
    return /[dwsDWSnrt]/.test(escaped) ? oneOf(charactersOf(`[\\${escaped}]`)) : () => escaped;
  }

  function classAt(): string {
    const start = at - 1;
    while (source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
    at += 1;
    return charactersOf(source.slice(start, at));
  }

  const oneOf = (characters: string) => () => pick(characters, random);
  const whole = Number(alternatives());
  return (made[whole] as () => string)();
}

const limits = (bounds: string): number[] => {
  const [least = '0', most] = bounds.slice(1, -1).split(',');
  return [Number(least), most === undefined ? Number(least) : most === '' ? Number(least) + 24 : Number(most)];
};

const POOL = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const known = new Map<string, string>();

function charactersOf(source: string): string {
  const found = known.get(source) ?? findCharacters(new RegExp(source));
  known.set(source, found);
  return found;
}

function findCharacters(pattern: RegExp): string {
  const matching = (pool: string) => [...pool].filter((character) => pattern.test(character)).join('');
  return (
    matching(`${POOL}-_+/=.%!#:@~`) || matching(` "',;`) || matching(POOL) || matching('\n\r\t\\`(){}[]<>&|*?$^\'"')
  );
}
