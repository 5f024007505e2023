import { of } from 'rxjs';
import { autoContext, memoryStateStore } from '../../../lib/hooks/index.ts';
import {
  assistantMessage,
  createAgent,
  createPipeline,
  defineTool,
  type Message,
  type Model,
  type ModelChunk,
  userMessage,
} from '../../../lib/index.ts';
import { measure } from '../measure.ts';
import type { BenchResult } from '../result.ts';

const STEPS = 40;
const WORDS = 'the a file line error value function returns found where which is not here and build test path of'.split(
  ' ',
);

/** Some English about code, another one for each seed. */
function text(words: number, seed: number): string {
  let at = seed * 7 + 1;
  return Array.from({ length: words }, () => {
    at = (at * 1_103 + 12_345) % 65_537;
    return WORDS[at % WORDS.length];
  }).join(' ');
}

/** A step of an agent with auto-context, real tokens, behind 2,000 messages and behind 20: all fit, or most are left out. */
export function autoContextBench(): BenchResult[] {
  const row = (name: string, maxTokens: number): BenchResult => {
    const times = measure({ few: stepping(20, maxTokens), many: stepping(2_000, maxTokens) }, STEPS);
    const value = (times['many'] ?? 0) / (times['few'] ?? 1);
    return { name, unit: 'times the cost', value, most: 1.5 };
  };
  return [
    row('step with auto-context behind 2,000 messages that fit, against behind 20, tokens counted', 1_000_000),
    row('the same where most of them have to be left out', 120_000),
  ];
}

function stepping(count: number, maxTokens: number): () => void {
  const history: Message[] = Array.from({ length: count / 2 }, (_, at) => [
    userMessage(text(60, at)),
    assistantMessage(text(60, at + 1)),
  ]).flat();
  // Nothing of a round stays for the next one.
  const transcript = { load: () => history, append() {}, truncate() {} };
  const pipeline = createPipeline([autoContext({ maxTokens }, { store: memoryStateStore() })]);
  let nth = 0;
  let asked = 0;
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    permission: 'read',
    inputSchema: { type: 'object' },
    execute() {
      nth += 1;
      return text(600, nth);
    },
  });
  const finish = (finishReason: 'stop' | 'toolCalls'): ModelChunk => ({ type: 'finish', finishReason });
  const model: Model = ({ tools }) => {
    // A summary is asked for without tools.
    if (tools.length === 0) return of<ModelChunk[]>({ type: 'text', delta: 'A summary.' }, finish('stop'));
    asked += 1;
    const toolCall = { id: `c${asked}`, name: 'look', input: {} };
    if (asked % STEPS === 0) return of<ModelChunk[]>({ type: 'text', delta: 'Done.' }, finish('stop'));
    return of<ModelChunk[]>({ type: 'toolCall', toolCall }, finish('toolCalls'));
  };
  const agent = createAgent({ name: 'a', model, tools: [look], pipeline, transcript, maxIterations: STEPS });
  return () => {
    const before = asked;
    agent.run('Go.', { sessionId: 's' }).subscribe();
    if (asked - before !== STEPS) throw new Error(`only ${asked - before} of ${STEPS} steps ran`);
  };
}
