import { usualRedactor } from '../../hooks/usual-redactor.ts';

const MOST = 60;

/** A value as a message says it: short, and without secrets that can be told by their looks or by the name of their key. */
export function showValue(value: unknown, key: PropertyKey = ''): string {
  if (Array.isArray(value)) return 'a list';
  // What stands within might be a secret that only its proper place would tell.
  if (typeof value === 'object' && value !== null) return 'an object';
  const json = JSON.stringify(value) ?? String(value);
  const before = `${JSON.stringify(String(key))}: `;
  const { text } = usualRedactor().redact(before + json.slice(0, 20 * MOST));
  const shown = text.startsWith(before) ? text.slice(before.length) : text;
  return shown.length > MOST ? `${shown.slice(0, MOST)}…` : shown;
}
