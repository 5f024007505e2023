import type { Context } from 'hono';
import type { z } from 'zod';
import { type ConfigFault, faultAt } from '../../config/faults/fault.ts';
import { schemaFaults } from '../../config/faults/schema-faults.ts';
import { parseSource } from '../../config/source/parse-source.ts';
import type { ServerEnv } from '../caller.ts';
import { isJson } from '../security/check-media-type.ts';
import { readLimited } from '../security/limit-body.ts';
import { inputError } from './input-error.ts';
import { refuse } from './refuse.ts';

/** Reads a body of JSON. Whatever is wrong with it is `INPUT_INVALID`, with the place of each fault. */
export async function readBody<S extends z.ZodType>(
  c: Context<ServerEnv>,
  schema: S,
): Promise<{ readonly text: string; readonly body: z.output<S> }> {
  const place = `${c.req.method} ${c.req.path}`;
  if (!isJson(c.req.header('content-type') ?? null)) throw refuse(415, 'Send a body, as application/json.');
  const text = decode(await readLimited(c.req.raw));
  if (text === undefined) throw inputError([{ file: place, line: 1, column: 1, path: [], message: 'not UTF-8 text.' }]);
  const faults: ConfigFault[] = [];
  const source = parseSource(place, text, faults, '.json');
  // Comments and trailing commas are for files.
  if (faults.length === 0 && !isPlain(text))
    faults.push(faultAt(source, [], 'not plain JSON: leave out comments and trailing commas.'));
  if (faults.length === 0) faults.push(...schemaFaults(source, schema, source.value));
  if (faults.length > 0) throw inputError(faults);
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
