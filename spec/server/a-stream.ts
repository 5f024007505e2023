import type { HookEvent, RunInfo, SettledEvent } from '../../lib/index.ts';
import { anEvent } from '../../lib/testing/index.ts';

const info = (runId: string, depth = 0): RunInfo => ({ runId, sessionId: 's', agent: 'a', depth });

/** Creates the events of a run and its sub-agents: each run counts its own. */
export function aStream() {
  const seqs = new Map<string, number>();
  const settle = (event: HookEvent, run: RunInfo): SettledEvent => {
    const seq = seqs.get(run.runId) ?? 0;
    seqs.set(run.runId, seq + 1);
    return { ...event, run, seq, time: seq } as SettledEvent;
  };
  return {
    text: (delta: string, own = {}) => settle(anEvent.text(delta, own), info('own')),
    childText: (delta: string, own = {}) => settle(anEvent.text(delta, own), info('child', 1)),
    gate: (size = 0) => settle(anEvent.preCall('x'.repeat(size)), info('own')),
    end: () => settle(anEvent.postCall(), info('own')),
  };
}
