import type { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { describeIssues, type OtherNames } from './describe-issues.ts';

/** Parses `options` with `schema`, including defaults. Throws one `OPTIONS_INVALID` with `where` and every issue with its path. */
export function parseOptions<S extends z.ZodType>(
  where: string,
  schema: S,
  options: unknown,
  otherNames?: OtherNames,
): z.output<S> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new HooklineError('OPTIONS_INVALID', `${where}: ${describeIssues(schema, parsed.error, otherNames)}`);
}
