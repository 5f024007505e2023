import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import { type Durations, durationsOf, noDurations, withDuration } from './duration-histogram.ts';
import type { HookStatistics } from './hook-statistics.ts';

const countsSchema = z.object({
  ran: z.int(),
  changed: z.int(),
  decided: z.int(),
  failed: z.int(),
  durations: z.array(z.int()),
});
const daySchema = z.record(z.string(), countsSchema);

type Counts = { -readonly [K in keyof z.infer<typeof countsSchema>]: z.infer<typeof countsSchema>[K] };

/** Counts of hooks by day (UTC), of all servers of a store. */
export interface HookDays {
  /** Counts steps that are not skipped. */
  add(steps: readonly TraceStep[]): void;
  /** Returns the statistics of the last days, today included. */
  statistics(days: number): Promise<HookStatistics>;
  /** Stores the counts, and stops. */
  close(): Promise<void>;
}

const MOST_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** Interval between writes, in milliseconds. */
const WRITE_MS = 60_000;
/** Maximum number of hooks of a day. Further ones are not counted. */
const MOST_HOOKS = 1_000;

/** Stores counts in documents, one for each day and server, so that servers never write the same document. */
export function createHookDays(store: DocumentStore, log: Logger | undefined, now = Date.now): HookDays {
  const server = randomUUID();
  let day = dayOf(now());
  let counts = new Map<string, Counts>();
  let timer: NodeJS.Timeout | undefined;

  async function write(of = day, given = counts): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      await store.write(['statistics', of, server], Object.fromEntries(given) as unknown as JsonValue);
      for (const key of await store.list(['statistics']))
        if ((key[1] ?? '') < dayOf(now() - MOST_DAYS * DAY_MS)) await store.remove(key);
    } catch (err) {
      log?.error({ err }, 'the statistics of hooks could not be stored');
    }
  }

  async function stored(from: string): Promise<readonly Readonly<Record<string, Counts>>[]> {
    const keys = (await store.list(['statistics'])).filter(
      ([, of = '', by]) => of >= from && !(of === day && by === server),
    );
    const documents = await Promise.all(keys.map((key) => store.read(key)));
    return documents.flatMap((document) => {
      const { data } = daySchema.safeParse(document?.value);
      return data ? [data] : [];
    });
  }

  return {
    add(steps) {
      const today = dayOf(now());
      if (today !== day) {
        void write(day, counts);
        day = today;
        counts = new Map();
      }
      for (const { hook, stage, effect, paths, ms } of steps) {
        if (effect === 'skipped' || paths?.[0]?.startsWith('chunks.')) continue;
        const count = counts.get(hook) ?? { ran: 0, changed: 0, decided: 0, failed: 0, durations: noDurations() };
        if (!counts.has(hook) && counts.size >= MOST_HOOKS) continue;
        counts.set(hook, count);
        count.ran += 1;
        if (effect !== 'passed') count[effect] += 1;
        // The duration of wrappers and stream operators includes their step or stream.
        if (stage === 'on' || stage === 'approve') withDuration(count.durations, ms);
      }
      timer ??= setTimeout(() => void write(), WRITE_MS).unref();
    },
    async statistics(days) {
      const from = dayOf(now() - (days - 1) * DAY_MS);
      const sums = new Map<string, Counts>();
      for (const [hook, one] of [...(await stored(from)), Object.fromEntries(counts)].flatMap((of) =>
        Object.entries(of),
      ))
        sums.set(hook, sumOf(sums.get(hook), one));
      const hooks = [...sums].map(([name, { durations, ...counted }]) => ({
        name,
        ...counted,
        ...percentiles(durations),
      }));
      return { since: `${from}T00:00:00.000Z`, hooks: hooks.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    },
    close: () => (timer ? write() : Promise.resolve()),
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function sumOf(a: Counts | undefined, b: Counts): Counts {
  if (!a) return { ...b, durations: [...b.durations] };
  return {
    ran: a.ran + b.ran,
    changed: a.changed + b.changed,
    decided: a.decided + b.decided,
    failed: a.failed + b.failed,
    durations: a.durations.map((count, at) => count + (b.durations[at] ?? 0)),
  };
}

function percentiles(durations: Durations) {
  return { p50Ms: durationsOf(durations, 0.5), p95Ms: durationsOf(durations, 0.95) };
}
