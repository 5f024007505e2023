import { pino } from 'pino';
import { NEVER } from 'rxjs';
import type { ToolResult } from '../../lib/events/parts/tool-result.ts';
import type { Tool, ToolContext, ToolItem } from '../../lib/pipeline/define/tool.ts';
import { toInputSchema } from '../../lib/schemas/input-schema.ts';

/** A context without connections. */
export function fakeContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return {
    run: { runId: 'run', sessionId: 'session', agent: 'agent', depth: 0 },
    toolCall: { id: 'call', name: 'tool', input: {} },
    signal,
    log: pino({ enabled: false }),
    emit: async () => {},
    child: () => NEVER,
  };
}

/** Returns whether the tool's schema accepts the input. */
export async function fits({ inputSchema }: Tool, input: object): Promise<boolean> {
  return (await toInputSchema(inputSchema).parse(input)).success;
}

/** Returns the tool's result for `input`, after its schema, and the chunks before it. */
export async function callTool(
  tool: Tool,
  input: object,
  signal?: AbortSignal,
): Promise<ToolResult & { chunks: string[] }> {
  const parsed = await toInputSchema(tool.inputSchema).parse(input);
  if (!parsed.success) throw new Error(parsed.issues.map(({ message }) => message).join('; '));
  const output = await tool.execute(parsed.data, fakeContext(signal));
  const chunks: string[] = [];
  if (!isStream(output)) return { ...(output as ToolResult), chunks };
  for await (const item of output) {
    if (typeof item !== 'string') return { ...item, chunks };
    chunks.push(item);
  }
  throw new Error('The stream ended without a result.');
}

function isStream(output: unknown): output is AsyncIterable<ToolItem> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output;
}
