import { randomUUID } from 'node:crypto';
import type { KV } from '@nats-io/kv';
import type { Logger } from 'pino';
import { type Connection, type OpenConnection, WATCH } from './connection/connection.ts';
import { piecesOf } from './connection/pieces.ts';
import type { Seal } from './seal.ts';
import { tokenOf } from './tokens.ts';

/** A sealed value. */
export interface Held {
  readonly data: Buffer;
  /** Differs after each change, and is not reused. */
  readonly sequence: number;
  readonly parts: Parts | undefined;
}

/** Where the rest of a value is that is larger than the payload of the server. */
interface Parts {
  readonly id: string;
  readonly count: number;
}

/** A value at its last change, in milliseconds since 1970; without `data`, it was removed. */
export interface Change {
  readonly name: string;
  readonly at: number;
  readonly data?: Buffer;
}

/** A key-value bucket of NATS, for sealed values of any size. A name is a list of tokens, joined by dots. */
export interface Bucket {
  get(name: string): Promise<Held | undefined>;
  /** Writes if the last value has this sequence; 0: if there is none. Returns the new sequence; undefined if the value has changed. */
  put(
    name: string,
    data: Uint8Array,
    before: Pick<Held, 'sequence' | 'parts'> | undefined,
  ): Promise<number | undefined>;
  /** Removes a value. Returns false if it has changed. */
  remove(name: string, before: Pick<Held, 'sequence' | 'parts'>): Promise<boolean>;
  /** Lists the names that begin with these segments, in no particular order. */
  names(prefix: readonly string[]): Promise<readonly string[]>;
  /**
   * Calls `changed` with all values, then `ready`, then with each change. Returns a function that stops. Continues after a reconnect. Needs a bucket
   * that `keepsRemovals`.
   */
  watch(changed: (change: Change) => void, ready: () => void): Promise<() => void>;
}

/** Prefixes of names of values and of their parts. */
const VALUE = 'v.';
const PART = 'p.';
/** The key of an empty value that the first server of the fleet has sealed. */
const SECRET = 's';
/** The first byte of a stored value: whole, or a reference to parts. */
const WHOLE = 0;
const CUT = 1;
/** The header of a removed key. */
const OPERATION = 'KV-Operation';
/** Codes of JetStream: a write that expected another sequence, and a missing stream. */
const WRONG_SEQUENCE = 10_071;
const NO_STREAM = 10_059;

interface BucketParts {
  readonly connection: Connection;
  readonly seal: Seal;
  readonly log: Logger | undefined;
}

export interface BucketOptions {
  /** How long a value is kept after its last change (default: without a limit). */
  readonly keepMs?: number;
  /** Whether a removed key leaves a mark, which tells servers that were away. Default: nothing is left, so that a bucket does not grow. */
  readonly keepsRemovals?: boolean;
}

/** Opens a bucket, or creates it on first use. */
export function createBucket(
  { connection, seal, log }: BucketParts,
  what: string,
  options: BucketOptions = {},
): Bucket {
  const { settings } = connection;
  const bucket = `HOOKLINE_${settings.app}_${what}`;
  let opening: Promise<KV> | undefined;

  /** A server without the permission to create buckets uses those of the others. */
  async function openOrCreate({ client, nats, manager }: OpenConnection): Promise<KV> {
    const timeout = { timeout: settings.timeoutMs };
    const kvm = new client.kv.Kvm(client.jetstream.jetstream(nats, timeout));
    try {
      await manager.streams.info(`KV_${bucket}`);
      return await kvm.open(bucket, timeout);
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code !== NO_STREAM) throw thrown;
      const limits = { history: 1, replicas: settings.replicas, ttl: options.keepMs ?? 0 };
      // If another server creates it at the same time, with other limits, those apply.
      return kvm.create(bucket, { ...limits, ...timeout }).catch(() => kvm.open(bucket, timeout));
    }
  }

  /** Fails with another secret than that of the fleet, because its servers could not read what this one writes. */
  async function withFleetSecret(kv: KV): Promise<KV> {
    // A bucket that drops old values would drop this one.
    if (options.keepMs !== undefined) return kv;
    const place = `${bucket}.${SECRET}`;
    let entry = await kv.get(SECRET);
    if (!entry) {
      // Another server may be faster, and a node that only shows runs may not write.
      await kv.create(SECRET, seal.close(place, new Uint8Array())).catch(() => {});
      entry = await kv.get(SECRET);
    }
    if (entry) seal.open(place, entry.value);
    return kv;
  }

  function kvOf(open: OpenConnection): Promise<KV> {
    opening ??= openOrCreate(open)
      .then(withFleetSecret)
      .catch((thrown: unknown) => {
        opening = undefined;
        throw thrown;
      });
    return opening;
  }

  const use = <T>(doing: string, work: (kv: KV, open: OpenConnection) => Promise<T>): Promise<T> =>
    connection.use(`${doing} in ${bucket}`, async (open) => work(await kvOf(open), open));

  /** Returns false if the key has changed. */
  async function erase({ js, manager, client }: OpenConnection, key: string, sequence: number): Promise<boolean> {
    const subject = `$KV.${bucket}.${key}`;
    const headers = client.transport.headers();
    headers.set(OPERATION, 'PURGE');
    headers.set('Nats-Rollup', 'sub');
    const ack = await unlessChanged(
      js.publish(subject, new Uint8Array(), { headers, expect: { lastSubjectSequence: sequence } }),
    );
    if (!ack) return false;
    if (!options.keepsRemovals) await manager.streams.purge(`KV_${bucket}`, { filter: subject, seq: ack.seq + 1 });
    return true;
  }

  async function dropParts({ manager }: OpenConnection, { id }: Parts): Promise<void> {
    await manager.streams.purge(`KV_${bucket}`, { filter: `$KV.${bucket}.${PART}${id}.*` });
  }

  /** Reads the data of an entry; undefined if a later write has removed its parts. */
  async function dataOf(kv: KV, name: string, value: Uint8Array): Promise<Omit<Held, 'sequence'> | undefined> {
    const body = value.subarray(1);
    if (value[0] === WHOLE) return { data: seal.open(`${bucket}.${name}`, body), parts: undefined };
    const parts = JSON.parse(seal.open(`${bucket}.${name}`, body).toString()) as Parts;
    const read = await Promise.all(
      Array.from({ length: parts.count }, async (_, nth) => {
        const key = `${PART}${parts.id}.${nth}`;
        const entry = await kv.get(key);
        return entry?.operation === 'PUT' ? seal.open(`${bucket}.${key}`, entry.value) : undefined;
      }),
    );
    return read.includes(undefined) ? undefined : { data: Buffer.concat(read as Buffer[]), parts };
  }

  async function get(kv: KV, name: string): Promise<Held | undefined> {
    for (;;) {
      const entry = await kv.get(VALUE + name);
      if (entry?.operation !== 'PUT') return undefined;
      const found = await dataOf(kv, name, entry.value);
      if (found) return { ...found, sequence: entry.revision };
    }
  }

  return {
    get: (name) => use('read', (kv) => get(kv, name)),
    put: (name, data, before) =>
      use('write', async (kv, open) => {
        const pieces = piecesOf(data, open.nats);
        const parts = pieces.length > 1 ? { id: randomUUID(), count: pieces.length } : undefined;
        for (const [nth, piece] of parts ? pieces.entries() : []) {
          const key = `${PART}${parts?.id}.${nth}`;
          await kv.put(key, seal.close(`${bucket}.${key}`, piece));
        }
        const sealed = seal.close(`${bucket}.${name}`, parts ? Buffer.from(JSON.stringify(parts)) : data);
        const value = Buffer.concat([Buffer.of(parts ? CUT : WHOLE), sealed]);
        const expect = { lastSubjectSequence: before?.sequence ?? 0 };
        const ack = await unlessChanged(open.js.publish(`$KV.${bucket}.${VALUE}${name}`, value, { expect }));
        const unused = ack ? before?.parts : parts;
        if (unused) await dropParts(open, unused);
        return ack?.seq;
      }),
    remove: (name, { sequence, parts }) =>
      use('remove', async (_, open) => {
        const removed = await erase(open, VALUE + name, sequence);
        if (removed && parts) await dropParts(open, parts);
        return removed;
      }),
    names: (prefix) =>
      use('list', async (kv) => {
        const path = prefix.map(tokenOf).join('.');
        const filters = path === '' ? [`${VALUE}>`] : [`${VALUE}${path}`, `${VALUE}${path}.>`];
        const names: string[] = [];
        for (const filter of filters)
          for await (const key of await kv.keys(filter)) names.push(key.slice(VALUE.length));
        return names;
      }),
    watch: (changed, ready) =>
      use('watch', async (kv, { client, js }) => {
        const consumer = await js.consumers.get(`KV_${bucket}`, {
          filter_subjects: `$KV.${bucket}.${VALUE}>`,
          deliver_policy: client.jetstream.DeliverPolicy.LastPerSubject,
        });
        let before = (await consumer.info()).num_pending;
        if (before === 0) ready();
        const messages = await consumer.consume(WATCH);
        void (async () => {
          for await (const { subject, headers, data, time } of messages) {
            const name = subject.slice(`$KV.${bucket}.${VALUE}`.length);
            const removed = headers?.has(OPERATION) === true;
            try {
              const found = removed ? undefined : await dataOf(kv, name, data);
              // The parts of a replaced value are gone. Its next value follows.
              if (found || removed) changed({ name, at: time.getTime(), ...(found && { data: found.data }) });
            } catch (err) {
              // Somebody without the secret of the fleet can write a value, but not a valid one.
              log?.error({ err }, 'a value of the backplane cannot be read');
            }
            before -= 1;
            if (before === 0) ready();
          }
        })().catch((err: unknown) => log?.error({ err }, 'changes of the backplane cannot be received any more'));
        return () => messages.stop();
      }),
  };

  /** Resolves with undefined if the key had another sequence. */
  async function unlessChanged<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (thrown) {
      if ((thrown as { code?: unknown }).code === WRONG_SEQUENCE) return undefined;
      throw thrown;
    }
  }
}
