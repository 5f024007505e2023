import { concatMap, filter, map, type Observable, of, scan } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf } from '../../events/parts/messages.ts';
import type { PostCall } from '../../events/post-call.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { StandardSchema } from '../../schemas/input-schema.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { createRunTrees } from '../run-trees.ts';
import { weakensUnless } from '../weakens-unless.ts';
import { type AnswerSchema, readAnswerSchema } from './answer-schema.ts';
import { askStructured } from './ask-structured.ts';
import { createMembers } from './members.ts';
import { readAnswer } from './read-answer.ts';
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

/** Behind all who may change the answer, and before those who end runs. */
const LATE = 870;
/** Outside all other wrappers of usual priority, so that retries and fallbacks happen within one attempt. */
const OUTER = 15;
/** How runs end that may have an answer. */
const answered = new Set<PostCall['outcome']>(['completed', 'responded', 'finished', 'exhausted']);

/**
 * Makes the final answer of an agent fit a schema, or the run fail. The model is asked again, with what was wrong, until its answer fits;
 * the answers that did not are withdrawn from the stream and never remembered. Only the message with the JSON is. What other hooks answer, or
 * make of the answer, has to fit too.
 *
 * Calls at once: a message with calls of other tools is no final answer. Sub-agents: those of an agent that has the hook answer as they like;
 * an agent's own hook holds for it wherever it runs. Retry: a retry asks for a
 * fitting answer again. Suspend and resume: nothing is kept between the two.
 */
export function structuredOutput<S extends AnswerSchema>(
  schema: S,
  options: StructuredOutputOptions = {},
): StructuredOutput<AnswerOf<S>> {
  const { name, ...asking } = parseHookOptions('structured-output', structuredOutputOptionsSchema, options);
  const answers = readAnswerSchema(schema);
  // What a run shares with its sub-agents is whose the answer is: of the outermost one that has the hook.
  const trees = createRunTrees((context) => context.run.runId);
  const isIts = (context: HookContext) => trees.of(context) === context.run.runId;

  /** The message as it is to be, if it fits. */
  function fitting(message: Message, hookOf: string | undefined): Observable<Message> {
    const text = textOf(message);
    const found = readAnswer(text);
    const checked$ = found ? answers.check(found.value) : of({ faults: 'it is not JSON alone' });
    return checked$.pipe(
      map((checked) => {
        if ('faults' in checked) throw unfit(checked.faults, hookOf);
        // A code block around the JSON is no part of the answer.
        if (!found || found.json === text) return message;
        const parts = message.parts.filter(({ type }) => type !== 'text');
        return { ...message, parts: [...parts, { type: 'text' as const, text: found.json }] };
      }),
    );
  }

  const hook = defineHook({
    name,
    description: 'Makes the final answer fit a schema.',
    priority: LATE,
    aroundPriority: OUTER,
    around: {
      reasoning: (event, next, context) =>
        isIts(context) ? askStructured(event, next, { ...asking, answers }) : next(),
    },
    on: {
      preCall(event, context) {
        trees.begin(context);
        const { decision } = event;
        if (decision?.action !== 'respond' || !isIts(context)) return undefined;
        return fitting(decision.message, decision.by).pipe(map(() => event));
      },
      postReasoning(event, context) {
        const { message, decision } = event;
        const isFinal = decision?.action !== 'retry' && message.parts.every(({ type }) => type !== 'toolCall');
        if (!isFinal || !isIts(context)) return undefined;
        return fitting(message, undefined).pipe(
          map((fits) => (fits === message ? event : modify(event, { message: fits }))),
        );
      },
    },
    // Also of runs that were cancelled: no other handler hears of their end.
    observe(event) {
      if (event.type === 'postCall') trees.end(event.run);
    },
  });
  return {
    hook,
    read({ outcome, message, reason }) {
      const found = message && answered.has(outcome) ? readAnswer(textOf(message)) : undefined;
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
            const members = before.key === key ? before.members : createMembers();
            return { key, members, grown: members.add(delta) };
          },
          { key: '', members: createMembers(), grown: [] as readonly JsonObject[] },
        ),
        concatMap(({ grown }) => grown as readonly Partial<AnswerOf<S>>[]),
      ),
  };
}

function unfit(faults: string, by: string | undefined): HooklineError {
  const whose = by === undefined ? 'The answer, as hooks have left it,' : `The answer of the hook "${by}"`;
  return new HooklineError('MODEL_FAILED', `${whose} does not fit the schema: ${faults.replaceAll('\n', '; ')}`);
}

/** The catalogue entry of `structuredOutput`; the schema is a JSON Schema. */
export const structuredOutputEntry = defineCatalogueEntry({
  name: 'structured-output',
  description: 'Makes the final answer fit a schema.',
  events: ['preCall', 'preReasoning', 'reasoningChunk', 'postReasoning', 'postCall'],
  approves: false,
  onePerAgent: true,
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
  weakens: weakensUnless({ mode: 'free', toolName: 'free', attempts: 'free' }),
  create: ({ schema, ...options }) => structuredOutput(schema, options).hook,
});
