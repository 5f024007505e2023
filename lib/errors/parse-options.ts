import { z } from 'zod';
import { HooklineError } from '../errors.ts';

/** `options` as `schema` makes them, defaults filled in; otherwise one `OPTIONS_INVALID` that says `where` and lists every fault with its path. */
export function parseOptions<S extends z.ZodType>(where: string, schema: S, options: unknown): z.output<S> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new HooklineError('OPTIONS_INVALID', `${where}: ${z.prettifyError(parsed.error)}`);
}
