import { HooklineError } from '../../errors.ts';
import { assertReply } from './assert-reply.ts';
import { field, isRecord } from './wire/fields.ts';

/** The versions of the protocol that there are; a hook picks 2 in its answer to `hook.hello`, or has 1. */
export const PROTOCOLS = [1, 2] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** An object, or nothing; the content does not count, but for a plain no. */
function assertWelcome(name: string, reply: unknown): void {
  assertReply(name, 'hook.hello', reply);
  if (isRecord(reply) && reply['ok'] === false)
    throw new HooklineError('PROCESS_FAILED', `Hook process "${name}" rejected hook.hello (ok: false).`);
}

/** What the answer to `hook.hello` agrees to. Scripts answer with all sorts of things; only the very number 2 is protocol 2. */
export function agreement(name: string, reply: unknown, modes: readonly string[]): Protocol {
  assertWelcome(name, reply);
  if (field(reply, 'protocol') === 2) return 2;
  if (!modes.includes('chunks')) return 1;
  const message = `Hook process "${name}" uses protocol 1, which has no chunks. Answer hook.hello with { "protocol": 2 }, or remove the option chunks.`;
  throw new HooklineError('PROCESS_FAILED', message);
}
