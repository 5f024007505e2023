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

/** A call that has been judged, until the host tells what it came to. */
export interface OpenCall {
  readonly judged: JudgedCall;
  /** What the host's tool gave. */
  result: ToolResult | undefined;
}

/** A request to the model that goes on, until the host tells what it answered. */
export interface OpenReasoning {
  readonly answer$: Subject<ModelChunk>;
  readonly post: Promise<EventOf<'postReasoning'> | undefined>;
}

/** One turn of PicoClaw's: one run. */
export interface Turn {
  readonly run: Run;
  readonly calls: Map<string, OpenCall>;
  reasoning: OpenReasoning | undefined;
  /** What preCall came to, where the host has told of the begin: an answer where the turn must not go on. */
  begun: Promise<JsonObject | undefined> | undefined;
}

/** The turns that go on, by their ids. */
export interface Turns {
  /** The turn that a request belongs to; begun when it is first heard of. */
  of(params: unknown): Turn;
  end(id: string): void;
  endAll(): void;
}

/** Turns of which no end is told, for the host tells only whom it was asked to tell. */
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

/** Which call is meant: hosts before ours tell no id. */
export function callKey(params: unknown): string {
  return textField(params, 'tool_call_id') ?? canonicalJson([textField(params, 'tool') ?? '', inputOf(params)]);
}

/** Arguments of a call; left out where there are none. */
export function inputOf(params: unknown): JsonObject {
  return (recordField(params, 'arguments') ?? {}) as JsonObject;
}
