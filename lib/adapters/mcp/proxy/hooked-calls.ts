import { textOf } from '../../../events/parts/messages.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import { errorResult } from '../../../events/parts/tool-result.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { type HeldCall, openHeldCall, signHeldCall } from '../../../loops/held/held-call.ts';
import type { HostAnswer, LoopCall, LoopRun } from '../../../loops/loop-run.ts';
import { startLoopRun } from '../../../loops/start-loop-run.ts';
import { extendPipeline } from '../../../pipeline/create-pipeline.ts';
import type { Tool, ToolContext } from '../../../pipeline/define/tool.ts';
import { made, type SeenReply, seeReply } from '../content/seen-reply.ts';
import type { ListedTool } from '../tools/mcp-client.ts';
import { answerFrom, isStateless, metaOf, question, showsForms } from './ask-client.ts';
import { createAsking } from './ask-somebody.ts';
import type { Asked } from './asked.ts';
import type { CallUnderWay } from './call-under-way.ts';
import type { Cleaning } from './cleaning.ts';
import type { Read, RpcId, RpcMessage } from './json-rpc.ts';
import { createServerTools } from './server-tools.ts';
import { ASK_TIMEOUT_MS, type SessionOptions } from './session-options.ts';

/** Where a held call stands in a question of ours. */
const ANSWER = 'hookline.approve';
const STATE = 'hookline';

/** The first thing that many meet: it names what whoever has set this up can do. */
const UNASKED =
  'the client cannot be asked, since it shows no forms (give permission a rule or a default for the tool, ask on a page with --inspect, or believe the server about its tools with --trust-annotations)';

interface Sent {
  attempts: number;
  /** What the user has said yes to. */
  yes?: HeldCall;
  reply?: Read;
  seen?: SeenReply;
}

/** What the client gets of a call: a result, or the server's reply as it came. */
export type Outcome = { readonly result: JsonObject } | { readonly reply: Read };

/** The calls of one session: one run, which begins with the first of them. */
export interface HookedCalls {
  call(call: CallUnderWay): Promise<Outcome>;
  toolsChanged(): void;
  end(): Promise<void>;
}

export interface CallSides {
  readonly client: Asked;
  readonly server: Asked;
  newId(): string;
  /** A tool is to be shown otherwise than it was. */
  relisted(): void;
  readonly clean: Cleaning;
  /** Who talks to whom, for the run. */
  about(): JsonObject;
}

export function createHookedCalls(options: SessionOptions, sides: CallSides): HookedCalls {
  const { pipeline, pins, agent = 'mcp', log, secret, askTimeoutMs = ASK_TIMEOUT_MS, sessionId, userId } = options;
  const { client, server, newId, clean } = sides;
  const underWay = new Map<string, CallUnderWay & { readonly sent: Sent }>();
  const firstAnswer = createAsking(options, client, newId);
  const tools = createServerTools(options, execute, log);
  let run: LoopRun | undefined;
  let began: Promise<string | undefined> | undefined;

  /** What hooks have answered in the place of all calls, if they have. */
  async function begin(loop: LoopRun): Promise<string | undefined> {
    const { answer } = await loop.begin([]);
    return answer && textOf(answer);
  }

  function start(): LoopRun {
    const loop = startLoopRun(pins ? extendPipeline(pipeline, [pins.approver]) : pipeline, {
      agent,
      metadata: sides.about(),
      ...(sessionId !== undefined && { sessionId }),
      ...(userId !== undefined && { userId }),
    });
    loop.signal.addEventListener('abort', endStopped);
    options.onRun?.(loop.run);
    return loop;
  }

  /** A run that is to stop is over when its last call is, though its session goes on. */
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
    if (!call) return errorResult('The call is over.');
    const { request, sent, progress } = call;
    // The one before may have told of something else.
    delete sent.reply;
    delete sent.seen;
    // It has changed since the call was judged.
    if (pins?.isChanged(name)) return errorResult(`The MCP server has changed its tool "${name}". Call it again.`);
    if (progress) progress.emit = context.emit;
    // What was judged is sent, not what came: the same text can mean something else to another parser.
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
    // 1 and "1" are two requests.
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

  /** Judges a call until nobody asks any more; a question that the client is to come back with the answer to is the result. */
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
      if (answer?.approved && answer.held) {
        const { held = answer.held, pinned = false } = pins?.agree(answer.held) ?? {};
        if (pinned) sides.relisted();
        answer = { ...answer, held };
        sent.yes = held;
      }
      const judged = await loop.judge(toolCall, found, {
        signal: stop.signal,
        ...(answer && { answer }),
        ...(unasked !== undefined && { unasked }),
        ...(progress && { onChunk: ({ content }) => progress.give(content) }),
      });
      const { held } = judged;
      if (judged.state !== 'suspended' || !held) return judged;
      const form = question(held, clean.text);
      if (!form) answer = { approved: false, reason: 'the call is too long to be shown to anybody', held };
      else if (isStateless(request) && !options.ask) return { result: await askByResult(held, form) };
      else answer = await firstAnswer(given, held, form);
    }
  }

  /** The client asks its user, and sends the call again: with the answer, and with what it was about. */
  async function askByResult(held: HeldCall, params: JsonObject): Promise<JsonObject> {
    const inputRequests = { [ANSWER]: { method: 'elicitation/create', params } };
    return { resultType: 'input_required', inputRequests, requestState: await toState(held) };
  }

  /** The server asks for something after a yes, which comes back with the answer: nobody is asked twice. */
  async function withYes(held: HeldCall, result: JsonObject): Promise<JsonObject> {
    const { by = '', judged, granted = [], ...call } = held.call;
    const yes = { ...held, call: { ...call, judged, granted: [...granted, { by, judged }] } };
    const theirs = result['requestState'];
    return { ...result, requestState: await toState(yes, typeof theirs === 'string' ? theirs : undefined) };
  }

  async function toState(held: HeldCall, theirs?: string): Promise<string> {
    const signed = await signHeldCall({ ...held, expiresAt: Date.now() + askTimeoutMs }, secret);
    return `${STATE}${theirs === undefined ? '' : `=${encodeURIComponent(theirs)}`}:${signed}`;
  }

  /** The answer that comes with a call, if it is one of ours. The server gets what is the server's. */
  async function givenAnswer({ request }: CallUnderWay): Promise<HostAnswer | undefined> {
    const params = request.params as { requestState?: string; inputResponses?: JsonObject };
    const [state, theirs, signed] = /^hookline(?:=([^:]*))?:(.*)$/s.exec(String(params.requestState)) ?? [];
    if (state === undefined) return undefined;
    const { [ANSWER]: said, ...others } = params.inputResponses ?? {};
    delete params.requestState;
    if (theirs !== undefined) params.requestState = decodeURIComponent(theirs);
    if (Object.keys(others).length > 0) params.inputResponses = others;
    else delete params.inputResponses;
    const held = await openHeldCall(signed as string, secret);
    if (!options.isNew(signed as string)) return { approved: false, reason: 'this answer was given before', held };
    return held.call.by === undefined ? { approved: true, held } : answerFrom(said as JsonObject | undefined, held);
  }

  return {
    call,
    toolsChanged: () => tools.forget(),
    end,
  };
}
