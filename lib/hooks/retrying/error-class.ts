import { isError } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';

/** The classes of failures for retrying hooks. */
export const errorClasses = ['timeout', 'network', 'rateLimit', 'server', 'other'] as const;

export type ErrorClass = (typeof errorClasses)[number];

const TIMEOUT = /TIMEOUT|ETIMEDOUT|ESOCKETTIMEDOUT/i;
const NETWORK = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'UND_ERR_SOCKET',
]);
/** The maximum depth of causes. */
const DEEPEST = 5;

/** Classifies a failure by the codes, names and HTTP statuses of it and its causes. Returns undefined if a retry cannot help. */
export function errorClassOf(thrown: unknown): ErrorClass | undefined {
  // For example a result of a wrong shape, or a suspended sub-agent.
  if (isError(thrown, HooklineError)) return undefined;
  for (const one of withCauses(thrown)) {
    const known = classOf(one);
    if (known) return known;
  }
  return 'other';
}

/** Returns the milliseconds that `Retry-After` requests. */
export function retryAfterMs(thrown: unknown, now: number): number | undefined {
  for (const one of withCauses(thrown)) {
    const retryAfter = [field(one, 'headers'), field(one, 'responseHeaders'), field(field(one, 'response'), 'headers')]
      .map((headers) => header(headers, 'retry-after'))
      .find((value) => value !== undefined);
    if (retryAfter === undefined) continue;
    const ms = /^\s*\d+(\.\d+)?\s*$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
    if (Number.isFinite(ms)) return Math.max(0, ms);
  }
  return undefined;
}

function classOf(one: unknown): ErrorClass | undefined {
  const status = [field(one, 'status'), field(one, 'statusCode'), field(field(one, 'response'), 'status')].find(
    (value) => typeof value === 'number',
  ) as number | undefined;
  if (status === 429) return 'rateLimit';
  if (status === 408 || status === 504) return 'timeout';
  if (status !== undefined && status >= 500) return 'server';
  const code = String(field(one, 'code') ?? '');
  if (TIMEOUT.test(code) || field(one, 'name') === 'TimeoutError') return 'timeout';
  if (NETWORK.has(code)) return 'network';
  return undefined;
}

function* withCauses(thrown: unknown): Generator<unknown> {
  let one = thrown;
  for (let depth = 0; depth < DEEPEST && one !== undefined && one !== null; depth++) {
    yield one;
    one = field(one, 'cause');
  }
}

function header(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = field(headers, name) ?? field(headers, 'Retry-After');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Reads a field of a thrown value. A getter that throws returns undefined. */
function field(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  try {
    return (holder as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
