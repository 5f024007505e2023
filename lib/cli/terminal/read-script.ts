import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { Model } from '../../pipeline/define/model.ts';
import { scriptSchema } from '../../testing/scripts/script-schema.ts';
import { scriptedModel } from '../../testing/scripts/scripted-model.ts';

/** Creates a model from the script in `file`. An unreadable or invalid file is `INPUT_INVALID`. */
export async function readScript(file: string): Promise<Model> {
  const wrong = (why: string, cause?: unknown) =>
    new HooklineError('INPUT_INVALID', `The script ${JSON.stringify(file)} ${why}`, { cause });
  const json = await readFile(file, 'utf8').catch((cause: Error) => {
    throw wrong(`cannot be read: ${cause.message}`, cause);
  });
  let turns: unknown;
  try {
    turns = JSON.parse(json);
  } catch (cause) {
    throw wrong(
      `is not JSON: ${(cause as Error).message.replaceAll('\n', ' ')}. It must be an array of model turns.`,
      cause,
    );
  }
  const checked = scriptSchema.safeParse(turns);
  if (checked.success) return scriptedModel(checked.data, { modelId: `script:${file}` });
  throw wrong(`is not a valid script: ${describeIssue(checked.error.issues)}`, checked.error);
}

function describeIssue([issue, ...more]: readonly z.core.$ZodIssue[]): string {
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const expected = path === '' ? ' It must be an array of model turns such as [{"text": "Hello."}].' : '';
  return `${path === '' ? '' : `${path}: `}${issue?.message}${others}.${expected}`.replace('..', '.');
}
