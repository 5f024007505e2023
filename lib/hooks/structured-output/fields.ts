import type { JsonObject } from '../../events/values/json-value.ts';

/** An incomplete JSON object while its text streams. */
export interface Fields {
  /** Adds the next text. Returns a new object for each field that it completes. */
  add(delta: string): readonly JsonObject[];
}

/** Reads the first object of a streamed text. Each field is parsed once, when it is complete. Text that is not JSON returns no objects. */
export function createFields(): Fields {
  let fields: JsonObject = {};
  /** The number of open objects and lists, including the object itself. */
  let depth = 0;
  let inString = false;
  let escaped = false;
  let over = false;
  /** The text of the open field. */
  let field = '';

  /** Returns whether the text of a field ends here. */
  function ends(char: string): boolean {
    if (inString) {
      if (char === '"' && !escaped) inString = false;
      escaped = char === '\\' && !escaped;
      return false;
    }
    if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    return depth === 0 || (depth === 1 && char === ',');
  }

  function complete(text: string): readonly JsonObject[] {
    try {
      if (text.trim() === '') over = true;
      const read: JsonObject = JSON.parse(`{${text}}`);
      if (Object.keys(read).length === 0) return [];
      fields = { ...fields, ...read };
      return [fields];
    } catch {
      over = true;
      return [];
    }
  }

  return {
    add(delta) {
      const grown: JsonObject[] = [];
      let begin = 0;
      if (depth === 0 && !over) {
        begin = delta.indexOf('{') + 1;
        if (begin === 0) return grown;
        depth = 1;
      }
      for (let at = begin; at < delta.length && !over; at++) {
        if (!ends(delta.charAt(at))) continue;
        over = depth === 0;
        grown.push(...complete(field + delta.slice(begin, at)));
        field = '';
        begin = at + 1;
      }
      if (!over) field += delta.slice(begin);
      return grown;
    },
  };
}
