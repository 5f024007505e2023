import { isDeepStrictEqual } from 'node:util';
import { map } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import { toJson } from '../events/values/to-json.ts';
import type { RunKey, RunLog, RunStore, StoredRun } from '../server/run-store/run-store.ts';
import { inTurn } from '../store/documents/in-turn.ts';
import type { Bucket } from './bucket.ts';
import { additionId, type Logged, type LogStream } from './log-stream.ts';
import { tokenOf } from './tokens.ts';
import { watchedHeads } from './watched-heads.ts';

export interface NatsRuns extends RunStore {
  /** Returns the number of entries that this server has written to a log. */
  count(key: RunKey): number;
  /** Continues a log that an earlier process of this server began. Returns the number of its entries. */
  adopt(key: RunKey): Promise<number>;
}

/** Attempts to mark the log of a run that is taken over, while its earlier writer still writes. */
const MOST_TRIES = 50;

/** Stores runs: heads in a bucket, which each server watches, and logs in a stream. All servers of the fleet see all runs. */
export function natsRuns(heads: Bucket, logs: LogStream, keepMs: number): NatsRuns {
  const known = watchedHeads(heads, keepMs);
  /** The end of the logs that this server writes: the last sequence, and the number of entries. */
  const written = new Map<string, { readonly sequence: number; readonly count: number }>();
  /** Additions without an acknowledgement: they may be in the log. */
  const unsettled = new Map<string, { readonly id: string; readonly count: number }>();
  /** How often the runs of this server have been taken over, this server included. */
  const taken = new Map<string, number>();
  const nameOf = ({ user, runId }: RunKey) => `${tokenOf(user)}.${tokenOf(runId)}`;

  async function appendEntries(name: string, runId: string, entries: readonly JsonObject[]): Promise<void> {
    const data = Buffer.from(JSON.stringify(entries));
    const { sequence: before, count } = await endOf(name);
    const id = additionId();
    unsettled.set(name, { id, count: entries.length });
    const sequence = await logs.append(name, data, before, id);
    unsettled.delete(name);
    if (sequence === undefined) throw otherWriter(runId);
    written.set(name, { sequence, count: count + entries.length });
  }

  /** Returns the end of the log as this server wrote it, with an addition whose acknowledgement was lost. */
  async function endOf(name: string) {
    const known = written.get(name) ?? { sequence: 0, count: 0 };
    const open = unsettled.get(name);
    if (!open) return known;
    const { id, sequence, whole } = await logs.last(name);
    unsettled.delete(name);
    if (id !== open.id) return known;
    const end = { sequence, count: known.count + (whole ? open.count : 0) };
    written.set(name, end);
    return end;
  }

  async function entriesOf(name: string) {
    const { additions, end } = await logs.read(name);
    return { entries: additions.flatMap(entriesIn), sequence: end };
  }

  async function writeHead(name: string, stored: StoredRun): Promise<void> {
    for (;;) {
      const held = await heads.get(name);
      const fence = Math.max(taken.get(name) ?? 0, fenceOf(held));
      // The server that was the writer before has written to the log. Others may note what became of a run.
      if (written.has(name) && (taken.get(name) ?? 0) < fence) throw otherWriter(stored.runId);
      const data = Buffer.from(JSON.stringify({ ...stored, ...(fence > 0 && { fence }) }));
      const sequence = await heads.put(name, data, held);
      if (sequence === undefined) continue;
      known.set(name, stored);
      return;
    }
  }

  async function takeOver(key: RunKey, seen: JsonObject, head: JsonObject): Promise<RunLog | undefined> {
    const name = nameOf(key);
    const held = await heads.get(name);
    const stored: StoredRun | undefined = held && JSON.parse(held.data.toString());
    if (!stored || !isDeepStrictEqual(stored.head, seen)) {
      // The watch may be late, and the caller would see the same head again.
      known.set(name, stored);
      return undefined;
    }
    const fence = fenceOf(held) + 1;
    const next: StoredRun = { ...stored, head };
    if ((await heads.put(name, Buffer.from(JSON.stringify({ ...next, fence })), held)) === undefined) return undefined;
    taken.set(name, fence);
    known.set(name, next);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { entries, sequence: before } = await entriesOf(name);
      const mark = Buffer.from(JSON.stringify([{ takenOver: new Date().toISOString() }]));
      const sequence = await logs.append(name, mark, before, additionId());
      // The earlier writer was faster once more.
      if (sequence === undefined) continue;
      written.set(name, { sequence, count: entries.length + 1 });
      return { entries, cut: false };
    }
    throw otherWriter(key.runId);
  }

  return {
    append: async ({ user, runId }, addition) => {
      const { entries = [], head } = toJson(addition, 'addition') as typeof addition;
      const name = nameOf({ user, runId });
      await inTurn(`nats:${name}`, async () => {
        if (entries.length > 0) await appendEntries(name, runId, entries);
        if (head) await writeHead(name, { user, runId, head });
        if (!head || !isFinal(head)) return;
        written.delete(name);
        unsettled.delete(name);
        taken.delete(name);
      });
    },
    find: async (key) => {
      const held = await heads.get(nameOf(key));
      return held && (JSON.parse(held.data.toString()) as StoredRun).head;
    },
    async read(key, from = 0) {
      const { entries } = await entriesOf(nameOf(key));
      return { entries: entries.slice(from), cut: false };
    },
    follow: (key) => logs.follow(nameOf(key)).pipe(map((additions) => additions.flatMap(entriesIn))),
    list: (user) => known.list(user),
    takeOver: (key, seen, head) => inTurn(`nats:${nameOf(key)}`, () => takeOver(key, seen, head)),
    count: (key) => written.get(nameOf(key))?.count ?? 0,
    async adopt(key) {
      const name = nameOf(key);
      const { entries, sequence } = await entriesOf(name);
      // Read after the log: a take-over writes the fence first.
      if (fenceOf(await heads.get(name)) > (taken.get(name) ?? 0)) throw otherWriter(key.runId);
      unsettled.delete(name);
      written.set(name, { sequence, count: entries.length });
      return entries.length;
    },
    async remove(key) {
      const name = nameOf(key);
      const hadLog = await logs.remove(name);
      written.delete(name);
      for (;;) {
        const held = await heads.get(name);
        if (!held) return hadLog;
        if (!(await heads.remove(name, held))) continue;
        known.set(name, undefined);
        return true;
      }
    },
  };
}

function entriesIn({ data }: Logged): readonly JsonObject[] {
  return JSON.parse(data.toString());
}

function isFinal(head: JsonObject): boolean {
  return (head['view'] as { state?: unknown } | undefined)?.state === 'ended';
}

/** How often a run has been taken over. */
function fenceOf(held: { readonly data: Buffer } | undefined): number {
  return Number((held && (JSON.parse(held.data.toString()) as { fence?: unknown }).fence) ?? 0);
}

function otherWriter(runId: string): HooklineError {
  const why = `Another server records the run ${JSON.stringify(runId)}. Only its events are kept.`;
  return new HooklineError('STORE_CONFLICT', why);
}
