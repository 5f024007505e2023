import { z } from 'zod';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { structuredOutputOptionsSchema } from './structured-options.ts';
import { structuredOutput } from './structured-output.ts';

/** The catalogue entry of `structuredOutput`; the schema is a JSON Schema. */
export const structuredOutputEntry = defineCatalogueEntry({
  name: 'structured-output',
  description: 'Makes the final answer fit a schema.',
  events: ['preReasoning', 'reasoningChunk', 'postReasoning'],
  approves: false,
  optionsSchema: structuredOutputOptionsSchema.extend({
    schema: z.lazy(() => jsonObjectSchema).describe('The JSON Schema of the answer, an object.'),
  }),
  example: {
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'number' } },
      required: ['city', 'degrees'],
    },
  },
  create: ({ schema, ...options }) => structuredOutput(schema, options).hook,
});
