import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../events/values/sealed-placeholder.ts';
import type { TokenVault } from '../../redaction/redactor.ts';

/** A candidate for a token: a text in brackets, or a word. */
const CANDIDATE =
  /\[\[[^[\]\n]{1,256}\]\]|\{\{[^{}\n]{1,256}\}\}|\[[^[\]\n]{1,256}\]|<[^<>\n]{1,256}>|[\p{L}\p{N}_$][\p{L}\p{N}_.:#@$-]{0,255}/gu;

/**
 * Seals each string of `input` that contains tokens: only the tool gets the values, all others see the tokens. Returns the same input if there are no
 * tokens.
 */
export function restoreTokens(
  input: JsonObject,
  vault: TokenVault,
  seal: (label: string, value: JsonValue) => JsonObject,
): JsonObject {
  let sealed = false;

  function restore(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      const restored = restoreIn(value, vault);
      if (restored === value) return value;
      sealed = true;
      return seal(value, restored);
    }
    if (typeof value !== 'object' || value === null || isPlaceholder(value)) return value;
    if (isList(value)) return value.map(restore);
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, restore(field)]));
  }

  const restored = restore(input) as JsonObject;
  return sealed ? restored : input;
}

/** Returns `text` with the values of its tokens. */
function restoreIn(text: string, vault: TokenVault): string {
  return (
    vault.valueOf(text) ??
    text.replace(CANDIDATE, (found) => {
      const value = vault.valueOf(found);
      if (value !== undefined) return value;
      // A full stop after a token, or brackets around it, may belong to the text.
      const inner = /^([[{<]*)(.*?)([\]}>.:#@-]*)$/su.exec(found);
      const core = inner?.[2] ?? '';
      return core === '' || core === found ? found : `${inner?.[1]}${restoreIn(core, vault)}${inner?.[3]}`;
    })
  );
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
