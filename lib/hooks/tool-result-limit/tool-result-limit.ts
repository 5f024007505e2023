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
import { names } from '../name-options.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { weakensUnless } from '../weakens-unless.ts';

const limitSchema = z.strictObject({
  tools: names.exactOptional().describe('Tools that the limit applies to; * and ? are wildcards (default: all).'),
  maxChars: z
    .int()
    .min(2)
    .describe(
      'Maximum number of characters of a result. Of a longer one, the beginning and the end are kept, with a notice.',
    ),
});

/** The options of `toolResultLimit` with their defaults. */
export const toolResultLimitOptionsSchema = z.strictObject({
  name: z.string().min(1).default('tool-result-limit').describe('Name of the hook.'),
  limits: z
    .array(limitSchema)
    .min(1, 'must contain at least one limit')
    .describe('Limits. The first one that matches a tool applies.'),
});

/** The options of `toolResultLimit` before defaults. */
export type ToolResultLimitOptions = z.input<typeof toolResultLimitOptionsSchema>;

/**
 * Truncates long tool results, streamed or not. It keeps the beginning and the end, with a notice of the missing length between them.
 * Screen, transcript and model receive the same text. `forUser` is not truncated.
 *
 * - Parallel calls: Each call has its own limit.
 * - Sub-agents: Each call of a sub-agent has its own limit.
 * - Retry: Each attempt begins with the full limit.
 * - Suspend and resume: Nothing is kept.
 * - Cost: Memory for the end of each streamed result. It saves tokens of later requests.
 */
export function toolResultLimit(options: ToolResultLimitOptions): Hook {
  const { name, limits } = parseHookOptions('tool-result-limit', toolResultLimitOptionsSchema, options);
  const tests = limits.map(({ tools = ['*'], maxChars }) => ({ matches: createMatcher(tools), maxChars }));
  const maxFor = (tool: string): number =>
    tests.find(({ matches }) => matches(tool))?.maxChars ?? Number.POSITIVE_INFINITY;
  return defineHook({
    name,
    description: 'Limits the length of tool results.',
    // After hooks that search the whole text.
    priority: HookPriority.POSTPROCESSING,
    through: {
      actingChunk: rewriteChunks<ActingChunk>(() => {
        let ends: ReturnType<typeof keepEnds> | undefined;
        let latest: ActingChunk | undefined;
        return {
          take(chunk) {
            latest = chunk;
            ends ??= keepEnds(maxFor(chunk.toolCall.name), { withNotice: true });
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
        // A result joined from chunks already has its notice and the right length.
        if (result.content.length <= max) return undefined;
        return modify(event, { result: { ...result, content: cutMiddle(result.content, max, { withNotice: true }) } });
      },
    },
  });
}

/** @internal The catalogue entry of `toolResultLimit`. */
export const toolResultLimitEntry = defineCatalogueEntry({
  name: 'tool-result-limit',
  description: 'Limits the length of tool results.',
  events: ['actingChunk', 'postActing'],
  optionsSchema: toolResultLimitOptionsSchema,
  example: { limits: [{ maxChars: 20_000 }] },
  weakens: weakensUnless({ limits: (before, after) => loosens(before, after, 'maxChars') }),
  create: toolResultLimit,
});
