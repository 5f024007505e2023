import type { Logger } from 'pino';
import { hasCode } from '../errors/has-code.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { type ServerLink, stopListening } from '../server/fleet/server-link.ts';
import { checkKey } from '../store/documents/check-key.ts';
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
/** How often the kept documents are read again, in milliseconds. A change whose message was lost is known after that. */
const REFRESH_MS = 15_000;
/** How old a document may be when the server goes away, in milliseconds. */
const MOST_AGE_MS = 2 * REFRESH_MS;

interface Options {
  /** The first segments of the keys that are kept. */
  readonly kinds: readonly string[];
  readonly log: Logger | undefined;
  /** Carries the keys of changed documents between the servers. */
  readonly link?: Pick<ServerLink, 'tell' | 'hear'>;
  /** A monotonic clock, in milliseconds (default: `performance.now`). */
  readonly now?: () => number;
}

const TOPIC = 'documents';

/**
 * Answers reads with the last known document while the store is away. Documents in use are read again when a server changes them, and every 15 seconds.
 * One that was not read for 30 seconds before is not used: it may have changed, such as a revoked token.
 */
export function lastKnown(
  store: DocumentStore,
  { kinds, log, link, now = () => performance.now() }: Options,
): LastKnown {
  const known = new Map<string, Known>();
  /** Since when the store is away. */
  let awaySince: number | undefined;
  /** The number of known changes, so that a read that began before one is not kept. */
  let changes = 0;
  let hearing: Promise<() => void> | undefined;
  let closed = false;

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
      awaySince = undefined;
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

  function forget(key: DocumentKey): void {
    known.delete(JSON.stringify(key));
    // The others are never kept.
    if (kinds.includes(key[0])) changes += 1;
  }

  /** Changes a document. Even if this fails, the document may have changed. */
  async function change<T>(key: DocumentKey, work: () => Promise<T>): Promise<T> {
    forget(key);
    try {
      return await work();
    } finally {
      forget(key);
      if (kinds.includes(key[0])) link?.tell(TOPIC, { key: [...key] });
    }
  }

  function report(err: unknown): void {
    if (!closed && !hasCode(err, 'STORE_FAILED')) log?.error({ err }, 'known documents cannot be read again');
  }

  /** Another server has changed a document. If it cannot be read now, it is no longer known. */
  function hear({ key: given }: JsonObject): void {
    const key = given as unknown as DocumentKey;
    const one = known.get(JSON.stringify(key));
    forget(key);
    if (one) readNow(key, one.usedAt).catch(report);
  }

  const refreshNow = () => void refresh().catch(report);
  const timer = setInterval(refreshNow, REFRESH_MS).unref();

  return {
    ...store,
    async read(key) {
      // From the first read on, so that a process that does not read does not connect.
      if (link && !hearing) {
        hearing = link.hear(TOPIC, hear, refreshNow);
        hearing.catch(report);
      }
      try {
        return await readNow(key);
      } catch (thrown) {
        const one = known.get(JSON.stringify(key));
        if (!one || awaySince === undefined || one.at < awaySince - MOST_AGE_MS) throw thrown;
        return structuredClone(one.found);
      }
    },
    async write(given, value, condition) {
      const key = checkKey(given);
      const written = await change(key, () => store.write(key, value, condition));
      keep(key, written);
      return written;
    },
    async remove(given, condition) {
      const key = checkKey(given);
      return change(key, () => store.remove(key, condition));
    },
    close() {
      closed = true;
      clearInterval(timer);
      stopListening(hearing);
    },
  };
}
