import type { PostActing } from '../../events/post-acting.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { HeldCall } from '../../loops/held/held-call.ts';
import type { HostAnswer, LoopCall } from '../../loops/loop-run.ts';
import { relay } from '../../loops/relay.ts';
import { toToolCall } from '../../loops/to-tool-call.ts';
import type { HostRun, Scene } from './host-run.ts';
import { type HostTool, type HostToolContext, type HostToolResult, type HostToolStage, make } from './host-strands.ts';
import { textIn } from './messages.ts';
import { type CallUnderWay, toTool } from './own-tool.ts';
import type { HostStrands } from './strands-module.ts';

/** A judged call as a tool of the host's. */
export interface HookedCall {
  readonly tool: HostTool;
  readonly wasRun: () => boolean;
}

/**
 * Judges a call, asks where an approver suspends it, and gives the tool that stands for the host's: it runs what was judged, and all that leaves
 * it has been through hooks.
 */
export async function hookedCall(scene: Scene, run: HostRun, stage: HostToolStage): Promise<HookedCall> {
  const { toolUse, tool } = stage;
  const { name, toolUseId: id } = toolUse;
  const under: CallUnderWay = {};
  run.calls.set(id, under);
  let report = (_: unknown): void => {};
  const judged = await judge(scene, run, stage, ({ content }) => {
    if (content !== '' && under.reported) report(under.reported.restore({ content, isError: false }));
  });
  let ran = false;
  async function* stream(context: HostToolContext): AsyncGenerator<object, HostToolResult> {
    ran = true;
    const work = relay<object, PostActing | undefined>((show) => {
      under.context = context;
      report = (data) => show(make(scene.strands.ToolStreamEvent, { data }));
      return judged.execute();
    });
    const post = yield* work;
    if (under.stop !== undefined) {
      run.suspended = true;
      throw under.stop;
    }
    if (!post) throw new Error(`The call of "${name}" waits for a sub-agent, which cannot be asked here.`);
    return toResult(scene.strands, id, post, under);
  }
  const { description = name, toolSpec = { name, description } } = tool ?? {};
  return { tool: { name, description, toolSpec, stream }, wasRun: () => ran };
}

async function judge(
  { pipeline }: Scene,
  run: HostRun,
  stage: HostToolStage,
  onChunk: (chunk: { readonly content: string }) => void,
): Promise<LoopCall> {
  const { agent, tool, toolUse, cancelSignal: signal } = stage;
  const call = toToolCall(toolUse.toolUseId, toolUse.name, toolUse.input);
  const held = await run.take(call.id);
  const { loop, answer: answered } = await run.going(agent.messages, held);
  if (answered) throw new Error('Not run: a hook has answered in the place of the run.');
  const brought = new Set(pipeline.tools.map(({ name }) => name));
  const known = new Map(agent.toolRegistry.list().map((one) => [one.name, one]));
  if (tool) known.set(tool.name, tool);
  const tools = [...known.values()].filter(({ name }) => !brought.has(name)).map((one) => toTool(one, run.calls));

  let asked = held?.asked ?? 0;
  let answer: HostAnswer | undefined;
  if (held) {
    try {
      answer = { ...ask(stage, held, asked++), held };
    } catch (interrupt) {
      run.suspended = true;
      await run.keep(held);
      throw interrupt;
    }
  }
  for (;;) {
    const judged = await loop.judge(call, tools, { signal, onChunk, ...(answer && { answer }) });
    if (judged.state !== 'suspended') return judged;
    if (!judged.held) throw new Error(`The call ${call.id} waits for a sub-agent, which cannot be asked here.`);
    answer = ask(stage, judged.held, asked++);
    // Answered at once: the question is one of another process, and the call that it showed is not known here.
    await run.take(call.id);
  }
}

/** Interrupts the host with the question, or gives what was answered. Each question about a call has a name of its own. */
function ask({ interrupt }: HostToolStage, { call }: HeldCall, asked: number): Omit<HostAnswer, 'held'> {
  const { prompt = 'May it run?', by, judged } = call;
  const reason = { prompt, ...(by !== undefined && { by }), call: judged ?? call.toolCall };
  return readAnswer(interrupt({ name: asked === 0 ? 'hookline' : `hookline-${asked + 1}`, reason }).response);
}

const EXPECTED =
  'the answer was not understood: give true, false, or { approved, reason?, input? }, where input is an object';

/** An answer; whatever is not one is a no that says so. */
function readAnswer(given: unknown): Omit<HostAnswer, 'held'> {
  if (typeof given === 'boolean') return { approved: given };
  const { approved, reason, input } = (given ?? {}) as { readonly [member: string]: unknown };
  const edits = typeof input === 'object' && input !== null && !Array.isArray(input);
  // Who has edited the call in a way that is not understood has not said yes to the call as it was.
  if (typeof approved !== 'boolean' || (input !== undefined && !edits)) return { approved: false, reason: EXPECTED };
  return {
    approved,
    ...(typeof reason === 'string' && { reason }),
    ...(edits && { input: input as JsonObject }),
  };
}

/** What a call came to, as the host's tools say it: the tool's own result, unless hooks have changed it. */
function toResult(
  strands: HostStrands,
  toolUseId: string,
  { outcome, result }: PostActing,
  { result: own }: CallUnderWay,
): HostToolResult {
  const raw = outcome === 'executed' ? own : undefined;
  const { content, isError } = result;
  if (raw && content === textIn(raw.content) && isError === (raw.status === 'error')) return raw;
  const json = raw?.content.length === 1 && raw.content[0]?.type === 'jsonBlock' ? objectIn(content) : undefined;
  const block = strands.toolResultContentFromData(json ? { json } : { text: content });
  const status = isError ? 'error' : 'success';
  // Plugins of the host that try again look at it; it has the words that have settled.
  const error = outcome === 'failed' && { error: new Error(content) };
  return make(strands.ToolResultBlock, { toolUseId, status, content: [block], ...error });
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
