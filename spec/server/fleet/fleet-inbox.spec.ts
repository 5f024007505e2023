import { defer, throwError } from 'rxjs';
import { memoryStateStore, type StateStore } from '../../../lib/hooks/index.ts';
import { HooklineError } from '../../../lib/index.ts';
import { fleetInboxContract } from './fleet-inbox-contract.ts';
import { memoryLinks } from './memory-link.ts';

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
});
