import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { compilePlan } from '../../../pipeline/define/plan.ts';
import { isStateless, metaOf } from './ask-client.ts';
import { createAsked } from './asked.ts';
import type { CallUnderWay } from './call-under-way.ts';
import { createCleaning, passPart as pass } from './cleaning.ts';
import { faultOfCall, faultOfMethod } from './fault-of-call.ts';
import { createHookedCalls, type Outcome } from './hooked-calls.ts';
import { errorReply, type Read, type RpcId, type RpcMessage } from './json-rpc.ts';
import { createProgress, isToken } from './progress.ts';
import type { SessionOptions } from './session-options.ts';
import { createShownTools } from './shown-tools.ts';
import { stripTasks } from './strip-tasks.ts';
import { failedReply, type NotTaken, takeMessage } from './take-message.ts';

/** Where the messages of a session go, as JSON. `about` is the client's request that a message is for, where one is known. */
export interface Ends {
  /** What answers a request of the client, the last of it. */
  answer(text: string, id: RpcId | null): void;
  /** The client has taken its request back, and gets no answer. */
  dropped(id: RpcId): void;
  /** What the server's side asks or tells. */
  toClient(text: string, about?: RpcId): void;
  toServer(text: string, about?: RpcId): void;
}

/** One client and one server, with the hooks between them. */
export interface McpSession {
  fromClient(text: string): void;
  fromServer(text: string, about?: RpcId): void;
  /** Nothing more comes of the server: what waits for it is answered with `why`. Resolves when the calls under way have been. */
  serverGone(why: string): Promise<void>;
  /** Resolves when no call is under way. */
  idle(): Promise<unknown>;
  /** The client has gone: its calls are cancelled, and the run ends. */
  end(): Promise<void>;
}

/** Requests of one side that may be under way. */
const MAX_OPEN = 10_000;

export function openSession(options: SessionOptions, { answer, dropped, toClient, toServer }: Ends): McpSession {
  const { pipeline, agent = 'mcp', log } = options;
  const plan = compilePlan(pipeline.hooks, agent);
  const show = createShownTools(options, plan);
  const clean = createCleaning({ plan, log });
  // Nobody can guess one who has not been sent it: the server asks the client questions of its own.
  const newId = (): string => `hookline-${crypto.randomUUID()}`;
  const client = createAsked(toClient);
  const server = createAsked(toServer);
  const calls = new Map<RpcId, CallUnderWay & { done: Promise<void> }>();
  /** Methods of the client's other requests that the server has not answered. */
  const open = new Map<RpcId, string>();
  let capabilities: JsonObject | undefined;
  const about: { client?: JsonObject; server?: JsonObject } = {};
  let gone: string | undefined;

  const relisted = (): void => {
    if (capabilities) toClient('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  };
  const hooked = createHookedCalls(options, { client, server, newId, clean, relisted, about: () => ({ ...about }) });
  const reply = (message: RpcMessage): void => answer(JSON.stringify(message), message.id ?? null);

  function request(read: Read, id: RpcId) {
    const { method = '', params } = read.message;
    if (calls.has(id) || open.has(id)) return reply(errorReply(id, -32600, 'A request of this id is under way.'));
    if (calls.size + open.size >= MAX_OPEN) return reply(errorReply(id, -32000, 'Too many requests are under way.'));
    const wrong = faultOfMethod(method);
    if (wrong !== undefined) return reply(errorReply(id, -32601, wrong));
    if (method === 'tools/call') return begin(read, id);
    if (gone !== undefined) return reply(errorReply(id, -32000, gone));
    open.set(id, method);
    const send = (text: string): void => toServer(text, id);
    try {
      if (method !== 'initialize') return pass(send, read, 'params', clean.answers(params));
      capabilities = params?.['capabilities'] as JsonObject | undefined;
      about.client = params?.['clientInfo'] as JsonObject;
      pass(send, read, 'params', stripTasks(params));
    } catch (thrown) {
      open.delete(id);
      throw thrown;
    }
  }

  function begin({ text, message }: Read, id: RpcId) {
    const params = { ...message.params };
    about.client ??= metaOf(params)?.['io.modelcontextprotocol/clientInfo'] as JsonObject;
    const fault = faultOfCall(params, text);
    if (fault !== undefined) return reply(errorReply(id, -32602, fault));
    const token = metaOf(params)?.['progressToken'];
    const overflow = (): void =>
      log.warn({ id }, 'progress of an MCP server came faster than hooks take it; some is dropped');
    const told = (read: Read): void =>
      pass((text) => toClient(text, id), read, 'params', clean.notice(read.message.params));
    const progress = token === undefined ? undefined : createProgress(token, told, overflow);
    const request = { ...message, params };
    const call: CallUnderWay = { id, request, stop: new AbortController(), progress, capabilities };
    calls.set(id, { ...call, done: settle(call) });
  }

  async function settle(call: CallUnderWay): Promise<void> {
    const { id, stop } = call;
    try {
      const outcome = await hooked
        .call(call)
        .catch((thrown: unknown): Outcome => ({ result: failed(messageOf(thrown)) }));
      calls.delete(id);
      // A client that has cancelled waits for nothing.
      if (stop.signal.aborted) return dropped(id);
      if ('reply' in outcome) return finish(id, outcome.reply);
      const { result } = outcome;
      const made = isStateless(call.request) ? { resultType: 'complete', ...result } : result;
      reply({ jsonrpc: '2.0', id, result: clean.part(made) });
    } catch (thrown) {
      log.error({ err: thrown }, 'the result of an MCP call is not passed on');
      reply(errorReply(id, -32603, 'The result is not passed on: Hookline failed, and its log says why.'));
    }
  }

  const failed = (why: string): JsonObject => ({ content: [{ type: 'text', text: clean.text(why) }], isError: true });

  /** A reply that hooks have left as it was. What it says beside its texts goes through the redactors all the same. */
  function finish(id: RpcId, read: Read) {
    const { message } = read;
    const cleaned = clean.reply(message);
    if (cleaned === message && message.id === id) answer(read.text, id);
    else reply({ ...cleaned, id });
  }

  function notified(read: Read) {
    const { method, params } = read.message;
    // A server that is lax would run it.
    const wrong = method === 'tools/call' ? 'tools/call: a request needs an id' : faultOfMethod(method ?? '');
    if (wrong !== undefined) return reply(errorReply(null, -32600, wrong));
    const id = params?.['requestId'] as RpcId;
    const call = method === 'notifications/cancelled' ? calls.get(id) : undefined;
    if (method === 'notifications/cancelled' && open.delete(id)) dropped(id);
    // The server is told by the call itself, if it knows of it.
    if (!call) return toServer(read.text);
    const reason = params?.['reason'];
    call.stop.abort(new DOMException(typeof reason === 'string' ? reason : 'cancelled by the client', 'AbortError'));
  }

  function replied(read: Read) {
    const { id, error } = read.message;
    if (server.take(read)) return;
    const method = id === undefined || id === null ? undefined : open.get(id);
    if (method === undefined) return log.warn({ id }, 'a reply of the MCP server, which nobody waits for, is dropped');
    if (method === 'tools/list' && !error) return void list(read, id as RpcId);
    if (error) finish(id as RpcId, read);
    else opened(read, id as RpcId, method);
    open.delete(id as RpcId);
  }

  function opened(read: Read, id: RpcId, method: string) {
    let { result } = read.message;
    if (method === 'initialize' || method === 'server/discover') {
      about.server = result?.['serverInfo'] as JsonObject;
      result = stripTasks(result);
    }
    pass((text) => answer(text, id), read, 'result', clean.part(result));
  }

  async function list(read: Read, id: RpcId) {
    open.delete(id);
    try {
      const result = await show(read.message.result ?? {});
      pass((text) => answer(text, id), read, 'result', clean.part(result));
    } catch (thrown) {
      log.error({ err: thrown }, 'the tools of an MCP server are not shown');
      reply(errorReply(id, -32603, clean.text(messageOf(thrown))));
    }
  }

  function told(read: Read, about: RpcId | undefined) {
    const { method, params } = read.message;
    if (method === 'notifications/tools/list_changed') hooked.toolsChanged();
    const token = method === 'notifications/progress' ? params?.['progressToken'] : undefined;
    const call =
      token === undefined ? undefined : [...calls.values()].find(({ progress }) => isToken(token, progress?.token));
    if (call?.progress) call.progress.take(read);
    else pass((text) => toClient(text, about), read, 'params', clean.notice(params));
  }

  function clientSays(read: Read) {
    const { message } = read;
    const { id, method } = message;
    if (method !== undefined) return id === undefined || id === null ? notified(read) : request(read, id);
    if (client.take(read)) return;
    const cleaned = clean.reply(message);
    toServer(cleaned === message ? read.text : JSON.stringify(cleaned));
  }

  function serverSays(read: Read, about: RpcId | undefined) {
    const { id, method, params } = read.message;
    if (method === undefined) replied(read);
    else if (id === undefined || id === null) told(read, about);
    else pass((out) => toClient(out, about), read, 'params', clean.part(params));
  }

  function notPassed({ why, fault }: NotTaken): string {
    if (fault !== undefined) log.error({ err: fault }, 'an MCP message is not passed on');
    return `The message is not passed on: ${why}.`;
  }

  const idle = (): Promise<unknown> => Promise.all([...calls.values()].map(({ done }) => done));

  return {
    fromClient(text) {
      takeMessage(text, clientSays, (not) => {
        const why = notPassed(not);
        for (const id of not.waiting.answers) {
          const failed = failedReply(id, why);
          if (!client.take(failed)) toServer(failed.text);
        }
        // What else is under way by this id gets its own answer.
        const asks = not.waiting.asks.filter((id) => !calls.has(id) && !open.has(id));
        for (const id of asks.length > 0 ? asks : [null]) reply(errorReply(id, -32600, why));
      });
    },
    fromServer(text, about) {
      takeMessage(
        text,
        (read) => serverSays(read, about),
        (not) => {
          const why = notPassed(not);
          if (!not.fault) log.warn({ why: not.why }, 'a line of the MCP server is not passed on');
          for (const id of not.waiting.answers) replied(failedReply(id, why));
          for (const id of not.waiting.asks) toServer(failedReply(id, why).text, about);
        },
      );
    },
    async serverGone(why) {
      gone ??= why;
      server.close(why);
      for (const id of open.keys()) reply(errorReply(id, -32000, why));
      open.clear();
      await idle();
    },
    idle,
    async end() {
      for (const { stop } of calls.values()) stop.abort(new DOMException('the client has gone', 'AbortError'));
      client.close('the client has gone');
      server.close('the client has gone');
      await idle();
      await hooked.end();
    },
  };
}
