import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { compilePlan } from '../../../pipeline/define/plan.ts';
import { isStateless, metaOf } from './ask-client.ts';
import type { CallUnderWay } from './call-under-way.ts';
import { checkCallParams, checkMethod } from './check-call.ts';
import { createCleaning, passPart as pass } from './cleaning.ts';
import { createHookedCalls, type Outcome } from './hooked-calls.ts';
import { errorReply, type Read, type RpcId, type RpcMessage } from './json-rpc.ts';
import { createPendingRequests } from './pending-requests.ts';
import { createProgress, isToken } from './progress.ts';
import type { Ends, McpSession, SessionOptions } from './session-options.ts';
import { createShownTools } from './shown-tools.ts';
import { stripTasks } from './strip-tasks.ts';
import { failedReply, type NotTaken, takeMessage } from './take-message.ts';

/** The maximum number of pending requests of one side. */
const MAX_OPEN = 10_000;

export function openSession(options: SessionOptions, { answer, dropped, toClient, toServer }: Ends): McpSession {
  const { pipeline, agent = 'mcp', log } = options;
  const plan = compilePlan(pipeline.hooks, agent);
  const show = createShownTools(options, plan);
  const clean = createCleaning({ plan, log });
  // The id cannot be guessed by a side that did not receive it. The server also sends requests to the client.
  const newId = (): string => `hookline-${crypto.randomUUID()}`;
  const client = createPendingRequests(toClient);
  const server = createPendingRequests(toServer);
  const calls = new Map<RpcId, CallUnderWay & { done: Promise<void> }>();
  /** The methods of the client's other pending requests. */
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
    if (calls.has(id) || open.has(id)) return reply(errorReply(id, -32600, 'The ID of the request is already in use.'));
    if (calls.size + open.size >= MAX_OPEN)
      return reply(errorReply(id, -32000, 'Too many active requests. Try again later.'));
    const wrong = checkMethod(method);
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
    const issue = checkCallParams(params, text);
    if (issue !== undefined) return reply(errorReply(id, -32602, issue));
    const token = metaOf(params)?.['progressToken'];
    const overflow = (): void => log.warn({ id }, 'dropped progress of an MCP server, because the hooks are slower');
    const sendToClient = (read: Read): void =>
      pass((text) => toClient(text, id), read, 'params', clean.notice(read.message.params));
    const progress = token === undefined ? undefined : createProgress(token, sendToClient, overflow);
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
      // A client that has cancelled does not wait for an answer.
      if (stop.signal.aborted) return dropped(id);
      if ('reply' in outcome) return finish(id, outcome.reply);
      const { result } = outcome;
      const made = isStateless(call.request) ? { resultType: 'complete', ...result } : result;
      reply({ jsonrpc: '2.0', id, result: clean.part(made) });
    } catch (thrown) {
      log.error({ err: thrown }, 'withheld the result of an MCP call');
      reply(errorReply(id, -32603, 'The result was withheld, because Hookline failed. See its log.'));
    }
  }

  const failed = (why: string): JsonObject => ({ content: [{ type: 'text', text: clean.text(why) }], isError: true });

  /** A reply that no hook changed. Its other fields still need to be redacted. */
  function finish(id: RpcId, read: Read) {
    const { message } = read;
    const cleaned = clean.reply(message);
    if (cleaned === message && message.id === id) answer(read.text, id);
    else reply({ ...cleaned, id });
  }

  function notified(read: Read) {
    const { method, params } = read.message;
    // A lenient server would run it.
    const wrong = method === 'tools/call' ? 'tools/call: a request needs an id' : checkMethod(method ?? '');
    if (wrong !== undefined) return reply(errorReply(null, -32600, wrong));
    const id = params?.['requestId'] as RpcId;
    const call = method === 'notifications/cancelled' ? calls.get(id) : undefined;
    if (method === 'notifications/cancelled' && open.delete(id)) dropped(id);
    // The call itself notifies the server, if the server has received the request.
    if (!call) return toServer(read.text);
    const reason = params?.['reason'];
    call.stop.abort(new DOMException(typeof reason === 'string' ? reason : 'cancelled by the client', 'AbortError'));
  }

  function replied(read: Read) {
    const { id, error } = read.message;
    if (server.take(read)) return;
    const method = id === undefined || id === null ? undefined : open.get(id);
    if (method === undefined) return log.warn({ id }, 'dropped an unexpected response of the MCP server');
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
      log.error({ err: thrown }, 'the tools of an MCP server are hidden');
      reply(errorReply(id, -32603, clean.text(messageOf(thrown))));
    }
  }

  function notifyClient(read: Read, about: RpcId | undefined) {
    const { method, params } = read.message;
    if (method === 'notifications/tools/list_changed') hooked.toolsChanged();
    const token = method === 'notifications/progress' ? params?.['progressToken'] : undefined;
    const call =
      token === undefined ? undefined : [...calls.values()].find(({ progress }) => isToken(token, progress?.token));
    if (call?.progress) call.progress.take(read);
    else pass((text) => toClient(text, about), read, 'params', clean.notice(params));
  }

  function fromClient(read: Read) {
    const { message } = read;
    const { id, method } = message;
    if (method !== undefined) return id === undefined || id === null ? notified(read) : request(read, id);
    if (client.take(read)) return;
    const cleaned = clean.reply(message);
    toServer(cleaned === message ? read.text : JSON.stringify(cleaned));
  }

  function fromServer(read: Read, about: RpcId | undefined) {
    const { id, method, params } = read.message;
    if (method === undefined) replied(read);
    else if (id === undefined || id === null) notifyClient(read, about);
    else pass((out) => toClient(out, about), read, 'params', clean.part(params));
  }

  function notPassed({ why, issue }: NotTaken): string {
    if (issue !== undefined) log.error({ err: issue }, 'rejected an MCP message');
    return `The proxy rejected the message: ${why}.`;
  }

  const idle = (): Promise<unknown> => Promise.all([...calls.values()].map(({ done }) => done));

  return {
    fromClient(text) {
      takeMessage(text, fromClient, (not) => {
        const why = notPassed(not);
        for (const id of not.waiting.answers) {
          const failed = failedReply(id, why);
          if (!client.take(failed)) toServer(failed.text);
        }
        // Other pending requests with this id get their own answer.
        const asks = not.waiting.asks.filter((id) => !calls.has(id) && !open.has(id));
        for (const id of asks.length > 0 ? asks : [null]) reply(errorReply(id, -32600, why));
      });
    },
    fromServer(text, about) {
      takeMessage(
        text,
        (read) => fromServer(read, about),
        (not) => {
          const why = notPassed(not);
          if (!not.issue) log.warn({ why: not.why }, 'dropped a line of the MCP server');
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
      for (const { stop } of calls.values()) stop.abort(new DOMException('the client disconnected', 'AbortError'));
      client.close('the client disconnected');
      server.close('the client disconnected');
      await idle();
      await hooked.end();
    },
  };
}
