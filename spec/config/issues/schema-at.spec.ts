import { expect } from 'chai';
import { z } from 'zod';
import { holdsMark, isMarked, namesAt } from '../../../lib/config/issues/schema-at.ts';
import { findSchemaIssues } from '../../../lib/config/issues/schema-issues.ts';

const secret = z.string().meta({ secret: true });
const fields = z.strictObject({ key: secret, other: z.string().optional() });
const node = z.strictObject({
  name: z.string(),
  get children() {
    return z.array(node).optional();
  },
});

describe('marks of an options schema', () => {
  for (const [what, schema, path] of [
    ['an object', fields, ['key']],
    ['a parent', z.strictObject({ keys: z.array(z.string()).meta({ secret: true }) }), ['keys', 0]],
    ['a wrapper', z.strictObject({ key: secret.optional().readonly() }), ['key']],
    ['a value of a union', z.strictObject({ key: z.union([z.number(), secret]) }), ['key']],
    ['an object of a union', z.union([z.strictObject({ n: z.number() }), fields]), ['key']],
    ['an exclusive union', z.xor([z.strictObject({ n: z.number() }), fields]), ['key']],
    ['an intersection', z.object({ n: z.number() }).and(fields), ['key']],
    ['a preprocessed object', z.preprocess((value) => value, fields), ['key']],
    ['a preprocessed value', z.strictObject({ key: z.preprocess(String, secret) }), ['key']],
    ['a transformed object', fields.transform(Object.keys), ['key']],
    ['the result of a transformation', z.strictObject({ key: z.string().transform(String).pipe(secret) }), ['key']],
    ['a lazy object', z.strictObject({ at: z.lazy(() => fields) }), ['at', 'key']],
    ['an item of a tuple', z.strictObject({ at: z.tuple([z.string(), secret]) }), ['at', 1]],
    ['the rest of a tuple', z.strictObject({ at: z.tuple([z.string()], secret) }), ['at', 3]],
    ['other fields', z.object({ n: z.number() }).catchall(secret), ['key']],
  ] as const)
    it(`are found on ${what}`, () => {
      expect(isMarked(schema, path, 'secret')).to.equal(true);
      expect(isMarked(schema, ['n'], 'secret')).to.equal(false);
    });

  it('are found on each value of a record', () => {
    expect(isMarked(z.record(z.string(), secret), ['any'], 'secret')).to.equal(true);
  });

  it('are not found beside a marked field', () => {
    expect(isMarked(fields, ['other'], 'secret')).to.equal(false);
    expect(isMarked(fields, ['unknown'], 'secret')).to.equal(false);
    expect(isMarked(z.tuple([z.string(), secret]), [0], 'secret')).to.equal(false);
  });

  it('come with the names of preprocessed and intersected objects', () => {
    expect(
      namesAt(
        z.preprocess((value) => value, fields),
        [],
      ),
    ).to.deep.equal(['key', 'other']);
    expect(namesAt(z.object({ n: z.number() }).and(fields), [])).to.deep.equal(['n', 'key', 'other']);
  });

  it('are found in deep values and schemas that contain themselves', () => {
    const deep = z.strictObject({ any: z.json() });
    expect(isMarked(deep, ['any', ...Array(60).fill('a')], 'secret')).to.equal(false);
    const self: z.ZodType = z.lazy(() => z.union([secret, self]));
    expect(isMarked(z.strictObject({ self }), ['self'], 'secret')).to.equal(true);
  });

  it('end at a recursive schema', () => {
    const tree = z.strictObject({ root: node, lazy: z.lazy(() => node).optional(), any: z.json().optional() });
    expect(holdsMark(tree, [], 'secret')).to.equal(false);
    expect(isMarked(tree, ['root', 'children', 3, 'name'], 'secret')).to.equal(false);
    expect(findSchemaIssues(tree, { root: 5 }).map(({ message }) => message)).to.deep.equal([
      'expected object, got 5.',
    ]);
  });
});
