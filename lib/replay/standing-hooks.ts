import { catchError, defaultIfEmpty, isObservable, map, type Observable, of, throwError } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { HookEvent } from '../events/hook-event.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { Hook, Verdict } from '../pipeline/define/hook.ts';
import type { HookContext } from '../pipeline/define/hook-context.ts';
import type { ToolReturn } from '../pipeline/define/tool.ts';
import type { RecordedEffects } from './recorded-effects.ts';

/** What hooks of a replay need. */
export interface StandingOptions {
  readonly effects: RecordedEffects;
  /** Whether a hook must not run, because it starts programs or runs code that could do anything. What it answered then stands. */
  readonly isOutward: (hook: Hook) => boolean;
  /** Answers a call of a tool that a hook adds. */
  readonly answer: (toolCall: ToolCall) => ToolReturn;
  /** A promise that the replay waits for. */
  readonly settling: (promise: Promise<unknown>) => void;
  /** Whether the recording has a result of a call, so that the run can go on after it. */
  readonly ran: (toolCall: ToolCall) => boolean;
}

type Handle = (event: never, context: HookContext) => unknown;

/**
 * Returns the hooks for a replay: they have no effects outside. A hook that reads `context.dryRun` or sends model requests reaches outside: where it
 * leaves the event unchanged, its recorded effect is applied. Hooks that only observe are left out.
 */
export function standingHooks(hooks: readonly Hook[], options: StandingOptions): readonly Hook[] {
  return hooks.flatMap((hook) => {
    const { on, through, around, approve, redact, tools } = hook;
    if (!on && !through && !around && !approve && !redact && !tools) return [];
    return [options.isOutward(hook) ? recordedHook(hook, options) : standingHook(hook, options)];
  });
}

/** A hook that only repeats what it did. */
function recordedHook(hook: Hook, options: StandingOptions): Hook {
  const { observe: _, traced: __, through: ___, around: ____, redact: _____, denies: ______, ...rest } = hook;
  const { effects } = options;
  return {
    ...rest,
    on: (event) => effects.applied(hook.name, event),
    ...(hook.tools && { tools: recordedTools(hook, options) }),
    ...(hook.approve && { approve: (event) => stand({ verdict: 'approved' }, true, hook, event.toolCall, options) }),
  };
}

function standingHook(hook: Hook, options: StandingOptions): Hook {
  const { effects } = options;

  function gate(handle: Handle): Handle {
    return (event: HookEvent, context) => {
      const outside = watchOutside(context);
      const settle = (returned: unknown): unknown => {
        const unchanged = returned === undefined || returned === event;
        return unchanged && outside.touched ? effects.applied(hook.name, event) : returned;
      };
      const fallBack = (thrown: unknown): unknown => {
        if (outside.touched) return effects.applied(hook.name, event);
        throw thrown;
      };
      return after(() => handle(event as never, outside.context), settle, fallBack, options.settling);
    };
  }

  function approve(event: Parameters<NonNullable<Hook['approve']>>[0], context: HookContext) {
    const outside = watchOutside(context);
    const settle = (returned: unknown) => stand(returned as Verdict, outside.touched, hook, event.toolCall, options);
    const fail = (thrown: unknown): never => {
      throw thrown;
    };
    return after(() => hook.approve?.(event, outside.context), settle, fail, options.settling) as Verdict;
  }

  const { on } = hook;
  return {
    ...hook,
    ...(typeof on === 'function' && { on: gate(on) as typeof on }),
    ...(typeof on === 'object' && {
      on: Object.fromEntries(Object.entries(on).map(([type, handle]) => [type, gate(handle as Handle)])),
    }),
    ...(hook.approve && { approve }),
    ...(hook.tools && { tools: recordedTools(hook, options) }),
    ...(hook.observe && {
      observe: (event, context, steps) => hook.observe?.(event, watchOutside(context).context, steps),
    }),
  };
}

function recordedTools({ tools = [] }: Hook, { answer }: StandingOptions) {
  return tools.map((tool) => ({
    ...tool,
    execute: (_: unknown, { toolCall }: { toolCall: ToolCall }) => answer(toolCall),
  }));
}

/** Begins the reason in the trace if an approver would ask now, and did not then. The prompt follows. The run goes on as it did. */
export const WOULD_ASK = 'would ask now';

/** Nobody is asked: what an approver answered about the same call stands. */
function stand(
  now: Verdict,
  outside: boolean,
  hook: Hook,
  toolCall: ToolCall,
  { effects, ran }: StandingOptions,
): Verdict {
  const waits = now?.verdict === 'suspended';
  // A verdict with a reason is the hook's own; one without may only mean that nothing was counted or asked.
  if (!waits && !(outside && now?.verdict === 'approved' && now.reason === undefined)) return now;
  const then = effects.verdict(hook.name, toolCall);
  // A rule denied the call then. Nobody was asked about it.
  if (waits && then?.verdict === 'denied' && !then.asked) return now;
  if (then !== undefined || !waits) return then ?? now;
  return ran(toolCall) ? { verdict: 'approved', reason: `${WOULD_ASK}: ${now.prompt}` } : now;
}

/** A context that has no effects outside, and tells whether the hook would have had some. */
function watchOutside(context: HookContext): { readonly context: HookContext; readonly touched: boolean } {
  let touched = false;
  const refuse = (): Observable<never> =>
    throwError(() => new HooklineError('MODEL_FAILED', 'A replay sends no model requests for hooks.'));
  return {
    get touched() {
      return touched;
    },
    context: new Proxy(context, {
      get(target, key) {
        if (key !== 'dryRun' && key !== 'ask' && key !== 'child') return Reflect.get(target, key);
        touched = true;
        return key === 'dryRun' ? true : refuse;
      },
    }),
  };
}

/** Continues with what a handler returns, now or later. */
function after(
  handle: () => unknown,
  settle: (returned: unknown) => unknown,
  fail: (thrown: unknown) => unknown,
  settling: (promise: Promise<unknown>) => void,
): unknown {
  let returned: unknown;
  try {
    returned = handle();
  } catch (thrown) {
    return fail(thrown);
  }
  if (isObservable(returned)) {
    return returned.pipe(
      defaultIfEmpty(undefined),
      map(settle),
      catchError((thrown) => of(fail(thrown))),
    );
  }
  if (typeof (returned as Promise<unknown> | undefined)?.then !== 'function') return settle(returned);
  const later = Promise.resolve(returned).then(settle, fail);
  settling(later);
  return later;
}
