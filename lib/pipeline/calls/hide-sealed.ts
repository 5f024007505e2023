import { identity, type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { isError, memberOf, messageOf } from '../../errors/describe-thrown.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { ToolItem } from '../define/tool.ts';
import { leaves } from './prepare-call.ts';
import type { Sealed } from './vault.ts';

/** Values so short turn up by chance. */
const SHORTEST = 6;

/** Causes of causes that are kept. */
const MOST_CAUSES = 8;

/** A text that is not to be seen, and what is seen in its place. */
interface Hidden {
  readonly text: string;
  readonly shown: string;
}

/**
 * Puts the label in the place of each sealed value that a tool says: in what it streams, wherever that is cut, returns and throws. A value
 * is found as it is, as it stands in JSON, and as it stands in an address.
 */
export function hideSealed(sealed: Sealed): MonoTypeOperatorFunction<ToolItem> {
  const hidden = hiddenIn(sealed);
  if (hidden.length === 0) return identity;
  const clean = (text: string): string => hidden.reduce((left, { text, shown }) => left.replaceAll(text, shown), text);
  return (items$) =>
    new Observable((subscriber) => {
      /** The end of what has come, where it may be the beginning of a sealed value. */
      let held = '';
      const send = (text: string): void => {
        if (text !== '') subscriber.next(text);
      };
      return items$.subscribe({
        next(item) {
          if (typeof item !== 'string') {
            subscriber.next(mapTexts(item as unknown as JsonValue, clean) as unknown as ToolItem);
            return;
          }
          const text = clean(held + item);
          const rest = beginningIn(text, hidden);
          held = text.slice(rest);
          send(text.slice(0, rest));
        },
        error(thrown) {
          send(held);
          subscriber.error(cleanError(thrown, clean));
        },
        complete() {
          send(held);
          subscriber.complete();
        },
      });
    });
}

function hiddenIn(sealed: Sealed): Hidden[] {
  const all = [...sealed.values()].flatMap(({ placeholder, value }) => {
    const shown = `[${String(placeholder['$sealed'])}]`;
    const forms = leaves(value).flatMap((leaf) => {
      const raw = JSON.parse(`"${leaf}"`) as string;
      return [raw, leaf, inAddress(raw)];
    });
    return [...new Set(forms)].map((text) => ({ text, shown }));
  });
  // The longest first, for one may hold another.
  return all.filter(({ text }) => text.length >= SHORTEST).sort((a, b) => b.text.length - a.text.length);
}

/** A text with half a character has no such form. */
function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Where the end of `text` begins that a hidden text may begin with. */
function beginningIn(text: string, hidden: readonly Hidden[]): number {
  const longest = hidden[0]?.text.length ?? 0;
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const first = text[at];
    if (hidden.some((one) => one.text[0] === first && one.text.startsWith(text.slice(at)))) return at;
  }
  return text.length;
}

function mapTexts(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, clean));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), mapTexts(item, clean)]));
}

/** What was thrown, as it is where it says nothing of a sealed value; else an error of its name, and code, that says the rest. */
function cleanError(thrown: unknown, clean: (text: string) => string, depth = 0): unknown {
  const texts = ['message', 'stack', 'name', 'code'].map((key) => memberOf(thrown, key));
  const cause = memberOf(thrown, 'cause');
  // A cause may be its own.
  const cleanCause = cause === undefined || depth > MOST_CAUSES ? undefined : cleanError(cause, clean, depth + 1);
  const same = texts.every((text) => typeof text !== 'string' || clean(text) === text) && cleanCause === cause;
  if (same && (isError(thrown) || clean(messageOf(thrown)) === messageOf(thrown))) return thrown;
  const error = new Error(clean(messageOf(thrown)), cause === undefined ? undefined : { cause: cleanCause });
  const [, stack, name, code] = texts.map((text) => (typeof text === 'string' ? clean(text) : undefined));
  return Object.assign(
    error,
    stack !== undefined && { stack },
    name !== undefined && { name },
    code !== undefined && { code },
  );
}
