import { toBase64 } from '../events/values/base64.ts';
import { canonicalJson } from '../events/values/canonical-json.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { walk } from '../events/values/sealed-placeholder.ts';
import { sha256 } from '../hashes/sha256.ts';

/** Returns a short key that is equal for equal tools and inputs, in any order of fields. A sealed value counts by its label. */
export function callKey(call: { readonly name: string; readonly input: JsonObject }): string {
  const input = walk(call.input, '', ({ $sealed }) => ({ $sealed }));
  return shortHash(`${call.name} ${canonicalJson(input)}`);
}

/** Returns a hash of 16 characters. */
function shortHash(text: string): string {
  return toBase64(sha256(text)).slice(0, 16).replaceAll('+', '-').replaceAll('/', '_');
}
