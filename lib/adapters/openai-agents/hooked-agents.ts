import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { checkModel, hookedModel } from './hooked-model.ts';
import { hookedTools } from './hooked-tools.ts';
import type { HostRun } from './host-run.ts';
import { type HostAgent, type HostHandoff, type HostTool, toToolCall } from './host-types.ts';

const originals = new WeakMap<object, object>();

/** The agent, or the handoff, as its author has made it, where a run has given one with hooks. */
export function originalOf<T extends object>(made: T): T {
  return (originals.get(made) as T | undefined) ?? made;
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
  const madeHandoffs = new WeakMap<HostHandoff, HostHandoff>();
  const modelWithHooks = oncePer(
    ({ model }: HostAgent) => model,
    (model, agent) => (typeof model === 'object' ? hookedModel(checkModel(model, modelOf(agent)), host) : model),
  );
  const settingsWithoutRetry = oncePer(
    ({ modelSettings }: HostAgent) => modelSettings,
    (settings, { name }) => withoutRetry(settings, name, host),
  );
  const { hook, bring, toTools, plain } = hookedTools(host);
  const ofHooks = brought.map(bring);

  function hookAgent(given: HostAgent): HostAgent {
    const agent = originalOf(given);
    const known = made.get(agent);
    if (known) return known;
    checkAgent(agent, unhooked);
    const all = (): readonly HostTool[] => [...agent.tools, ...ofHooks];
    const hookOne = (tool: HostTool): HostTool => (tool.type === 'function' ? hook(tool, all) : tool);
    const clone = agent.clone({ handoffs: [] });
    made.set(agent, clone);
    originals.set(clone, agent);
    const same = sameAs(agent);
    Object.defineProperties(clone, {
      // The rest of what the agent is and who listens to it, which a clone has not.
      ...same,
      model: { ...same['model'], get: () => modelWithHooks(agent) },
      modelSettings: { ...same['modelSettings'], get: () => settingsWithoutRetry(agent) },
      tools: {
        ...same['tools'],
        // An agent that is a tool is found by the very tool: it gets its hooks where it is run.
        get: () => Object.freeze(all().map((tool) => (tool.on === undefined ? hookOne(tool) : tool))),
        set: (tools: readonly HostTool[]) => Object.assign(agent, { tools: plain(tools) }),
      },
      handoffs: {
        ...same['handoffs'],
        get: () => Object.freeze(agent.handoffs.map(hookHandoff)),
        set: (handoffs: HostAgent['handoffs']) => Object.assign(agent, { handoffs: handoffs.map(originalOf) }),
      },
      toolUseBehavior: {
        ...same['toolUseBehavior'],
        get: () => (host.finishing ? () => ({ isFinalOutput: true, finalOutput: host.text }) : agent.toolUseBehavior),
      },
      getAllTools: member(async (context: unknown, parent: unknown) => {
        const tools = (await Object.getPrototypeOf(clone).getAllTools.call(clone, context, parent)) as HostTool[];
        // Some may have come since the run began.
        checkTools(agent.name, tools, unhooked);
        return tools.map(hookOne);
      }),
      getEnabledHandoffs: member(async (context: unknown) => {
        const enabled = await Object.getPrototypeOf(clone).getEnabledHandoffs.call(clone, context);
        return (enabled as HostHandoff[]).map((handoff) => judged(handoff, clone));
      }),
    });
    // What all agents that there are by now have is checked before anything runs.
    void [clone.model, clone.modelSettings, clone.handoffs];
    return clone;
  }

  function hookHandoff(given: HostAgent | HostHandoff): HostAgent | HostHandoff {
    if (!('onInvokeHandoff' in given)) return hookAgent(given);
    const handoff = originalOf(given);
    const known = madeHandoffs.get(handoff);
    if (known) return known;
    const { onInvokeHandoff } = handoff;
    const clone = handoff.clone({
      agent: hookAgent(handoff.agent),
      // It may choose another agent than it says.
      onInvokeHandoff: async (context: unknown, input: string) =>
        hookAgent((await onInvokeHandoff(context, input)) as HostAgent),
    });
    madeHandoffs.set(handoff, clone);
    originals.set(clone, handoff);
    return clone;
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

/** Members that are those of `agent` at any time: its tools may change it while it runs. */
function sameAs(agent: HostAgent): PropertyDescriptorMap {
  const members = agent as unknown as { [name: string]: unknown };
  return Object.fromEntries(
    Object.keys(members).map((name) => [
      name,
      {
        enumerable: true,
        configurable: true,
        get: () => members[name],
        set: (value: unknown) => {
          members[name] = value;
        },
      },
    ]),
  );
}

/** What is made of a member of an agent, the same as long as the member is. */
function oncePer<V>(read: (agent: HostAgent) => V, make: (value: V, agent: HostAgent) => unknown) {
  const made = new WeakMap<HostAgent, { readonly of: V; readonly is: unknown }>();
  return (agent: HostAgent): unknown => {
    const value = read(agent);
    const known = made.get(agent);
    if (known?.of === value) return known.is;
    const is = make(value, agent);
    made.set(agent, { of: value, is });
    return is;
  };
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
  checkTools(agent.name, agent.tools, unhooked);
}

function checkTools(agent: string, tools: readonly HostTool[], unhooked: readonly string[]): void {
  for (const { name, type, on } of tools) {
    if (unhooked.includes(name)) continue;
    const what = `tool "${name}" of agent "${agent}"`;
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
