import { errorResult, type ToolResult } from '../events/parts/tool-result.ts';
import { defineHook } from '../pipeline/define/define-hook.ts';
import { type Hook, verdict } from '../pipeline/define/hook.ts';
import { defineTool, type Tool, type ToolContext } from '../pipeline/define/tool.ts';
import { anyInput } from '../schemas/input-schema.ts';
import type { ClientTool } from './chat-request.ts';

/** Name of the hook for client tools. It identifies calls that wait for the client. */
export const CLIENT = 'client-tools';

/** Returns the result of a client call. */
type ResultOf = (context: Pick<ToolContext, 'run' | 'toolCall'>) => ToolResult | undefined;

/**
 * Creates a hook with the client's tools for one run. Its approver runs after those of the host, and suspends each call until the client has executed
 * it.
 */
export function clientTools(tools: readonly ClientTool[], resultOf: ResultOf): readonly Hook[] {
  if (tools.length === 0) return [];
  const names = new Set(tools.map(({ name }) => name));
  const hook = defineHook({
    name: CLIENT,
    description: 'Declares the tools that the client runs.',
    priority: Number.MAX_SAFE_INTEGER,
    tools: tools.map((tool) => toTool(tool, resultOf)),
    // The client runs a call after its approval. The answer to other approvers is not its result.
    approve: ({ toolCall, decision }) =>
      names.has(toolCall.name) && decision?.action !== 'suspend'
        ? verdict.suspend('The client runs this call.')
        : verdict.allow(),
  });
  return [hook];
}

function toTool({ name, description, inputSchema }: ClientTool, resultOf: ResultOf): Tool {
  return defineTool<unknown>({
    name,
    description,
    // A schema of a client is for the model only. The server must not execute its patterns.
    inputSchema: anyInput,
    jsonSchema: inputSchema,
    permission: 'external',
    execute: (_, context) => resultOf(context) ?? errorResult('The client returned no result.'),
  });
}
