import { map } from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../errors/parse-options.ts';
import { HooklineError } from '../errors.ts';
import { textOf } from '../events/parts/messages.ts';
import { type Permission, permissionSchema } from '../events/parts/tool-description.ts';
import { errorResult, type ToolResult } from '../events/parts/tool-result.ts';
import type { PostCall } from '../events/post-call.ts';
import { defineTool, type Tool } from '../pipeline/define/tool.ts';
import type { Agent } from './agent.ts';

/** Options of `agentTool`. */
export interface AgentToolOptions {
  readonly description: string;
  /** Default: the agent's name. */
  readonly name?: string;
  /** The permission of the tool (default: `external`). The agent's own calls are evaluated separately. */
  readonly permission?: Permission;
}

const optionsSchema = z.strictObject({
  description: z.string(),
  name: z.string().optional(),
  permission: permissionSchema.optional(),
});

/**
 * Offers an agent to another one as a tool that takes `{ prompt }`. The reply is the result. Any other outcome is an error result. For a failed run,
 * it contains the run id, and the error event has the reason.
 */
export function agentTool(agent: Agent, options: AgentToolOptions): Tool<{ prompt: string }> {
  if (typeof agent?.runChild !== 'function') {
    throw new HooklineError('OPTIONS_INVALID', 'agentTool(): the first argument must be an agent from createAgent().');
  }
  parseOptions('agentTool()', optionsSchema, options);
  return defineTool({
    name: options.name ?? agent.name,
    description: options.description,
    inputSchema: z.object({
      prompt: z.string().describe('The task of the agent, with all information that it needs.'),
    }),
    permission: options.permission ?? 'external',
    // The agent's own calls are evaluated and ordered separately.
    parallel: true,
    execute: ({ prompt }, { child }) => child(agent, prompt).pipe(map((post) => toResult(agent.name, post))),
  });
}

function toResult(name: string, { outcome, message, reason, run }: PostCall): ToolResult {
  // An error of a model or a tool may contain any data. It stays in the error event and the log.
  if (outcome === 'failed') return errorResult(`Agent "${name}" failed (run ${run.runId}).`);
  if (outcome === 'aborted' || outcome === 'cancelled')
    return errorResult(`Agent "${name}" ended ${outcome}${reason === undefined ? '' : `: ${reason}`}.`);
  return {
    content: textOf(message) || `Agent "${name}" ended ${outcome} without an answer.`,
    isError: false,
  };
}
