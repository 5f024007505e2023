import { delay, of, throwError, VirtualTimeScheduler } from 'rxjs';
import { z } from 'zod';
import {
  abort,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  deny,
  finish,
  type Hook,
  type Message,
  type Model,
  memoryTranscript,
  modify,
  respond,
  retry,
  type SettledEvent,
  type Tool,
} from '../../../lib/index.ts';

/** A random agent as data: the calls of each turn, and what a hook does at which events. */
export interface CrashPlan {
  readonly turns: readonly (readonly { readonly tool: string }[])[];
  readonly hooks: readonly { readonly at: string; readonly nth: number; readonly what: string }[];
  readonly maxIterations: number;
  /** Whether each turn uses the same ids of calls, as some models do. */
  readonly sameIds: boolean;
  /** Whether the session has an earlier run with the same prompt. */
  readonly earlier: boolean;
}

/** The state of the world at the moment of a crash. */
export interface Crash {
  readonly journal: readonly SettledEvent[];
  readonly stored: readonly Message[];
  /** The numbers of the calls that have been executed, in order. */
  readonly executed: readonly number[];
  /** How many turns the model has played. */
  readonly turn: number;
  readonly made: number;
}

export const SESSION = 's';
export const IDEMPOTENT = 'again';

/** Runs the agent from the start, or from a crash. Returns all moments at which it could crash, and the end. */
export function crashable(plan: CrashPlan, from?: Crash & { readonly writeAhead: boolean }) {
  const scheduler = new VirtualTimeScheduler();
  const store = memoryTranscript();
  if (from && from.stored.length > 0) store.append(SESSION, from.stored);
  const executed = [...(from?.executed ?? [])];
  let turn = from?.turn ?? 0;
  let made = from?.made ?? 0;
  let begunWithId: string | undefined;

  const model: Model = () => {
    const calls = plan.turns[turn++] ?? [];
    const chunks = calls.map(({ tool }, index) => {
      const n = made++;
      const id = plan.sameIds ? `c${index}` : `c${n}`;
      return { type: 'toolCall' as const, toolCall: { id, name: tool, input: { n } } };
    });
    return of({ type: 'text' as const, delta: `turn ${plan.sameIds ? '' : turn}` }, ...chunks);
  };
  const behaviours: Record<string, () => ReturnType<Tool['execute']>> = {
    read: () => 'read',
    write: () => 'written',
    slow: () => of('slow').pipe(delay(3, scheduler)),
    fail: () => throwError(() => new Error('broke')),
    shown: () => ({ content: 'seen', isError: false, handled: true }),
    [IDEMPOTENT]: () => 'again',
  };
  const tools = Object.entries(behaviours).map(([name, act]) =>
    defineTool({
      name,
      description: name,
      permission: name === 'read' || name === 'slow' ? 'read' : 'write',
      ...(name === IDEMPOTENT && { idempotent: true }),
      inputSchema: z.object({ n: z.number() }),
      execute({ n }, { toolCall }) {
        begunWithId = toolCall.id;
        executed.push(n);
        return act();
      },
    }),
  );
  let id = (from?.journal.length ?? 0) * 10;
  const pipeline = createPipeline(plan.hooks.map(behave), {
    scheduler,
    newId: () => `r${id++}`,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const agent = createAgent({
    name: 'a',
    model,
    tools,
    pipeline,
    transcript: store,
    maxIterations: plan.maxIterations,
  });
  if (plan.earlier && !from) {
    agent.run('hello', { sessionId: SESSION }).subscribe();
    scheduler.flush();
  }
  const before = [...(store.sessions.get(SESSION) ?? [])];

  const events: SettledEvent[] = [];
  const crashes: Crash[] = [];
  const take = () => {
    const stored = [...(store.sessions.get(SESSION) ?? [])];
    crashes.push({ journal: [...events], stored, executed: [...executed], turn, made });
  };
  let thrown: unknown;
  const run$ = from
    ? agent.recover(from.journal, { writeAhead: from.writeAhead })
    : agent.run('hello', { sessionId: SESSION });
  run$.subscribe({
    next(event) {
      // At the last moment before this event, and at the first after it.
      take();
      events.push(JSON.parse(JSON.stringify(event)));
      take();
    },
    error: (error) => {
      thrown = error;
    },
  });
  scheduler.flush();
  const stored = store.sessions.get(SESSION) ?? [];
  return { events, crashes: crashes.slice(1), stored, executed, thrown, before, lastId: begunWithId };
}

/** A hook that does something at the nth event of a type. */
function behave({ at, nth, what }: CrashPlan['hooks'][number], index: number): Hook {
  let count = 0;
  const act = (event: never): never => {
    if (count++ !== nth) return undefined as never;
    const made: Record<string, () => unknown> = {
      abort: () => abort(event, 'enough'),
      rollback: () => abort(event, 'enough', { rollback: true }),
      respond: () => respond(event, 'by a hook' as never),
      deny: () => deny(event, 'no'),
      retry: () => retry(event, 'again' as never),
      finish: () => finish(event),
      rewrite: () => {
        const { toolCall } = event as { toolCall: { name: string } };
        return modify(event, {
          toolCall: { ...toolCall, name: toolCall.name === 'write' ? IDEMPOTENT : 'write' },
        } as never);
      },
      fail: () => {
        throw new Error('hook broke');
      },
    };
    return made[what]?.() as never;
  };
  return defineHook({ name: `h${index}`, on: { [at]: act } });
}
