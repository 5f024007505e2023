import { isMnemonic } from '../checks/wallets/is-mnemonic.ts';
import { isWalletKey } from '../checks/wallets/is-wallet-key.ts';
import type { Rule } from '../compile/rule.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';
/** Names of such words. */
const NAMES =
  'mnemonic|(?:seed|recovery|backup|wallet|secret)[ _-]?(?:phrase|words|mnemonic)|(?:recovery|backup)[ _-]?seed';
/** Between two words: a blank, a comma, the number of the next one in its line. */
const GAP = '(?:[ ,"\']+|\\r?\\n)[ \\t]*(?:[0-9]{1,2}[.):]?[ \\t]*)?["\']?';
const WORD = `${GAP}[a-z]{3,8}`;
const LEAST = 12;
const MOST = 24;

/** Returns the pattern of up to `most` further words; a repetition could continue through sentences. */
function more(most: number): string {
  return Array.from({ length: most }).reduce<string>((rest) => `(?:${WORD}${rest}|)`, '');
}

/** Secrets of wallets, besides the extended keys among the formats. */
export const walletRules: readonly Rule[] = [
  {
    id: 'wallet-key',
    description: 'private key of a wallet in its import format',
    pattern: new RegExp(`\\b((?:5[HJK]|9${BASE58})${BASE58}{49}|[KLc]${BASE58}{51})\\b`),
    check: isWalletKey,
  },
  {
    id: 'wallet-mnemonic',
    description: 'words of a wallet (BIP-39), by what they are called',
    pattern: new RegExp(
      `(?:${NAMES})[\\w ]{0,16}["'\`]?[ \\t]*[:=\\n][ \\t\\r\\n]*(?:\\[[ \\t\\r\\n]*)?["'\`]?(?:1[.):]?[ \\t]*)?([a-z]{3,8}${WORD.repeat(LEAST - 1)}${more(MOST - LEAST)})(?:[^a-z]|$)`,
      'i',
    ),
    check: isMnemonic,
    confidence: 'assigned',
  },
];
