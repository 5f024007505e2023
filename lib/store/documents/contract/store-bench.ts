import { isDeepStrictEqual } from 'node:util';
import { HooklineError } from '../../../errors.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import type { DocumentKey, DocumentStore } from '../document-store.ts';

/** What a check of the contract works with: two stores on one place, a corner of its own in it, and somewhere to complain. */
export interface StoreBench {
  readonly store: DocumentStore;
  /** Opened on the same place, after `store`. */
  readonly beside: DocumentStore;
  /** Opens it once more, as after a restart. */
  reopen(): Promise<DocumentStore>;
  key(...segments: readonly string[]): DocumentKey;
  /** Complains unless `found` is deeply equal to `expected`. */
  same(what: string, found: unknown, expected: unknown): void;
  /** Complains unless `action` is refused with a HooklineError of this code. */
  refused(what: string, code: HooklineError['code'], action: () => Promise<unknown>): Promise<void>;
}

/** One promise of the port, as a statement, and how it is tried. */
export interface StoreCheck {
  readonly promise: string;
  try(bench: StoreBench): Promise<void>;
}

/** Makes a bench; each complaint goes to `complain`. */
export async function createStoreBench(
  make: () => DocumentStore | Promise<DocumentStore>,
  corner: readonly [string, ...string[]],
  complain: (fault: string) => void,
): Promise<StoreBench> {
  return {
    store: await make(),
    beside: await make(),
    reopen: async () => make(),
    key: (...segments) => [...corner, ...segments],
    same(what, found, expected) {
      if (!isDeepStrictEqual(found, expected)) complain(`${what} is ${shown(found)}, not ${shown(expected)}`);
    },
    async refused(what, code, action) {
      try {
        complain(`${what} gives ${shown(await action())}, but has to be refused with ${code}`);
      } catch (thrown) {
        if (thrown instanceof HooklineError && thrown.code === code) return;
        complain(`${what} throws ${String(thrown)}, not a HooklineError of the code ${code}`);
      }
    },
  };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value as JsonValue) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)} ..` : text;
}
