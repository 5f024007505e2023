import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../lib/events/values/json-value.ts';
import { defineTool } from '../../lib/index.ts';
import { toInputSchema } from '../../lib/schemas/input-schema.ts';

const define = (inputSchema: JsonObject) => () =>
  defineTool({ name: 't', description: '', inputSchema, execute: () => '' });
const member = (schema: JsonValue): JsonObject => ({ type: 'object', properties: { a: schema } });

describe('an unchecked keyword of a JSON Schema', () => {
  const issues: readonly [JsonObject, string][] = [
    [
      member({ type: 'string', minLenght: 2 }),
      '"minLenght" at inputSchema.properties.a is a keyword that cannot be checked; did you mean "minLength"?',
    ],
    [member({ minLength: 2 }), '"minLength" at inputSchema.properties.a is not checked where "type" is missing'],
    [member({ type: 'number', minLength: 2 }), 'is not checked where "type" is number'],
    [member({ type: 'string', enum: ['a'], minLength: 2 }), 'is not checked beside "enum"'],
    [member({ type: 'string', enum: ['a', 1] }), 'is of another type than "type" says'],
    [member({ const: { b: 1 } }), 'an object or a list in "enum" or "const" at inputSchema.properties.a'],
    [member({ type: 'array', minItems: 1 }), 'are not checked without "items"'],
    [member({ anyOf: [{ type: 'string' }], allOf: [{ type: 'string' }] }), 'are not checked together'],
    [{ type: 'object', required: ['a'] }, 'names "a", which is not checked unless it is among "properties"'],
    [
      { ...member({ $ref: '#/$defs/s', minLength: 2 }), $defs: { s: { type: 'string' } } },
      'is not checked beside "$ref"',
    ],
    [{ type: 'object', if: { type: 'object' } }, 'Conditional schemas (if/then/else) are not supported'],
    [member({ type: 'string', not: { type: 'string', minLength: 2 } }), 'not is not supported'],
    [{ type: 'object', unevaluatedProperties: false }, 'unevaluatedProperties is not supported'],
  ];

  for (const [schema, issue] of issues) {
    it(`is an error of defineTool: ${JSON.stringify(schema)}`, () => {
      expect(define(schema)).to.throw(issue);
    });
  }

  it('is allowed if it rejects nothing', () => {
    expect(
      define({ ...member({ type: 'string', description: 'd', default: 'x' }), title: 't', 'x-mine': 1 }),
    ).not.to.throw();
  });
});

describe('an accepted JSON Schema', () => {
  const scalar = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.integer({ min: -3, max: 3 }),
    fc.boolean(),
    fc.constant(null),
  );
  const bound = fc.integer({ min: 0, max: 3 });
  const words = fc.constantFrom('a', 'b', 'c');
  const { schema } = fc.letrec<{ schema: JsonObject; value: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({ type: fc.constant('string'), minLength: bound, maxLength: bound }, { requiredKeys: ['type'] }),
      fc.record(
        { type: fc.constantFrom('number', 'integer'), minimum: bound, exclusiveMaximum: bound },
        { requiredKeys: ['type'] },
      ),
      fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
      fc.record({ const: scalar }),
      fc.record({ minLength: bound, required: fc.array(words, { maxLength: 1 }) }, { requiredKeys: [] }),
      fc.record(
        { type: fc.constant('array'), items: tie('schema'), minItems: bound, uniqueItems: fc.boolean() },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          maxLength: bound,
          type: fc.constant('string'),
        },
        { requiredKeys: ['anyOf'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(words, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
          required: fc.uniqueArray(words, { maxLength: 2 }),
          additionalProperties: fc.boolean(),
          minProperties: bound,
        },
        { requiredKeys: ['type'] },
      ),
    ) as fc.Arbitrary<JsonObject>,
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ) as fc.Arbitrary<JsonValue>,
  }));
  const input = fc.dictionary(
    words,
    fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(words, scalar, { noNullPrototype: true })),
    { noNullPrototype: true },
  );

  it('accepts and rejects the same as another JSON Schema validator', () => {
    const counts = { taken: 0, fits: 0, misfits: 0 };
    const ajv = new Ajv2020({ strict: false });
    fc.assert(
      fc.property(schema, fc.array(input, { minLength: 1, maxLength: 4 }), (inner, inputs) => {
        const whole = inner['type'] === 'object' ? inner : { type: 'object', properties: { a: inner } };
        let parse: (value: unknown) => boolean;
        try {
          define(whole)();
          const read = toInputSchema(whole);
          parse = (value) => (read.parse(value) as { success: boolean }).success;
        } catch {
          return;
        }
        counts.taken += 1;
        const validate = ajv.compile(whole);
        for (const value of inputs) {
          const fits = validate(value);
          counts[fits ? 'fits' : 'misfits'] += 1;
          expect(parse(value), JSON.stringify({ whole, value })).to.equal(fits);
        }
      }),
      { numRuns: process.env['HOOKLINE_SOAK'] ? 50_000 : 800 },
    );
    expect(Math.min(counts.taken, counts.fits, counts.misfits), JSON.stringify(counts)).to.be.greaterThan(100);
  });
});
