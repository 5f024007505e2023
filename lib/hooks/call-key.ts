import { createHash } from 'node:crypto';
import { canonicalJson } from '../events/values/canonical-json.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { walk } from '../events/values/sealed-placeholder.ts';

/** A call, as short text: the same for the same tool and input, in whatever order its members come. Of a sealed value its label counts. */
export function callKey(call: { readonly name: string; readonly input: JsonObject }): string {
  const input = walk(call.input, '', ({ $sealed }) => ({ $sealed }));
  return shortHash(`${call.name} ${canonicalJson(input)}`);
}

/** A text as 16 characters: the same for the same text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
