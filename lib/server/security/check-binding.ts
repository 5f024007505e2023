import { HooklineError } from '../../errors.ts';

/** What is asked before a port is opened. */
export interface Binding {
  /** As it was given, for messages. */
  readonly host: string;
  /** What it resolves to. */
  readonly address: string;
  readonly hasToken: boolean;
  readonly allowedHosts: readonly string[];
}

/** Refuses to be reached from elsewhere without a token, and without being told by which names (`OPTIONS_INVALID`). */
export function checkBinding({ host, address, hasToken, allowedHosts }: Binding): void {
  if (isLoopback(address)) return;
  const missing = [
    ...(hasToken ? [] : ['a token (there is none in the store)']),
    ...(allowedHosts.length > 0 ? [] : ['allowed hosts (what the Host header may say, such as "hooks.example:8080")']),
  ];
  if (missing.length === 0) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `The server cannot listen on ${JSON.stringify(host)}, where others reach it, without ${missing.join(' and ')}. Listen on 127.0.0.1, or give what is missing.`,
  );
}

export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/i.test(address) || address === '::1';
}
