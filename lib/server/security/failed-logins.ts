import { networkOf } from './network-of.ts';

/** How many failed logins there may be within `windowMs`; a time in milliseconds. */
export interface LoginLimits {
  /** From one address; default 10. */
  readonly perAddress?: number;
  /** From all together; default 200. */
  readonly inAll?: number;
  /** Default: one minute. */
  readonly windowMs?: number;
  /** Addresses that are remembered, at most; default 10,000. */
  readonly addresses?: number;
  /** Milliseconds; by default of a clock that is never set. */
  readonly now?: () => number;
}

/** Counts failed logins within a window that begins with the first one. */
export interface FailedLogins {
  add(address: string): void;
  /** Seconds until the next try may be made; 0: now. */
  waitFor(address: string): number;
}

interface Window {
  readonly ends: number;
  count: number;
}

export function createFailedLogins(limits: LoginLimits = {}): FailedLogins {
  const { perAddress = 10, inAll = 200, windowMs = 60_000, addresses = 10_000, now = () => performance.now() } = limits;
  // In the order of their ends: all windows are of one length.
  const windows = new Map<string, Window>();
  let all: Window = { ends: 0, count: 0 };

  const opened = (window: Window | undefined): Window =>
    window && window.ends > now() ? window : { ends: now() + windowMs, count: 0 };

  function left(window: Window | undefined, most: number): number {
    if (!window || window.count < most || window.ends <= now()) return 0;
    return Math.max(1, Math.ceil((window.ends - now()) / 1_000));
  }

  function forget(): void {
    for (const [address, { ends }] of windows) {
      if (ends > now() && windows.size < addresses) return;
      windows.delete(address);
    }
  }

  return {
    add(given) {
      const address = networkOf(given);
      all = opened(all);
      all.count += 1;
      const window = opened(windows.get(address));
      window.count += 1;
      if (windows.get(address) === window) return;
      windows.delete(address);
      forget();
      windows.set(address, window);
    },
    waitFor: (address) => Math.max(left(all, inAll), left(windows.get(networkOf(address)), perAddress)),
  };
}
