import { defer, EMPTY, isObservable, Observable } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { PostCall } from '../../events/post-call.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { AnswerTime } from '../chunks/source.ts';
import type { Hook } from '../define/hook.ts';
import type { AnyPipeline, ChildOptions, RunChild } from '../define/hook-context.ts';
import type { Lifetime } from '../flow/lifetime.ts';
import type { ChildResume, SuspendedChild } from '../run/run.ts';
import type { RunScope } from '../run/run-scope.ts';
import type { StepScope } from '../run/step-scope.ts';

const optionsSchema = z.strictObject({
  pipeline: z
    .custom((value) => typeof (value as AnyPipeline | null)?.start === 'function', 'must come from createPipeline()')
    .optional(),
  metadata: z.unknown().optional(),
});

/** The call for which a tool runs sub-agents. */
interface ChildCall {
  readonly toolCall: ToolCall;
  /** The state that the sub-agent resumes, if the call was suspended with it. */
  readonly resume: ChildResume | undefined;
  /** No sub-agent starts after its end. */
  readonly answer: Pick<AnswerTime, 'over'>;
  /** Receives the events of the sub-agent and its suspension. */
  readonly show: (event: SettledEvent) => void;
  readonly suspend: (child: SuspendedChild) => void;
}

/** Creates `child` for a tool that starts. */
export function childForCall({ scope, lifetime }: StepScope, call: ChildCall): RunChild {
  const { pipeline, relay } = scope.host;
  const { toolCall, resume, answer, show, suspend } = call;
  const begun = new Map<string | undefined, number>();
  return (agent, input, options = {}) =>
    defer(() => {
      check(agent, options);
      if (answer.over) {
        // No error, because few late callers handle one.
        scope.log.error(
          { tool: toolCall.name },
          'a tool started a sub-agent after the end of its call; nothing was run',
        );
        return EMPTY;
      }
      const order = begun.get(agent?.name) ?? 0;
      begun.set(agent?.name, order + 1);
      // The snapshot belongs to one of the runs of the call. A repeated tool starts earlier runs again first.
      const suspended = resume?.snapshot['run'] as { agent?: unknown } | undefined;
      const from = suspended?.agent === agent?.name && order === (resume?.order ?? 0) ? resume : undefined;
      const own = options.pipeline === undefined || options.pipeline === pipeline;
      return runWithin(
        scope,
        agent,
        input,
        { pipeline: options.pipeline ?? pipeline, options, lifetime, from },
        (event) => {
          if (!own) relay(event);
          show(event);
        },
      ).pipe(stopWhenSuspended(toolCall, (snapshot) => suspend({ snapshot, order })));
    });
}

/**
 * Creates `context.child` for a hook. Its sub-agent runs without that hook, which would otherwise call itself. Its events are not part of the
 * stream. It ends with `within`.
 */
export function childForHook(scope: RunScope, hook: Hook, within: Lifetime): RunChild {
  return (agent, input, options = {}) =>
    defer(() => {
      check(agent, options);
      const pipeline = options.pipeline ?? scope.host.pipeline.without(hook.name);
      return runWithin(scope, agent, input, { pipeline, options, lifetime: within, from: undefined }, () => {});
    });
}

function runWithin(
  scope: RunScope,
  agent: Parameters<RunChild>[0],
  input: Parameters<RunChild>[1],
  link: { pipeline: AnyPipeline; options: ChildOptions; lifetime: Lifetime; from: ChildResume | undefined },
  show: (event: SettledEvent) => void,
): Observable<PostCall> {
  return new Observable<PostCall>((subscriber) => {
    const events$: unknown = agent.runChild(input, {
      run: scope.info,
      pipeline: link.pipeline,
      options: link.options,
      lifetime: link.lifetime,
      ...(link.from && { snapshot: link.from.snapshot, answers: link.from.answers }),
    });
    if (!isObservable(events$)) {
      ignoreRejection(events$);
      const message = `child(agent, input): runChild of agent "${agent.name}" must give an Observable of its events.`;
      throw new HooklineError('TOOL_FAILED', message);
    }
    return (events$ as Observable<HookEvent>).subscribe({
      next(event) {
        show(event as SettledEvent);
        if (event.type === 'postCall' && event.run.parentRunId === scope.info.runId) subscriber.next(event);
      },
      error: (thrown) => subscriber.error(thrown),
      complete: () => subscriber.complete(),
    });
  });
}

function check(agent: Parameters<RunChild>[0], options: ChildOptions): void {
  if (typeof agent?.runChild !== 'function') {
    throw new HooklineError(
      'TOOL_FAILED',
      'child(agent, input): the first argument must be an agent (createAgent makes them).',
    );
  }
  parseOptions('child(agent, input, options)', optionsSchema, options);
}

/** A suspended sub-agent suspends the call that started it. The caller that awaits the sub-agent gets an error. */
function stopWhenSuspended(toolCall: ToolCall, suspend: (snapshot: JsonObject) => void) {
  return (posts$: Observable<PostCall>): Observable<PostCall> =>
    new Observable((subscriber) =>
      posts$.subscribe({
        next(post) {
          if (post.outcome !== 'suspended' || !post.snapshot) return subscriber.next(post);
          suspend(post.snapshot);
          subscriber.error(
            new HooklineError(
              'TOOL_FAILED',
              `Call ${toolCall.id} is suspended with its sub-agent "${post.run.agent}".`,
            ),
          );
        },
        error: (thrown) => subscriber.error(thrown),
        complete: () => subscriber.complete(),
      }),
    );
}
