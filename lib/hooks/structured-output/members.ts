import type { JsonObject } from '../../events/values/json-value.ts';

/** An object of JSON while its text comes. */
export interface Members {
  /** Takes the next piece of the text; gives the object anew for each member that is complete by that. */
  add(delta: string): readonly JsonObject[];
}

/** Reads the first object of a text as it comes. Each member is read once, when it is complete; nothing is given of what is not JSON. */
export function createMembers(): Members {
  let members: JsonObject = {};
  /** Open objects and lists; the first one is the object itself. */
  let depth = 0;
  let inString = false;
  let escaped = false;
  let over = false;
  /** The text of the member that is open. */
  let member = '';

  /** Whether the text of a member has ended by this. */
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
      members = { ...members, ...read };
      return [members];
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
        grown.push(...complete(member + delta.slice(begin, at)));
        member = '';
        begin = at + 1;
      }
      if (!over) member += delta.slice(begin);
      return grown;
    },
  };
}
