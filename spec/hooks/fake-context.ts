import { pino } from 'pino';
import { asyncScheduler } from 'rxjs';
import type { HookContext } from '../../lib/pipeline/define/hook-context.ts';

/** A minimal context for a direct call to a hook. `logged` collects the lines sent to `log`. */
export function fakeContext(overrides: Partial<HookContext> = {}): HookContext & { logged: Record<string, unknown>[] } {
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const unused = () => {
    throw new Error('not part of the fake context');
  };
  return {
    run: { runId: 'run-1', sessionId: 'session-1', agent: 'main', depth: 0 },
    transcript: [],
    signal: new AbortController().signal,
    log,
    scheduler: asyncScheduler,
    state: unused,
    seal: unused,
    ask: unused,
    askedUsage: undefined,
    dryRun: false,
    mayRead: () => true,
    child: unused,
    ...overrides,
    logged,
  };
}
