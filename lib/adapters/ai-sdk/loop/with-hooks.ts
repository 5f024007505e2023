import { HooklineError } from '../../../errors.ts';
import { checkHooks, checkSettings, runSettings } from '../../../loops/check-hooks.ts';
import { memoryPendingCallStore } from '../../../loops/pending/pending-call-store.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { LanguageModel } from '../language-model.ts';
import { toolApproval } from './approvals/tool-approval.ts';
import type { CallOptions } from './call-options.ts';
import { endings, generating } from './endings.ts';
import { type Amended, type Checked, hookedAgent } from './hooked-agent.ts';
import type { HookedAi, HooklineCallOptions } from './hooked-ai.ts';
import { hookedModel } from './hooked-model.ts';
import { type HostAi, type HostMessage, type HostOptions, type StopCondition, versionOf } from './host-ai.ts';
import { HostCall } from './host-call.ts';
import { checkKnownOptions } from './known-options.ts';
import { requiredCall } from './required-call.ts';
import { hookedTools } from './tools/hooked-tools.ts';

/** Options of `withHooks`: the agent's name in events, and settings for all calls. */
export interface WithHooksOptions extends CallOptions {}

const KNOWN = [...runSettings, 'buffer', 'answers'];

/**
 * Returns `generateText`, `streamText` and `ToolLoopAgent` of the AI SDK with the hooks of `pipeline` around every model request and tool call. `ai`
 * is the module, version 5, 6 or 7. One call is one run. If a hook aborts, the call rejects with `RunAborted`, and a stream ends with an `abort`
 * part. Suspended calls use the SDK's approvals in version 6 or later. In version 5, they are denied. Throws `INPUT_INVALID` for any other module.
 */
export function withHooks<AI extends HostAi>(ai: AI, pipeline: Pipeline, options: WithHooksOptions): HookedAi<AI> {
  for (const name of ['generateText', 'streamText', 'asSchema', 'jsonSchema'] as const) {
    if (typeof ai?.[name] === 'function') continue;
    throw invalid(`the first argument must be the AI SDK module (import * as ai from 'ai'); it has no ${name}`);
  }
  const issue = checkHooks(pipeline, options, KNOWN);
  if (issue !== undefined) throw invalid(issue);
  const common: CallOptions = { pendingCalls: memoryPendingCallStore(), ...options };

  const checked: Checked = (place, given) => {
    const issue = given && checkKnownOptions(place, versionOf(ai), given);
    if (issue !== undefined) throw invalid(`${place} ${issue}`);
    return given;
  };
  const begin = (given: HostOptions & { readonly hookline?: HooklineCallOptions }): Amended => {
    const { hookline = {}, ...rest } = given;
    const own = checkSettings(hookline, KNOWN.slice(1));
    if (own !== undefined) throw invalid(`the option hookline ${own}`);
    return amend(ai, pipeline, { ...common, ...hookline }, rest as HostOptions, checked);
  };

  const generateText = async (given: HostOptions): Promise<unknown> => {
    checked('a call', withoutOwn(given));
    const { call, options: amended } = begin(given);
    return generating(call, () => ai.generateText(amended));
  };
  const streamText = (given: HostOptions): unknown => {
    checked('a call', withoutOwn(given));
    const { call, options: amended } = begin(given);
    return ai.streamText({ ...amended, ...endings(ai, call, given) });
  };
  const { ToolLoopAgent } = ai;
  return {
    generateText,
    streamText,
    ToolLoopAgent: ToolLoopAgent && hookedAgent(ai, ToolLoopAgent, begin, checked),
  } as unknown as HookedAi<AI>;
}

function amend(ai: HostAi, pipeline: Pipeline, own: CallOptions, given: HostOptions, checked: Checked): Amended {
  const { model, tools = {}, abortSignal, stopWhen, maxRetries = 0 } = given;
  const { experimental_prepareStep: former, prepareStep = former as HostOptions['prepareStep'] } = given;
  for (const tool of Object.values(tools)) checked('a tool', tool);
  const messages = given.messages ?? (Array.isArray(given['prompt']) ? (given['prompt'] as HostMessage[]) : []);
  const call = new HostCall(pipeline, own, messages, abortSignal);
  if (versionOf(ai) === 5) call.unasked = 'AI SDK 5 has no approval prompts';
  const hooked = hookedTools(ai, call, tools, pipeline.tools);
  const hook = (model: LanguageModel): LanguageModel => requiredCall(ai, hookedModel(model, call), call);
  const stops = [stopWhen ?? oneStep].flat() as StopCondition[];
  const options: HostOptions = {
    ...given,
    model: hook(model),
    ...(Object.keys(hooked.tools).length > 0 && { tools: hooked.tools }),
    abortSignal: AbortSignal.any([call.signal, ...(abortSignal ? [abortSignal] : [])]),
    stopWhen: [...stops, () => call.finishing],
    // A retry of the SDK would be another model step. Hooks retry in `around`.
    maxRetries,
    ...(prepareStep && {
      prepareStep: async (state: object) =>
        prepared(
          checked('what prepareStep returns', (await prepareStep({ ...state, model } as never)) as object),
          hook,
        ),
    }),
    ...(versionOf(ai) === 7 && { toolApproval: toolApproval(ai, call, hooked, given.toolApproval) }),
  };
  return { call, options };
}

const oneStep: StopCondition = ({ steps }) => steps.length >= 1;

function prepared(
  step: { readonly model?: LanguageModel } | undefined,
  hook: (model: LanguageModel) => LanguageModel,
): object | undefined {
  return step?.model ? { ...step, model: hook(step.model) } : step;
}

function withoutOwn({ hookline: _, ...given }: HostOptions): object {
  return given;
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `withHooks(ai, pipeline, options): ${why}.`);
}
