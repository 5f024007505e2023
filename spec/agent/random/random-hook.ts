import {
  concat,
  concatMap,
  defer,
  delay,
  EMPTY,
  from,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  race,
  retry as retrySource,
  take,
  throwError,
  timeout,
  timer,
  toArray,
} from 'rxjs';
import {
  abort,
  type ChunkEvent,
  defineHook,
  deny,
  type EventType,
  finish,
  type GateEvent,
  type Hook,
  type HookEvent,
  type Message,
  modify,
  respond,
  retry,
  verdict,
} from '../../../lib/index.ts';
import type { HookPlan } from './random-plan.ts';
import type { World } from './random-world.ts';

/** A hook that follows its plan and reports the data for the invariants to the world. */
export function randomHook(plan: HookPlan, index: number, world: World): Hook {
  const name = `h${index}`;
  let calls = 0;
  /** Behaviours that end things are rare, or nothing else would ever happen. */
  const now = () => calls++ % (plan.rare * 2) === plan.rare - 1;

  const on = Object.fromEntries(
    (Object.entries(plan.on ?? {}) as [EventType, string][]).map(([type, behaviour]) => [
      type,
      (event: HookEvent) => {
        world.handled(name, event);
        if (event.type === 'reasoningChunk' || event.type === 'actingChunk') return chunk(event, behaviour);
        return gate(event, behaviour);
      },
    ]),
  );

  function gate(event: GateEvent, behaviour: string): unknown {
    world.took(`gate ${behaviour}`);
    if (behaviour === 'mutate') return mutate(event);
    if (behaviour === 'modify') return change(event);
    if (!now()) return undefined;
    if (behaviour === 'later') return of(change(event)).pipe(delay(1, world.scheduler));
    if (behaviour === 'laterEmpty') return EMPTY;
    if (behaviour === 'throw') throw new Error(`${name} throws`);
    if (behaviour === 'hang') return NEVER;
    if (behaviour === 'rubbish')
      return [42, null, 'yes', { type: 'nonsense' }, { ...event, type: 'preCall', run: {} }][calls % 5];
    if (behaviour === 'decide') return decide(event);
    if (behaviour === 'calls') return writeCalls(event);
    if (behaviour === 'illegal') return { ...event, decision: { action: 'suspend', prompt: 'x' } };
    if (behaviour === 'forget') decide(event);
    return behaviour === 'pass' ? event : undefined;
  }

  function change(event: GateEvent): HookEvent {
    if (event.type === 'preReasoning') return modify(event, { messages: [...event.messages] });
    if (event.type === 'preActing')
      return modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, n: calls++ } } });
    if (event.type === 'postActing')
      return modify(event, { result: { ...event.result, content: `${event.result.content}!` } });
    if (event.type === 'postReasoning')
      return modify(event, { message: { ...event.message, parts: [...event.message.parts] } });
    return event;
  }

  function decide(event: GateEvent): HookEvent {
    const pick = calls % 4;
    switch (event.type) {
      case 'preCall':
      case 'preReasoning':
        return pick < 3
          ? respond(event, `by ${name}`)
          : abort(event, 'enough', { rollback: pick === 3 && calls % 8 > 4 });
      case 'postReasoning':
        return pick < 2 ? retry(event, 'again') : pick === 2 ? finish(event) : abort(event, 'enough');
      case 'preActing':
        return pick < 2 ? respond(event, 'stub') : pick === 2 ? deny(event, 'no') : abort(event, 'enough');
      case 'postActing':
        return pick < 3 ? finish(event) : abort(event, 'enough');
      case 'error':
        if (event.phase === 'acting') return pick < 2 ? respond(event, 'recovered') : retry(event);
        return event.phase === 'call' || pick < 2 ? respond(event, 'recovered') : retry(event);
      default:
        return event;
    }
  }

  /** Writes tool calls into any possible message: some run, some are rejected, none may stay open. */
  function writeCalls(event: GateEvent): HookEvent | undefined {
    const id = `${name}-${calls}`;
    // The first event of a hook is preCall, so its call count alone would never reach this there.
    const twice = (calls + plan.priority / 10) % 3 === 0;
    const toolCall = { id, name: calls % 2 === 0 ? 'value' : 'unknown', input: { n: 1 } };
    const part = { type: 'toolCall' as const, toolCall };
    const message: Message = { role: 'assistant', parts: twice ? [part, part] : [part] };
    world.took(`calls ${event.type}${twice ? ' twice' : ''}`);
    switch (event.type) {
      case 'preCall':
        return twice ? respond(event, message) : modify(event, { messages: [message, ...event.messages] });
      case 'preReasoning':
        return respond(event, message);
      case 'postReasoning':
        if (calls % 5 === 0) return retry(event, [message]);
        return modify(event, { message: { role: 'assistant', parts: [...event.message.parts, ...message.parts] } });
      case 'postCall':
        return modify(event, { message: twice ? message : { role: 'assistant', parts: [] } });
      case 'error':
        return event.phase === 'acting' ? undefined : respond(event, message);
      default:
        return undefined;
    }
  }

  function mutate(event: HookEvent): undefined {
    // Later mutations by a hook must not be visible to others.
    world.later(() => {
      for (const target of [event, (event as { toolCall?: { input: object } }).toolCall?.input]) {
        try {
          if (target) (target as Record<string, unknown>)['n'] = 666;
        } catch {}
      }
    });
    return undefined;
  }

  function chunk(event: ChunkEvent, behaviour: string): unknown {
    world.took(`chunk ${behaviour}`);
    if (event.type === 'actingChunk') world.took(`acting chunk ${behaviour}`);
    const changed = () =>
      event.type === 'reasoningChunk'
        ? modify(event, { delta: `${event.delta}.` })
        : modify(event, { content: `${event.content}.` });
    if (behaviour === 'modify') return event.last ? undefined : changed();
    if (behaviour === 'split') return event.last ? [changed(), event] : [event, changed()];
    if (behaviour === 'later') return of(event).pipe(delay(1, world.scheduler));
    if (behaviour === 'mutate') return mutate(event);
    // Few calls get as far as printing.
    if (event.type === 'reasoningChunk' && !now()) return undefined;
    if (behaviour === 'drop') return EMPTY;
    if (behaviour === 'throw') throw new Error(`${name} throws`);
    if (behaviour === 'hang') return NEVER;
    if (behaviour === 'rubbish') return [7, null, [undefined], { ...event, run: undefined }][calls % 4];
    if (behaviour === 'finish') return finish(event);
    if (behaviour === 'abort') return abort(event, 'enough');
    return event;
  }

  function through(behaviour: string | undefined) {
    if (!behaviour) return undefined;
    return <E extends ChunkEvent>(chunks$: Observable<E>): Observable<E> => {
      world.took(`through ${behaviour}`);
      world.alive();
      if (behaviour === 'buffer')
        return chunks$.pipe(
          toArray(),
          concatMap((all) => from(all)),
        );
      if (behaviour === 'early') return chunks$.pipe(take(1));
      if (behaviour === 'never') return now() ? concat(chunks$, NEVER) : chunks$;
      if (behaviour === 'throw')
        return now()
          ? concat(
              chunks$,
              throwError(() => new Error(`${name} throws`)),
            )
          : chunks$;
      if (behaviour === 'delay') return chunks$.pipe(delay(1, world.scheduler));
      if (behaviour === 'tail') {
        let last: E | undefined;
        return concat(
          chunks$.pipe(map((one) => (last = one))),
          defer(() => (last ? of(last) : EMPTY)),
        );
      }
      return chunks$;
    };
  }

  function around<T>(behaviour: string | undefined, answer: () => T) {
    if (!behaviour) return undefined;
    return (_event: unknown, next: () => Observable<T>): Observable<T> => {
      world.took(`around ${behaviour}`);
      world.alive();
      if (behaviour === 'retry') return next().pipe(retrySource(1));
      if (behaviour === 'answer') return now() ? of(answer()) : next();
      if (behaviour === 'timeout') return next().pipe(timeout({ first: 4, scheduler: world.scheduler }));
      if (behaviour === 'throw') return now() ? throwError(() => new Error(`${name} throws`)) : next();
      if (behaviour === 'twice') return now() ? concat(next().pipe(take(1)), next()) : next();
      if (behaviour === 'beside') return now() ? merge(next(), next()) : next();
      if (behaviour === 'race') return now() ? race(next(), next()) : next();
      return next();
    };
  }

  return defineHook({
    name,
    priority: plan.priority,
    onFailure: plan.throughReasoning || plan.throughActing || (plan.approve && !plan.on) ? 'block' : plan.onFailure,
    on: on as never,
    through: {
      reasoningChunk: through(plan.throughReasoning) as never,
      actingChunk: through(plan.throughActing) as never,
    },
    around: {
      reasoning: around(plan.aroundReasoning, () => ({ type: 'text', delta: 'cached' })) as never,
      acting: around(plan.aroundActing, () => 'cached') as never,
    },
    ...(plan.approve && {
      approve: ((event: Extract<HookEvent, { type: 'preActing' }>) => {
        world.handled(name, event, true);
        world.judged(event);
        world.took(`approve ${plan.approve}`);
        if (plan.approve === 'later') return of(verdict.allow()).pipe(delay(1, world.scheduler));
        if (plan.approve === 'suspend') return verdict.suspend('may I?');
        if (!now()) return verdict.allow();
        if (plan.approve === 'deny') return verdict.deny('no');
        if (plan.approve === 'throw') throw new Error(`${name} throws`);
        if (plan.approve === 'hang') return NEVER;
        if (plan.approve === 'rubbish') return true;
        return verdict.allow();
      }) as never,
    }),
    observe: () => {
      if (!plan.observe) return undefined;
      world.took(`observe ${plan.observe}`);
      if (plan.observe === 'throw') throw new Error(`${name} throws`);
      return plan.observe === 'slow' ? timer(1, world.scheduler) : undefined;
    },
  });
}
