import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ShownRun } from './shown-run.ts';
import { type Wire, wireCall } from './wire.ts';

/** A call as a model has asked for it, and the message that it belongs to. */
interface Held {
  readonly call: ToolCall;
  readonly parentMessageId: string;
}

/** Calls of tools that the client runs as soon as it sees them: each is kept from it until it has been judged, and waits for the client. */
export class ClientCalls {
  readonly #wire: Wire;
  readonly #tools: ReadonlySet<string>;
  /** By name on the wire. */
  readonly #held = new Map<string, Held>();

  constructor(wire: Wire, tools: ReadonlySet<string>) {
    this.#wire = wire;
    this.#tools = tools;
  }

  /** Whether the call is kept from the client for now. */
  hold(toolCallId: string, call: ToolCall, parentMessageId: string): boolean {
    if (!this.#tools.has(call.name)) return false;
    this.#held.set(toolCallId, { call, parentMessageId });
    return true;
  }

  /** Hands a call to the client as it was judged. */
  hand(run: ShownRun, toolCallId: string, name: string, input: JsonObject): void {
    const { screen } = this.#wire;
    if (screen.hasCall(toolCallId)) {
      screen.rewriteCall(toolCallId, name, JSON.stringify(input));
      return;
    }
    const parentMessageId = this.#held.get(toolCallId)?.parentMessageId ?? this.#wire.messageId();
    this.#wire.callShown(run, { id: toolCallId, name, input }, parentMessageId);
  }

  /** Shows a call that the client is not to run any more; true where nothing of it was shown, so that it has to come with its result. */
  giveUp(run: ShownRun, toolCallId: string, given: ToolCall): boolean {
    const { screen } = this.#wire;
    const held = this.#held.get(toolCallId);
    if (!(held || this.#tools.has(given.name)) || screen.hasCall(toolCallId)) return false;
    const { call, parentMessageId } = held ?? { call: given, parentMessageId: this.#wire.messageId() };
    screen.addCall(parentMessageId, wireCall({ ...call, id: toolCallId }), run.owner);
    return true;
  }
}
