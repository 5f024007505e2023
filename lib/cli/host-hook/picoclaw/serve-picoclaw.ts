import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { filter, lastValueFrom } from 'rxjs';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { textOf, userMessage } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import { isRecord, member, textMember } from '../../../process-hooks/picoclaw/wire/member.ts';
import { readRpcMessage } from '../../../process-hooks/rpc-message.ts';
import { inTime } from '../in-time.ts';
import { afterLlm, beforeLlm } from './answer-llm.ts';
import { afterTool, approveTool, beforeTool } from './answer-tool.ts';
import { lineOf, type Refuse, replyLine } from './reply-line.ts';
import { createTurns, type Turn, type Turns } from './turn.ts';

/** How PicoClaw is answered. */
export interface PicoclawOptions {
  readonly pipeline: Pipeline;
  readonly userId: string;
  /** Milliseconds that an answer may take: below the host's own limit, for it goes on where a hook is late. */
  readonly timeoutMs: number;
  readonly failOpen: boolean;
  readonly input: Readable;
  write(line: string): void;
  log(message: string): void;
}

type Answer = (turn: Turn, params: Readonly<Record<string, unknown>>) => Promise<JsonObject>;

/** Each request, and what is said where it could not be judged: an error would let things go on. */
const methods: Readonly<Record<string, readonly [answer: Answer, refuse: Refuse]>> = {
  'hook.before_llm': [beforeLlm, (reason) => ({ action: 'abort_turn', reason })],
  'hook.after_llm': [afterLlm, (reason) => ({ action: 'abort_turn', reason })],
  'hook.before_tool': [beforeTool, (reason) => ({ action: 'deny_tool', reason })],
  'hook.approve_tool': [approveTool, (reason) => ({ approved: false, reason })],
  'hook.after_tool': [
    afterTool,
    (reason, params) => ({
      action: 'modify',
      result: {
        ...params,
        result: { for_llm: `The result was withheld: ${reason}`, silent: false, is_error: true, async: false },
      },
    }),
  ],
};

/** Answers as a process hook of PicoClaw, whatever its generation, until its input ends. */
export async function servePicoclaw(options: PicoclawOptions): Promise<void> {
  const turns = createTurns(options.pipeline, options.userId);
  const answering = new Set<Promise<void>>();
  for await (const line of createInterface({ input: options.input })) {
    const message = readRpcMessage(line);
    if (message.kind !== 'request') continue;
    const { id, method } = message;
    const params = isRecord(message.params) ? message.params : {};
    if (id === undefined) {
      try {
        follow(turns, method, params);
      } catch (thrown) {
        options.log(`hookline could not follow ${method}: ${messageOf(thrown)}`);
      }
      continue;
    }
    const reply = answer(options, turns, method, params)
      .then((line) => options.write(line(id)))
      .finally(() => answering.delete(reply));
    answering.add(reply);
  }
  await Promise.allSettled(answering);
  turns.endAll();
  await options.pipeline.flush();
}

/** Refuses all that is asked, hello included, where there are no hooks to ask. */
export async function refusePicoclaw(why: string, input: Readable, write: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input })) {
    const message = readRpcMessage(line);
    if (message.kind !== 'request' || message.id === undefined) continue;
    const { id, method } = message;
    const refuse = methods[method]?.[1];
    const params = (isRecord(message.params) ? message.params : {}) as JsonObject;
    write(
      refuse
        ? replyLine(id, refuse(why, params), refuse, params)
        : lineOf(id, { error: { code: -32000, message: why } }),
    );
  }
}

async function answer(
  options: PicoclawOptions,
  turns: Turns,
  method: string,
  given: Record<string, unknown>,
): Promise<(id: unknown) => string> {
  if (method === 'hook.hello') return (id) => lineOf(id, { result: { name: 'hookline', version: 1 } });
  const known = methods[method];
  if (!known) {
    const message = `There is no method "${method.slice(0, 100)}".`;
    return (id) => lineOf(id, { error: { code: -32601, message } });
  }
  const [judge, refuse] = known;
  const params = given as JsonObject;
  const say = (result: JsonObject) => (id: unknown) => replyLine(id, result, refuse, params);
  try {
    return say(await inTime(options.timeoutMs, judge(turns.of(params), params)));
  } catch (thrown) {
    const why = `hookline could not judge this: ${messageOf(thrown)}`;
    options.log(why);
    return say(options.failOpen ? { action: 'continue', approved: true } : refuse(why, params));
  }
}

/** Notifications: a turn begins, and ends. Older hosts number them. */
function follow(turns: Turns, method: string, params: Record<string, unknown>): void {
  const payload = member(params, 'payload');
  if (method === 'hook.runtime_event') {
    const scope = member(params, 'scope');
    const id = textMember(scope, 'turn_id') ?? '';
    const meta = { TurnID: id, SessionKey: textMember(scope, 'session_key'), AgentID: textMember(scope, 'agent_id') };
    told(turns, textMember(params, 'kind') ?? '', id, { meta }, payload);
  }
  if (method === 'hook.event') {
    const id = textMember(member(params, 'meta'), 'turnid') ?? '';
    told(turns, ['agent.turn.start', 'agent.turn.end'][Number(member(params, 'kind'))] ?? '', id, params, payload);
  }
}

/** The host does not wait here, so what preCall forbids is said at the next request. */
async function begin({ run }: Turn, said: string): Promise<JsonObject | undefined> {
  const events$ = run.begin([userMessage(said)]).pipe(filter((event) => event.type === 'preCall'));
  const decision = (await lastValueFrom(events$, { defaultValue: undefined }))?.decision;
  if (decision?.action === 'abort') return { action: 'abort_turn', reason: decision.reason };
  if (decision?.action === 'respond')
    return { action: 'abort_turn', reason: `A hook has answered this itself: ${textOf(decision.message)}` };
  if (run.fatal !== undefined) throw run.fatal;
  return undefined;
}

function told(turns: Turns, kind: string, id: string, params: object, payload: unknown): void {
  if (kind === 'agent.turn.start') {
    const turn = turns.of(params);
    turn.begun = begin(turn, textMember(payload, 'usermessage') ?? '');
    // Who waits for it hears of it.
    turn.begun.catch(() => {});
  }
  if (kind !== 'agent.turn.end') return;
  const said = textMember(payload, 'finalcontent');
  const { run } = turns.of(params);
  const message = said
    ? { message: { role: 'assistant' as const, parts: [{ type: 'text' as const, text: said }] } }
    : {};
  run.end({ outcome: 'completed', ...message }).subscribe({ error: () => {}, complete: () => turns.end(id) });
}
