import type { TraceStep } from '../pipeline/define/hook.ts';

/** The effect of a hook, as an attribute. */
type Outcome = 'pass' | 'modify' | 'deny' | 'error' | 'timeout';

export function outcomeOf({ effect, decision, reason = '' }: TraceStep): Outcome {
  if (effect === 'failed') return / within \d+ ms\b/.test(reason) ? 'timeout' : 'error';
  if (effect === 'passed') return 'pass';
  return decision === 'deny' || decision === 'abort' ? 'deny' : 'modify';
}
