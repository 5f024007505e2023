import type { Context } from 'hono';
import type { z } from 'zod';
import { type ConfigIssue, issueAt } from '../../config/issues/config-issue.ts';
import { schemaIssues } from '../../config/issues/schema-issues.ts';
import { parseSource } from '../../config/source/parse-source.ts';
import type { ServerEnv } from '../security/caller.ts';
import { isJson } from '../security/check-media-type.ts';
import { readLimited } from '../security/limit-body.ts';
import { inputError } from './input-error.ts';
import { refuse } from './refuse.ts';

/** Reads a JSON body. An invalid one is `INPUT_INVALID` and lists the path of each validation error. */
export async function readBody<S extends z.ZodType>(
  c: Context<ServerEnv>,
  schema: S,
  maxBytes?: number,
): Promise<{ readonly text: string; readonly body: z.output<S> }> {
  const place = `${c.req.method} ${c.req.path}`;
  if (!isJson(c.req.header('content-type') ?? null)) throw refuse(415, 'Send a request body as application/json.');
  const text = decode(await readLimited(c.req.raw, maxBytes));
  if (text === undefined) throw inputError([{ file: place, line: 1, column: 1, path: [], message: 'not UTF-8 text.' }]);
  const issues: ConfigIssue[] = [];
  const source = parseSource(place, text, issues, '.json');
  // Comments and trailing commas are allowed in files only.
  if (issues.length === 0 && !isPlain(text))
    issues.push(issueAt(source, [], 'not plain JSON: remove comments and trailing commas.'));
  if (issues.length === 0) issues.push(...schemaIssues(source, schema, source.value));
  if (issues.length > 0) throw inputError(issues);
  return { text, body: schema.parse(source.value) };
}

function isPlain(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
