import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { Abort } from '../../events/decisions/decision.ts';
import { type ToolResult, toolResultSchema } from '../../events/parts/tool-result.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { SuspendedChild } from '../run/run.ts';

/** The result of a running tool so far. */
export interface ToolOutcome {
  result: ToolResult | undefined;
  stopped: boolean;
  aborted: Abort | undefined;
  /** The sub-agent's run that suspends the call. */
  suspended: SuspendedChild | undefined;
  left(chunk: ActingChunk): void;
  /** The return value of the tool, or its joined chunks up to the bound. */
  final(): ToolResult;
  reset(): void;
}

/** `bound` is in characters. */
export function createToolOutcome(bound: number): ToolOutcome {
  let text = '';
  let omitted = 0;
  const outcome: ToolOutcome = {
    result: undefined,
    stopped: false,
    aborted: undefined,
    suspended: undefined,
    left({ content }) {
      const room = Math.max(0, bound - text.length);
      text += content.slice(0, room);
      omitted += Math.max(0, content.length - room);
    },
    final() {
      const notice = omitted > 0 ? `\n[${omitted} more characters were left out; this is the first ${bound}]` : '';
      return outcome.result ?? { content: text + notice, isError: false };
    },
    reset() {
      text = '';
      omitted = 0;
      outcome.result = undefined;
    },
  };
  return outcome;
}

/** Converts a tool's plain value to a result: text unchanged, a `ToolResult` checked, any other JSON as JSON, and undefined unchanged. */
export function toToolResult(value: unknown, tool: string): ToolResult | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return { content: value, isError: false };
  if (!looksLikeResult(value))
    return { content: JSON.stringify(toJson(value, `result of tool "${tool}"`)), isError: false };
  const parsed = toolResultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HooklineError('TOOL_FAILED', `Tool "${tool}" returned an invalid result: ${z.prettifyError(parsed.error)}`);
}

/** Returns whether a value has the two required fields of a `ToolResult`. */
export function looksLikeResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && 'content' in value && 'isError' in value;
}
