import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf } from '../../events/parts/messages.ts';
import { checkHooks, checkSettings, runSettings } from '../../loops/check-hooks.ts';
import { hostPendingCallStore, pendingCallStore } from '../../loops/pending/pending-call-store.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import { originsOf } from './edited-message.ts';
import { hookedCall } from './hooked-call.ts';
import { type HookedModelClass, hookedModelClass } from './hooked-model.ts';
import type {
  HostLangChain,
  HostMessage,
  HostModelRequest,
  HostRuntime,
  HostState,
  HostTool,
  HostToolRequest,
} from './host-langchain.ts';
import { HostRun, type RunSettings } from './host-run.ts';
import { fromHostMessage } from './messages.ts';
import { toHostTool } from './own-tool.ts';
import { type Runs, registerMiddleware, remember, runAt } from './runs.ts';
import { toHostMessages } from './to-host-messages.ts';

/** Options of `hookline`: the agent's name in events, and settings for all runs. */
export interface HooklineOptions extends RunSettings {}

const NEEDED = {
  langchain: ['createMiddleware', 'tool', 'ToolStrategy', 'AIMessage', 'AIMessageChunk', 'HumanMessage'],
  '@langchain/core/language_models/chat_models': ['BaseChatModel'],
  '@langchain/langgraph': ['Command'],
} as const;

const KNOWN = [...runSettings, 'buffer'];

/**
 * Returns a middleware for LangChain 1 that runs the hooks of `pipeline` around every model request and tool call of an agent. Put it last among the
 * agent's middleware. `langchain` is the module with two more classes: `{ ...langchain, BaseChatModel, Command }`. One invocation is one run. Wrap
 * the agent in `hookedAgent`, so that failed runs also emit postCall. Throws `INPUT_INVALID` if a class of LangChain is missing or an option is
 * invalid.
 */
export function hookline<LC extends HostLangChain>(
  langchain: LC,
  pipeline: Pipeline,
  options: HooklineOptions,
): ReturnType<LC['createMiddleware']> {
  for (const [module, names] of Object.entries(NEEDED)) {
    const missing = names.find((name) => typeof langchain?.[name] !== 'function');
    if (missing)
      throw invalid(
        `the first argument must contain ${missing} of ${module}: { ...langchain, BaseChatModel, Command }`,
      );
  }
  const issue = checkHooks(pipeline, options, KNOWN);
  if (issue !== undefined) throw invalid(issue);
  const scene: Scene = {
    langchain,
    pipeline,
    options: {
      ...options,
      pendingCalls: hostPendingCallStore(options.pendingCalls ?? pendingCallStore(memoryStateStore())),
    },
    Model: hookedModelClass(langchain),
    isGuarded: pipeline.hooks.some(mayChangeAnswers),
    runs: new Map(),
  };
  const middleware = langchain.createMiddleware({
    name: 'hookline',
    stateSchema: z.object({ _hookline: z.string().optional() }),
    tools: pipeline.tools.map((tool) => toHostTool(langchain, tool)),
    beforeAgent: {
      canJumpTo: ['end'],
      hook: (state: HostState, runtime: HostRuntime) => beforeAgent(scene, state, runtime),
    },
    wrapModelCall: (request: HostModelRequest, next: (request: HostModelRequest) => Promise<unknown>) =>
      wrapModelCall(scene, request, next),
    wrapToolCall: (request: HostToolRequest, next: (request: HostToolRequest) => Promise<unknown>) =>
      wrapToolCall(scene, request, next),
    afterAgent: (state: HostState, runtime: HostRuntime) => afterAgent(scene, state, runtime),
  });
  registerMiddleware(middleware, { runs: scene.runs, log: pipeline.options.log ?? consoleLogger });
  return middleware;
}

function mayChangeAnswers({ on, through, around, redact }: Hook): boolean {
  if (through?.reasoningChunk || around?.reasoning || redact || typeof on === 'function') return true;
  return [on?.reasoningChunk, on?.postReasoning, on?.postCall, on?.error].some((handler) => handler !== undefined);
}

interface Scene {
  readonly langchain: HostLangChain;
  readonly pipeline: Pipeline;
  readonly options: RunSettings;
  readonly Model: HookedModelClass;
  readonly isGuarded: boolean;
  readonly runs: Runs;
}

/** Returns the settings of one run. `configurable.hookline` overrides the options, and the session id is the thread id. */
function settingsOf({ options }: Scene, { configurable = {} }: HostRuntime): RunSettings {
  const own = configurable['hookline'] ?? {};
  const issue = checkSettings(own, KNOWN.slice(1));
  if (issue !== undefined) throw new HooklineError('INPUT_INVALID', `configurable.hookline ${issue}.`);
  const thread = configurable['thread_id'];
  return { ...(typeof thread === 'string' && { sessionId: thread }), ...options, ...own };
}

async function beforeAgent(scene: Scene, state: HostState, runtime: HostRuntime): Promise<object> {
  const run = watchedRun(scene, runtime) ?? new HostRun(false);
  const given = state.messages;
  const began = run.readMessages(given);
  const settings = settingsOf(scene, runtime);
  const begun = run.begin(scene.pipeline, settings, began);
  const runId = run.loop?.run.info.runId ?? '';
  if (!run.watched) remember(scene.runs, runId, run);
  const { messages, answer } = await begun;
  const update = { _hookline: runId, messages: changesOf(scene.langchain, given, began, messages) };
  if (!answer) return update;
  return { ...update, messages: [...update.messages, ...toHostMessages(scene.langchain, answer)], jumpTo: 'end' };
}

/** Returns the changes of preCall as updates of the graph's messages. If the order is unchanged, they replace messages by id. */
function changesOf(
  langchain: HostLangChain,
  given: readonly HostMessage[],
  began: readonly Message[],
  settled: readonly Message[],
): object[] {
  const changed = settled.filter((message) => !began.includes(message));
  const inPlace =
    settled.length >= began.length &&
    began.every((one, at) => settled[at] === one || changed.includes(settled[at] as Message));
  const origins = originsOf(given, began, settled);
  const hosts = settled.map((message, at) => {
    const known = began.indexOf(message);
    if (known >= 0) return [given[known] as HostMessage];
    const made = toHostMessages(langchain, message, origins[at]);
    const id = inPlace ? given[at]?.id : undefined;
    if (id !== undefined) made[0]?._updateId?.(id);
    return made;
  });
  if (inPlace) return hosts.flatMap((made, at) => (settled[at] === began[at] ? [] : made));
  return [{ type: 'remove', id: '__remove_all__' }, ...hosts.flat()];
}

async function wrapModelCall(
  scene: Scene,
  request: HostModelRequest,
  next: (request: HostModelRequest) => Promise<unknown>,
): Promise<unknown> {
  const { pipeline, langchain, Model, isGuarded } = scene;
  const run = runOf(scene, request.state, request.runtime);
  const loop = await run.going(pipeline, settingsOf(scene, request.runtime), request.state._hookline);
  // A hook has ended the run. The graph ends if the model step adds no message.
  if (loop.finishing) return new langchain.Command({ update: { messages: [] } });
  for (const tool of request.tools ?? []) if (isTool(tool)) run.tools.set(tool.name, tool);
  let asked = false;
  const model = new Model({
    inner: request.model,
    run: loop,
    log: pipeline.options.log ?? consoleLogger,
    brought: pipeline.tools,
    buffer: run.buffer,
    readMessages: run.readMessages,
    isGuarded,
    onAsked: () => {
      asked = true;
    },
  });
  const response = await next({ ...request, model });
  if (!asked) throw bypassed('the model of a request');
  return response;
}

async function wrapToolCall(
  scene: Scene,
  request: HostToolRequest,
  next: (request: HostToolRequest) => Promise<unknown>,
): Promise<unknown> {
  const { langchain, pipeline } = scene;
  const run = runOf(scene, request.state, request.runtime);
  run.active += 1;
  try {
    const settings = settingsOf(scene, request.runtime);
    const hooked = await hookedCall({ langchain, pipeline, settings, run }, request);
    const response = await next(hooked.request);
    if (!hooked.wasRun()) throw bypassed(`the tool "${request.toolCall.name}"`);
    if (hooked.failure()) throw hooked.failure();
    return response;
  } finally {
    run.active -= 1;
    run.calls.delete(request.toolCall.id ?? '');
    // No wrapper ends a run that waits for an answer.
    if (!run.watched && run.suspended && run.active === 0) await run.end();
  }
}

async function afterAgent(scene: Scene, state: HostState, runtime: HostRuntime): Promise<object | undefined> {
  const run = runOf(scene, state, runtime);
  const post = await run.conclude();
  if (!run.watched && state._hookline !== undefined) scene.runs.delete(state._hookline);
  const last = state.messages.at(-1);
  if (!post?.message || last?.getType() !== 'ai') return undefined;
  const content = textOf(post.message);
  if (content === textOf(fromHostMessage(last))) return undefined;
  return { messages: [new scene.langchain.AIMessage({ content, id: last.id, name: last.name })] };
}

/** Returns the run of an invocation: the one that `hookedAgent` started, or the one named in the state. If that run has ended, a new run starts. */
function runOf(scene: Scene, state: HostState, runtime: HostRuntime): HostRun {
  const watched = watchedRun(scene, runtime);
  if (watched) return watched;
  // The state has no key if the agent had no hooks when the graph stopped.
  const key = state._hookline ?? `thread ${String(runtime.configurable?.['thread_id'] ?? '')}`;
  const known = scene.runs.get(key);
  // An aborted run belongs to an earlier attempt. The graph continues from the point of failure.
  if (known && !known.ended && !known.loop?.signal.aborted) return known;
  const run = new HostRun(false);
  remember(scene.runs, key, run);
  return run;
}

function watchedRun({ runs }: Scene, { configurable = {} }: HostRuntime): HostRun | undefined {
  return runAt(configurable['__hookline'], runs);
}

function isTool(tool: object): tool is HostTool {
  const { name, invoke } = tool as Partial<HostTool>;
  return typeof name === 'string' && typeof invoke === 'function';
}

function bypassed(what: string): HooklineError {
  return new HooklineError(
    'INPUT_INVALID',
    `Another middleware replaced ${what}, or responded instead of it, after the hooks: put hookline(..) last in \`middleware\`.`,
  );
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookline(langchain, pipeline, options): ${why}.`);
}
