import { connectionEnded } from '../../../errors/connection-ended.ts';
import { HooklineError } from '../../../errors.ts';
import type { FinishReason } from '../../../events/parts/finish-reason.ts';

const reasons: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'contentFilter',
  'tool-calls': 'toolCalls',
};

/**
 * Converts a finish reason of any version: a string in v2, `{ unified, raw }` in later versions. A reason without a counterpart is 'other'. Throws
 * `MODEL_FAILED` for 'error' and 'interrupted', because a broken reply must not look complete.
 */
export function toFinishReason(reason: unknown): FinishReason {
  const { unified, raw } = (typeof reason === 'string' ? { unified: reason } : (reason ?? {})) as {
    unified?: string;
    raw?: string;
  };
  if (unified === 'interrupted') throw connectionEnded();
  if (unified === 'error')
    throw new HooklineError('MODEL_FAILED', `the model stopped because of an error${raw ? ` (${raw})` : ''}`);
  return (unified !== undefined && Object.hasOwn(reasons, unified) && reasons[unified]) || 'other';
}
