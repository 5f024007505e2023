import { isObservable, Observable, tap } from 'rxjs';
import type { HookEvent } from '../../events/hook-event.ts';
import { isThenable } from '../../events/values/is-async.ts';
import type { Hook, HookDefinition } from '../../pipeline/define/hook.ts';
import type { Issues } from './contract-issues.ts';
import { inspectReturn } from './inspect-return.ts';

type Handler = (event: HookEvent, context: never) => unknown;
type Operator = (chunks$: Observable<HookEvent>, context: never) => unknown;
type Wrapper = (
  event: HookEvent,
  next: (request?: never, model?: never) => Observable<unknown>,
  context: never,
) => unknown;

/** A hook with inspected inputs and outputs. Its behaviour is unchanged. */
export interface Spy {
  readonly hook: Hook;
  /** Returns the number of active subscriptions of the hook to `chunks$` or `next()`. */
  held(): number;
  /** Parts that have been called so far, such as `on.preActing`. */
  readonly tried: ReadonlySet<string>;
}

export function spyOn(hook: Hook, issues: Issues): Spy {
  let held = 0;
  const tried = new Set<string>();
  const hold = <T>(source$: Observable<T>) =>
    new Observable<T>((subscriber) => {
      held += 1;
      const subscription = source$.subscribe(subscriber);
      return () => {
        held -= 1;
        subscription.unsubscribe();
      };
    });

  const handler =
    (handle: Handler): Handler =>
    (event, context) => {
      tried.add(`on.${event.type}`);
      const look = (value: unknown): void => {
        for (const one of Array.isArray(value) ? value : [value]) inspectReturn(event, one, `on.${event.type}`, issues);
      };
      const returned = handle(event, context);
      if (isObservable(returned)) return returned.pipe(tap(look));
      if (isThenable(returned)) {
        return returned.then((value) => {
          look(value);
          return value;
        });
      }
      look(returned);
      return returned;
    };

  const operator =
    (name: string, operate: Operator): Operator =>
    (chunks$, context) => {
      tried.add(`through.${name}`);
      let template: HookEvent | undefined;
      const seen$ = hold(chunks$).pipe(
        tap((chunk) => {
          template ??= chunk;
        }),
      );
      const returned = operate(seen$, context);
      if (!isObservable(returned)) return returned;
      return returned.pipe(tap((chunk) => template && inspectReturn(template, chunk, `through.${name}`, issues)));
    };

  const wrapper =
    (name: string, wrap: Wrapper): Wrapper =>
    (event, next, context) => {
      tried.add(`around.${name}`);
      return wrap(event, (request, model) => hold(next(request, model)), context);
    };

  const each = <T, R>(parts: object | undefined, wrap: (name: string, part: T) => R): object =>
    Object.fromEntries(Object.entries(parts ?? {}).map(([name, part]) => [name, part && wrap(name, part as T)]));
  const { on, through, around, approve } = hook;
  const watched = {
    ...hook,
    ...(on && {
      on: typeof on === 'function' ? handler(on as Handler) : each<Handler, Handler>(on, (_, one) => handler(one)),
    }),
    ...(through && { through: each<Operator, Operator>(through, operator) }),
    ...(around && { around: each<Wrapper, Wrapper>(around, wrapper) }),
    ...(approve && {
      approve: (event: never, context: never) => {
        tried.add('approve');
        return approve(event, context);
      },
    }),
    // The agents of sample events must not matter.
    ...(hook.match && { match: { ...hook.match, agents: ['*'] } }),
  } as HookDefinition as Hook;
  return { hook: Object.freeze(watched), held: () => held, tried };
}

/** Returns the parts of a hook in the contract, with the names in `tried`. */
export function partsOf({ on, through, around, approve }: Hook): readonly string[] {
  const named = (prefix: string, parts: object | undefined) =>
    Object.entries(parts ?? {}).flatMap(([name, part]) => (part ? [`${prefix}.${name}`] : []));
  return [
    ...(typeof on === 'function' ? [] : named('on', on)),
    ...named('through', through),
    ...named('around', around),
    ...(approve ? ['approve'] : []),
  ];
}
