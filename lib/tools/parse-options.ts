import { z } from 'zod';
import { HooklineError } from '../errors.ts';

/** `options` with their defaults filled in; a fault is `OPTIONS_INVALID` and names `what`. */
export function parseOptions<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  options: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(options);
  if (checked.success) return checked.data;
  throw new HooklineError('OPTIONS_INVALID', `${what}(): ${z.prettifyError(checked.error)}`);
}
