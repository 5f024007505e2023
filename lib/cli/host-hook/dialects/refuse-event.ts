import { parseJsonObject } from '../../../events/values/parse-json.ts';
import type { HostAnswer } from '../host-answer.ts';
import { type DialectName, isDialect } from './dialect-names.ts';
import { dialectOf } from './dialects.ts';
import { senderOf } from './told-apart.ts';

/** Denies an event that could not be evaluated. An event of another host is denied in the dialect of that host. */
export function refuseEvent(host: DialectName, event: string, why: string, failOpen: boolean): HostAnswer {
  const fields = parseJsonObject(event);
  const sender = fields && senderOf(fields)?.host;
  return dialectOf(isDialect(sender) ? sender : host).refuse(fields, why, failOpen);
}
