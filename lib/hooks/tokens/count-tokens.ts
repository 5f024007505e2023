import { HooklineError } from '../../errors.ts';

/** Counts the tokens of a text, as the model of that name has them; without a name, or for a name that it does not know, about right. */
export type CountTokens = (text: string, model?: string) => number;

const PEER = 'gpt-tokenizer';
/** The time that merging takes grows with the square of a word, and a model may write one of a hundred thousand letters. */
const LONGEST_WORD = 500;

let loaded: CountTokens | undefined;

/** What counts tokens for `hook`: `given`, else the package `gpt-tokenizer`, which is loaded when a text is counted first. */
export function tokenCounter(hook: string, given: CountTokens | undefined): CountTokens {
  return (text, model) => {
    const counter = given ?? loaded ?? load(hook);
    if (!given) loaded = counter;
    const count = counter(text, model);
    if (Number.isFinite(count) && count >= 0) return count;
    throw new HooklineError(
      'OPTIONS_INVALID',
      `countTokens, which the host gives to the hook "${hook}", must give a number of tokens, not ${String(count)}.`,
    );
  };
}

function load(hook: string): CountTokens {
  let peer: typeof import('gpt-tokenizer/encoding/o200k_base');
  try {
    peer = require('gpt-tokenizer/encoding/o200k_base');
  } catch (cause) {
    const message = `The hook "${hook}" has to count tokens, which needs the package ${PEER}. Run: npm install ${PEER}, or give it a function of your own: { countTokens }.`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
  // In what people and tools write, the marks of a chat are ordinary text.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => pieces(text).reduce((sum, piece) => sum + peer.countTokens(piece, options), 0);
}

/** The text, or pieces of it where a word is overlong. */
function pieces(text: string): readonly string[] {
  if (text.length <= LONGEST_WORD || !overlong.test(text)) return [text];
  return text.match(slices) ?? [];
}

const overlong = new RegExp(`\\S{${LONGEST_WORD}}|\\s{${LONGEST_WORD}}`);
const slices = new RegExp(`[^]{1,${LONGEST_WORD}}`, 'g');
