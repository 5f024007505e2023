import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { checkModel, hookedModel } from './hooked-model.ts';
import { hookedTools } from './hooked-tools.ts';
import type { HostRun } from './host-run.ts';
import { type HostAgent, type HostHandoff, type HostTool, toToolCall } from './host-types.ts';

const originals = new WeakMap<HostAgent, HostAgent>();

/** The agent as its author has made it, where a run has given one with hooks. */
export function originalOf(agent: HostAgent): HostAgent {
  return originals.get(agent) ?? agent;
}

/** What the agents of one run have in common. */
export interface HookedAgentsOptions {
  readonly host: HostRun;
  readonly brought: readonly Tool[];
  readonly unhooked: readonly string[];
}

/** The agents of one run. */
export interface HookedAgents {
  hook(agent: HostAgent): HostAgent;
  /** The tools of an agent, as the run knows them. */
  toolsOf(agent: HostAgent): readonly Tool[];
}

/** Gives agents hooks around their models, tools and handoffs, and all agents that they hand over to. */
export function hookedAgents({ host, brought, unhooked }: HookedAgentsOptions): HookedAgents {
  const made = new Map<HostAgent, HostAgent>();
  const { hook, bring, toTools } = hookedTools(host);
  const ofHooks = brought.map(bring);

  function hookAgent(given: HostAgent): HostAgent {
    const agent = originalOf(given);
    const known = made.get(agent);
    if (known) return known;
    checkAgent(agent, unhooked);
    const all = [...agent.tools, ...ofHooks];
    const hookOne = (tool: HostTool): HostTool => (tool.type === 'function' ? hook(tool, () => all) : tool);
    const clone = agent.clone({
      handoffs: [],
      ...(typeof agent.model === 'object' && { model: hookedModel(checkModel(agent.model, modelOf(agent)), host) }),
    });
    made.set(agent, clone);
    originals.set(clone, agent);
    // The rest of what the agent is and who listens to it, which a clone has not.
    const { model } = clone;
    Object.assign(clone, { ...agent, model, modelSettings: withoutRetry(agent.modelSettings, agent.name, host) });
    Object.defineProperties(clone, {
      // An agent that is a tool is found by the very tool: it gets its hooks where it is run.
      tools: member(all.map((tool) => (tool.on === undefined ? hookOne(tool) : tool))),
      handoffs: member(agent.handoffs.map(hookHandoff)),
      toolUseBehavior: {
        get: () => (host.finishing ? () => ({ isFinalOutput: true, finalOutput: host.text }) : agent.toolUseBehavior),
        enumerable: true,
        configurable: true,
      },
      getAllTools: member(async (context: unknown, parent: unknown) => {
        const tools = await Object.getPrototypeOf(clone).getAllTools.call(clone, context, parent);
        return (tools as HostTool[]).map(hookOne);
      }),
      getEnabledHandoffs: member(async (context: unknown) => {
        const enabled = await Object.getPrototypeOf(clone).getEnabledHandoffs.call(clone, context);
        return (enabled as HostHandoff[]).map((handoff) => judged(handoff, clone));
      }),
    });
    return clone;
  }

  function hookHandoff(handoff: HostAgent | HostHandoff): HostAgent | HostHandoff {
    if (!('onInvokeHandoff' in handoff)) return hookAgent(handoff);
    const { onInvokeHandoff } = handoff;
    return handoff.clone({
      agent: hookAgent(handoff.agent),
      // It may choose another agent than it says.
      onInvokeHandoff: async (context: unknown, input: string) =>
        hookAgent((await onInvokeHandoff(context, input)) as HostAgent),
    });
  }

  /** A handoff as a call like others. One that hooks refuse leaves the agent where it is, and the model is told why. */
  function judged(handoff: HostHandoff, current: HostAgent): HostHandoff {
    return handoff.clone({
      onInvokeHandoff: async (context: unknown, given: string) => {
        const { toolName: name, toolDescription: description, inputJsonSchema } = handoff;
        let next: HostAgent | undefined;
        const jsonSchema = JSON.parse(JSON.stringify(inputJsonSchema)) as JsonObject;
        const tool: Tool = {
          name,
          description,
          inputSchema: { '~standard': { version: 1, vendor: 'openai-agents', validate: (value) => ({ value }) } },
          jsonSchema,
          permission: 'read',
          async execute(input) {
            const same = JSON.stringify(input) === JSON.stringify(call.input);
            next = (await handoff.onInvokeHandoff(context, same ? given : JSON.stringify(input))) as HostAgent;
            return transferTo(next);
          },
        };
        const asked = host.callOf(name);
        const call = asked ?? toToolCall(name, name, given);
        const post = await (await host.judge(call, [tool], 'the host asks nobody about handoffs')).execute();
        const content = post?.result.content ?? '';
        const agent = next ?? current;
        if (content !== transferTo(agent)) host.told.set(call.id, content);
        return agent;
      },
    });
  }

  return { hook: hookAgent, toolsOf: (agent) => toTools(originalOf(agent).tools) };
}

/** What the host tells the model of a handoff. */
function transferTo(agent: HostAgent): string {
  return JSON.stringify({ assistant: agent.name });
}

function member(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function modelOf({ name }: HostAgent): string {
  return `The model of agent "${name}"`;
}

/** Refuses what would run past the hooks, unless it is named. */
function checkAgent(agent: HostAgent, unhooked: readonly string[]): void {
  if ('capabilities' in agent && 'defaultManifest' in agent)
    throw refused(
      `agent "${agent.name}" is a sandbox agent, whose tools are made while it runs, out of reach of hooks`,
    );
  for (const { name, type, on } of agent.tools) {
    if (unhooked.includes(name)) continue;
    const what = `tool "${name}" of agent "${agent.name}"`;
    if (type !== 'function')
      throw refused(
        `${what} (${type}) does not run as a function, so that hooks cannot judge its calls; name it in the option unhooked, or take it out`,
      );
    if (on !== undefined)
      throw refused(
        `${what} is an agent, which runs without hooks inside; name it in the option unhooked, or give a tool that runs the agent with the run function of withHooks`,
      );
  }
}

function refused(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `Hooks cannot guard this run: ${why}.`);
}

/** The settings without retries of the host's: what a run has failed of, it does not go on from. */
export function withoutRetry<S>(settings: S, whose: string, { log }: HostRun): S {
  const { retry, ...rest } = (settings ?? {}) as { readonly retry?: unknown };
  if (retry === undefined) return settings;
  log.warn({ agent: whose }, 'modelSettings.retry is not used: retry with around.reasoning, or on.error');
  return rest as S;
}
