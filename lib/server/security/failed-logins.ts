import { networkOf } from './network-of.ts';

/** Limits of failed logins within `windowMs`. Times are in milliseconds. */
export interface LoginLimits {
  /** Failed logins from one address (default: 10). */
  readonly perAddress?: number;
  /** Failed logins from all addresses (default: 200). */
  readonly inAll?: number;
  /** Length of the window (default: one minute). */
  readonly windowMs?: number;
  /** Maximum number of stored addresses (default: 10,000). */
  readonly addresses?: number;
  /** Clock in milliseconds (default: a monotonic one). */
  readonly now?: () => number;
}

/** Counts failed logins within a window that starts with the first one. */
export interface FailedLogins {
  add(address: string): void;
  /** Seconds until the next attempt is allowed; 0 means now. */
  waitFor(address: string): number;
}

interface Window {
  readonly ends: number;
  count: number;
}

export function createFailedLogins(limits: LoginLimits = {}): FailedLogins {
  const { perAddress = 10, inAll = 200, windowMs = 60_000, addresses = 10_000, now = () => performance.now() } = limits;
  // In the order of their ends, because all windows have the same length.
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
