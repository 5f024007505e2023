import { approvedCall } from '../../../agent/suspend/suspended-call.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import { errorResult } from '../../../events/parts/tool-result.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { withoutUndefined } from '../../../events/values/without-undefined.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../../loops/loop-run.ts';
import {
  openPendingCall,
  type PendingCallRecord,
  signPendingCall,
} from '../../../loops/pending/pending-call-record.ts';
import { startLoopRun } from '../../../loops/start-loop-run.ts';
import { extendPipeline } from '../../../pipeline/create-pipeline.ts';
import type { Tool, ToolContext } from '../../../pipeline/define/tool.ts';
import { made, type SeenReply, seeReply } from '../content/seen-reply.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { answerFrom, isStateless, metaOf, question, showsForms } from './ask-client.ts';
import { createAsking } from './ask-somebody.ts';
import type { CallUnderWay } from './call-under-way.ts';
import type { Cleaning } from './cleaning.ts';
import type { Read, RpcId, RpcMessage } from './json-rpc.ts';
import type { PendingRequests } from './pending-requests.ts';
import { createServerTools } from './server-tools.ts';
import { ASK_TIMEOUT_MS, type SessionOptions } from './session-options.ts';

/** The key of a pending call in an elicitation of the proxy. */
const ANSWER = 'hookline.approve';
const STATE = 'hookline';

/** New users often meet this message, so it names the ways to set up approvals. */
const UNASKED =
  'the client does not support forms, so it cannot show the approval prompt (add a permission rule or default for the tool, answer in the web UI with --inspect, or use --trust-annotations)';

interface Sent {
  attempts: number;
  /** The call that the user has approved. */
  yes?: PendingCallRecord;
  reply?: Read;
  seen?: SeenReply;
}

/** The outcome for the client: a result, or the server's unchanged reply. */
export type Outcome = { readonly result: JsonObject } | { readonly reply: Read };

/** The calls of one session. They form one run, which starts with the first call. */
export interface HookedCalls {
  call(call: CallUnderWay): Promise<Outcome>;
  toolsChanged(): void;
  end(): Promise<void>;
}

export interface CallSides {
  readonly client: PendingRequests;
  readonly server: PendingRequests;
  newId(): string;
  /** Called when the shown definition of a tool changes. */
  relisted(): void;
  readonly clean: Cleaning;
  /** Returns the client and the server, as metadata of the run. */
  about(): JsonObject;
}

export function createHookedCalls(options: SessionOptions, sides: CallSides): HookedCalls {
  const {
    pipeline,
    pins,
    agent = 'mcp',
    log,
    secret,
    askTimeoutMs = ASK_TIMEOUT_MS,
    sessionId,
    userId,
    runs,
  } = options;
  const { client, server, newId, clean } = sides;
  const underWay = new Map<string, CallUnderWay & { readonly sent: Sent }>();
  const firstAnswer = createAsking(options, client, newId);
  const tools = createServerTools(options, execute, log);
  let run: LoopRun | undefined;
  let began: Promise<string | undefined> | undefined;

  /** Returns the answer that a hook gave in preCall, if any. */
  async function begin(loop: LoopRun): Promise<string | undefined> {
    const { answer } = await loop.begin([]);
    return answer && textOf(answer);
  }

  function start(): LoopRun {
    const about = withoutUndefined({ agent, metadata: sides.about(), sessionId, userId, runs });
    const loop = startLoopRun(pins ? extendPipeline(pipeline, [pins.approver]) : pipeline, about);
    loop.signal.addEventListener('abort', endStopped);
    options.onRun?.(loop.run);
    return loop;
  }

  /** An aborted run ends with its last call. The session stays open. */
  function endStopped() {
    if (run?.signal.aborted && underWay.size === 0) void end();
  }

  async function end(): Promise<void> {
    await began?.catch(() => {});
    await run?.end({ outcome: 'completed' });
  }

  async function execute(input: unknown, context: ToolContext) {
    const { id, name } = context.toolCall;
    const call = underWay.get(id);
    if (!call) return errorResult('The call has ended.');
    const { request, sent, progress } = call;
    // An earlier attempt may have set these.
    delete sent.reply;
    delete sent.seen;
    // The tool changed after the call was evaluated.
    if (pins?.isChanged(name)) return errorResult(`The MCP server changed its tool "${name}". Call it again.`);
    if (progress) progress.emit = context.emit;
    // Sends the evaluated call, not the received text. Another parser could read the received text differently.
    const { task: _, ...params } = clean.answers(request.params) ?? {};
    const wireId = sent.attempts === 0 ? call.id : newId();
    sent.attempts += 1;
    const asked = { ...request, id: wireId, params: { ...params, name, arguments: input } as JsonObject };
    const reply = await server.ask(asked, call.id, call.stop.signal, context.signal);
    await progress?.drained();
    sent.reply = reply;
    sent.seen = seeReply(reply.message, tools.structures(name));
    return sent.seen.seen;
  }

  async function call(given: CallUnderWay): Promise<Outcome> {
    run ??= start();
    began ??= begin(run);
    const answered = await began;
    const { name } = given.request.params as { name: string };
    if (answered !== undefined) return { result: made(errorResult(answered), false) };
    const found = await tools.find(name, (page) => list(given, page));
    const sent: Sent = { attempts: 0 };
    // The ids 1 and "1" are two requests.
    const id = underWay.has(String(given.id)) ? `${given.id} (${newId()})` : String(given.id);
    underWay.set(id, { ...given, sent });
    try {
      const judged = await judge(run, id, given, found, sent);
      if ('result' in judged) return judged;
      const post = await judged.execute();
      const settled = post?.result ?? errorResult('The call has no result.');
      const { seen, reply } = sent;
      const ran = post?.outcome === 'executed' && seen && reply;
      if (!ran) return { result: made(settled, tools.structures(name)) };
      const changed = seen.restore(settled);
      const result = changed ?? reply.message.result;
      if (sent.yes && result?.['resultType'] === 'input_required') return { result: await withYes(sent.yes, result) };
      return changed ? { result: changed } : { reply };
    } finally {
      underWay.delete(id);
      endStopped();
    }
  }

  async function list({ id, request, stop }: CallUnderWay, page: JsonObject | undefined) {
    const { progressToken: _, ...meta } = metaOf(request.params) ?? {};
    const params = { ...page, ...(isStateless(request) && { _meta: meta }) } as JsonObject;
    const asked: RpcMessage & { id: RpcId } = { jsonrpc: '2.0', id: newId(), method: 'tools/list', params };
    const { result, error } = (await server.ask(asked, id, stop.signal)).message;
    if (error) throw new Error(`The MCP server does not list its tools: ${error.message}`);
    const listed = result as unknown as { tools: readonly ListedTool[] };
    await pins?.check(listed.tools);
    return listed;
  }

  /** Evaluates a call until no approver suspends it. If the client must return an answer, the result is the approval prompt. */
  async function judge(
    loop: LoopRun,
    id: string,
    given: CallUnderWay,
    found: readonly Tool[],
    sent: Sent,
  ): Promise<LoopCall | { readonly result: JsonObject }> {
    const { request, progress, capabilities, stop } = given;
    const { name, arguments: input = {} } = request.params as { name: string; arguments?: JsonObject };
    const toolCall: ToolCall = { id, name, input };
    const unasked = options.ask || showsForms(request, capabilities) ? undefined : UNASKED;
    let answer = await givenAnswer(given);
    for (;;) {
      if (answer?.approved && answer.pending) {
        const { pending = answer.pending, pinned = false } = pins?.agree(answer.pending) ?? {};
        if (pinned) sides.relisted();
        answer = { ...answer, pending };
        sent.yes = pending;
      }
      const judged = await loop.judge(toolCall, found, {
        signal: stop.signal,
        ...(answer && { answer }),
        ...(unasked !== undefined && { unasked }),
        ...(progress && { onChunk: ({ content }) => progress.give(content) }),
      });
      const { pending } = judged;
      if (judged.state !== 'suspended' || !pending) return judged;
      const form = question(pending, clean.text);
      if (!form) answer = { approved: false, reason: 'the call is too long for an approval prompt', pending };
      else if (isStateless(request) && !options.ask) return { result: await askByResult(pending, form) };
      else answer = await firstAnswer(given, pending, form);
    }
  }

  /** The client asks its user. It then sends the call again, with the answer and the pending call. */
  async function askByResult(pending: PendingCallRecord, params: JsonObject): Promise<JsonObject> {
    const inputRequests = { [ANSWER]: { method: 'elicitation/create', params } };
    return { resultType: 'input_required', inputRequests, requestState: await toState(pending) };
  }

  /** The server requests input after an approval. The approval returns with the answer, so the user is not asked twice. */
  async function withYes(pending: PendingCallRecord, result: JsonObject): Promise<JsonObject> {
    const yes = { ...pending, call: approvedCall(pending.call) };
    const theirs = result['requestState'];
    return { ...result, requestState: await toState(yes, typeof theirs === 'string' ? theirs : undefined) };
  }

  async function toState(pending: PendingCallRecord, theirs?: string): Promise<string> {
    const signed = await signPendingCall({ ...pending, expiresAt: Date.now() + askTimeoutMs }, secret);
    return `${STATE}${theirs === undefined ? '' : `=${encodeURIComponent(theirs)}`}:${signed}`;
  }

  /** Returns the answer in a call, if it is for the proxy. Answers for the server are forwarded. */
  async function givenAnswer({ request }: CallUnderWay): Promise<HostAnswer | undefined> {
    const params = request.params as { requestState?: string; inputResponses?: JsonObject };
    const [state, theirs, signed] = /^hookline(?:=([^:]*))?:(.*)$/s.exec(String(params.requestState)) ?? [];
    if (state === undefined) return undefined;
    const { [ANSWER]: response, ...others } = params.inputResponses ?? {};
    delete params.requestState;
    if (theirs !== undefined) params.requestState = decodeURIComponent(theirs);
    if (Object.keys(others).length > 0) params.inputResponses = others;
    else delete params.inputResponses;
    const pending = await openPendingCall(signed as string, secret);
    if (!options.isNew(signed as string)) return { approved: false, reason: 'this answer was already used', pending };
    return pending.call.by === undefined
      ? { approved: true, pending }
      : answerFrom(response as JsonObject | undefined, pending);
  }

  return {
    call,
    toolsChanged: () => tools.forget(),
    end,
  };
}
