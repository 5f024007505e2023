import pino, { type Logger } from 'pino';
import { from, type Observable, type Subscription } from 'rxjs';
import { z } from 'zod';
import type { EventOf, EventType, SettledEvent } from '../../lib/events/hook-event.ts';
import type { ToolCall } from '../../lib/events/parts/tool-call.ts';
import type { JsonObject } from '../../lib/events/values/json-value.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import type { Hook } from '../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../lib/pipeline/define/model.ts';
import { defineTool, type Tool, type ToolContext, type ToolReturn } from '../../lib/pipeline/define/tool.ts';
import type { Run, RunOptions } from '../../lib/pipeline/run/run.ts';
import type { PipelineOptions } from '../../lib/pipeline/settings.ts';
import { describeEvent } from '../../lib/testing/describe-event.ts';

/** The results of a stream of events so far. */
export interface PhaseResults {
  readonly events: readonly SettledEvent[];
  readonly subscription: Subscription;
  readonly error: unknown;
  /** Resolves when the stream has ended in any way. */
  readonly ended: Promise<void>;
  readonly completed: boolean;
  of<T extends EventType>(type: T): readonly SettledEvent<EventOf<T>>[];
  lines(...types: readonly EventType[]): string[];
}

/** Subscribes to a stream and records it. */
export function hear(events$: Observable<SettledEvent>): PhaseResults {
  const events: SettledEvent[] = [];
  let resolve: () => void = () => {};
  const state = { error: undefined as unknown, completed: false };
  const ended = new Promise<void>((done) => {
    resolve = done;
  });
  const subscription = events$.subscribe({
    next: (event) => events.push(event),
    error(thrown) {
      state.error = thrown;
      resolve();
    },
    complete() {
      state.completed = true;
      resolve();
    },
  });
  return {
    events,
    subscription,
    ended,
    get error() {
      return state.error;
    },
    get completed() {
      return state.completed;
    },
    of: <T extends EventType>(type: T) =>
      events.filter((event) => event.type === type) as unknown as SettledEvent<EventOf<T>>[],
    lines: (...types) =>
      events
        .filter(({ type }) => types.length === 0 || types.includes(type))
        .map((event) => describeEvent(event, Number.POSITIVE_INFINITY)),
  };
}

/** A run on a pipeline with these hooks. */
export function start(hooks: readonly Hook[], options?: PipelineOptions, own?: Partial<RunOptions>): Run {
  return createPipeline(hooks, options).start({ agent: 'agent', sessionId: 'session', ...own });
}

/** A minimal request. */
export const request = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }] } as const;

/** A model that synchronously streams these texts, and other chunks unchanged. */
export function modelOf(...chunks: readonly (ModelChunk | string)[]): Model {
  return () =>
    from(chunks.map((chunk): ModelChunk => (typeof chunk === 'string' ? { type: 'text', delta: chunk } : chunk)));
}

/** A tool that accepts any input. */
export function toolOf(
  name: string,
  execute: (input: JsonObject, context: ToolContext) => ToolReturn,
  own: Partial<Tool> = {},
): Tool {
  return defineTool({ name, description: `${name}.`, inputSchema: z.looseObject({}), ...own, execute } as Tool);
}

/** A call to tool `name`. */
export function callOf(name: string, input: JsonObject = {}, id = 'call_1'): ToolCall {
  return { id, name, input };
}

/** A logger that keeps its lines. */
export function keptLog(): { readonly log: Logger; readonly lines: { level: number; msg: string; hook?: string }[] } {
  const lines: { level: number; msg: string; hook?: string }[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** Waits `ms` milliseconds of real time. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
