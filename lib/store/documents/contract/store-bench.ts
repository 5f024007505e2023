import { isDeepStrictEqual } from 'node:util';
import { HooklineError } from '../../../errors.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import type { DocumentKey, DocumentStore } from '../document-store.ts';

/** The context of a check: two stores on the same data, a unique key prefix, and assertions. */
export interface StoreBench {
  readonly store: DocumentStore;
  /** A second store on the same data, opened after `store`. */
  readonly other: DocumentStore;
  /** Opens another store on the data, as after a restart. */
  reopen(): Promise<DocumentStore>;
  key(...segments: readonly string[]): DocumentKey;
  /** Reports an issue unless `found` deeply equals `expected`. */
  same(what: string, found: unknown, expected: unknown): void;
  /** Reports an issue unless `action` rejects with a HooklineError of this code. */
  refused(what: string, code: HooklineError['code'], action: () => Promise<unknown>): Promise<void>;
}

/** A promise of `DocumentStore`, and its check. */
export interface StoreCheck {
  readonly promise: string;
  try(bench: StoreBench): Promise<void>;
}

/** Creates a bench. `complain` receives each issue. */
export async function createStoreBench(
  make: () => DocumentStore | Promise<DocumentStore>,
  corner: readonly [string, ...string[]],
  complain: (issue: string) => void,
): Promise<StoreBench> {
  return {
    store: await make(),
    other: await make(),
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
