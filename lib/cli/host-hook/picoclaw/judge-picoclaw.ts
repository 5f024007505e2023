import { userInfo } from 'node:os';
import { filter, lastValueFrom } from 'rxjs';
import { textOf, userMessage } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import { textField } from '../../../process-hooks/picoclaw/wire/fields.ts';
import type { Judging } from '../worker/serve-worker.ts';
import { afterLlm, beforeLlm } from './answer-llm.ts';
import { afterTool, approveTool, beforeTool } from './answer-tool.ts';
import { type Params, type PicoclawEvent, readRequest, requestError } from './read-request.ts';
import { createTurns, type Turn, type Turns } from './turn.ts';
import { type TurnMoment, turnMoment } from './turn-moment.ts';

/** Evaluates requests of PicoClaw, every protocol version. */
export interface PicoclawJudge {
  /** Returns the answer to a request. Rejects if it could not be evaluated. */
  answer(event: PicoclawEvent, judging: Pick<Judging, 'begin'>): Promise<JsonObject>;
  /** Handles the start or end of a turn. */
  notify(event: PicoclawEvent): Promise<void>;
  /** Ends the active turns. */
  end(): Promise<void>;
}

const answers: Readonly<Record<string, (turn: Turn, params: Params) => Promise<JsonObject>>> = {
  'hook.before_llm': beforeLlm,
  'hook.after_llm': afterLlm,
  'hook.before_tool': beforeTool,
  'hook.approve_tool': approveTool,
  'hook.after_tool': afterTool,
};

/** `load` is called once, by the first event. */
export function judgePicoclaw(load: () => Promise<Pipeline>, userId = userInfo().username): PicoclawJudge {
  let loading: Promise<{ readonly pipeline: Pipeline; readonly turns: Turns }> | undefined;
  const loaded = () => {
    loading ??= load().then((pipeline) => ({ pipeline, turns: createTurns(pipeline, userId) }));
    return loading;
  };
  return {
    async answer({ method, params }, { begin }) {
      const { turns } = await loaded();
      await begin();
      const judge = answers[method];
      if (!judge) return { name: 'hookline', version: 1 };
      const request = readRequest(method, params);
      try {
        return await judge(turns.of(request), request);
      } catch (thrown) {
        throw requestError(method, thrown);
      }
    },
    async notify(event) {
      const { turns } = await loaded();
      follow(turns, turnMoment(event));
    },
    async end() {
      const { turns, pipeline } = await loaded();
      turns.endAll();
      await pipeline.flush();
    },
  };
}

function follow(turns: Turns, moment: TurnMoment | undefined): void {
  if (!moment) return;
  const turn = turns.of(moment.params);
  if (moment.kind === 'agent.turn.start') {
    // The front sends the notification again to a process that takes over.
    turn.begun ??= begin(turn, textField(moment.payload, 'usermessage') ?? '');
    // The error is handled by the request that waits for it.
    turn.begun.catch(() => {});
    return;
  }
  const content = textField(moment.payload, 'finalcontent');
  const message = content
    ? { message: { role: 'assistant' as const, parts: [{ type: 'text' as const, text: content }] } }
    : {};
  turn.run
    .end({ outcome: 'completed', ...message })
    .subscribe({ error: () => {}, complete: () => turns.end(moment.id) });
}

/** The host does not wait here, so a denial by preCall is returned for the next request. */
async function begin({ run }: Turn, text: string): Promise<JsonObject | undefined> {
  const events$ = run.begin([userMessage(text)]).pipe(filter((event) => event.type === 'preCall'));
  const decision = (await lastValueFrom(events$, { defaultValue: undefined }))?.decision;
  if (decision?.action === 'abort') return { action: 'abort_turn', reason: decision.reason };
  if (decision?.action === 'respond')
    return { action: 'abort_turn', reason: `A hook responded instead of the model: ${textOf(decision.message)}` };
  if (run.fatal !== undefined) throw run.fatal;
  return undefined;
}
