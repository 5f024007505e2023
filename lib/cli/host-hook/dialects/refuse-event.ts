import type { HostAnswer } from '../host-answer.ts';

import { type DialectName, isDialect } from './dialect-names.ts';
import { dialectOf } from './dialects.ts';
import { eventFields } from './read-event-of.ts';
import { senderOf } from './told-apart.ts';

/** Denies an event that could not be evaluated. An event of another host is denied in the dialect of that host. */
export function refuseEvent(host: DialectName, event: string, why: string, failOpen: boolean): HostAnswer {
  const fields = eventFields(event);
  const sender = fields && senderOf(fields)?.host;
  return dialectOf(isDialect(sender) ? sender : host).refuse(fields, why, failOpen);
}
