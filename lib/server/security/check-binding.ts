import { HooklineError } from '../../errors.ts';

/** What `checkBinding` checks before a port is opened. */
export interface Binding {
  /** The configured address, for messages. */
  readonly host: string;
  readonly address: string;
  readonly hasToken: boolean;
  readonly allowedHosts: readonly string[];
}

/** Rejects an address other than loopback without a token and allowed hosts (`OPTIONS_INVALID`). */
export function checkBinding({ host, address, hasToken, allowedHosts }: Binding): void {
  if (isLoopback(address)) return;
  const missing = [
    ...(hasToken ? [] : ['a token (the store has none)']),
    ...(allowedHosts.length > 0 ? [] : ['allowed hosts (accepted Host headers, such as "hooks.example:8080")']),
  ];
  if (missing.length === 0) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The server cannot listen on the public address ${JSON.stringify(host)} without ${missing.join(' and ')}. Listen on 127.0.0.1, or add what is missing.`,
  );
}

export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}
