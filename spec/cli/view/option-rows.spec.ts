import { expect } from 'chai';
import { z } from 'zod';
import { optionRows } from '../../../lib/cli/view/option-rows.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';

const rowsOf = (schema: z.ZodType) =>
  optionRows(z.toJSONSchema(schema, { io: 'input' }) as unknown as JsonObject).map(
    ({ path, type, required }) => `${path} ${type}${required ? ' required' : ''}`,
  );
const one = z.strictObject({ mode: z.literal('one'), max: z.number() });
const two = z.strictObject({ mode: z.literal('two'), tools: z.array(z.string()).optional() });

describe('rows of options', () => {
  for (const [what, union] of [
    ['union', z.union([one, two])],
    ['discriminated union', z.discriminatedUnion('mode', [one, two])],
  ] as const) {
    it(`are those of all parts of a ${what}`, () => {
      expect(rowsOf(union)).to.deep.equal([
        'mode "one" | "two" required',
        'max number required',
        'tools list of string',
      ]);
    });

    it(`are those of all parts of a ${what} in an option`, () => {
      expect(rowsOf(z.strictObject({ at: union }))).to.deep.equal([
        'at object required',
        'at.mode "one" | "two" required',
        'at.max number required',
        'at.tools list of string',
      ]);
    });
  }
});
