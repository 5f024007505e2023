import fc from 'fast-check';
import { compileRules, type KnownValue, type Rule } from '../../../lib/redaction/index.ts';

/** Few letters, so that every text begins with, contains and continues others. */
const letters = ['a', 'b', 'c', '-', ' '];
const sets = ['a', 'b', 'c', '-', 'ab', '[ab]', '[abc]', '[^a]', '[b-]', '\\w', '.'];
const ends = ['', '', '{1,3}', '{2}', '+', '{2,}', '?', '*', '+?', '{1,4}?'];

const atom = fc
  .tuple(fc.constantFrom(...sets), fc.constantFrom(...ends))
  .map(([set, end]) => (end !== '' && set.length === 2 && set !== '\\w' ? `(?:${set})${end}` : set + end));
const run = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join(''));
const part = fc.oneof(
  { weight: 4, arbitrary: run },
  { weight: 1, arbitrary: fc.tuple(run, run).map(([one, other]) => `(?:${one}|${other})`) },
  { weight: 1, arbitrary: fc.constantFrom('\\b', '\\B', '$', '^', '(?:^|[^a])', '(?:-|$)') },
);
const side = fc.oneof(fc.constant(''), part);
const pattern = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
  fc.tuple(side, run, side).map(([before, secret, after]) => `${before}(${secret})${after}`),
);
const literal = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 }).map((units) => units.join(''));

const pieces = fc.record({
  shape: fc.oneof(
    { weight: 4, arbitrary: pattern.map((source) => ({ pattern: source })) },
    { weight: 1, arbitrary: literal.map((text) => ({ literal: text })) },
  ),
  maxLength: fc.constantFrom(undefined, undefined, 3, 5, 9),
  swallow: fc.constantFrom(true, false, false),
  keyword: fc.constantFrom(undefined, undefined, undefined, 'c', 'ba'),
  judged: fc.constantFrom(undefined, undefined, 'entropy', 'check', 'allow'),
});

/** Rules that overlap in all ways, at most six; those that do not hold in a stream are excluded. */
export const randomRules: fc.Arbitrary<readonly Rule[]> = fc
  .array(pieces, { minLength: 1, maxLength: 6 })
  .map((all) => {
    const rules = all.map(
      ({ shape, maxLength, swallow, keyword, judged }, place): Rule => ({
        id: `r${place}`,
        ...shape,
        ...(maxLength !== undefined && { maxLength }),
        ...(keyword !== undefined && { keywords: [keyword] }),
        ...(swallow && { swallow }),
        ...(!swallow && judged === 'entropy' && { entropy: 0.5 }),
        ...(!swallow && judged === 'check' && { check: (secret: string) => secret.length % 3 !== 0 }),
        ...(!swallow && judged === 'allow' && { allow: [{ pattern: 'ab', target: 'line' as const }] }),
      }),
    );
    const { refused } = compileRules(rules);
    const left = new Set(refused.map(({ id }) => id));
    return rules.filter(({ id }) => !left.has(id));
  });

const values = ['abcabc', 'aaaaaaa', 'a-b a-b', 'bb--cc', 'ab ab ab'];

/** Known values of the same letters; none in half of the cases. */
export const randomKnown: fc.Arbitrary<readonly KnownValue[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => [{ label: 'KEY', value }]) },
);

/** Text of the same letters, with occasional known values, markers and pairs. */
export const randomLetters: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...letters) },
      { weight: 4, arbitrary: fc.constantFrom(...values, 'aaaaaaaaaaaa', 'ababababab') },
      { weight: 1, arbitrary: fc.constantFrom('\n', '😀', '\ud83d', '[REDACTED:r0]', '[REDACTED:r1#1]', '[REDA') },
    ),
    { maxLength: 60 },
  )
  .map((units) => units.join(''));
