import { field, textField } from '../../../process-hooks/picoclaw/wire/fields.ts';
import type { PicoclawEvent } from './read-request.ts';

/** The start or end of a turn of PicoClaw. */
export interface TurnMoment {
  readonly kind: 'agent.turn.start' | 'agent.turn.end';
  readonly id: string;
  /** Session and agent of the turn, in the format of requests. */
  readonly params: object;
  readonly payload: unknown;
}

/** Returns the turn start or end of a notification, if any. Older hosts number the kinds. */
export function turnMoment({ method, params }: PicoclawEvent): TurnMoment | undefined {
  const payload = field(params, 'payload');
  if (method === 'hook.runtime_event') {
    const scope = field(params, 'scope');
    const id = textField(scope, 'turn_id') ?? '';
    const meta = { TurnID: id, SessionKey: textField(scope, 'session_key'), AgentID: textField(scope, 'agent_id') };
    return momentOf(textField(params, 'kind'), id, { meta }, payload);
  }
  if (method !== 'hook.event') return undefined;
  const id = textField(field(params, 'meta'), 'turnid') ?? '';
  const kind = ['agent.turn.start', 'agent.turn.end'][Number(field(params, 'kind'))];
  return momentOf(kind, id, params as object, payload);
}

function momentOf(kind: string | undefined, id: string, params: object, payload: unknown): TurnMoment | undefined {
  if (kind !== 'agent.turn.start' && kind !== 'agent.turn.end') return undefined;
  return { kind, id, params, payload };
}
