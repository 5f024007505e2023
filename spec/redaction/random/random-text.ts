import fc from 'fast-check';
import { encodings } from '../escapes/encodings.ts';
import { known, samples } from '../sample-rules.ts';

const encoded = Buffer.from(known.value).toString('base64');

/** Parts of text with many secrets, halves of secrets, markers and halves of markers. */
const pieces = [
  ...samples.flatMap(({ before, secret }) => [before + secret, before, secret]),
  known.value,
  encodeURIComponent(known.value),
  JSON.stringify(known.value),
  encoded,
  Buffer.from(`a${known.value}b`).toString('base64'),
  ...[
    '[REDACTED:pat]',
    '[REDACTED:pat#2]',
    '[REDACTED:other]',
    '[REDACTED:',
    '[RED',
    '[',
    ']',
    '\ud83d',
    '\ude00',
    '😀',
  ],
  ...[
    ' ',
    ' ',
    '\n',
    '.',
    '-',
    '=',
    '"',
    '@',
    'a',
    'kk-',
    'x',
    'y',
    '1',
    '4',
    'the word ',
    'ghp_',
    'password',
    'vault',
  ],
];

/** Parts in escapes, and halves of escapes. */
const escapes = [
  ...samples.flatMap(({ before, secret }) =>
    Object.values(encodings).map(({ encode }) => (secret.startsWith('\n') ? '' : encode(before + secret))),
  ),
  ...['%', '%25', '%4', '&', '&amp;', '&#x4', '\\', '\\\\', '\\u00', '\\"', '=', '=3', '=\n', '\u200b', '\uff47'],
];

const pieceOf = (from: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...from), fc.nat(40), fc.nat(40), fc.nat(3))
    .map(([text, from, to, cut]) => (cut === 0 ? text.slice(Math.min(from, to), Math.max(from, to)) : text));

const textOf = (from: readonly string[]) => fc.array(pieceOf(from), { maxLength: 20 }).map((parts) => parts.join(''));

/** Text with many possible secrets. */
export const randomText: fc.Arbitrary<string> = textOf(pieces);

/** The same with escapes. */
export const randomEscapes: fc.Arbitrary<string> = textOf([...pieces, ...escapes]);

/** Lengths of chunks, used in turn. */
export const randomSizes: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 12 }), {
  minLength: 1,
  maxLength: 8,
});

/** Returns the text in chunks of these lengths. */
export function chunksOf(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}
