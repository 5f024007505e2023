import type { Logger } from 'pino';
import { hasCode } from '../errors/has-code.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { RunAddition, RunKey, RunStore } from '../server/run-store/run-store.ts';
import { inTurn } from '../store/documents/in-turn.ts';
import type { NatsRuns } from './nats-runs.ts';

/** How long to wait before stored additions are sent again, in milliseconds. */
const RETRY_MS = 2_000;

/** The additions of a run that wait in the spill store: the last head, and how many entries precede them. */
interface Spilled {
  readonly key: RunKey;
  readonly from: number;
  readonly head: JsonObject | undefined;
}

interface Parts {
  readonly runs: NatsRuns;
  readonly spill: RunStore;
  /** Calls a function after each reconnect, until the returned function is called. */
  readonly onReconnect: (again: () => void) => () => void;
  readonly log: Logger | undefined;
}

interface SpillingRuns extends RunStore {
  /** Stops to send. What is stored is sent after the next start. */
  close(): void;
}

/**
 * Stores additions in `spill` while NATS is away, and sends them later in their order, also after a restart. An entry that arrived without an
 * acknowledgement is not sent again.
 */
export function spillingRuns({ runs, spill, onReconnect, log }: Parts): SpillingRuns {
  const spilled = new Map<string, Spilled>();
  const turn = <T>(key: RunKey, work: () => Promise<T>) => inTurn(`spill:${nameOf(key)}`, work);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const report = (err: unknown) => log?.error({ err }, 'stored events of runs cannot be read or removed');
  const sendNow = () => void send().catch(report);

  function later(): void {
    if (!closed) timer ??= setTimeout(sendNow, RETRY_MS).unref();
  }

  async function keep(key: RunKey, { entries = [], head }: RunAddition, from: number): Promise<void> {
    const before = spilled.get(nameOf(key)) ?? { key, from, head: undefined };
    if (spilled.size === 0) log?.warn('NATS is away; events of runs are stored on disk and sent later');
    const next = { ...before, head: head ?? before.head };
    await spill.append(key, { entries, head: { from: next.from, ...(next.head && { head: next.head }) } });
    spilled.set(nameOf(key), next);
    later();
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const { key } of [...spilled.values()]) {
      if (closed) return;
      try {
        await turn(key, () => sendRun(key));
      } catch (err) {
        if (hasCode(err, 'STORE_FAILED')) return later();
        log?.error({ err, runId: key.runId }, 'stored events of a run could not be sent, and are removed');
        await spill.remove(key);
        spilled.delete(nameOf(key));
      }
    }
  }

  async function sendRun(key: RunKey): Promise<void> {
    const known = spilled.get(nameOf(key));
    if (!known) return;
    const { entries } = await spill.read(key);
    for (let tries = 3; ; tries -= 1) {
      const there = await runs.adopt(key);
      try {
        await runs.append(key, { entries: entries.slice(Math.max(0, there - known.from)), ...headOf(known) });
        break;
      } catch (thrown) {
        // The client may have sent an earlier attempt after the reconnect.
        if (tries === 0 || !hasCode(thrown, 'STORE_CONFLICT')) throw thrown;
      }
    }
    await spill.remove(key);
    spilled.delete(nameOf(key));
  }

  /** Takes over what an earlier process has stored. */
  async function takeOver(): Promise<void> {
    for (const { head, ...key } of await spill.list()) {
      if (spilled.has(nameOf(key))) continue;
      spilled.set(nameOf(key), { key, from: Number(head['from']), head: head['head'] as JsonObject | undefined });
    }
    if (spilled.size > 0) await send();
  }

  const forget = onReconnect(sendNow);
  takeOver().catch(report);

  return {
    ...runs,
    isShared: (key) => !spilled.has(nameOf(key)),
    append: (key, addition) =>
      turn(key, async () => {
        // Its entries may arrive although it fails.
        const from = runs.count(key);
        if (spilled.has(nameOf(key))) return keep(key, addition, from);
        try {
          await runs.append(key, addition);
        } catch (thrown) {
          if (!hasCode(thrown, 'STORE_FAILED')) throw thrown;
          await keep(key, addition, from);
        }
      }),
    close() {
      closed = true;
      forget();
      clearTimeout(timer);
    },
  };
}

function nameOf({ user, runId }: RunKey): string {
  return JSON.stringify([user, runId]);
}

function headOf({ head }: Spilled): RunAddition {
  return head ? { head } : {};
}
