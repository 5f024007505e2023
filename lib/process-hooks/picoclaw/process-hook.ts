import { catchError, type Observable, throwError } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Handlers, type Hook, type HookDefinition, type Verdict, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { chunkParts } from '../protocol-2/chunk-parts.ts';
import { createKnownRuns, type KnownRuns } from '../protocol-2/known-runs.ts';
import { afterLlmParams, takeAfterLlm } from './after-llm.ts';
import { afterToolParams, takeAfterTool } from './after-tool.ts';
import { takeApproval } from './approve-tool.ts';
import { assertReply } from './assert-reply.ts';
import { beforeLlmParams, takeBeforeLlm } from './before-llm.ts';
import { takeBeforeTool, toolParams } from './before-tool.ts';
import type { Reading } from './dialect.ts';
import { createHookProcess, type HookProcess } from './hook-process.ts';
import { legacyParams, runtimeParams, toRuntimeEvents } from './observe/runtime-event.ts';
import { toKinds } from './observe/runtime-kinds.ts';
import { createTurnRecords } from './observe/turn-records.ts';
import type { Intercept, ProcessHookOptions, ProcessHookSettings } from './options.ts';
import { modesOf, readOptions } from './read-options.ts';

/** In profile `picoclaw`, process hooks run after all hooks of this process. */
const BEHIND_ALL = 1_000_000;

/** A hook whose handlers run in another process. */
export interface ProcessHook extends Hook {
  /** Starts the process now instead of on first use. Errors if it fails. */
  start(): Observable<void>;
  /** Ends the process: closes its input, then SIGTERM, then SIGKILL. The hook cannot be used afterwards. */
  stop(): Promise<void>;
}

/**
 * Creates a PicoClaw process hook: JSON-RPC 2.0 in lines over the pipes of a child process. Invalid options throw `OPTIONS_INVALID`. Source of the
 * wire format and of the host's behaviour: sipeed/picoclaw, pkg/agent/hook_process.go and hooks.go.
 */
export function processHook(options: ProcessHookOptions): ProcessHook {
  const settings = readOptions(options);
  const { name, intercept, chunks, profile, match, onFailure, timeouts, log = consoleLogger } = settings;
  const kinds = toKinds(name, settings.observe);
  const modes = modesOf(settings);
  if (kinds.never.length > 0)
    log.warn({ hook: name, kinds: kinds.never }, 'a hook observes kinds of events that never occur');
  if (timeouts.observerMs !== undefined)
    log.warn({ hook: name }, 'timeouts.observerMs has no effect, because Hookline does not wait for observers');
  const runs = createKnownRuns();
  const own = createHookProcess(settings, modes, runs);
  const rewriter = {
    name,
    starts: () => own.starts,
    ask: (method: string, params: JsonObject) => own.ask(method, params, timeouts.interceptorMs),
    notify: (method: string, params: JsonObject) => own.notify(method, params),
  };
  const parts = chunkParts(chunks, rewriter, runs);
  const on = { ...handlersOf(settings, own, runs), ...parts.on };
  const open = profile === 'picoclaw' && chunks.length === 0;
  const hook = defineHook({
    name,
    description: `Process hook: ${settings.command.join(' ')}`,
    priority: profile === 'picoclaw' ? BEHIND_ALL + settings.priority : settings.priority,
    ...(match && { match: match as NonNullable<HookDefinition['match']> }),
    ...(Object.keys(on).length > 0 && { on, onFailure: onFailure ?? (open ? 'skip' : 'block') }),
    ...(chunks.length > 0 && { through: parts.through }),
    ...(intercept.includes('approve_tool') && { approve: approverOf(settings, own, runs) }),
    ...(kinds.reported.size > 0 && { observe: observerOf(settings, own, runs, kinds.reported) }),
    // Each call has a separate timeout.
    timeoutMs: Number.POSITIVE_INFINITY,
  });
  return Object.freeze({ ...hook, start: () => own.start(), stop: () => own.stop() });
}

function readingOf({ name, dialect, log = consoleLogger }: ProcessHookSettings, method: string): Reading {
  return {
    dialect,
    diagnose: (code, message) => log.warn({ hook: name, method, code }, `Hook process "${name}" ${message}`),
  };
}

function handlersOf(settings: ProcessHookSettings, own: HookProcess, runs: KnownRuns): Handlers {
  const { interceptorMs } = settings.timeouts;
  const models = new WeakMap<RunInfo, string>();
  const silent = new Set<Intercept>();
  const readings = new Map(settings.intercept.map((method) => [method, readingOf(settings, method)]));

  /**
   * The original calls both methods of a pair if one is subscribed to. A method that was not subscribed to and is not answered is not called again.
   */
  const wanted = (method: Intercept, twin: Intercept): boolean => {
    if (settings.intercept.includes(method)) return true;
    return settings.profile === 'picoclaw' && settings.intercept.includes(twin) && !silent.has(method);
  };
  const ask = <E extends HookEvent>(
    event: E,
    context: HookContext,
    method: Intercept,
    params: string,
    take: (event: E, reply: unknown, reading: Reading) => E | undefined,
  ): Observable<E> => {
    const reading = readings.get(method) ?? readingOf(settings, method);
    runs.meet(context);
    const answered$ = own.askAbout(event, `hook.${method}`, params, interceptorMs, (reply) => {
      assertReply(settings.name, `hook.${method}`, reply);
      return take(event, reply, reading) ?? event;
    });
    if (settings.intercept.includes(method)) return answered$;
    return answered$.pipe(
      catchError((thrown: unknown) => {
        const late = thrown instanceof HooklineError && thrown.code === 'HOOK_TIMEOUT';
        // A process that is down may still answer it after a restart.
        if (!late) return throwError(() => thrown);
        silent.add(method);
        reading.diagnose(
          'not-answered',
          `does not answer ${method}, which it did not subscribe to; it is not called again.`,
        );
        return [event];
      }),
    );
  };
  const llm = settings.intercept.some((one) => one.endsWith('_llm'));
  const tool = settings.intercept.some((one) => one === 'before_tool' || one === 'after_tool');
  return {
    ...(llm && {
      preReasoning(event, context) {
        models.set(event.run, event.model ?? '');
        return wanted('before_llm', 'after_llm')
          ? ask(event, context, 'before_llm', beforeLlmParams(event), takeBeforeLlm)
          : undefined;
      },
      postReasoning: (event, context) =>
        wanted('after_llm', 'before_llm')
          ? ask(event, context, 'after_llm', afterLlmParams(event, models.get(event.run) ?? ''), takeAfterLlm)
          : undefined,
    }),
    ...(tool && {
      preActing: (event, context) =>
        wanted('before_tool', 'after_tool')
          ? ask(event, context, 'before_tool', toolParams(event, 'turn.tool.before'), takeBeforeTool)
          : undefined,
      postActing(event, context) {
        const ran = event.outcome === 'executed' || event.outcome === 'failed';
        if (settings.profile === 'picoclaw' && !ran) return undefined;
        return wanted('after_tool', 'before_tool')
          ? ask(event, context, 'after_tool', afterToolParams(event), takeAfterTool)
          : undefined;
      },
    }),
  };
}

function approverOf(settings: ProcessHookSettings, own: HookProcess, runs: KnownRuns): NonNullable<Hook['approve']> {
  const reading = readingOf(settings, 'approve_tool');
  return (event, context): Observable<Verdict> | Verdict => {
    runs.meet(context);
    if (context.dryRun) return verdict.suspend(`hook process "${settings.name}" would be asked`);
    const params = toolParams(event, 'turn.tool.approve');
    return own.askAbout(event, 'hook.approve_tool', params, settings.timeouts.approvalMs, (reply) => {
      assertReply(settings.name, 'hook.approve_tool', reply);
      return takeApproval(reply, reading, own.protocol === 2);
    });
  };
}

function observerOf(
  settings: ProcessHookSettings,
  own: HookProcess,
  runs: KnownRuns,
  kinds: ReadonlySet<string>,
): NonNullable<Hook['observe']> {
  const { events } = settings.dialect;
  const recordOf = createTurnRecords();
  let nth = 0;
  return (event, context) => {
    runs.meet(context);
    for (const runtimeEvent of toRuntimeEvents(event, recordOf(event))) {
      if (!kinds.has(runtimeEvent.kind)) continue;
      nth += 1;
      if (events !== 'legacy') own.notify('hook.runtime_event', runtimeParams(event, runtimeEvent, nth), event);
      if (events !== 'runtime') own.notify('hook.event', legacyParams(event, runtimeEvent), event);
    }
  };
}
