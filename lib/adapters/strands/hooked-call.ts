import { askedOf } from '../../events/decisions/ask.ts';
import type { PostActing } from '../../events/post-acting.ts';
import { parseJson } from '../../events/values/parse-json.ts';
import type { HostAnswer, LoopCall } from '../../loops/loop-run.ts';
import type { PendingCallRecord } from '../../loops/pending/pending-call-record.ts';
import { readAnswer } from '../../loops/pending/read-answer.ts';
import { relay } from '../../loops/relay.ts';
import { toToolCall } from '../../loops/to-tool-call.ts';
import type { HostRun, Scene } from './host-run.ts';
import { type HostTool, type HostToolContext, type HostToolResult, type HostToolStage, make } from './host-strands.ts';
import { textIn } from './messages.ts';
import { type CallUnderWay, toTool } from './own-tool.ts';
import type { HostStrands } from './strands-module.ts';

/** An evaluated call, wrapped as a tool of Strands. */
export interface HookedCall {
  readonly tool: HostTool;
  readonly wasRun: () => boolean;
}

/**
 * Evaluates a call and interrupts the agent if an approver suspends it. Returns a tool that runs the evaluated call. All its output passes through
 * the hooks.
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
    if (!post)
      throw new Error(`The call of "${name}" has a sub-agent with a pending call, which cannot be answered here.`);
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
  const brought = new Set(pipeline.tools.map(({ name }) => name));
  const known = new Map(agent.toolRegistry.list().map((one) => [one.name, one]));
  if (tool) known.set(tool.name, tool);
  return run.judge({
    settings: run.settings,
    call: toToolCall(toolUse.toolUseId, toolUse.name, toolUse.input),
    tools: [...known.values()].filter(({ name }) => !brought.has(name)).map((one) => toTool(one, run.calls)),
    options: { signal, onChunk },
    async going(pending) {
      const { loop, answer } = await run.going(agent.messages, pending);
      if (answer) throw new Error('Not run: a hook responded instead of the run.');
      return loop;
    },
    ask: (question, asked) => ask(stage, question, asked),
  });
}

/** Interrupts the agent with the approval prompt, or returns the answer. Each prompt of a call has its own name. */
function ask({ interrupt }: HostToolStage, { call }: PendingCallRecord, asked: number): Omit<HostAnswer, 'pending'> {
  const reason = { prompt: 'May it run?', ...askedOf(call), call: call.judged ?? call.toolCall };
  const { response } = interrupt({ name: asked === 0 ? 'hookline' : `hookline-${asked + 1}`, reason });
  return readAnswer(response) ?? { approved: false, reason: EXPECTED };
}

const EXPECTED = 'the answer is invalid: use true, false, or { approved, reason?, input? } with an object as input';

/** Returns the outcome of a call. It is the tool's own result, unless hooks changed it. */
function toResult(
  strands: HostStrands,
  toolUseId: string,
  { outcome, result }: PostActing,
  { result: own }: CallUnderWay,
): HostToolResult {
  const raw = outcome === 'executed' ? own : undefined;
  const { content, isError } = result;
  if (raw && content === textIn(raw.content) && isError === (raw.status === 'error')) return raw;
  const json = raw?.content.length === 1 && raw.content[0]?.type === 'jsonBlock' && parseJson(content);
  const isJson = typeof json === 'object' && json !== null;
  const block = strands.toolResultContentFromData(isJson ? { json } : { text: content });
  const status = isError ? 'error' : 'success';
  // Retry plugins of Strands read this error. It contains the settled text.
  const error = outcome === 'failed' && { error: new Error(content) };
  return make(strands.ToolResultBlock, { toolUseId, status, content: [block], ...error });
}
