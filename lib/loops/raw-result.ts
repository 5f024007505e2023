import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';

/** The value of a framework's tool as hooks see it, and its conversion back. */
export interface RawResult {
  /** The value as text: a string unchanged, other values as JSON. */
  readonly result: ToolResult;
  /**
   * Returns the value itself, if hooks left its text unchanged. Otherwise, it returns the new text, parsed as JSON if the value was not a string and
   * the text is JSON.
   */
  restore(settled: ToolResult): unknown;
}

/**
 * Stores a tool's value with the text that hooks see, so that objects stay objects. In the text, a BigInt is its digits and a circular reference is
 * `[Circular]`. Throws `TOOL_FAILED` for a value that cannot be read, such as one with a throwing getter.
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
    const message = `The result of tool "${tool}" is not JSON, so hooks cannot judge it: ${messageOf(cause)}`;
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

/** Returns a replacer for values that JSON cannot represent. */
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
