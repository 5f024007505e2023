import type { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { describeFaults, type OtherNames } from './describe-faults.ts';

/** `options` as `schema` makes them, defaults filled in; otherwise one `OPTIONS_INVALID` that says `where` and lists every fault with its path. */
export function parseOptions<S extends z.ZodType>(
  where: string,
  schema: S,
  options: unknown,
  otherNames?: OtherNames,
): z.output<S> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new HooklineError('OPTIONS_INVALID', `${where}: ${describeFaults(schema, parsed.error, otherNames)}`);
}
