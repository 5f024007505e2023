import type { Logger } from 'pino';
import { hasCode } from '../errors/has-code.ts';
import type { DocumentKey, DocumentStore, StoredDocument } from '../store/documents/document-store.ts';

/** A document as it was read last, with the times of the read and of its last use by a caller, in milliseconds. */
interface Known {
  readonly key: DocumentKey;
  readonly found: StoredDocument | undefined;
  readonly at: number;
  readonly usedAt: number;
}

/** A document store that answers while its server is away. */
export interface LastKnown extends DocumentStore {
  /** Stops to refresh. */
  close(): void;
}

/** Maximum number of documents that are kept. */
const MOST = 1_000;
/** How long a document is kept after its last use, in milliseconds. */
const UNUSED_MS = 3_600_000;
/** How often the kept documents are read again, in milliseconds. A change is known after that. */
const REFRESH_MS = 15_000;
/** How old a document may be when the server goes away, in milliseconds. */
const MOST_AGE_MS = 2 * REFRESH_MS;

interface Options {
  /** The first segments of the keys that are kept. */
  readonly kinds: readonly string[];
  readonly log: Logger | undefined;
  /** A monotonic clock, in milliseconds (default: `performance.now`). */
  readonly now?: () => number;
}

/**
 * Answers reads with the last known document while the store is away. Documents in use are read again every 15 seconds. One that was not read for 30
 * seconds before is not used: it may have changed, such as a revoked token.
 */
export function lastKnown(store: DocumentStore, { kinds, log, now = () => performance.now() }: Options): LastKnown {
  const known = new Map<string, Known>();
  /** Since when the store is away. */
  let awaySince: number | undefined;
  /** The number of changes by this process, so that a read that began before one is not kept. */
  let changes = 0;

  function keep(key: DocumentKey, found: StoredDocument | undefined, usedAt = now()): void {
    awaySince = undefined;
    if (!kinds.includes(key[0])) return;
    const name = JSON.stringify(key);
    known.delete(name);
    known.set(name, { key, found, at: now(), usedAt });
    if (known.size > MOST) known.delete(known.keys().next().value as string);
  }

  async function readNow(key: DocumentKey, usedAt?: number): Promise<StoredDocument | undefined> {
    const before = changes;
    try {
      const found = await store.read(key);
      if (changes === before) keep(key, found, usedAt);
      return found;
    } catch (thrown) {
      if (hasCode(thrown, 'STORE_FAILED')) awaySince ??= now();
      throw thrown;
    }
  }

  async function refresh(): Promise<void> {
    for (const [name, { key, usedAt }] of [...known]) {
      if (now() - usedAt > UNUSED_MS) known.delete(name);
      else await readNow(key, usedAt);
    }
  }

  /** Changes a document. Even if this fails, the document may have changed. */
  async function change<T>(key: DocumentKey, work: () => Promise<T>): Promise<T> {
    known.delete(JSON.stringify(key));
    changes += 1;
    try {
      return await work();
    } finally {
      changes += 1;
    }
  }

  const timer = setInterval(() => {
    refresh().catch((err: unknown) => {
      if (!hasCode(err, 'STORE_FAILED')) log?.error({ err }, 'known documents cannot be read again');
    });
  }, REFRESH_MS).unref();

  return {
    ...store,
    async read(key) {
      try {
        return await readNow(key);
      } catch (thrown) {
        const one = known.get(JSON.stringify(key));
        if (!one || awaySince === undefined || one.at < awaySince - MOST_AGE_MS) throw thrown;
        return structuredClone(one.found);
      }
    },
    async write(key, value, condition) {
      const written = await change(key, () => store.write(key, value, condition));
      keep(key, written);
      return written;
    },
    remove: (key, condition) => change(key, () => store.remove(key, condition)),
    close: () => clearInterval(timer),
  };
}
