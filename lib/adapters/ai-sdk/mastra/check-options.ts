import { HooklineError } from '../../../errors.ts';
import { faultOfUnknown } from '../../../loops/known-members.ts';
import type { AgentOptions, MastraTool, ToolHooks } from './host-mastra.ts';
import { knownOptions } from './known-options.ts';

/** Whether a tool of that name runs through the hooks, and whether this one is it: Mastra copies tools, but for what they execute. */
export interface HookedNames {
  isHooked(name: string): boolean;
  /** Whether it is hooked, or may run without hooks. */
  isKnown(name: string): boolean;
  is(name: string, tool: MastraTool | undefined): boolean;
}

/** Refuses what Mastra would take in the place of what has hooks. */
export function checkOptions(options: AgentOptions, { isHooked }: HookedNames): void {
  const { hookline: _, ...theirs } = options;
  const fault = faultOfUnknown(theirs, knownOptions['a call']);
  if (fault !== undefined) throw refused(`the options of a call, or the defaultOptions of the agent, ${fault}`);
  const { structuredOutput, clientTools } = theirs;
  if (structuredOutput?.model !== undefined)
    throw refused(
      'structuredOutput.model, of an invocation or of defaultOptions, is asked past the hooks; leave it out, and the model of the agent makes the object',
    );
  const past = Object.keys(clientTools ?? {}).find(isHooked);
  if (past !== undefined)
    throw refused(
      `the client tool "${past}" has the name of a tool with hooks, and would run past them; name it otherwise`,
    );
}

/** Refuses an agent that has the tools themselves, or others, instead of those that hookedMastra gives. Mastra changes some names. */
export function checkTools(tools: Readonly<Record<string, MastraTool>>, { isHooked, isKnown, is }: HookedNames): void {
  const past = Object.keys(tools).find((name) => isHooked(name) && !is(name, tools[name]));
  if (past !== undefined)
    throw refused(
      `the tool "${past}" of the agent is not the one that hookedMastra gives, and would run past the hooks; make the agent with its tools`,
    );
  const unknown = Object.keys(tools).find((name) => !isKnown(name) && !isOfProvider(tools[name]));
  if (unknown !== undefined)
    throw refused(
      `the tool "${unknown}" of the agent is none that hookedMastra gives, and would run past the hooks; take it out, or name it in the option unhooked`,
    );
}

/** Whether its provider runs it, and no loop. */
function isOfProvider({ type, execute }: MastraTool = {}): boolean {
  return execute === undefined && (type === 'provider-defined' || type === 'provider');
}

/**
 * Hooks of Mastra's own, those of an invocation before the agent's, each called on the object that has it. None answers in the place of a tool with
 * hooks: nobody would judge the call, nor see its result. Nor does anything run here by the name of a client tool: hooks take it for that.
 */
export function checkedToolHooks(
  owners: readonly (ToolHooks | undefined)[],
  { isHooked }: HookedNames,
  ofClient: ReadonlySet<string>,
): ToolHooks {
  // By name: those of a class are not among an object's own members.
  const before = owners.find((owner) => owner?.beforeToolCall);
  const after = owners.find((owner) => owner?.afterToolCall);
  return {
    ...((before || ofClient.size > 0) && {
      async beforeToolCall(call) {
        if (ofClient.has(call.toolName))
          throw refused(
            `a tool that Mastra adds has the name of the client tool "${call.toolName}", and would run past the hooks; name the client tool otherwise`,
          );
        const answer = await before?.beforeToolCall?.(call);
        if (answer?.proceed !== false || !isHooked(call.toolName)) return answer;
        throw refused(
          `beforeToolCall answers in the place of the tool "${call.toolName}", past the hooks; deny the call in preActing`,
        );
      },
    }),
    ...(after && { afterToolCall: (call) => after.afterToolCall?.(call) }),
  };
}

export function refused(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookedAgent(agent): ${why}.`);
}
