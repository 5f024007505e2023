import { defineCatalogueEntry } from '../catalogue.ts';
import { loopGuard } from './loop-guard.ts';
import { loopGuardOptionsSchema } from './loop-guard-options.ts';

/** The catalogue entry of `loopGuard`. */
export const loopGuardEntry = defineCatalogueEntry({
  name: 'loop-guard',
  description: 'Ends loops: warns a model that makes the same calls over and over, then lets it answer without tools.',
  events: ['preCall', 'preReasoning', 'postReasoning', 'preActing', 'postActing', 'postCall'],
  approves: false,
  optionsSchema: loopGuardOptionsSchema,
  example: { warnAt: 3, finishAt: 5, except: ['wait'] },
  create: loopGuard,
});
