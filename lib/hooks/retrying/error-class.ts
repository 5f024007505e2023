import { isError } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';

/** Kinds of failures that hooks which retry tell apart. */
export const errorClasses = ['timeout', 'network', 'rateLimit', 'server', 'other'] as const;

/** A kind of failure. */
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
/** Causes of causes that are looked at. */
const DEEPEST = 5;

/** What kind of failure this is, by the codes, names and HTTP states that it or its causes carry; nothing for what no new try can help. */
export function errorClassOf(thrown: unknown): ErrorClass | undefined {
  // A result of a wrong shape, a sub-agent that waits for an answer, and the like.
  if (isError(thrown, HooklineError)) return undefined;
  for (const one of withCauses(thrown)) {
    const known = classOf(one);
    if (known) return known;
  }
  return 'other';
}

/** How many milliseconds the other side wants to be left alone, by its `Retry-After`. */
export function retryAfterMs(thrown: unknown, now: number): number | undefined {
  for (const one of withCauses(thrown)) {
    const told = [member(one, 'headers'), member(one, 'responseHeaders'), member(member(one, 'response'), 'headers')]
      .map((headers) => header(headers, 'retry-after'))
      .find((value) => value !== undefined);
    if (told === undefined) continue;
    const ms = /^\s*\d+(\.\d+)?\s*$/.test(told) ? Number(told) * 1_000 : Date.parse(told) - now;
    if (Number.isFinite(ms)) return Math.max(0, ms);
  }
  return undefined;
}

function classOf(one: unknown): ErrorClass | undefined {
  const status = [member(one, 'status'), member(one, 'statusCode'), member(member(one, 'response'), 'status')].find(
    (value) => typeof value === 'number',
  ) as number | undefined;
  if (status === 429) return 'rateLimit';
  if (status === 408 || status === 504) return 'timeout';
  if (status !== undefined && status >= 500) return 'server';
  const code = String(member(one, 'code') ?? '');
  if (TIMEOUT.test(code) || member(one, 'name') === 'TimeoutError') return 'timeout';
  if (NETWORK.has(code)) return 'network';
  return undefined;
}

function* withCauses(thrown: unknown): Generator<unknown> {
  let one = thrown;
  for (let depth = 0; depth < DEEPEST && one !== undefined && one !== null; depth++) {
    yield one;
    one = member(one, 'cause');
  }
}

function header(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = member(headers, name) ?? member(headers, 'Retry-After');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A member of whatever was thrown; a getter that throws has nothing to say. */
function member(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  try {
    return (holder as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
