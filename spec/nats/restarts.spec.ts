import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { defer, finalize, type Observable, of, switchMap } from 'rxjs';
import { type Backplane, natsBackplane } from '../../lib/nats/backplane.ts';
import { runStoreContract } from '../../lib/server/run-store/run-store-contract.ts';
import { storeContract } from '../../lib/store/documents/store-contract.ts';
import { stateStoreContract } from '../../lib/store/state/state-store-contract.ts';
import { transcriptStoreContract } from '../../lib/testing/index.ts';
import { tempFolder } from '../temp-folder.ts';
import { aNatsServer, type NatsServer } from './a-nats-server.ts';

const secret = 'a secret of the fleet that is long enough';
/** The restarts of a suite. */
const RESTARTS = process.env['HOOKLINE_SOAK'] === undefined ? 3 : 20;
/** Calls from one restart to the next. */
const EACH = 7;

interface Interruptions {
  /** Restarts that are still to come. */
  left: number;
  calls: number;
  active: number;
  restarting: Promise<void> | undefined;
  /** Whether the methods of the store return Observables. */
  readonly observes: boolean;
}

describe('the stores of a backplane whose server is killed in the middle', function () {
  this.timeout(RESTARTS * 30_000);
  let nats: NatsServer;
  const open: Backplane[] = [];
  const backplane = (now?: () => number, spill?: string): Backplane => {
    const one = natsBackplane({ servers: nats.url, secret }, { ...(now && { now }), ...(spill && { spill }) });
    open.push(one);
    return one;
  };

  before(async function () {
    const started = await aNatsServer();
    if (!started) this.skip();
    nats = started;
  });
  afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
  after(() => nats?.kill());

  /** Kills the server and starts it again, and waits until all backplanes are connected. */
  async function restart(): Promise<void> {
    await nats.kill();
    await nats.start();
    for (const one of open)
      while (
        await one.documents.list(['none']).then(
          () => false,
          () => true,
        )
      )
        await sleep(20);
  }

  /** Restarts the server before some of the calls, while no other call is active: its outcome would be unknown. */
  function interrupted<S extends object>(store: S, state: Interruptions): S {
    /** Counts a call. Returns a promise if it has to wait. */
    function begin(): Promise<void> | undefined {
      state.calls += 1;
      if (state.left > 0 && state.active === 0 && !state.restarting && state.calls % EACH === 0) {
        state.left -= 1;
        state.restarting = restart().finally(() => {
          state.restarting = undefined;
        });
      }
      state.active += 1;
      return state.restarting;
    }
    const end = () => {
      state.active -= 1;
    };
    return new Proxy(store, {
      get(target, name, receiver) {
        const method = Reflect.get(target, name, receiver) as unknown;
        if (typeof method !== 'function' || ['follow', 'turn', 'begin'].includes(String(name))) return method;
        return (...args: unknown[]) => {
          const call = () => method.apply(target, args) as unknown;
          if (state.observes)
            return defer(() => begin() ?? of(undefined)).pipe(
              switchMap(() => call() as Observable<unknown>),
              finalize(end),
            );
          const waiting = begin();
          return (waiting ? waiting.then(call) : (call() as Promise<unknown>)).finally(end);
        };
      },
    });
  }

  const suites: Record<string, (state: Interruptions) => Promise<unknown>> = {
    documents: (state) => storeContract(() => interrupted(backplane().documents, state)),
    state(state) {
      let time = 1e12;
      const elapse = (ms: number): void => {
        time += ms;
      };
      const make = () => interrupted(backplane(() => time).state, state);
      return stateStoreContract(make, { elapse });
    },
    runs: (state) => runStoreContract(() => interrupted(backplane().runs, state)),
    sessions: (state) => transcriptStoreContract(() => interrupted(backplane().transcript, state)),
    'sessions, with a folder for times without NATS': (state) => {
      const spill = tempFolder('spill');
      return transcriptStoreContract(() => interrupted(backplane(undefined, spill).transcript, state));
    },
  };
  for (const [what, suite] of Object.entries(suites))
    it(`keep their contract: ${what}`, async () => {
      const state: Interruptions = {
        left: RESTARTS,
        calls: 0,
        active: 0,
        restarting: undefined,
        observes: what === 'state',
      };
      await suite(state);
      expect(state.left, 'restarts that did not take place').to.equal(0);
    });
});
