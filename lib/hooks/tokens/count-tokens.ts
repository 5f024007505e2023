import { HooklineError } from '../../errors.ts';

/** Counts the tokens of a text for the named model. Without a name, or for an unknown model, the count is approximate. */
export type CountTokens = (text: string, model?: string) => number;

const PEER = 'gpt-tokenizer';
/** The time for merging is quadratic in the length of a word, and a model may write a word of a hundred thousand letters. */
const LONGEST_WORD = 500;

let loaded: CountTokens | undefined;

/** Creates the counter for `hook`: `given`, or the package `gpt-tokenizer`, which is loaded on first use. */
export function tokenCounter(hook: string, given: CountTokens | undefined): CountTokens {
  return (text, model) => {
    const counter = given ?? loaded ?? load(hook);
    if (!given) loaded = counter;
    const count = counter(text, model);
    if (Number.isFinite(count) && count >= 0) return count;
    throw new HooklineError(
      'OPTIONS_INVALID',
      `countTokens of the host, used by the hook "${hook}", must return a number of tokens, got ${String(count)}.`,
    );
  };
}

function load(hook: string): CountTokens {
  let peer: typeof import('gpt-tokenizer/encoding/o200k_base');
  try {
    peer = require('gpt-tokenizer/encoding/o200k_base');
  } catch (cause) {
    const fix = `Run: npm install ${PEER}, or pass your own function, as in bundles without require(): { countTokens }.`;
    const message = `The hook "${hook}" needs the package ${PEER} to count tokens. ${fix}`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
  // Chat markers in texts of users and tools are ordinary text.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => pieces(text).reduce((sum, piece) => sum + peer.countTokens(piece, options), 0);
}

/** Returns the text, split if a word is overlong. */
function pieces(text: string): readonly string[] {
  if (text.length <= LONGEST_WORD || !overlong.test(text)) return [text];
  return text.match(slices) ?? [];
}

const overlong = new RegExp(`\\S{${LONGEST_WORD}}|\\s{${LONGEST_WORD}}`);
const slices = new RegExp(`[^]{1,${LONGEST_WORD}}`, 'g');
