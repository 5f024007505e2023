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

/** How an agent is offered as a tool. */
export interface AgentToolOptions {
  readonly description: string;
  /** Default: the agent's name. */
  readonly name?: string;
  /** Default `external`: what the agent does itself is judged call by call anyway. */
  readonly permission?: Permission;
}

const optionsSchema = z.strictObject({
  description: z.string(),
  name: z.string().optional(),
  permission: permissionSchema.optional(),
});

/**
 * Offers an agent to another one as a tool that takes `{ prompt }`. An answer is the result; any other outcome is an error result, which says of
 * a run that has failed which one it was: its error event says why.
 */
export function agentTool(agent: Agent, options: AgentToolOptions): Tool<{ prompt: string }> {
  if (typeof agent?.runChild !== 'function') {
    throw new HooklineError(
      'OPTIONS_INVALID',
      'agentTool(): the first argument must be an agent (createAgent makes them).',
    );
  }
  parseOptions('agentTool()', optionsSchema, options);
  return defineTool({
    name: options.name ?? agent.name,
    description: options.description,
    inputSchema: z.object({ prompt: z.string().describe('What the agent is to do, with all it has to know.') }),
    permission: options.permission ?? 'external',
    // What the agent does is judged, and ordered, call by call.
    parallel: true,
    execute: ({ prompt }, { child }) => child(agent, prompt).pipe(map((post) => toResult(agent.name, post))),
  });
}

function toResult(name: string, { outcome, message, reason, run }: PostCall): ToolResult {
  // What a model or a tool has thrown may hold anything: its error event and the log have it.
  if (outcome === 'failed') return errorResult(`Agent "${name}" failed (run ${run.runId}).`);
  if (outcome === 'aborted' || outcome === 'cancelled')
    return errorResult(`Agent "${name}" ended ${outcome}${reason === undefined ? '' : `: ${reason}`}.`);
  return { content: textOf(message) || `Agent "${name}" ended ${outcome} without an answer.`, isError: false };
}
