/** Digits of shorter texts occur by chance. */
const LEAST = 6;

/** Returns a text in the forms that programs print: plain, as in JSON, URL-encoded, in base64 and in hexadecimal digits. */
export function encodedForms(text: string, json: string): readonly string[] {
  return [text, json, inAddress(text), ...(text.length < LEAST ? [] : [text, json].flatMap(inDigits))];
}

/** A lone surrogate cannot be URL-encoded. */
function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns a text in base64, at each of the three offsets among other bytes and in both alphabets, and in hexadecimal digits. */
function inDigits(text: string): readonly string[] {
  const bytes = new TextEncoder().encode(text);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = [0, 1, 2].map((offset) => digitsOf(bytes, offset));
  return [
    ...base64,
    ...base64.map((digits) => digits.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ];
}

/** Returns the base64 digits that depend only on these bytes, not on those around them. */
function digitsOf(bytes: Uint8Array, offset: number): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const digits = btoa('\0'.repeat(offset) + text);
  return digits.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
}
