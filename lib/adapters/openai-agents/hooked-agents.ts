import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { anyInput } from '../../schemas/input-schema.ts';
import { checkModel, hookedModel } from './hooked-model.ts';
import { hookedTools } from './hooked-tools.ts';
import type { HostRun } from './host-run.ts';
import { type HostAgent, type HostHandoff, type HostTool, toToolCall } from './host-types.ts';

const originals = new WeakMap<object, object>();

/** Returns the original agent or handoff of one with hooks. Returns any other object unchanged. */
export function originalOf<T extends object>(made: T): T {
  return (originals.get(made) as T | undefined) ?? made;
}

/** Options that all agents of a run share. */
export interface HookedAgentsOptions {
  readonly host: HostRun;
  readonly brought: readonly Tool[];
  readonly unhooked: readonly string[];
}

export interface HookedAgents {
  hook(agent: HostAgent): HostAgent;
  /** Returns the tools of an agent for the run. */
  toolsOf(agent: HostAgent): readonly Tool[];
}

/** Adds hooks to the models, tools and handoffs of agents, and of all agents they hand off to. */
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
      // Other properties and listeners of the agent, which `clone` does not copy.
      ...same,
      model: { ...same['model'], get: () => modelWithHooks(agent) },
      modelSettings: { ...same['modelSettings'], get: () => settingsWithoutRetry(agent) },
      tools: {
        ...same['tools'],
        // The runner identifies an agent used as a tool by its tool object. Its own run adds the hooks.
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
      getAllTools: field(async (context: unknown, parent: unknown) => {
        const tools = (await Object.getPrototypeOf(clone).getAllTools.call(clone, context, parent)) as HostTool[];
        // Tools may have been added since the run started.
        checkTools(agent.name, tools, unhooked);
        return tools.map(hookOne);
      }),
      getEnabledHandoffs: field(async (context: unknown) => {
        const enabled = await Object.getPrototypeOf(clone).getEnabledHandoffs.call(clone, context);
        return (enabled as HostHandoff[]).map((handoff) => judged(handoff, clone));
      }),
    });
    // Checks all agents that are known now before anything runs.
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
      // The handoff may choose another agent than it names.
      onInvokeHandoff: async (context: unknown, input: string) =>
        hookAgent((await onInvokeHandoff(context, input)) as HostAgent),
    });
    madeHandoffs.set(handoff, clone);
    originals.set(clone, handoff);
    return clone;
  }

  /** Wraps a handoff as a tool call. If hooks deny it, the agent stays the same, and the model receives the reason. */
  function judged(handoff: HostHandoff, current: HostAgent): HostHandoff {
    return handoff.clone({
      onInvokeHandoff: async (context: unknown, given: string) => {
        const { toolName: name, toolDescription: description, inputJsonSchema } = handoff;
        let next: HostAgent | undefined;
        const jsonSchema = JSON.parse(JSON.stringify(inputJsonSchema)) as JsonObject;
        const tool: Tool = {
          name,
          description,
          inputSchema: anyInput,
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
        const post = await (await host.judge(call, [tool], 'the host has no approval prompts for handoffs')).execute();
        const content = post?.result.content ?? '';
        const agent = next ?? current;
        if (content !== transferTo(agent)) host.settledOutputs.set(call.id, content);
        return agent;
      },
    });
  }

  return { hook: hookAgent, toolsOf: (agent) => toTools(originalOf(agent).tools) };
}

/** The text with which the runner confirms a handoff to the model. */
function transferTo(agent: HostAgent): string {
  return JSON.stringify({ assistant: agent.name });
}

function field(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

/** Returns properties that always read from `agent`, because its tools may change it during the run. */
function sameAs(agent: HostAgent): PropertyDescriptorMap {
  const fields = agent as unknown as { [name: string]: unknown };
  return Object.fromEntries(
    Object.keys(fields).map((name) => [
      name,
      {
        enumerable: true,
        configurable: true,
        get: () => fields[name],
        set: (value: unknown) => {
          fields[name] = value;
        },
      },
    ]),
  );
}

/** Caches the value made from a field of an agent until the field changes. */
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

/** Rejects tools that would bypass the hooks, unless `unhooked` names them. */
function checkAgent(agent: HostAgent, unhooked: readonly string[]): void {
  if ('capabilities' in agent && 'defaultManifest' in agent)
    throw refused(`agent "${agent.name}" is a sandbox agent, which creates its tools at runtime, outside of the hooks`);
  checkTools(agent.name, agent.tools, unhooked);
}

function checkTools(agent: string, tools: readonly HostTool[], unhooked: readonly string[]): void {
  for (const { name, type, on } of tools) {
    if (unhooked.includes(name)) continue;
    const what = `tool "${name}" of agent "${agent}"`;
    if (type !== 'function')
      throw refused(
        `${what} (${type}) is not a function tool, so hooks cannot judge its calls; name it in the option unhooked, or remove it`,
      );
    if (on !== undefined)
      throw refused(
        `${what} is an agent, which runs without hooks; name it in the option unhooked, or use a tool that runs the agent with the run function of withHooks`,
      );
  }
}

function refused(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `Hooks cannot guard this run: ${why}.`);
}

/** Returns the settings without the runner's retries, because a failed run does not continue. */
export function withoutRetry<S>(settings: S, whose: string, { log }: HostRun): S {
  const { retry, ...rest } = (settings ?? {}) as { readonly retry?: unknown };
  if (retry === undefined) return settings;
  log.warn({ agent: whose }, 'modelSettings.retry is ignored: retry with around.reasoning, or on.error');
  return rest as S;
}
