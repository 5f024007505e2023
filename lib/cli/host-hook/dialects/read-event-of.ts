import { HooklineError } from '../../../errors.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostMoment } from '../judge/host-moment.ts';
import { isTooDeep, MOST_LEVELS } from '../judge/is-too-deep.ts';
import type { Dialect } from './dialect.ts';
import { checkSender } from './told-apart.ts';

/** Parses an event of a host. An invalid event, or one of another host, is `INPUT_INVALID`. */
export function readEventOf(dialect: Dialect, text: string): HostMoment {
  const invalid = (why: string) =>
    new HooklineError('INPUT_INVALID', `The event is not an event of ${dialect.title}: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw invalid(`it is not JSON: ${(thrown as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('it is not a JSON object');
  if (isTooDeep(value)) throw invalid(`it is nested more than ${MOST_LEVELS} levels deep`);
  const event = value as JsonObject;
  checkSender(event, dialect.host);
  try {
    return dialect.read(event);
  } catch (thrown) {
    if (thrown instanceof HooklineError) throw invalid(thrown.message);
    throw thrown;
  }
}
