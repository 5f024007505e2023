import { z } from 'zod';

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
