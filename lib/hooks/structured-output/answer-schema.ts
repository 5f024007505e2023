import { from, map, type Observable, of } from 'rxjs';
import type { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { ignoreRejection, isThenable } from '../../events/values/is-async.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { type StandardSchema, toInputSchema } from '../../schemas/input-schema.ts';

/** A schema of answers: of zod, of another library (Standard Schema), or a JSON Schema. It takes an object. */
export type AnswerSchema = z.ZodType | StandardSchema | JsonObject;

/** What an answer comes to: the value as the schema makes it, or what is wrong, one fault a line. */
export type CheckedAnswer = { readonly value: unknown } | { readonly faults: string };

/** A schema as the hook needs it. */
export interface Answers {
  /** What the model is told. */
  readonly json: JsonObject;
  check(answer: JsonValue): Observable<CheckedAnswer>;
  /** The same at once; throws where the schema is asynchronous. */
  read(answer: JsonValue): CheckedAnswer;
}

/** Reads a schema; one that cannot be used is `OPTIONS_INVALID`. */
export function readAnswerSchema(schema: AnswerSchema): Answers {
  try {
    const known = toInputSchema(schema as StandardSchema);
    const json = known.json();
    return {
      json,
      check(answer) {
        const parsed = known.parse(answer);
        return isThenable(parsed) ? from(parsed).pipe(map(told)) : of(told(parsed));
      },
      read(answer) {
        const parsed = known.parse(answer);
        if (!isThenable(parsed)) return told(parsed);
        ignoreRejection(parsed);
        throw new HooklineError('OPTIONS_INVALID', 'structuredOutput: read() needs a schema that is not asynchronous.');
      },
    };
  } catch (cause) {
    const why = messageOf(cause).replace(/^inputSchema/, 'the schema');
    throw new HooklineError(
      'OPTIONS_INVALID',
      `structuredOutput: ${why}. A list goes into an object: { items: [..] }.`,
      { cause },
    );
  }
}

function told(parsed: Exclude<ReturnType<ReturnType<typeof toInputSchema>['parse']>, Promise<unknown>>): CheckedAnswer {
  if (parsed.success) return { value: parsed.data };
  const faults = parsed.issues.map(({ path, message }) => `${path.map(String).join('.') || '(the whole)'}: ${message}`);
  return { faults: faults.join('\n') };
}
