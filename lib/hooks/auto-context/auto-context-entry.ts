import { defineCatalogueEntry } from '../catalogue.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { autoContext } from './auto-context.ts';
import { autoContextOptionsSchema } from './auto-context-options.ts';

/** @internal The catalogue entry of `autoContext`. */
export const autoContextEntry = defineCatalogueEntry({
  name: 'auto-context',
  description: 'Keeps model requests under a token budget: shortens, offloads and summarises old messages.',
  events: ['preReasoning', 'error'],
  optionsSchema: autoContextOptionsSchema,
  example: { maxTokens: 60_000 },
  weakens: weakensUnless({ maxTokens: 'mayFall', shrinkTo: 'mayFall' }, [
    'keepLast',
    'keepChars',
    'offload',
    'offloadFrom',
    'toolName',
    'keepDays',
  ]),
  create: autoContext,
});
