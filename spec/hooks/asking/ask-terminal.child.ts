/** A separate process for the specs on a real terminal: it prompts there for any stdin and prints the answers. */
import { asyncScheduler } from 'rxjs';
import type { Answer, Question } from '../../../lib/hooks/asking/ask-function.ts';
import { type AskTerminal, askTerminal } from '../../../lib/hooks/asking/ask-terminal.ts';

const question = (tool: string): Question => ({
  tool,
  input: {},
  permission: 'external',
  description: '',
  matched: { pattern: 'x', at: 'input', excerpt: 'x' },
  run: { runId: 'run-1', sessionId: 'session-1', agent: 'main', depth: 0 },
  prompt: `Run ${tool}?`,
});

function put(ask: AskTerminal, tool: string, signal = new AbortController().signal): void {
  const answer$ = ask(question(tool), { signal });
  if (typeof answer$ !== 'object' || !('subscribe' in answer$)) throw new Error('expected an Observable');
  answer$.subscribe({
    next: (answer: Answer) => console.log(`<${tool}: ${JSON.stringify(answer)}>`),
    complete: () => console.log(`<${tool} done>`),
  });
}

const scenarios: Record<string, () => void> = {
  two() {
    put(askTerminal, 'first');
    put(askTerminal, 'second');
  },
  late() {
    console.log('<busy>');
    asyncScheduler.schedule(() => put(askTerminal, 'first'), 300);
  },
  withdrawn() {
    const cancel = new AbortController();
    put(askTerminal, 'first', cancel.signal);
    put(askTerminal, 'second');
    asyncScheduler.schedule(() => cancel.abort(), 500);
  },
  interrupted() {
    process.once('SIGINT', () => {
      console.log('<SIGINT>');
      process.exit(7);
    });
    put(askTerminal, 'first');
  },
  readline() {
    // A host that reads lines itself in raw mode.
    const stdin = process.stdin as typeof process.stdin & { setRawMode(mode: boolean): void };
    stdin.setRawMode(true);
    stdin.on('data', (data) => {
      console.log(`<host: ${JSON.stringify(String(data))}>`);
      if (String(data) === 'q') process.exit(0);
    });
    put(askTerminal, 'first');
    console.log(`<host paused: ${stdin.isPaused()}>`);
  },
};

scenarios[process.argv[2] ?? 'two']?.();
