import { distinctUntilChanged, filter, map, type Observable, scan } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import { textOf } from '../../events/parts/messages.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { StandardSchema } from '../../pipeline/define/input-schema/input-schema.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { type AnswerSchema, readAnswerSchema } from './answer-schema.ts';
import { askStructured } from './ask-structured.ts';
import { readAnswer, readPartial } from './read-answer.ts';
import { type StructuredOutputOptions, structuredOutputOptionsSchema } from './structured-options.ts';

/** What a schema makes of an answer. */
export type AnswerOf<S extends AnswerSchema> = S extends z.ZodType
  ? z.output<S>
  : S extends StandardSchema<unknown, infer Output>
    ? Output
    : unknown;

/** The hook, and what reads its answers. */
export interface StructuredOutput<T> {
  readonly hook: Hook;
  /** The answer of a run that has ended well. Any other run, and an answer that does not fit, throws `MODEL_FAILED`. */
  read(event: Pick<PostCall, 'outcome' | 'message' | 'reason'>): T;
  /** The answer while it comes: an object with the members that are complete so far, each time there are more. */
  partial(events$: Observable<HookEvent>): Observable<Partial<T>>;
}

/** Outside all other wrappers of usual priority, so that retries and fallbacks happen within one attempt. */
const OUTER = 15;

/**
 * Makes the final answer of an agent fit a schema, or the run fail. The model is asked again, with what was wrong, until its answer fits;
 * the answers that did not are withdrawn from the stream and never remembered. Only the message with the JSON is.
 *
 * Calls at once: a message with calls of other tools is no final answer. Sub-agents: they answer as they like. Retry: a retry asks for a
 * fitting answer again. Suspend and resume: nothing is kept between the two.
 */
export function structuredOutput<S extends AnswerSchema>(
  schema: S,
  options: StructuredOutputOptions = {},
): StructuredOutput<AnswerOf<S>> {
  const { name, ...asking } = parseHookOptions('structured-output', structuredOutputOptionsSchema, options);
  const answers = readAnswerSchema(schema);
  const hook = defineHook({
    name,
    description: 'Makes the final answer fit a schema.',
    priority: OUTER,
    around: {
      reasoning: (event, next, { run }) =>
        run.depth > 0 ? next() : askStructured(event, next, { ...asking, answers }),
    },
    on: {
      // A code block around the JSON is no part of the answer.
      postReasoning(event, { run }) {
        if (run.depth > 0 || event.message.parts.some(({ type }) => type === 'toolCall')) return undefined;
        const text = textOf(event.message);
        const found = readAnswer(text);
        if (!found || found.json === text) return undefined;
        const parts = event.message.parts.filter(({ type }) => type !== 'text');
        return modify(event, { message: { ...event.message, parts: [...parts, { type: 'text', text: found.json }] } });
      },
    },
  });
  return {
    hook,
    read({ outcome, message, reason }) {
      const found = message && readAnswer(textOf(message));
      const checked = found && answers.read(found.value);
      if (checked && 'value' in checked) return checked.value as AnswerOf<S>;
      const why = (checked?.faults ?? reason ?? 'its message is not JSON').replace(/\.$/, '');
      throw new HooklineError(
        'MODEL_FAILED',
        `The run has no answer that fits the schema: it is ${outcome}, and ${why}.`,
      );
    },
    partial: (events$) =>
      events$.pipe(
        filter((event): event is ReasoningChunk => event.type === 'reasoningChunk' && event.run.depth === 0),
        filter(({ part }) => part === 'text'),
        scan(
          (before, { iteration, attempt, delta }) => {
            const key = `${iteration} ${attempt}`;
            return { key, text: (before.key === key ? before.text : '') + delta };
          },
          { key: '', text: '' },
        ),
        map(({ text }) => readPartial(text)),
        filter((value) => typeof value === 'object' && value !== null),
        map((value) => value as Partial<AnswerOf<S>>),
        distinctUntilChanged((before, after) => JSON.stringify(before) === JSON.stringify(after)),
      ),
  };
}

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
