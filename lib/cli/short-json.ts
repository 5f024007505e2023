import type { JsonValue } from '../events/json-value.ts';
import { boundJson } from '../hooks/bound-json.ts';
import { cutText } from '../hooks/cut-text.ts';
import { visibleText } from '../hooks/visible-text.ts';

/** JSON data on one line of about `max` characters, harmless on a terminal. */
export function shortJson(value: JsonValue, max: number): string {
  return visibleText(cutText(JSON.stringify(boundJson(value, { perString: max, total: 2 * max })), max));
}
