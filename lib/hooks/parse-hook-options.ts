import type { z } from 'zod';
import { HooklineError } from '../errors.ts';

/** Parses `options` with `schema` and adds the defaults. Otherwise throws one `OPTIONS_INVALID` error that lists every problem with its path. */
export function parseHookOptions<S extends z.ZodType>(hook: string, schema: S, options: unknown): z.output<S> {
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(options)'}: ${message}`);
  throw new HooklineError('OPTIONS_INVALID', [`The options of hook "${hook}" are invalid:`, ...problems].join('\n'));
}
