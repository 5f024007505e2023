import type { Subject } from 'rxjs';
import type { EventOf } from '../../../events/hook-event.ts';
import type { ToolResult } from '../../../events/parts/tool-result.ts';
import { userOf } from '../../../events/parts/user-of.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { JudgedCall } from '../../../loops/judge-call.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { ModelChunk } from '../../../pipeline/define/model.ts';
import type { Run } from '../../../pipeline/run/run.ts';
import { field, recordField, textField } from '../../../process-hooks/picoclaw/wire/fields.ts';

/** An evaluated call until the host reports its result. */
export interface OpenCall {
  readonly judged: JudgedCall;
  /** The result of the host's tool. */
  result: ToolResult | undefined;
}

/** An active model request until the host reports the answer. */
export interface OpenReasoning {
  readonly answer$: Subject<ModelChunk>;
  readonly post: Promise<EventOf<'postReasoning'> | undefined>;
}

/** A turn of PicoClaw, which is one run. */
export interface Turn {
  readonly run: Run;
  readonly calls: Map<string, OpenCall>;
  reasoning: OpenReasoning | undefined;
  /** The result of preCall, if the host reported the start. It is an answer if the turn must not continue. */
  begun: Promise<JsonObject | undefined> | undefined;
}

/** Active turns by id. */
export interface Turns {
  /** Returns the turn of a request, and starts it if it is new. */
  of(params: unknown): Turn;
  end(id: string): void;
  endAll(): void;
}

/** Maximum number of turns without a known end. The host sends notifications only to hooks that subscribed. */
const MOST_TURNS = 256;

export function createTurns(pipeline: Pipeline, userId: string): Turns {
  const turns = new Map<string, Turn>();
  const end = (id: string): void => {
    const turn = turns.get(id);
    turns.delete(id);
    turn?.run.cancel('the turn has ended');
  };
  return {
    of(params) {
      const meta = field(params, 'meta');
      const id = textField(meta, 'turnid') ?? '';
      const known = turns.get(id);
      if (known) return known;
      const sessionId = textField(meta, 'sessionkey');
      const run = pipeline.start({
        agent: textField(meta, 'agentid') || 'picoclaw',
        userId: userOf({ userId: textField(field(field(params, 'context'), 'inbound'), 'sender_id') }) ?? userId,
        ...(sessionId && { sessionId }),
      });
      const turn: Turn = { run, calls: new Map(), reasoning: undefined, begun: undefined };
      turns.set(id, turn);
      const [oldest] = turns.keys();
      if (turns.size > MOST_TURNS && oldest !== undefined) end(oldest);
      return turn;
    },
    end,
    endAll() {
      for (const id of [...turns.keys()]) end(id);
    },
  };
}

/** Returns the key of a call. Older hosts send no id. */
export function callKey(params: unknown): string {
  return textField(params, 'tool_call_id') ?? canonicalJson([textField(params, 'tool') ?? '', inputOf(params)]);
}

/** Returns the arguments of a call, which may be missing. */
export function inputOf(params: unknown): JsonObject {
  return (recordField(params, 'arguments') ?? {}) as JsonObject;
}
