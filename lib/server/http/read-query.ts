import type { Context } from 'hono';
import { z } from 'zod';
import { findSchemaIssues } from '../../config/issues/schema-issues.ts';
import type { ServerEnv } from '../security/caller.ts';
import { inputError } from './input-error.ts';

const none = z.strictObject({});

/** Reads the query string. A repeated name is a list. An invalid query is `INPUT_INVALID`. */
export function readQuery(c: Context<ServerEnv>, schema: z.ZodType = none): unknown {
  const entries = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    values.length > 1 ? values : values[0],
  ]);
  const query = Object.fromEntries(entries);
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const issues = findSchemaIssues(schema, query);
  const file = `the query of ${c.req.method} ${c.req.path}`;
  throw inputError(issues.map((issue) => ({ ...issue, file, line: 1, column: 1 })));
}
