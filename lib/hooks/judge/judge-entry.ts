import { defineCatalogueEntry } from '../catalogue.ts';
import { judge } from './judge.ts';
import { judgeOptionsSchema } from './judge-options.ts';

/** @internal The catalogue entry of `judge`. */
export const judgeEntry = defineCatalogueEntry({
  name: 'judge',
  description: 'Uses a model to judge prompts, tool results or answers before they are shown.',
  events: ['preCall', 'preReasoning', 'reasoningChunk', 'postReasoning', 'actingChunk', 'postActing'],
  approves: true,
  optionsSchema: judgeOptionsSchema,
  example: { of: ['toolResult'], kind: 'injection' },
  create: judge,
});
