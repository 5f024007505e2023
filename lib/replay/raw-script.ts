import { z } from 'zod';
import type { ErrorInfo } from '../events/parts/error-info.ts';
import type { Message } from '../events/parts/message.ts';
import { RAW_VERSION, type RawLine, rawHeadSchema, rawLineSchema } from '../hooks/recorder/raw-format.ts';
import { type LineIssue, readJsonLines } from '../hooks/recorder/read-json-lines.ts';
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

/** Reads a file of raw input, by run. A truncated last line is ignored. Any other issue is `INPUT_INVALID` with its line. */
export function readRawInput(file: string): ReadonlyMap<string, RawScript> {
  const runs = new Map<string, RawReader>();
  let hasHead = false;
  const { issue } = readJsonLines(file, 'raw input', (json, issue) => {
    if (!hasHead) {
      hasHead = true;
      checkHead(json, issue);
      return;
    }
    const parsed = rawLineSchema.safeParse(json);
    if (!parsed.success) throw issue(`is not a line of raw input: ${z.prettifyError(parsed.error)}`);
    const run = runs.get(parsed.data.run) ?? new RawReader();
    runs.set(parsed.data.run, run);
    if (!run.read(parsed.data)) throw issue('continues a request that is missing');
  });
  if (!hasHead) checkHead(undefined, issue);
  return runs;
}

function checkHead(json: unknown, issue: LineIssue): void {
  const head = rawHeadSchema.safeParse(json);
  if (!head.success) throw issue('is not the head of raw input; pass a file that the hook recorder has written');
  const { version } = head.data;
  if (version !== RAW_VERSION) throw issue(`has version ${version}; this Hookline reads ${RAW_VERSION}`);
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
