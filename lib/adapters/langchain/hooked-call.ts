import type { PostActing } from '../../events/post-acting.ts';
import type { HeldCall } from '../../loops/held/held-call.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../loops/loop-run.ts';
import { relay } from '../../loops/relay.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { HostConfig, HostLangChain, HostToolRequest } from './host-langchain.ts';
import type { HostRun, RunSettings } from './host-run.ts';
import { inside, insideConfig } from './inside-tool.ts';
import { toCall } from './messages.ts';
import { type CallUnderWay, toTool } from './own-tool.ts';
import { ask, whyUnasked } from './questions.ts';

/** What a call is run with. */
export interface CallScene {
  readonly langchain: HostLangChain;
  readonly pipeline: Pipeline;
  readonly settings: RunSettings;
  readonly run: HostRun;
}

/** A judged call as a tool of the host's. */
export interface HookedCall {
  /** The request with that tool. */
  readonly request: HostToolRequest;
  readonly wasRun: () => boolean;
  /** What hooks have ended it with, after the tool. */
  readonly failure: () => unknown;
}

/**
 * Judges a call, asks where an approver suspends it, and gives the tool that stands for the host's: it runs what was judged, and all that leaves
 * it has been through hooks.
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
        // Tools that hooks bring, and hooks around the call, inherit nothing of the host's either.
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
          // The streams of the host have promises for each tool, and nobody who waits for them: it is thrown behind the tool.
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
      // The input has been checked; what runs need not fit the schema of the tool that the model named.
      schema: { type: 'object' },
      metadata: known?.metadata,
      tags: known?.tags,
    },
  );
  // LangChain would tell its own fault of arguments that are no object, with its stack: here, the hooks' tool says it.
  const asked = inputError === undefined ? toolCall : { ...toolCall, args: {} };
  return { request: { ...request, tool: hooked, toolCall: asked }, wasRun: () => ran, failure: () => failure };
}

async function judge(
  { langchain, pipeline, settings, run }: CallScene,
  { toolCall, tool, state, runtime }: HostToolRequest,
  id: string,
  under: CallUnderWay,
): Promise<LoopCall> {
  const call = { ...toCall(toolCall), id };
  const held = await run.take(settings, id);
  const loop: LoopRun = await run.going(pipeline, settings, state._hookline, held);
  const known = new Map([...run.tools, ...(tool ? [[tool.name, tool] as const] : [])]);
  const brought = new Set(pipeline.tools.map((one) => one.name));
  const tools = [...known.values()].filter((one) => !brought.has(one.name));
  const own = tools.map((one) => run.own(one, () => toTool(langchain, one, run.calls)));
  const unasked = whyUnasked(runtime);
  const options = {
    ...(unasked !== undefined && { unasked }),
    ...(runtime.signal && { signal: runtime.signal }),
    onChunk: ({ content }: { readonly content: string }): void => show(under, content),
  };
  const asking = (question: HeldCall, again: number): ReturnType<typeof ask> => {
    const { prompt = 'May it run?', by, judged } = question.call;
    try {
      return ask(runtime, { prompt, by, call: judged }, again);
    } catch (interrupted) {
      run.suspended = true;
      throw interrupted;
    }
  };
  let answer: HostAnswer | undefined;
  if (held) {
    try {
      // The graph runs the call from its start, and gives all answers that it has had once more.
      answer = { ...asking(held, held.asked ?? 0), held };
    } catch (interrupted) {
      await run.keep(settings, held);
      throw interrupted;
    }
  }
  for (;;) {
    const judged = await loop.judge(call, own, { ...options, ...(answer && { answer }) });
    if (judged.state !== 'suspended') return judged;
    if (!judged.held) throw new Error(`The call ${id} waits for a sub-agent, which cannot be asked here.`);
    answer = asking(judged.held, 0);
    // Answered at once: the question is one of another process, and the call that it showed is not known here.
    await run.take(settings, id);
  }
}

/** Progress that has left the hooks goes where it came from, as the value that it was if they have left it. */
function show({ reported }: CallUnderWay, content: string): void {
  if (content === '' || !reported) return;
  reported.show(reported.raw.restore({ content, isError: false }));
}

/** What a call came to, as LangChain's tools say it. */
function toHost(
  langchain: HostLangChain,
  request: HostToolRequest,
  post: PostActing | undefined,
  { output, stop }: CallUnderWay,
): unknown {
  if (stop !== undefined) throw stop;
  if (!post)
    throw new Error(`The call of "${request.toolCall.name}" waits for a sub-agent, which cannot be asked here.`);
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

/** Text and blocks as they are, anything else as JSON. */
function asContent(value: unknown): unknown {
  if (typeof value === 'string') return value;
  const blocks = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null && 'type' in one);
  return blocks ? value : (JSON.stringify(value) ?? '');
}
