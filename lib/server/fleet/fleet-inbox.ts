import type { Logger } from 'pino';
import { firstValueFrom, merge, Subject } from 'rxjs';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Inbox, InboxAnswer, InboxCall, InboxChange, InboxOutcome } from '../../hooks/asking/inbox.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import { type ServerLink, stopListening } from './server-link.ts';

/** The pending calls of active runs on all servers. */
export interface FleetInbox extends Pick<Inbox, 'list' | 'changes$'> {
  /** Asks the server of the run. If it is gone, the call is no longer pending. */
  answer(id: string, answer: InboxAnswer): Promise<InboxOutcome>;
  stop(): void;
}

interface Parts {
  readonly own: Inbox;
  readonly link: ServerLink;
  readonly state: StateStore;
  readonly log: Logger | undefined;
}

const TOPIC = 'inbox';
const KEY = 'inbox-call';

/**
 * Shares the pending calls of this server, and lists those of the others. A call stays with its server, which takes the first answer. Its entry in
 * the store shows it to servers that start later.
 */
export function fleetInbox({ own, link, state, log }: Parts): FleetInbox {
  const others = new Map<string, InboxCall>();
  const othersChange$ = new Subject<InboxChange>();
  const serving = new Map<string, Promise<() => void>>();
  const report = (err: unknown) => log?.error({ err }, 'pending calls cannot be shared with other servers');

  function share(change: InboxChange): void {
    const { call } = change;
    const shared: InboxCall = { ...call, elsewhere: true };
    const key = [KEY, call.id] as const;
    if (change.type === 'waiting') {
      const ttlMs = Math.max(1, Date.parse(call.expiresAt) - Date.now());
      if (!serving.has(call.id)) {
        const answered = async (answer: JsonObject) => own.answer(call.id, answer as never) as never;
        serving.set(call.id, link.serve(`call.${call.id}`, answered));
        serving.get(call.id)?.catch(report);
      }
      firstValueFrom(state.set(key, shared as never, { ttlMs })).catch(report);
    } else {
      stopListening(serving.get(call.id));
      serving.delete(call.id);
      firstValueFrom(state.remove(key)).catch(report);
    }
    link.tell(TOPIC, { ...change, call: shared } as unknown as JsonObject);
  }

  function take(change: InboxChange): void {
    const { call } = change;
    if (change.type === 'waiting') others.set(call.id, call);
    else if (!others.delete(call.id)) return;
    othersChange$.next(change);
  }

  /** Reads the calls of all servers, and shares the own ones again, at the start and after a reconnect. */
  async function readAll(): Promise<void> {
    for (const call of own.list()) share({ type: 'waiting', call });
    const known = new Set(others.keys());
    for (const key of await firstValueFrom(state.list([KEY]))) {
      const entry = await firstValueFrom(state.get(key));
      const call = entry?.value as unknown as InboxCall | undefined;
      if (!call || serving.has(call.id) || known.delete(call.id)) continue;
      take({ type: 'waiting', call });
    }
    for (const id of known) take({ type: 'answered', call: others.get(id)! });
  }

  const read = () => void readAll().catch(report);
  const watching = own.changes$.subscribe(share);
  const hearing = link.hear(TOPIC, (message) => take(message as unknown as InboxChange), read);
  hearing.then(read, report);

  return {
    list: () => [...own.list(), ...others.values()].sort((a, b) => b.askedAt.localeCompare(a.askedAt)),
    changes$: merge(own.changes$, othersChange$),
    async answer(id, answer) {
      const here = own.answer(id, answer);
      const call = others.get(id);
      if (here.status !== 'unknown' || !call) return here;
      const outcome = await link.ask(`call.${id}`, answer as unknown as JsonObject);
      if (outcome) return outcome as unknown as InboxOutcome;
      take({ type: 'answered', call });
      await firstValueFrom(state.remove([KEY, id]));
      return { status: 'unknown' };
    },
    stop() {
      watching.unsubscribe();
      stopListening(hearing);
    },
  };
}
