import { isError, messageOf, propertyOf } from '../../errors/describe-thrown.ts';
import { toErrorInfo } from '../../events/parts/error-info.ts';
import type { Finding, Redactor } from '../../redaction/redactor.ts';
import type { ScanHow } from './structure/scan-view.ts';

/** The maximum depth of causes, as in error events. Deeper ones are dropped. */
const MAX_CAUSES = 8;

interface Cleaned {
  /** `undefined` if it contains no secret. */
  readonly error: Error | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Redacts a thrown value: its own strings (name, message, stack and others) and those of its causes. Returns an error of the same class with all
 * other fields, such as a status or a code.
 */
export function cleanError(redactor: Redactor, thrown: unknown, how: ScanHow = {}): Cleaned {
  const findings: Finding[] = [];
  const { clean } = cleanThrown(thrown, 0);
  return { error: clean as Error | undefined, findings };

  /** Without `clean`, the value is unchanged. */
  function cleanThrown(thrown: unknown, depth: number): { readonly clean?: unknown } {
    if (!isError(thrown)) {
      const { message } = toErrorInfo(thrown);
      const text = cleanText(message);
      return text === message ? {} : { clean: copyOf(new Error(text), { stack: undefined }) };
    }
    const changes: Record<string, unknown> = {};
    const [name, message, stack, cause] = ['name', 'message', 'stack', 'cause'].map((key) => propertyOf(thrown, key));
    // The stack is last, because it repeats the message.
    const { stack: _, cause: __, ...strings } = stringsOf(thrown);
    for (const [key, text] of Object.entries({ ...strings, name, message, stack })) {
      if (typeof text !== 'string') continue;
      const clean = cleanText(text, key === 'stack' && changes.message !== undefined);
      if (clean !== text) changes[key] = clean;
    }
    if (cause !== undefined) {
      const inner = depth < MAX_CAUSES ? cleanThrown(cause, depth + 1) : { clean: undefined };
      if ('clean' in inner) changes.cause = inner.clean;
    }
    return Object.keys(changes).length === 0 ? {} : { clean: copyOf(thrown, changes) };
  }

  function cleanText(value: string, again = false): string {
    const { text, findings: found } = redactor.redact(value, how);
    if (!again) findings.push(...found);
    return text;
  }
}

function stringsOf(thrown: Error): Record<string, unknown> {
  const own = Object.entries(Object.getOwnPropertyDescriptors(thrown));
  return Object.fromEntries(own.flatMap(([key, { value }]) => (typeof value === 'string' ? [[key, value]] : [])));
}

function copyOf(thrown: Error, changes: Readonly<Record<string, unknown>>): Error {
  const copy = Object.setPrototypeOf(new Error(messageOf(thrown)), Object.getPrototypeOf(thrown));
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(thrown));
  for (const [key, value] of Object.entries(changes))
    Object.defineProperty(copy, key, { value, configurable: true, writable: true });
  return copy;
}
