import type { z } from 'zod';
import { HooklineError } from '../errors.ts';

/** `options` as `schema` makes them, defaults filled in; otherwise one `OPTIONS_INVALID` error that lists every fault with its path. */
export function parseHookOptions<S extends z.ZodType>(hook: string, schema: S, options: unknown): z.output<S> {
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(options)'}: ${message}`);
  throw new HooklineError(
    'OPTIONS_INVALID',
    [`The options of hook "${hook}" do not fit their schema:`, ...faults].join('\n'),
  );
}
