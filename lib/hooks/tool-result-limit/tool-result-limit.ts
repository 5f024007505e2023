import { z } from 'zod';
import type { ActingChunk } from '../../events/acting-chunk.ts';
import { chunkText, withText } from '../../events/chunk-text.ts';
import { modify } from '../../events/decisions/modify.ts';
import { cutMiddle, keepEnds } from '../../events/values/keep-ends.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { rewriteChunks } from '../../pipeline/define/hold-back.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { loosens } from '../loosens.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

const limitSchema = z.strictObject({
  tools: z
    .array(z.string().min(1))
    .min(1)
    .exactOptional()
    .describe('Names of tools; * and ? are wildcards. Default: all.'),
  maxChars: z
    .int()
    .min(2)
    .describe('How many characters a result has at most: its beginning, a notice of what is left out, and its end.'),
});

/** The options of `toolResultLimit` with their defaults. */
export const toolResultLimitOptionsSchema = z.strictObject({
  name: z.string().min(1).default('tool-result-limit').describe('Name of the hook.'),
  limits: z.array(limitSchema).min(1, 'needs at least one limit').describe('The first that fits a tool holds for it.'),
});

/** The options of `toolResultLimit` as they are given. */
export type ToolResultLimitOptions = z.input<typeof toolResultLimitOptionsSchema>;

/**
 * Bounds how much a tool says: of a longer result, and of what is streamed, the beginning and the end are kept, with a notice between them of
 * how much is left out. Screen, transcript and model get the same. What is for the user alone (`forUser`) stays whole.
 *
 * Calls at once and sub-agents: each call has its own bound. Retry: each run of a tool begins anew. Suspend and resume: nothing is kept.
 */
export function toolResultLimit(options: ToolResultLimitOptions): Hook {
  const { name, limits } = parseHookOptions('tool-result-limit', toolResultLimitOptionsSchema, options);
  const tests = limits.map(({ tools = ['*'], maxChars }) => ({ fits: createMatcher(tools), maxChars }));
  const maxFor = (tool: string): number => tests.find(({ fits }) => fits(tool))?.maxChars ?? Number.POSITIVE_INFINITY;
  return defineHook({
    name,
    description: 'Bounds how much a tool says.',
    // Behind those who look for something in the whole.
    priority: HookPriority.POSTPROCESSING,
    through: {
      actingChunk: rewriteChunks<ActingChunk>(() => {
        let ends: ReturnType<typeof keepEnds> | undefined;
        let latest: ActingChunk | undefined;
        return {
          take(chunk) {
            latest = chunk;
            ends ??= keepEnds(maxFor(chunk.toolCall.name), { fits: true });
            const text = chunkText(chunk);
            const begin = ends.take(text);
            if (begin === text) return [chunk];
            return begin !== '' || chunk.decision || chunk.notes ? [withText(chunk, begin)] : [];
          },
          rest() {
            const rest = ends?.rest() ?? '';
            if (rest === '' || !latest) return [];
            const { notes: _, decision: __, ...last } = latest;
            return [withText(last, rest)];
          },
        };
      }),
    },
    on: {
      postActing(event) {
        const { result, toolCall } = event;
        const max = maxFor(toolCall.name);
        // What was joined of the chunks has its notice already, and fits.
        if (result.content.length <= max) return undefined;
        return modify(event, { result: { ...result, content: cutMiddle(result.content, max, { fits: true }) } });
      },
    },
  });
}

/** The catalogue entry of `toolResultLimit`. */
export const toolResultLimitEntry = defineCatalogueEntry({
  name: 'tool-result-limit',
  description: 'Bounds how much a tool says.',
  events: ['actingChunk', 'postActing'],
  approves: false,
  optionsSchema: toolResultLimitOptionsSchema,
  example: { limits: [{ maxChars: 20_000 }] },
  weakens: weakensUnless({ limits: (before, after) => loosens(before, after, 'maxChars') }),
  create: toolResultLimit,
});
