import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import { assertReply } from './assert-reply.ts';
import { field } from './wire/fields.ts';

/** Versions of the protocol. A hook selects 2 in its answer to `hook.hello`; the default is 1. */
export const PROTOCOLS = [1, 2] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Accepts an object or nothing. The content is ignored, except an explicit `ok: false`. */
function assertWelcome(name: string, reply: unknown): void {
  assertReply(name, 'hook.hello', reply);
  if (isObject(reply) && reply['ok'] === false)
    throw new HooklineError('PROCESS_FAILED', `Hook process "${name}" rejected hook.hello (ok: false).`);
}

/** Returns the protocol version of an answer to `hook.hello`. Scripts answer with many values, and only the number 2 selects protocol 2. */
export function agreement(name: string, reply: unknown, modes: readonly string[]): Protocol {
  assertWelcome(name, reply);
  if (field(reply, 'protocol') === 2) return 2;
  if (!modes.includes('chunks')) return 1;
  const message = `Hook process "${name}" uses protocol 1, which has no chunks. Answer hook.hello with { "protocol": 2 }, or remove the option chunks.`;
  throw new HooklineError('PROCESS_FAILED', message);
}
