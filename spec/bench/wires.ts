import { type OperatorFunction, Subject } from 'rxjs';
import { toAgUi } from '../../lib/adapters/ag-ui/index.ts';
import { toUiMessageStream } from '../../lib/adapters/ai-sdk-ui/index.ts';
import type { ReasoningChunk, SettledEvent } from '../../lib/index.ts';
import { measure } from './measure.ts';
import type { BenchResult } from './result.ts';

const CHUNKS = 20_000;
const run = { runId: '0b0f5c6e-6a4c-4b52-9a3e-1c9f7d0a5e11', sessionId: 's', agent: 'a', depth: 0 };

/** What a text chunk costs on its way to a wire, in times of writing what it becomes as JSON. */
export function wiresBench(): BenchResult[] {
  return [mapped('the AI SDK UI stream', toUiMessageStream()), mapped('AG-UI', toAgUi())];
}

function mapped(wire: string, operator: OperatorFunction<SettledEvent, object>): BenchResult {
  const chunks = Array.from({ length: CHUNKS }, (_, seq) => chunk(seq));
  let sent: object[] = [];
  const map = (): void => {
    sent = [];
    const events$ = new Subject<SettledEvent>();
    events$.pipe(operator).subscribe((one) => sent.push(one));
    for (const event of chunks) events$.next(event);
  };
  map();
  const deltas = sent.slice(-CHUNKS);
  let length = 0;
  const write = (): void => {
    for (const one of deltas) length += JSON.stringify(one).length;
  };
  const { map: mapping = 0, write: writing = 0 } = measure({ map, write }, CHUNKS);
  if (length === 0) throw new Error('Nothing was written.');
  return {
    name: `a text chunk to ${wire}, against JSON.stringify of what it becomes`,
    unit: 'times the cost',
    value: mapping / writing,
    most: 3,
  };
}

function chunk(seq: number): SettledEvent<ReasoningChunk> {
  const place = { run, iteration: 1, seq, time: seq, block: 0, attempt: 1, last: false } as const;
  return { type: 'reasoningChunk', ...place, part: 'text', delta: `word ${seq} ` };
}
