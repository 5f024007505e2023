import { z } from 'zod';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { ErrorInfo } from '../events/parts/error-info.ts';
import type { Message } from '../events/parts/message.ts';
import { RAW_VERSION, type RawLine, rawHeadSchema, rawLineSchema } from '../hooks/recorder/raw-format.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import type { ToolItem } from '../pipeline/define/tool.ts';
import type { TimedOutput } from './timed-output.ts';

/** What one run received, before any hook. */
export interface RawScript {
  readonly input: readonly Message[];
  /** The messages of the first model request. */
  readonly conversation: readonly Message[];
  readonly answers: readonly TimedOutput<ModelChunk>[];
  readonly outputs: ReadonlyMap<string, readonly TimedOutput<ToolItem>[]>;
}

type Growing<T> = { begun: number; items: { at: number; item: T }[]; end: number; error?: ErrorInfo };

class RawReader implements RawScript {
  input: readonly Message[] = [];
  conversation: readonly Message[] = [];
  readonly answers: Growing<ModelChunk>[] = [];
  readonly outputs = new Map<string, Growing<ToolItem>[]>();

  read(line: RawLine): boolean {
    switch (line.raw) {
      case 'input':
        this.input = line.messages;
        return true;
      case 'conversation':
        this.conversation = line.messages;
        return true;
      case 'request':
        this.answers[line.request] = begun(line.time);
        return true;
      case 'chunk':
        return add(this.answers[line.request], line.time, line.chunk);
      case 'answered':
        return end(this.answers[line.request], line);
      case 'call':
        this.outputs.set(line.toolCallId, [...(this.outputs.get(line.toolCallId) ?? []), begun(line.time)]);
        return true;
      case 'output':
        return add(this.outputs.get(line.toolCallId)?.at(-1), line.time, line.item);
      default:
        return end(this.outputs.get(line.toolCallId)?.at(-1), line);
    }
  }
}

/** Reads the text of a file of raw input, by run. A truncated last line is ignored. Any other issue is `INPUT_INVALID` with its line. */
export function readRawInput(text: string, name: string): ReadonlyMap<string, RawScript> {
  const lines = text.split('\n');
  lines.pop();
  const issue = (at: number, why: string, cause?: unknown) =>
    new HooklineError('INPUT_INVALID', `The raw input "${name}" cannot be read: line ${at + 1} ${why}.`, { cause });
  const runs = new Map<string, RawReader>();
  for (const [at, line] of lines.entries()) {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (cause) {
      throw issue(at, `is not JSON: ${messageOf(cause)}`, cause);
    }
    if (at === 0) {
      const head = rawHeadSchema.safeParse(json);
      if (!head.success) throw issue(0, 'is not the head of raw input; pass a file that the hook recorder has written');
      const { version } = head.data;
      if (version !== RAW_VERSION) throw issue(0, `has version ${version}; this Hookline reads ${RAW_VERSION}`);
      continue;
    }
    const parsed = rawLineSchema.safeParse(json);
    if (!parsed.success) throw issue(at, `is not a line of raw input: ${z.prettifyError(parsed.error)}`);
    const run = runs.get(parsed.data.run) ?? new RawReader();
    runs.set(parsed.data.run, run);
    if (!run.read(parsed.data)) throw issue(at, 'continues a request that is missing');
  }
  return runs;
}

function begun<T>(time: number): Growing<T> {
  return { begun: time, items: [], end: Number.POSITIVE_INFINITY };
}

function add<T>(output: Growing<T> | undefined, time: number, item: T): boolean {
  output?.items.push({ at: time - output.begun, item });
  return output !== undefined;
}

function end<T>(
  output: Growing<T> | undefined,
  { time, error }: { readonly time: number; readonly error?: ErrorInfo },
): boolean {
  if (!output) return false;
  output.end = time - output.begun;
  if (error) output.error = error;
  return true;
}
