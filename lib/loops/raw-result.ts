import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';

/** What a tool of another loop gave, as the hooks see it, and the way back. */
export interface RawResult {
  /** The value as text: a string as it is, anything else as JSON. */
  readonly result: ToolResult;
  /** The value itself where hooks have left its text; else what the new text says: JSON again if the value was no string, as far as it is JSON. */
  restore(settled: ToolResult): unknown;
}

/**
 * Keeps a tool's own value beside the text that hooks see of it, so that objects stay objects. In the text, a BigInt is its digits and what holds
 * itself `[Circular]`. A value that cannot be read (a getter that throws, say) is `TOOL_FAILED`.
 */
export function rawResult(value: unknown, tool: string): RawResult {
  const result = { content: textOf(value, tool), isError: false };
  return {
    result,
    restore({ content }) {
      if (content === result.content) return value;
      return typeof value === 'string' ? content : parsed(content);
    },
  };
}

function textOf(value: unknown, tool: string): string {
  try {
    return typeof value === 'string' ? value : jsonOf(value);
  } catch (cause) {
    const message = `The result of tool "${tool}" cannot be shown to hooks, for it is no JSON: ${messageOf(cause)}`;
    throw new HooklineError('TOOL_FAILED', message, { cause });
  }
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return JSON.stringify(value, showing()) ?? '';
  }
}

/** Stands in for what JSON has no words for. */
function showing(): (this: unknown, key: string, value: unknown) => unknown {
  const path: unknown[] = [];
  return function (_, value) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (path.length > 0 && path.at(-1) !== this) path.pop();
    if (path.includes(value)) return '[Circular]';
    path.push(value);
    return value;
  };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
