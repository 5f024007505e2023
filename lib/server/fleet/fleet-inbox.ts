import type { Logger } from 'pino';
import { firstValueFrom, merge, Subject } from 'rxjs';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Inbox, InboxAnswer, InboxCall, InboxChange, InboxOutcome } from '../../hooks/asking/inbox.ts';
import type { StateStore } from '../../store/state/state-store.ts';
import { othersCalls } from './others-calls.ts';
import { askPatiently, type ServerLink, stopListening } from './server-link.ts';

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

/** A call of this server. */
interface Shared {
  readonly serving: Promise<() => void>;
  readonly change: InboxChange;
  /** Resolves to whether the change is in the store, after earlier ones. */
  readonly stored: Promise<boolean>;
}

const TOPIC = 'inbox';
const KEY = 'inbox-call';
/** The number of own calls, from which on the oldest ended one is forgotten. */
const MOST_SHARED = 1_000;
/** How long to wait until the calls are read again after a failure, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * Shares the pending calls of this server, and lists those of the others. A call stays with its server, which takes the first answer and names the
 * winner to later ones. Its entry in the store shows it to servers that start later.
 */
export function fleetInbox({ own, link, state, log }: Parts): FleetInbox {
  const othersChange$ = new Subject<InboxChange>();
  const others = othersCalls((change) => othersChange$.next(change));
  const shared = new Map<string, Shared>();
  let retry: NodeJS.Timeout | undefined;
  let isReported = false;
  let stopped = false;

  /** Logs the first failure until the calls are shared again. */
  function report(err: unknown): void {
    if (!isReported) log?.error({ err }, 'pending calls cannot be shared with other servers');
    isReported = true;
  }

  function serve({ id }: InboxCall): Promise<() => void> {
    const serving = link.serve(`call.${id}`, async (answer) => own.answer(id, answer as never) as never);
    serving.catch(report);
    return serving;
  }

  async function store({ type, call }: InboxChange): Promise<void> {
    const key = [KEY, call.id] as const;
    const ttlMs = Math.max(1, Date.parse(call.expiresAt) - Date.now());
    await firstValueFrom<unknown>(type === 'waiting' ? state.set(key, call as never, { ttlMs }) : state.remove(key));
  }

  /** Stores a change, then tells it, so that whoever hears of a call finds it. */
  function share({ call, ...rest }: InboxChange): Promise<boolean> {
    const change = { ...rest, call: { ...call, elsewhere: true } } as InboxChange;
    const { serving = serve(call), stored: before = Promise.resolve(true) } = shared.get(call.id) ?? {};
    const stored = before.then(async () => {
      const isStored = await store(change).then(
        () => true,
        (err: unknown) => {
          report(err);
          return false;
        },
      );
      link.tell(TOPIC, change as unknown as JsonObject);
      return isStored;
    });
    shared.delete(call.id);
    shared.set(call.id, { serving, change, stored });
    forgetOldest();
    return stored;
  }

  function forgetOldest(): void {
    if (shared.size <= MOST_SHARED) return;
    const [id, oldest] = [...shared].find(([, { change }]) => change.type === 'answered') ?? [];
    if (id === undefined) return;
    stopListening(oldest?.serving);
    shared.delete(id);
  }

  /** Reads the calls of all servers, and shares the own ones again, at the start and after a reconnect. */
  async function readAll(): Promise<boolean> {
    const sharing = own.list().map((call) => share({ type: 'waiting', call }));
    const known = new Set(others.list().map(({ id }) => id));
    for (const key of await firstValueFrom(state.list([KEY]))) {
      const entry = await firstValueFrom(state.get(key));
      const call = entry?.value as unknown as InboxCall | undefined;
      if (!call) continue;
      const mine = shared.get(call.id);
      // It ended while the store was away.
      if (mine?.change.type === 'answered') sharing.push(share(mine.change));
      if (!mine && !known.delete(call.id)) others.add(call);
    }
    for (const id of known) others.drop(id);
    return (await Promise.all(sharing)).every(Boolean);
  }

  function read(): void {
    readAll().then(
      (isShared) => {
        if (isShared) isReported = false;
        else readLater();
      },
      (err: unknown) => {
        report(err);
        readLater();
      },
    );
  }

  function readLater(): void {
    clearTimeout(retry);
    if (!stopped) retry = setTimeout(read, RETRY_MS).unref();
  }

  const watching = own.changes$.subscribe((change) => {
    void share(change).then((isStored) => isStored || readLater());
  });
  const hearing = link.hear(TOPIC, (message) => others.hear(message as unknown as InboxChange), read);
  hearing.then(read, report);

  return {
    list: () => [...own.list(), ...others.list()].sort((a, b) => b.askedAt.localeCompare(a.askedAt)),
    changes$: merge(own.changes$, othersChange$),
    async answer(id, answer) {
      const here = own.answer(id, answer);
      if (here.status !== 'unknown' || shared.has(id)) return here;
      // Also for a call that is not listed, because its server knows who won.
      const request = answer as unknown as JsonObject;
      const isListed = others.list().some((call) => call.id === id);
      const outcome = await (isListed ? askPatiently(link, `call.${id}`, request) : link.ask(`call.${id}`, request));
      if (outcome) return outcome as unknown as InboxOutcome;
      if (others.drop(id)) await firstValueFrom(state.remove([KEY, id]));
      return { status: 'unknown' };
    },
    stop() {
      stopped = true;
      clearTimeout(retry);
      watching.unsubscribe();
      stopListening(hearing);
      others.clear();
    },
  };
}
