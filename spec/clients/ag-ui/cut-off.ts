import { type SettledEvent, toolCallsOf } from '../../../lib/index.ts';

/** The first events of a run, with another end. */
export function cutOff(
  run: readonly SettledEvent[],
  at: number,
  cut: 'error' | 'cancel' | 'suspension',
): SettledEvent[] {
  const begun = run.slice(0, at).filter(({ type }) => type !== 'postCall');
  const [first] = run;
  if (cut === 'error' || !first) return begun;
  const post = { type: 'postCall', run: first.run, iteration: 1, seq: at, time: 0 } as const;
  if (cut === 'cancel') return [...begun, { ...post, outcome: 'cancelled' }];
  const asked = begun.flatMap((event) => (event.type === 'postReasoning' ? toolCallsOf(event.message) : []));
  const over = new Set(begun.flatMap((event) => (event.type === 'postActing' ? [event.toolCall.id] : [])));
  const open = asked.filter(({ id }) => !over.has(id));
  const pending = (open.length > 0 ? open : [{ id: 'unknown', name: 'value', input: {} }]).map((toolCall) => ({
    key: `${first.run.runId}/${toolCall.id}`,
    toolCall,
    judged: { ...toolCall, input: { judged: true } },
    prompt: 'may I?',
    by: 'h0',
  }));
  const empty = {
    version: 1,
    transcript: [],
    settled: [],
    finishing: false,
    state: {},
    iteration: 1,
    maxIterations: 4,
  };
  const snapshot = { ...empty, run: first.run, pending };
  return [...begun, { ...post, outcome: 'suspended', snapshot } as unknown as SettledEvent];
}
