import type { JsonValue } from '../../events/values/json-value.ts';
import { boundJson } from '../../hooks/text/bound-json.ts';
import { cutText } from '../../hooks/text/cut-text.ts';
import { visibleText } from '../../hooks/text/visible-text.ts';

/** JSON data on one line of about `max` characters, harmless on a terminal. */
export function shortJson(value: JsonValue, max: number): string {
  return visibleText(cutText(JSON.stringify(boundJson(value, { perString: max, total: 2 * max })), max));
}
