import type { JsonObject } from '../../../events/values/json-value.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostMoment, Verdict } from '../judge/host-moment.ts';
import type { DialectName } from './dialect-names.ts';

/** The events and answers of a host. */
export interface Dialect {
  readonly host: DialectName;
  /** The name of the product. */
  readonly title: string;
  /** Reads an event. Unknown fields are ignored; a missing field is `INPUT_INVALID`. */
  read(event: JsonObject): HostMoment;
  /** Writes what hooks decided. The host must understand every answer, because many hosts ignore an invalid one and continue. */
  write(moment: HostMoment, verdict: Verdict): HostAnswer;
  /** Denies an event that could not be evaluated. `undefined`: the event is not JSON. With `failOpen` the host continues. */
  refuse(event: JsonObject | undefined, why: string, failOpen: boolean): HostAnswer;
}
