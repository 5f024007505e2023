import type { JsonValue } from '../../events/values/json-value.ts';
import { boundJson } from '../../hooks/text/bound-json.ts';
import { cutText } from '../../hooks/text/cut-text.ts';
import { visibleText } from '../../hooks/text/visible-text.ts';

/** Formats JSON data on one line of about `max` characters, safe on a terminal. */
export function shortJson(value: JsonValue, max: number): string {
  return visibleText(cutText(JSON.stringify(boundJson(value, { perString: max, total: 2 * max })), max));
}
