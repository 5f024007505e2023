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
import { createFields } from './fields.ts';
import { readAnswer } from './read-answer.ts';

/** The options of `structuredOutput` with their defaults, without the schema. */
export const structuredOutputOptionsSchema = z.strictObject({
  name: z.string().min(1).default('structured-output').describe('Name of the hook.'),
  mode: z
    .enum(['tool', 'format', 'prompt'])
    .default('tool')
    .describe(
      'How to request the answer: with a tool that the model must call, with the response format of the provider, or with an instruction only.',
    ),
  toolName: z
    .string()
    .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name with only letters, digits, _ and -')
    .default('final_answer')
    .describe('Name of the tool.'),
  attempts: z.int().positive().max(20).default(3).describe('Maximum number of attempts for an answer.'),
});

/** The options of `structuredOutput` before defaults; all are optional. */
export type StructuredOutputOptions = z.input<typeof structuredOutputOptionsSchema>;

/** The output type of a schema. */
export type AnswerOf<S extends AnswerSchema> = S extends z.ZodType
  ? z.output<S>
  : S extends StandardSchema<unknown, infer Output>
    ? Output
    : unknown;

/** The hook and the reader of its answers. */
export interface StructuredOutput<T> {
  readonly hook: Hook;
  /** Returns the answer of a successful run. Any other run, and an invalid answer, throws `MODEL_FAILED`. */
  read(event: Pick<PostCall, 'outcome' | 'message' | 'reason'>): T;
  /** Emits the answer while it streams: an object of the complete fields, whenever one is added. */
  partial(events$: Observable<HookEvent>): Observable<Partial<T>>;
}

/** After all hooks that change the answer, and before those that end runs. */
const LATE = 870;
/** Outside all other wrappers of usual priority, so that retries and fallbacks are within one attempt. */
const OUTER = 15;
/** The outcomes of runs that may have an answer. */
const answered = new Set<PostCall['outcome']>(['completed', 'responded', 'finished', 'exhausted']);

/**
 * Makes the final answer of an agent match a schema, or the run fail. The model receives the validation errors and answers again, until
 * the answer matches. Rejected answers are retracted from the stream and do not enter the transcript. Answers that come from other hooks,
 * or that other hooks rewrite, must match, too.
 *
 * - Parallel calls: A message with calls of other tools is not a final answer.
 * - Sub-agents: They are not validated, unless the hook is in their own pipeline.
 * - Retry: Each attempt must match.
 * - Suspend and resume: Nothing is kept.
 * - Cost: Up to `attempts` model requests for one answer. In `tool` mode, one more tool in each request.
 */
export function structuredOutput<S extends AnswerSchema>(
  schema: S,
  options: StructuredOutputOptions = {},
): StructuredOutput<AnswerOf<S>> {
  const { name, ...settings } = parseHookOptions('structured-output', structuredOutputOptionsSchema, options);
  const answers = readAnswerSchema(schema);
  const asking = { ...settings, answers };
  // The shared state is the id of the run that owns the answer: the outermost one with the hook.
  const trees = createRunTrees((context) => context.run.runId);
  const isIts = (context: HookContext) => trees.of(context) === context.run.runId;

  /** Returns the normalised message if it matches. */
  function corrected(message: Message, hookOf: string | undefined): Observable<Message> {
    const text = textOf(message);
    const found = readAnswer(text);
    const checked$ = found ? answers.check(found.value) : of({ problems: 'it contains more than JSON' });
    return checked$.pipe(
      map((checked) => {
        if ('problems' in checked) throw invalidAnswer(checked.problems, hookOf);
        // A code block around the JSON is not part of the answer.
        if (!found || found.json === text) return message;
        const parts = message.parts.filter(({ type }) => type !== 'text');
        return { ...message, parts: [...parts, { type: 'text' as const, text: found.json }] };
      }),
    );
  }

  const hook = defineHook({
    name,
    description: 'Makes the final answer match a schema.',
    priority: LATE,
    aroundPriority: OUTER,
    around: {
      reasoning: (event, next, context) => (isIts(context) ? askStructured(event, next, asking) : next()),
    },
    on: {
      preCall(event, context) {
        trees.begin(context);
        const { decision } = event;
        if (decision?.action !== 'respond' || !isIts(context)) return undefined;
        return corrected(decision.message, decision.by).pipe(map(() => event));
      },
      postReasoning(event, context) {
        const { message, decision } = event;
        const isFinal = decision?.action !== 'retry' && message.parts.every(({ type }) => type !== 'toolCall');
        if (!isFinal || !isIts(context)) return undefined;
        return corrected(message, undefined).pipe(
          map((result) => (result === message ? event : modify(event, { message: result }))),
        );
      },
    },
    // Includes cancelled runs, because no other handler sees their end.
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
      const why = (checked?.problems ?? reason ?? 'its message is not JSON').replace(/\.$/, '');
      throw new HooklineError(
        'MODEL_FAILED',
        `The run has no answer that matches the schema: its outcome is ${outcome}, and ${why}.`,
      );
    },
    partial: (events$) =>
      events$.pipe(
        filter((event): event is ReasoningChunk => event.type === 'reasoningChunk' && event.run.depth === 0),
        filter(({ part }) => part === 'text'),
        scan(
          (before, { iteration, attempt, delta }) => {
            const key = `${iteration} ${attempt}`;
            const fields = before.key === key ? before.fields : createFields();
            return { key, fields, grown: fields.add(delta) };
          },
          { key: '', fields: createFields(), grown: [] as readonly JsonObject[] },
        ),
        concatMap(({ grown }) => grown as readonly Partial<AnswerOf<S>>[]),
      ),
  };
}

function invalidAnswer(problems: string, by: string | undefined): HooklineError {
  const whose = by === undefined ? 'The answer, after all hooks,' : `The answer of the hook "${by}"`;
  return new HooklineError('MODEL_FAILED', `${whose} does not match the schema: ${problems.replaceAll('\n', '; ')}`);
}

/** @internal The catalogue entry of `structuredOutput`; the schema is a JSON Schema. */
export const structuredOutputEntry = defineCatalogueEntry({
  name: 'structured-output',
  description: 'Makes the final answer match a schema.',
  events: ['preCall', 'preReasoning', 'reasoningChunk', 'postReasoning', 'postCall'],
  onePerAgent: true,
  optionsSchema: structuredOutputOptionsSchema.extend({
    schema: z.lazy(() => jsonObjectSchema).describe('JSON Schema of the answer, which is an object.'),
  }),
  example: {
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, degrees: { type: 'number' } },
      required: ['city', 'degrees'],
    },
  },
  weakens: weakensUnless({}, ['mode', 'toolName', 'attempts']),
  create: ({ schema, ...options }) => structuredOutput(schema, options).hook,
});
