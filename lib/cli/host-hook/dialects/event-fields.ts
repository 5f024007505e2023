import { z } from 'zod';
import { HooklineError } from '../../../errors.ts';

/** Returns the fields of an event. Throws `INPUT_INVALID` if they do not match. */
export function parsedFields<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new HooklineError('INPUT_INVALID', z.prettifyError(error));
  return data;
}

/** Returns the error for an event that the host does not have. */
export function unknownEvent(name: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `the event ${JSON.stringify(name.slice(0, 100))} is unknown`);
}

/** Some hosts send objects as JSON texts, and others as objects. Returns a schema that accepts both. */
export function jsonInText<S extends z.ZodType>(schema: S) {
  return z.preprocess((value, context) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue({ code: 'custom', message: 'It is a text that is not JSON.' });
      return z.NEVER;
    }
  }, schema);
}
