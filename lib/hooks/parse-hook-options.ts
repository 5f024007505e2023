import { z } from 'zod';
import { nearestOrAll } from '../errors/nearest-name.ts';
import { HooklineError } from '../errors.ts';

/** Parses `options` with `schema` and adds the defaults. Otherwise throws one `OPTIONS_INVALID` error that lists every problem with its path. */
export function parseHookOptions<S extends z.ZodType>(hook: string, schema: S, options: unknown): z.output<S> {
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const { path, message } = issue;
    return `  ${path.join('.') || '(options)'}: ${message}${path.length === 0 ? helpFor(issue, schema) : ''}`;
  });
  throw new HooklineError('OPTIONS_INVALID', [`The options of hook "${hook}" are invalid:`, ...problems].join('\n'));
}

/** Returns the help for an unknown option: the probable name, else all names. */
function helpFor(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return key !== undefined && schema instanceof z.ZodObject ? `. ${nearestOrAll(key, Object.keys(schema.shape))}` : '';
}
