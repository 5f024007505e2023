import { from, map, type Observable, of } from 'rxjs';
import type { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { ignoreRejection, isThenable } from '../../events/values/is-async.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { type StandardSchema, toInputSchema } from '../../schemas/input-schema.ts';

/** A schema of answers: of zod, of another library (Standard Schema), or a JSON Schema. It must accept an object. */
export type AnswerSchema = z.ZodType | StandardSchema | JsonObject;

/** A checked answer: the parsed value, or the validation errors, one per line. */
export type CheckedAnswer = { readonly value: unknown } | { readonly problems: string };

/** A schema with its checks. */
export interface Answers {
  /** The JSON Schema for the model. */
  readonly json: JsonObject;
  check(answer: JsonValue): Observable<CheckedAnswer>;
  /** The same, synchronously. Throws if the schema is asynchronous. */
  read(answer: JsonValue): CheckedAnswer;
}

/** Reads a schema. An unusable one throws `OPTIONS_INVALID`. */
export function readAnswerSchema(schema: AnswerSchema): Answers {
  try {
    const known = toInputSchema(schema as StandardSchema);
    const json = known.json();
    return {
      json,
      check(answer) {
        const parsed = known.parse(answer);
        return isThenable(parsed) ? from(parsed).pipe(map(toChecked)) : of(toChecked(parsed));
      },
      read(answer) {
        const parsed = known.parse(answer);
        if (!isThenable(parsed)) return toChecked(parsed);
        ignoreRejection(parsed);
        throw new HooklineError('OPTIONS_INVALID', 'structuredOutput: read() requires a synchronous schema.');
      },
    };
  } catch (cause) {
    const why = messageOf(cause).replace(/^inputSchema/, 'the schema');
    throw new HooklineError('OPTIONS_INVALID', `structuredOutput: ${why}. Wrap a list in an object: { items: [..] }.`, {
      cause,
    });
  }
}

function toChecked(
  parsed: Exclude<ReturnType<ReturnType<typeof toInputSchema>['parse']>, Promise<unknown>>,
): CheckedAnswer {
  if (parsed.success) return { value: parsed.data };
  const problems = parsed.issues.map(({ path, message }) => `${path.map(String).join('.') || '(root)'}: ${message}`);
  return { problems: problems.join('\n') };
}
