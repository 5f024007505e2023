import { HooklineError } from '../../errors.ts';
import { hmacSha256, toHex } from '../../hashes/sha256.ts';
import type { RedactorOptions } from '../redactor.ts';
import { keepFormat } from './keep-format.ts';
import { markerHead } from './marker.ts';

/** Returns the replacement of one secret. */
export type Replacer = (label: string, value: string) => string;

/** Returns a factory of replacers, one for each stream, as the options require. Throws `OPTIONS_INVALID` if an option of the mode is missing. */
export function replacers(options: RedactorOptions): () => Replacer {
  const { mode = 'marker', key, vault } = options;
  const marker: Replacer = (label) => `${markerHead}${label}]`;
  switch (mode) {
    case 'marker':
      return () => marker;
    case 'numbered':
      return numbered;
    case 'mask':
      return () => (_, value) => '*'.repeat(value.length);
    case 'hash': {
      const secret = needed(key, 'mode `hash` needs a `key`');
      return () => (label, value) => `${markerHead}${label}:${toHex(hmacSha256(secret, value)).slice(0, 12)}]`;
    }
    case 'format': {
      const secret = needed(key, 'mode `format` needs a `key`');
      return () => (_, value) => keepFormat(secret, value);
    }
    case 'token': {
      const keeper = needed(vault, 'mode `token` needs a `vault`');
      return () => (label, value) => keeper.tokenFor(value, label);
    }
    default:
      throw new HooklineError('OPTIONS_INVALID', `redactor: there is no mode ${JSON.stringify(mode)}`);
  }
}

/** Counts by hash, so that no value is kept. */
function numbered(): Replacer {
  const numbers = new Map<string, number>();
  return (label, value) => {
    const digest = toHex(hmacSha256('number', value));
    const number = numbers.get(digest) ?? numbers.size + 1;
    if (numbers.size < MOST_NUMBERS) numbers.set(digest, number);
    return `${markerHead}${label}#${number}]`;
  };
}

/** The maximum number of values that a stream counts; later ones share the last number. */
const MOST_NUMBERS = 65_536;

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined || value === '') throw new HooklineError('OPTIONS_INVALID', `redactor: ${what}`);
  return value;
}
