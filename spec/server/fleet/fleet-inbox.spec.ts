import { expect } from 'chai';
import { pino } from 'pino';
import { defer, Subject, throwError } from 'rxjs';
import {
  createInbox,
  type InboxCall,
  type InboxChange,
  memoryStateStore,
  type StateStore,
} from '../../../lib/hooks/index.ts';
import { HooklineError } from '../../../lib/index.ts';
import { fleetInbox } from '../../../lib/server/fleet/fleet-inbox.ts';
import { fleetInboxContract } from './fleet-inbox-contract.ts';
import { memoryLinks } from './memory-link.ts';
import { eventually } from './server-link-contract.ts';

describe('the inbox of a fleet in one process', function () {
  this.timeout(60_000);

  fleetInboxContract(() => {
    const links = memoryLinks();
    const state = memoryStateStore({ now: () => Date.now() });
    let whole = true;
    /** The state, which fails while the servers are cut from it. */
    const failing = new Proxy(state, {
      get(target, name: keyof StateStore) {
        const method = target[name] as (...args: unknown[]) => never;
        const away = () => throwError(() => new HooklineError('STORE_FAILED', 'the store is away'));
        return (...args: unknown[]) => defer(() => (whole ? method.apply(target, args) : away()));
      },
    });
    return {
      server() {
        const link = links.link();
        return { link, state: failing, die: link.die };
      },
      async cut() {
        whole = false;
        links.cut();
      },
      async mend() {
        whole = true;
        links.mend();
      },
    };
  });

  it('logs once that the store is away, however often it tries', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (text) => void lines.push(text) });
    let reads = 0;
    let away = true;
    const whole = memoryStateStore({ now: () => Date.now() });
    const state: StateStore = {
      ...whole,
      list: (prefix) =>
        defer(() => {
          reads += 1;
          return away ? throwError(() => new HooklineError('STORE_FAILED', 'the store is away')) : whole.list(prefix);
        }),
    };
    const inbox = fleetInbox({ own: createInbox(), link: memoryLinks().link(), state, log });
    await eventually(() => (reads >= 3 ? true : undefined));
    expect(lines).to.have.lengthOf(1);
    away = false;
    await eventually(() => (reads >= 4 ? true : undefined));
    inbox.stop();
  });

  it('stores a call again if the store has failed', async () => {
    const calls: InboxCall[] = [];
    const changes$ = new Subject<InboxChange>();
    const own = { ...createInbox(), list: () => calls, changes$ };
    const whole = memoryStateStore({ now: () => Date.now() });
    let [fails, reads] = [1, 0];
    const state: StateStore = {
      ...whole,
      list: (prefix) => {
        reads += 1;
        return whole.list(prefix);
      },
      set: (...args) =>
        defer(() => (fails-- > 0 ? throwError(() => new HooklineError('STORE_FAILED', 'no')) : whole.set(...args))),
    };
    const links = memoryLinks();
    const inbox = fleetInbox({ own, link: links.link(), state, log: undefined });
    await eventually(() => (reads > 0 ? true : undefined));
    const call = { id: 'c', askedAt: '', expiresAt: new Date(Date.now() + 60_000).toISOString() } as InboxCall;
    calls.push(call);
    changes$.next({ type: 'waiting', call });
    await eventually(() => (fails < 0 ? true : undefined));
    const late = fleetInbox({ own: createInbox(), link: links.link(), state, log: undefined });
    await eventually(() => late.list().find(({ id }) => id === 'c'));
    inbox.stop();
    late.stop();
  });
});
