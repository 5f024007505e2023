import { userInfo } from 'node:os';
import { filter, lastValueFrom } from 'rxjs';
import { textOf, userMessage } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import { member, textMember } from '../../../process-hooks/picoclaw/wire/member.ts';
import type { Judging } from '../worker/serve-worker.ts';
import { afterLlm, beforeLlm } from './answer-llm.ts';
import { afterTool, approveTool, beforeTool } from './answer-tool.ts';
import { type Params, readRequest } from './read-request.ts';
import { createTurns, type Turn, type Turns } from './turn.ts';

/** A request or notification of PicoClaw's, as its front hands it over. */
export interface PicoclawEvent {
  readonly method: string;
  readonly params: unknown;
}

/** Judges requests of PicoClaw, whatever its generation. */
export interface PicoclawJudge {
  /** What a request is answered. Rejects where it could not be judged. */
  answer(event: PicoclawEvent, judging: Pick<Judging, 'begin'>): Promise<JsonObject>;
  /** Hears that a turn begins or ends. */
  tell(event: PicoclawEvent): Promise<void>;
  /** Ends the turns that go on. */
  end(): Promise<void>;
}

const answers: Readonly<Record<string, (turn: Turn, params: Params) => Promise<JsonObject>>> = {
  'hook.before_llm': beforeLlm,
  'hook.after_llm': afterLlm,
  'hook.before_tool': beforeTool,
  'hook.approve_tool': approveTool,
  'hook.after_tool': afterTool,
};

/** `load` is asked once, by the first event. */
export function judgePicoclaw(load: () => Promise<Pipeline>, userId = userInfo().username): PicoclawJudge {
  let loading: Promise<{ readonly pipeline: Pipeline; readonly turns: Turns }> | undefined;
  const loaded = () => {
    loading ??= load().then((pipeline) => ({ pipeline, turns: createTurns(pipeline, userId) }));
    return loading;
  };
  return {
    async answer({ method, params }, { begin }) {
      const { turns } = await loaded();
      begin();
      const judge = answers[method];
      if (!judge) return { name: 'hookline', version: 1 };
      const request = readRequest(method, params);
      return judge(turns.of(request), request);
    },
    async tell({ method, params }) {
      const { turns } = await loaded();
      follow(turns, method, params);
    },
    async end() {
      const { turns, pipeline } = await loaded();
      turns.endAll();
      await pipeline.flush();
    },
  };
}

/** Notifications: a turn begins, and ends. Older hosts number them. */
function follow(turns: Turns, method: string, params: unknown): void {
  const payload = member(params, 'payload');
  if (method === 'hook.runtime_event') {
    const scope = member(params, 'scope');
    const id = textMember(scope, 'turn_id') ?? '';
    const meta = { TurnID: id, SessionKey: textMember(scope, 'session_key'), AgentID: textMember(scope, 'agent_id') };
    told(turns, textMember(params, 'kind') ?? '', id, { meta }, payload);
  }
  if (method === 'hook.event') {
    const id = textMember(member(params, 'meta'), 'turnid') ?? '';
    const kind = ['agent.turn.start', 'agent.turn.end'][Number(member(params, 'kind'))] ?? '';
    told(turns, kind, id, params, payload);
  }
}

function told(turns: Turns, kind: string, id: string, params: unknown, payload: unknown): void {
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
