import { connectionEnded } from '../../../errors/connection-ended.ts';
import { HooklineError } from '../../../errors.ts';
import type { FinishReason } from '../../../events/post-reasoning.ts';

const reasons: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'contentFilter',
  'tool-calls': 'toolCalls',
};

/**
 * A finish reason of any version (a string in v2, `{ unified, raw }` since) as ours; what has no counterpart is 'other'. One that
 * says that the answer failed ('error', 'interrupted') throws `MODEL_FAILED`: a broken answer must not pass for a whole one.
 */
export function toFinishReason(reason: unknown): FinishReason {
  const { unified, raw } = (typeof reason === 'string' ? { unified: reason } : (reason ?? {})) as {
    unified?: string;
    raw?: string;
  };
  if (unified === 'interrupted') throw connectionEnded();
  if (unified === 'error')
    throw new HooklineError('MODEL_FAILED', `it stopped because of an error${raw ? ` (${raw})` : ''}`);
  return (unified !== undefined && Object.hasOwn(reasons, unified) && reasons[unified]) || 'other';
}
