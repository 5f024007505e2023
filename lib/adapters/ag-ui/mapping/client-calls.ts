import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ShownRun } from './shown-run.ts';
import { type Wire, wireCall } from './wire.ts';

/** A call that a model requested, and its message. */
interface BufferedCall {
  readonly call: ToolCall;
  readonly parentMessageId: string;
}

/** Calls of client tools. Clients run them when they receive them, so each is buffered until it has been evaluated and waits for the client. */
export class ClientCalls {
  readonly #wire: Wire;
  readonly #tools: ReadonlySet<string>;
  /** By id on the wire. */
  readonly #buffered = new Map<string, BufferedCall>();

  constructor(wire: Wire, tools: ReadonlySet<string>) {
    this.#wire = wire;
    this.#tools = tools;
  }

  /** Buffers a call of a client tool. Returns true if the call is now kept from the client. */
  hold(toolCallId: string, call: ToolCall, parentMessageId: string): boolean {
    if (!this.#tools.has(call.name)) return false;
    this.#buffered.set(toolCallId, { call, parentMessageId });
    return true;
  }

  /** Sends an evaluated call to the client. */
  hand(run: ShownRun, toolCallId: string, name: string, input: JsonObject): void {
    const { screen } = this.#wire;
    if (screen.hasCall(toolCallId)) {
      screen.rewriteCall(toolCallId, name, JSON.stringify(input));
      return;
    }
    const parentMessageId = this.#buffered.get(toolCallId)?.parentMessageId ?? this.#wire.messageId();
    this.#wire.callShown(run, { id: toolCallId, name, input }, parentMessageId);
  }

  /** Sends a call that the client must not run. Returns true if nothing of it was sent before, so that it must be sent with its result. */
  giveUp(run: ShownRun, toolCallId: string, given: ToolCall): boolean {
    const { screen } = this.#wire;
    const buffered = this.#buffered.get(toolCallId);
    if (!(buffered || this.#tools.has(given.name)) || screen.hasCall(toolCallId)) return false;
    const { call, parentMessageId } = buffered ?? { call: given, parentMessageId: this.#wire.messageId() };
    screen.addCall(parentMessageId, wireCall({ ...call, id: toolCallId }), run.owner);
    return true;
  }
}
