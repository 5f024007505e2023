import type { PostActing } from '../../events/post-acting.ts';
import type { LoopCall } from '../../loops/loop-run.ts';
import { relay } from '../../loops/relay.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { HostConfig, HostLangChain, HostToolRequest } from './host-langchain.ts';
import type { HostRun, RunSettings } from './host-run.ts';
import { inside, insideConfig } from './inside-tool.ts';
import { toCall } from './messages.ts';
import { type CallUnderWay, toTool } from './own-tool.ts';
import { ask, whyNotAsked } from './questions.ts';

/** The context of a tool call. */
export interface CallScene {
  readonly langchain: HostLangChain;
  readonly pipeline: Pipeline;
  readonly settings: RunSettings;
  readonly run: HostRun;
}

/** An evaluated call, wrapped as a tool of LangChain. */
export interface HookedCall {
  readonly request: HostToolRequest;
  readonly wasRun: () => boolean;
  /** The error with which a hook ended the call, if any. */
  readonly failure: () => unknown;
}

/**
 * Evaluates a call and interrupts the graph if an approver suspends it. Returns a tool that runs the evaluated call. All its output passes through
 * the hooks.
 */
export async function hookedCall(scene: CallScene, request: HostToolRequest): Promise<HookedCall> {
  const { langchain, run } = scene;
  const { toolCall, tool } = request;
  const { name, id, inputError } = toCall(toolCall);
  const under: CallUnderWay = {};
  run.calls.set(id, under);
  const judged = await judge(scene, request, id, under);
  const known = tool ?? run.tools.get(name);
  let ran = false;
  let failure: unknown;
  const hooked = langchain.tool(
    async function* (_: unknown, config: HostConfig): AsyncGenerator<unknown, unknown> {
      ran = true;
      const work = relay<unknown, PostActing | undefined>((report) => {
        under.config = { ...config, onYield: report };
        // Tools of hooks, and hooks around the call, must not inherit LangChain's handlers either.
        return inside(
          langchain,
          insideConfig(config, () => {}),
          () => judged.execute(),
        );
      });
      try {
        for (;;) {
          const { done, value } = await work.next();
          if (done) return toHost(langchain, request, value, under);
          yield value;
        }
      } catch (thrown) {
        if (under.stop === undefined) {
          // LangChain's streams keep a promise for each tool that nothing awaits. The middleware throws the error after the tool.
          failure = thrown;
          return new langchain.ToolMessage({ ...named(request), content: 'The run has ended.', status: 'error' });
        }
        run.suspended = true;
        throw under.stop;
      }
    },
    {
      name,
      description: known?.description ?? name,
      // The hooks validated the input. A hook may have changed it to input that does not match the schema of the named tool.
      schema: { type: 'object' },
      metadata: known?.metadata,
      tags: known?.tags,
    },
  );
  // LangChain would report arguments that are not an object with its own error and stack. The wrapped tool reports the hooks' error instead.
  const asked = inputError === undefined ? toolCall : { ...toolCall, args: {} };
  return { request: { ...request, tool: hooked, toolCall: asked }, wasRun: () => ran, failure: () => failure };
}

async function judge(
  { langchain, pipeline, settings, run }: CallScene,
  { toolCall, tool, state, runtime }: HostToolRequest,
  id: string,
  under: CallUnderWay,
): Promise<LoopCall> {
  const known = new Map([...run.tools, ...(tool ? [[tool.name, tool] as const] : [])]);
  const brought = new Set(pipeline.tools.map((one) => one.name));
  const tools = [...known.values()].filter((one) => !brought.has(one.name));
  const unasked = whyNotAsked(runtime);
  return run.judge({
    settings,
    call: { ...toCall(toolCall), id },
    tools: tools.map((one) => run.own(one, () => toTool(langchain, one, run.calls))),
    options: {
      ...(unasked !== undefined && { unasked }),
      ...(runtime.signal && { signal: runtime.signal }),
      onChunk: ({ content }) => show(under, content),
    },
    going: (pending) => run.going(pipeline, settings, state._hookline, pending),
    // The graph runs the call from its start and replays every earlier answer.
    ask: (question, _, replayed) => ask(runtime, question.call, replayed),
  });
}

/** Sends settled progress to where the tool reported it. If no hook changed it, the original value is sent. */
function show({ reported }: CallUnderWay, content: string): void {
  if (content === '' || !reported) return;
  reported.show(reported.raw.restore({ content, isError: false }));
}

/** Returns the outcome of a call in the form that LangChain's tools return. */
function toHost(
  langchain: HostLangChain,
  request: HostToolRequest,
  post: PostActing | undefined,
  { output, stop }: CallUnderWay,
): unknown {
  if (stop !== undefined) throw stop;
  if (!post)
    throw new Error(
      `The call of "${request.toolCall.name}" has a sub-agent with a pending call, which cannot be answered here.`,
    );
  const { outcome, result } = post;
  const settled = outcome === 'executed' && output ? output.settle(result) : { content: result.content };
  if ('direct' in settled) return settled.direct;
  return new langchain.ToolMessage({
    ...settled,
    ...named(request),
    content: asContent(settled.content),
    status: result.isError ? 'error' : 'success',
  });
}

function named({ toolCall: { id = '', name } }: HostToolRequest): {
  readonly tool_call_id: string;
  readonly name: string;
} {
  return { tool_call_id: id, name };
}

/** Strings and blocks are kept. Other values are written as JSON. */
function asContent(value: unknown): unknown {
  if (typeof value === 'string') return value;
  const blocks = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && 'type' in one);
  return blocks ? value : (JSON.stringify(value) ?? '');
}
