import {
  asyncScheduler,
  concat,
  concatMap,
  delay,
  from,
  identity,
  NEVER,
  Observable,
  of,
  type SchedulerLike,
  throwError,
} from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import { defineTool, type Tool, type ToolItem, type ToolOutput } from '../../pipeline/define/tool.ts';
import { toToolResult } from '../../pipeline/phases/tool-outcome.ts';
import { marbleSource } from './marble-source.ts';
import { scriptError } from './script-error.ts';
import type { ScriptError } from './script-schema.ts';

/** Name and behaviour of a scripted tool. Set at most one of `result`, `results`, `error`, `never` and `marbles`. */
export interface ScriptedToolOptions<Input = unknown> {
  readonly name: string;
  readonly description?: string;
  readonly permission?: Permission;
  /** Default: any object. */
  readonly inputSchema?: z.ZodType<Input>;
  /** Progress before its end. */
  readonly chunks?: readonly string[];
  /** Result of every call. A function receives the input. Default: the joined chunks. */
  readonly result?: ToolOutput | ((input: Input) => ToolOutput);
  /** Results of the first call, the second, …. A further call fails with `SCRIPT_EXHAUSTED`. */
  readonly results?: readonly ToolOutput[];
  /** The error after the chunks, or at `#`. */
  readonly error?: ScriptError;
  /** True for a tool that runs until it is cancelled. */
  readonly never?: boolean;
  /** Streams this instead: strings are chunks, a `ToolResult` is the result. Requires `scheduler`. */
  readonly marbles?: string;
  readonly values?: Readonly<Record<string, ToolItem>>;
  /** Milliseconds before each chunk and before the end (default: 0, which is synchronous). */
  readonly delayMs?: number;
  /** Default: `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/** One call of a scripted tool. */
export interface ScriptedCall<Input = unknown> {
  readonly input: Input;
  readonly toolCall: ToolCall;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
}

/** A tool that follows a script. `calls` contains its calls so far. */
export type ScriptedTool<Input = unknown> = Tool<Input> & { readonly calls: readonly ScriptedCall<Input>[] };

/** Creates a tool that follows its script and records its calls. */
export function scriptedTool<Input = unknown>(options: ScriptedToolOptions<Input>): ScriptedTool<Input> {
  const { name, description, permission, inputSchema } = options;
  assertOneEnd(options);
  const drawn$ = draw(options);
  const calls: { -readonly [K in keyof ScriptedCall<Input>]: ScriptedCall<Input>[K] }[] = [];
  const tool = defineTool<Input>({
    name,
    description: description ?? `The scripted tool "${name}".`,
    inputSchema: inputSchema ?? (z.looseObject({}) as unknown as z.ZodType<Input>),
    ...(permission && { permission }),
    execute(input, { toolCall }) {
      const call = { input, toolCall, state: 'running' as ScriptedCall['state'] };
      calls.push(call);
      const script$ = drawn$ ?? play(options, input, calls.length - 1);
      return new Observable<ToolItem>((subscriber) => {
        subscriber.add(() => {
          if (call.state === 'running') call.state = 'cancelled';
        });
        return script$.subscribe({
          next: (item) => subscriber.next(item),
          error(thrown) {
            call.state = 'failed';
            subscriber.error(thrown);
          },
          complete() {
            call.state = 'done';
            subscriber.complete();
          },
        });
      });
    },
  });
  return Object.assign(tool, { calls });
}

function play<Input>(options: ScriptedToolOptions<Input>, input: Input, index: number): Observable<ToolItem> {
  const { chunks = [], error, never, delayMs = 0, scheduler = asyncScheduler } = options;
  const slowly = delayMs === 0 ? identity : delay<ToolItem>(delayMs, scheduler);
  const chunks$ = from(chunks).pipe(concatMap((chunk) => of<ToolItem>(chunk).pipe(slowly)));
  if (never) return concat(chunks$, NEVER);
  const end = () => (error === undefined ? ending(options, input, index) : throwError(() => scriptError(error)));
  // The end is delayed, whatever it is.
  return concat(chunks$, of<ToolItem>('').pipe(slowly, concatMap(end)));
}

function draw<Input>({ name, marbles, values, error, scheduler }: ScriptedToolOptions<Input>) {
  if (marbles === undefined) return undefined;
  const turn = { marbles, ...(values && { values }), ...(error !== undefined && { error: scriptError(error) }) };
  return marbleSource<ToolItem>(turn, scheduler, `scriptedTool "${name}"`);
}

function ending<Input>({ name, result, results }: ScriptedToolOptions<Input>, input: Input, index: number): ToolItem[] {
  if (results && index >= results.length) {
    throw new HooklineError(
      'SCRIPT_EXHAUSTED',
      `The script of tool "${name}" has ${results.length} result(s), and all have been given.`,
    );
  }
  const given = results ? results[index] : typeof result === 'function' ? result(input) : result;
  const made = toToolResult(given, name);
  return made ? [made] : [];
}

function assertOneEnd<Input>(options: ScriptedToolOptions<Input>): void {
  const ends = (['result', 'results', 'error', 'never', 'marbles'] as const).filter(
    (key) => options[key] !== undefined,
  );
  const drawn = options.marbles !== undefined;
  const clash = drawn ? ends.filter((key) => key !== 'error' && key !== 'marbles') : ends.slice(1);
  const issue =
    clash.length > 0
      ? `${ends.join(' and ')} exclude each other; give one.`
      : drawn && options.chunks
        ? 'chunks cannot be combined with marbles; draw the chunks.'
        : undefined;
  if (issue) throw new HooklineError('OPTIONS_INVALID', `scriptedTool "${options.name}": ${issue}`);
}
