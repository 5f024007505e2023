import { HooklineError } from '../../errors.ts';
import { checkUnknownFields } from '../../loops/known-fields.ts';
import type { AgentOptions, MastraTool, ToolHooks } from './host-mastra.ts';
import { knownOptions } from './known-options.ts';

/** Identifies tools with hooks, by name and by function. Mastra copies tools, but not their `execute` function. */
export interface HookedNames {
  isHooked(name: string): boolean;
  /** Returns true if the tool has hooks or may run without them. */
  isKnown(name: string): boolean;
  is(name: string, tool: MastraTool | undefined): boolean;
}

/** Rejects options with which Mastra would replace the model or tools with hooks. */
export function checkOptions(options: AgentOptions, { isHooked }: HookedNames): void {
  const { hookline: _, ...theirs } = options;
  const issue = checkUnknownFields(theirs, knownOptions['a call']);
  if (issue !== undefined) throw refused(`the options of a call, or the defaultOptions of the agent, ${issue}`);
  const { structuredOutput, clientTools } = theirs;
  if (structuredOutput?.model !== undefined)
    throw refused(
      'structuredOutput.model of an invocation or of defaultOptions bypasses the hooks; remove it, and the model of the agent creates the object',
    );
  const past = Object.keys(clientTools ?? {}).find(isHooked);
  if (past !== undefined)
    throw refused(`the client tool "${past}" has the name of a tool with hooks and would bypass them; rename it`);
}

/** Rejects an agent whose tools are not those of `hookedMastra`. Mastra changes some names. */
export function checkTools(tools: Readonly<Record<string, MastraTool>>, { isHooked, isKnown, is }: HookedNames): void {
  const past = Object.keys(tools).find((name) => isHooked(name) && !is(name, tools[name]));
  if (past !== undefined)
    throw refused(
      `the tool "${past}" of the agent is not the one that hookedMastra returned and would bypass the hooks; create the agent with the returned tools`,
    );
  const unknown = Object.keys(tools).find((name) => !isKnown(name) && !isOfProvider(tools[name]));
  if (unknown !== undefined)
    throw refused(
      `the tool "${unknown}" of the agent did not come from hookedMastra and would bypass the hooks; remove it, or name it in the option unhooked`,
    );
}

/** Returns true if the provider runs the tool. */
function isOfProvider({ type, execute }: MastraTool = {}): boolean {
  return execute === undefined && (type === 'provider-defined' || type === 'provider');
}

/**
 * Wraps Mastra's own tool hooks. Those of an invocation precede the agent's, and each is called on its own object. They must not answer for a tool
 * with hooks, because no hook would see the call or its result. They must not run a tool under the name of a client tool either.
 */
export function checkedToolHooks(
  owners: readonly (ToolHooks | undefined)[],
  { isHooked }: HookedNames,
  ofClient: ReadonlySet<string>,
): ToolHooks {
  // Read by name, because methods of a class are not own fields.
  const before = owners.find((owner) => owner?.beforeToolCall);
  const after = owners.find((owner) => owner?.afterToolCall);
  return {
    ...((before || ofClient.size > 0) && {
      async beforeToolCall(call) {
        if (ofClient.has(call.toolName))
          throw refused(
            `a tool that Mastra adds has the name of the client tool "${call.toolName}" and would bypass the hooks; rename the client tool`,
          );
        const answer = await before?.beforeToolCall?.(call);
        if (answer?.proceed !== false || !isHooked(call.toolName)) return answer;
        throw refused(
          `beforeToolCall responds instead of the tool "${call.toolName}", which bypasses the hooks; deny the call in preActing`,
        );
      },
    }),
    ...(after && { afterToolCall: (call) => after.afterToolCall?.(call) }),
  };
}

export function refused(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookedAgent(agent): ${why}.`);
}
