import {
  concat,
  defer,
  delay,
  finalize,
  from,
  NEVER,
  type Observable,
  of,
  Subject,
  Subscription,
  throwError,
  VirtualTimeScheduler,
} from 'rxjs';
import { z } from 'zod';
import {
  type Agent,
  type Answers,
  createAgent,
  createPipeline,
  decisionStrictness,
  defineTool,
  type Hook,
  type HookEvent,
  type Interrupt,
  type JsonObject,
  type Logger,
  type Message,
  type Model,
  type ModelChunk,
  memoryTranscript,
  type PreActing,
  pendingCalls,
  type SettledEvent,
  type Tool,
  type ToolReturn,
} from '../../../lib/index.ts';
import { randomHook } from './random-hook.ts';
import type { Plan, TurnPlan } from './random-plan.ts';

/** One random agent in virtual time, with everything recorded about it. */
export interface World {
  readonly scheduler: VirtualTimeScheduler;
  readonly settled: SettledEvent[];
  readonly issues: string[];
  readonly stored: readonly Message[];
  /** Sources of models and tools that have started and not ended. */
  readonly open: number;
  /** Whether the user has sent a message to a run that listened. */
  readonly said: boolean;
  took(branch: string): void;
  /** A handler has been called with `event`. */
  handled(hook: string, event: HookEvent, approver?: boolean): void;
  judged(event: PreActing): void;
  alive(): void;
  later(action: () => void): void;
}

const SESSION = 's';
/** Nearly every line would contain an error with its stack, which takes longer to write than the run. */
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs a plan to its end, resumes included, and returns the records. `took` counts the branches. */
export function runWorld(
  plan: Plan,
  took: (branch: string) => void,
  more: readonly Hook[] = [],
): World & { readonly runs: readonly (readonly SettledEvent[])[] } {
  const scheduler = new VirtualTimeScheduler();
  const settled: SettledEvent[] = [];
  const issues: string[] = [];
  const store = memoryTranscript();
  const lastJudged = new Map<string, string>();
  const strictest = new Map<string, number>();
  let ended = false;
  let said = false;
  let open = 0;
  let turns = 0;
  let calls = 0;

  const world: World = {
    scheduler,
    settled,
    issues,
    get stored() {
      return store.sessions.get(SESSION) ?? [];
    },
    get open() {
      return open;
    },
    get said() {
      return said;
    },
    took,
    handled(hook, event, approver = false) {
      if (ended) issues.push(`${hook} got ${event.type} after the end`);
      if (!Object.isFrozen(event)) issues.push(`${event.type} was not frozen`);
      if (approver || event.type === 'reasoningChunk' || event.type === 'actingChunk' || event.type === 'error') return;
      const key = JSON.stringify([
        event.run.runId,
        event.type,
        event.iteration,
        'toolCall' in event ? event.toolCall.id : 0,
        'attempt' in event ? event.attempt : 0,
        // A step that an error's retry repeats starts undecided, and later events do not name their attempt.
        settled.filter((one) => one.type === 'preReasoning' && one.run.runId === event.run.runId).length,
      ]);
      const now = event.decision
        ? decisionStrictness[(event.decision as { action: keyof typeof decisionStrictness }).action]
        : 0;
      if (now < (strictest.get(key) ?? 0)) issues.push(`a decision on ${event.type} was loosened`);
      strictest.set(key, now);
    },
    judged(event) {
      lastJudged.set(event.toolCall.id, JSON.stringify([event.toolCall.name, event.toolCall.input]));
    },
    alive() {
      if (ended) issues.push('something was started after the end');
    },
    later: (action) => void scheduler.schedule(action, 1),
  };

  const model: Model = () => {
    world.alive();
    const turn = plan.turns[turns++ % plan.turns.length] as TurnPlan;
    took(`model ${turn.failure}`);
    return watched(modelStream(turn));
  };

  function modelStream(turn: TurnPlan): Observable<ModelChunk> {
    const chunks: ModelChunk[] = [
      ...(turn.thinking ? [{ type: 'thinking' as const, delta: 'hm' }] : []),
      ...turn.texts.map((delta) => ({ type: 'text' as const, delta })),
      ...turn.calls.flatMap(({ tool, fits }): ModelChunk[] => {
        const id = `c${calls++}`;
        return [
          { type: 'toolInput', toolCallId: id, delta: '{' },
          { type: 'toolCall', toolCall: { id, name: tool, input: fits ? { n: 1 } : { n: 'x' } } },
        ];
      }),
    ];
    const all$: Observable<ModelChunk> =
      turn.delay === 0 ? from(chunks) : from(chunks).pipe(delay(turn.delay, scheduler));
    if (turn.failure === 'start') return throwError(() => new Error('model down'));
    if (turn.failure === 'middle')
      return concat(
        all$,
        throwError(() => new Error('model broke')),
      );
    if (turn.failure === 'hang') return concat(all$, NEVER);
    if (turn.failure === 'rubbish') return from([...chunks, { type: 'text' } as never]);
    return all$;
  }

  function watched<T>(source$: Observable<T>): Observable<T> {
    return defer(() => {
      open += 1;
      return source$.pipe(finalize(() => (open -= 1)));
    });
  }

  const behaviours: Record<string, () => ToolReturn> = {
    value: () => ({ fine: true }),
    slow: () => watched(of('slow').pipe(delay(3, scheduler))),
    throw: () => {
      throw new Error('tool broke');
    },
    hang: () => watched(NEVER),
    flood: () => watched(from(Array.from({ length: 50 }, (_, index) => `line ${index}\n`))),
    chunks: () => watched(from(['a', 'b', 'c']).pipe(delay(1, scheduler))),
    result: () => watched(from(['working', { content: 'made', isError: false }])),
    late_throw: () =>
      watched(
        concat(
          of('x'),
          throwError(() => new Error('tool broke late')),
        ),
      ),
    handled: () => ({ content: 'seen', isError: false, handled: true }),
  };
  const tools: Tool[] = Object.entries(behaviours).map(([name, act]) =>
    defineTool({
      name,
      description: name,
      inputSchema: z.object({ n: z.coerce.number() }),
      execute(input, { toolCall }) {
        world.alive();
        took(`tool ${name}`);
        const judged = lastJudged.get(toolCall.id);
        if (judged !== undefined && judged !== JSON.stringify([name, input]))
          issues.push(`judged ${judged}, ran ${JSON.stringify(input)}`);
        if (JSON.stringify(input) !== JSON.stringify(toolCall.input)) issues.push('the input is not the settled one');
        return act();
      },
    }),
  );

  const pipeline = createPipeline([...plan.hooks.map((hook, index) => randomHook(hook, index, world)), ...more], {
    scheduler,
    newId: (() => {
      let id = 0;
      return () => `r${id++}`;
    })(),
    log: silent,
    buffer: { chunks: 20, overflow: plan.maxIterations % 2 ? 'error' : 'dropOldest' },
  });
  pipeline.events$.subscribe((event) => settled.push(event));
  const agent: Agent = createAgent({
    name: 'a',
    model,
    tools,
    pipeline,
    transcript: store,
    maxIterations: plan.maxIterations,
    toolConcurrency: plan.concurrency,
  });

  const runs: SettledEvent[][] = [];
  runOnce((control) => agent.run('hello', { sessionId: SESSION, ...control }), plan.cancel.kind, plan.cancel.at);
  for (const answer of plan.answers) {
    const post = runs.at(-1)?.at(-1);
    if (post?.type !== 'postCall' || post.outcome !== 'suspended') break;
    took(`answer ${answer}`);
    const snapshot = JSON.parse(JSON.stringify(post.snapshot)) as JsonObject;
    const answers: Answers = Object.fromEntries(
      pendingCalls(snapshot).flatMap(({ key, judged }) =>
        answer === 'none'
          ? []
          : [
              [
                key,
                { approved: answer !== 'no', ...(answer === 'edit' && judged && { input: { ...judged.input, n: 7 } }) },
              ],
            ],
      ),
    );
    runOnce((control) => agent.resume(snapshot, answers, control), 'none', 0);
  }
  return Object.assign(world, { runs });

  function runOnce(start: (control: object) => Observable<SettledEvent>, cancel: string, at: number): void {
    const events: SettledEvent[] = [];
    const controller = new AbortController();
    const interrupt$ = new Subject<Interrupt>();
    const steering$ = new Subject<string>();
    ended = false;
    took(`cancel ${cancel}`);
    let completed = false;
    const subscription = new Subscription();
    const cancelAt = (when: number, kind: string) =>
      scheduler.schedule(() => {
        if (completed) return;
        if (kind === 'unsubscribe') {
          subscription.unsubscribe();
          ended = true;
        }
        if (kind === 'signal') controller.abort();
        if (kind === 'interrupt') interrupt$.next('cancel');
        if (kind === 'signal' || kind === 'interrupt') ended = true;
        if (kind === 'graceful') interrupt$.next('graceful');
        if (kind === 'steer') {
          said ||= steering$.observed;
          steering$.next('and this');
        }
      }, when);
    cancelAt(at, cancel);
    // Anything that hangs forever is cancelled at last, as a user would.
    cancelAt(1_000_000, 'signal');
    subscription.add(
      start({ signal: controller.signal, interrupt$, steering$ }).subscribe({
        next: (event) => events.push(event),
        error: (thrown) => issues.push(`the run threw: ${thrown instanceof Error ? thrown.stack : thrown}`),
        complete: () => {
          completed = true;
          ended = true;
        },
      }),
    );
    scheduler.flush();
    if (steering$.observed || interrupt$.observed) issues.push('a control stream is still listened to');
    if (open !== 0) issues.push(`${open} sources were left open`);
    if (cancel !== 'unsubscribe' && !completed) issues.push('the run did not complete');
    const ofThisRun = ({ run }: SettledEvent) => run.runId === events[0]?.run.runId;
    const heard = events.filter(ofThisRun).map(({ seq, type }) => `${seq} ${type}`);
    const told = settled.filter(ofThisRun).map(({ seq, type }) => `${seq} ${type}`);
    if (completed && heard.join() !== told.join())
      issues.push(`the caller heard ${heard}, and others were told ${told}`);
    runs.push(
      events.length > 0 && completed ? events : settled.filter((event) => event.run.runId === events[0]?.run.runId),
    );
    const outcome = runs.at(-1)?.at(-1);
    if (outcome?.type === 'postCall') took(`outcome ${outcome.outcome}`);
  }
}
