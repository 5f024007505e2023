import type { ModelOptions } from '../../../events/parts/model-options.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** Their names for model options. */
const NAMES = {
  temperature: 'temperature',
  topP: 'top_p',
  maxOutputTokens: 'max_tokens',
  stop: 'stop',
  seed: 'seed',
} as const;

/** Converts model options to PicoClaw's format. Provider options are merged in. */
export function toWireOptions(options: ModelOptions): JsonObject {
  const named = Object.entries(NAMES).map(([ours, theirs]) => [theirs, options[ours as keyof typeof NAMES]] as const);
  const known = Object.fromEntries(named.filter(([, value]) => value !== undefined));
  return { ...options.provider, ...(known as JsonObject) };
}

/** Reads model options of a reply. Unknown names become provider options. */
export function fromWireOptions(value: unknown, before: ModelOptions): ModelOptions {
  if (!isObject(value)) return before;
  const theirs = Object.values(NAMES) as string[];
  const known = Object.entries(NAMES).map(([ours, name]) => [ours, value[name]] as const);
  const rest = Object.entries(value).filter(([name]) => !theirs.includes(name));
  return {
    ...(before.toolChoice !== undefined && { toolChoice: before.toolChoice }),
    ...Object.fromEntries(known.filter(([, one]) => one !== undefined && one !== null)),
    ...(rest.length > 0 && { provider: Object.fromEntries(rest) as JsonObject }),
  };
}
