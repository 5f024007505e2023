import type { InboxCall, InboxChange } from '../../hooks/asking/inbox.ts';

/** The pending calls of other servers. */
export interface OthersCalls {
  list(): readonly InboxCall[];
  /** Takes a message of the server of a call. */
  hear(change: InboxChange): void;
  /** Lists a call until it ends or expires, unless its end was heard. */
  add(call: InboxCall): void;
  /** Removes a call whose end was not heard. Returns false if it is not listed. */
  drop(id: string): boolean;
  clear(): void;
}

/** The number of ended calls that are remembered. */
const MOST_ENDED = 1_000;
/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** `onChange` is called once when a call is listed, and once when it is removed. */
export function othersCalls(onChange: (change: InboxChange) => void): OthersCalls {
  const calls = new Map<string, { readonly call: InboxCall; readonly expiring: NodeJS.Timeout }>();
  /** What was read before the end of a call may arrive after it. */
  const ended = new Set<string>();

  function remove(id: string, change?: InboxChange): boolean {
    const known = calls.get(id);
    if (!known) return false;
    clearTimeout(known.expiring);
    calls.delete(id);
    onChange(change ?? { type: 'answered', call: known.call });
    return true;
  }

  const others: OthersCalls = {
    list: () => [...calls.values()].map(({ call }) => call),
    hear(change) {
      const { id } = change.call;
      if (change.type === 'waiting') return others.add(change.call);
      ended.add(id);
      const [oldest] = ended;
      if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest);
      remove(id, change);
    },
    add(call) {
      const { id, expiresAt } = call;
      if (calls.has(id) || ended.has(id)) return;
      // Its server may be gone.
      const ms = Math.min(LONGEST_MS, Math.max(0, Date.parse(expiresAt) - Date.now()));
      calls.set(id, { call, expiring: setTimeout(() => remove(id), ms).unref() });
      onChange({ type: 'waiting', call });
    },
    drop: (id) => remove(id),
    clear() {
      for (const { expiring } of calls.values()) clearTimeout(expiring);
    },
  };
  return others;
}
