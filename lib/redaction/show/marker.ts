/** The beginning of every marker. */
export const markerHead = '[REDACTED:';
/** The length of the longest marker: head, label, a number or a hash, bracket. */
const longestMarker = 160;

const WHOLE = /\[REDACTED:([A-Za-z0-9._-]{1,64})(?:#\d{1,9}|:[0-9a-f]{12})?\]/y;
const BEGUN = /\[REDACTED:[A-Za-z0-9._-]{0,64}(?:#\d{0,9}|:[0-9a-f]{0,12})?$/y;

/** Returns the label and length of the marker that begins here; `undefined` if there is none, `begun` if it may be incomplete. */
export function markerAt(
  text: string,
  at: number,
): { readonly label: string; readonly length: number } | 'begun' | undefined {
  WHOLE.lastIndex = at;
  const whole = WHOLE.exec(text);
  if (whole) return { label: whole[1]!, length: whole[0].length };
  if (text.length - at > longestMarker) return undefined;
  BEGUN.lastIndex = at;
  return BEGUN.test(text) ? 'begun' : undefined;
}

/** Returns the place from `from` on at which the end of the text may begin a marker; otherwise the length of the text. */
export function headBegun(text: string, from: number): number {
  for (let at = Math.max(from, text.length - markerHead.length + 1); at < text.length; at++) {
    if (text.charCodeAt(at) === 91 && markerHead.startsWith(text.slice(at))) return at;
  }
  return text.length;
}
