import { errorResult, type ToolResult } from '../events/parts/tool-result.ts';
import { defineHook } from '../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../pipeline/define/hook.ts';
import { defineTool, type Tool, type ToolContext } from '../pipeline/define/tool.ts';
import type { StandardSchema } from '../schemas/input-schema.ts';
import type { ClientTool } from './chat-request.ts';

/** The hook that stands for the client; calls that wait for it are told by its name. */
export const CLIENT = 'client-tools';

/** Gives what a call of the client came to. */
type ResultOf = (context: Pick<ToolContext, 'run' | 'toolCall'>) => ToolResult | undefined;

/** The client's tools as a hook for one run. Its approver, behind those of the host, suspends each call until the client has run it. */
export function clientTools(tools: readonly ClientTool[], resultOf: ResultOf): readonly Hook[] {
  if (tools.length === 0) return [];
  const names = new Set(tools.map(({ name }) => name));
  const hook = defineHook({
    name: CLIENT,
    description: 'Tools that the client runs.',
    priority: Number.MAX_SAFE_INTEGER,
    tools: tools.map((tool) => toTool(tool, resultOf)),
    approve: ({ toolCall }) =>
      names.has(toolCall.name) ? verdict.suspend('The client runs this call.') : verdict.allow(),
  });
  return [hook];
}

function toTool({ name, description, inputSchema }: ClientTool, resultOf: ResultOf): Tool {
  return defineTool<unknown>({
    name,
    description,
    inputSchema: anyInput,
    jsonSchema: inputSchema,
    permission: 'external',
    execute: (_, context) => resultOf(context) ?? errorResult('The client gave no result.'),
  });
}

/** A schema that a client sends is for the model: running its patterns would be running what the client wants. */
const anyInput: StandardSchema = {
  '~standard': { version: 1, vendor: 'hookline', validate: (value: unknown) => ({ value }) },
};
