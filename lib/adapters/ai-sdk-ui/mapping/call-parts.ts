import { callKey } from '../../../agent/suspend/resumed-keys.ts';
import type { Message } from '../../../events/parts/message.ts';
import { toolCallsOf } from '../../../events/parts/messages.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { PostActing } from '../../../events/post-acting.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import { HELD } from '../held-output.ts';
import type { PartMetadata, UiMessageChunk } from '../ui-message-chunk.ts';
import type { WaitingCall } from './suspended-calls.ts';

/** The tool calls of all runs of a stream, as they stand on the client's screen. */
export interface CallParts {
  /** Shows a piece of an input that the model is still writing. */
  input(run: RunInfo, toolCallId: string, delta: string): void;
  /** Forgets the calls of the reasoning under way that are not in the message, or all; gives their ids on the wire. */
  lose(run: RunInfo, message?: Message): readonly string[];
  /** Shows a call as the model has asked for it. */
  offer(run: RunInfo, toolCall: ToolCall): void;
  /** Takes up a call that another stream has shown, where the run is a resumed one; whether it was not known yet. */
  adopt(run: RunInfo, toolCallId: string): boolean;
  /** Shows a call that has been taken up as it has been judged. */
  resume(run: RunInfo, toolCall: ToolCall): void;
  /** Shows what a call came to. */
  settle(event: PostActing): void;
  /** Asks for an approval of the call as it was judged. Gives its id on the wire. */
  ask(call: WaitingCall): string;
  /** Shows that a call which was asked about goes on. Gives its id on the wire. */
  go(call: WaitingCall): string;
  /** Hands a call to the client, whose tool it is. */
  hand(call: WaitingCall): void;
  /** Says that a call waits for the calls of a sub-agent; `key` is that of the pending call. */
  hold(key: string): void;
  /** The ids on the wire of the calls that a run has begun; of all runs without one. */
  begunBy(runId?: string): readonly string[];
  /** Gives the id of a call on the wire. */
  idOf(run: RunInfo, toolCallId: string): string;
  /** Ends the calls of a run, or all: nothing more will come of them. */
  close(runId?: string): void;
}

/** What the calls are shown with. */
export interface CallPartsHost {
  send(chunk: UiMessageChunk): void;
  /** What to send beside a call. */
  metadataOf(run: RunInfo): { readonly providerMetadata?: PartMetadata };
  /** Which tools the client runs itself. */
  readonly clientTools: ReadonlySet<string>;
  /** Whether the client knows of approvals. */
  readonly approvals: boolean;
  /** Keys of the calls that a resumed run goes on with, by the key they have by its events. */
  readonly resumed: ReadonlyMap<string, string>;
  errorText(event: PostActing): string;
}

interface Part {
  /** On the wire. */
  readonly id: string;
  readonly runId: string;
  state: 'input' | 'shown' | 'waits' | 'over';
  /** Whether the client has been asked for an approval. */
  asked: boolean;
  /** Whether the tool is the client's: those are of a type of their own on its screen, the others are dynamic. */
  own: boolean;
}

export function createCallParts(host: CallPartsHost): CallParts {
  const { send } = host;
  /** By the key of the call, and by the id on the wire. */
  const parts = new Map<string, Part>();
  const ids = new Map<string, Part>();

  function add(key: string, id: string, runId: string): Part {
    const part: Part = { id, runId, state: 'input', asked: false, own: false };
    parts.set(key, part);
    ids.set(id, part);
    return part;
  }

  /** The part of a call that a model asks for now. Some providers number the calls of each answer from the start. */
  function partOf({ runId }: RunInfo, toolCallId: string): Part {
    const key = callKey(runId, toolCallId);
    const known = parts.get(key);
    if (known?.state === 'input') return known;
    let id = key;
    for (let copy = 2; ids.has(id); copy++) id = `${copy}~${key}`;
    return add(key, id, runId);
  }

  function start(part: Part, toolName: string): void {
    part.own = host.clientTools.has(toolName);
    send({ type: 'tool-input-start', toolCallId: part.id, toolName, ...kindOf(part) });
  }

  function show(part: Part, { name, input }: Omit<ToolCall, 'id'>, run?: RunInfo): void {
    if (host.clientTools.has(name)) {
      // What is available is run by the client at once, if the tool is its own.
      start(part, name);
      send({ type: 'tool-input-delta', toolCallId: part.id, inputTextDelta: JSON.stringify(input) });
    } else available(part, name, input as JsonValue, run);
  }

  function available(part: Part, toolName: string, input: JsonValue, run?: RunInfo): void {
    part.own = host.clientTools.has(toolName);
    const beside = run ? host.metadataOf(run) : {};
    send({ type: 'tool-input-available', toolCallId: part.id, toolName, input, ...kindOf(part), ...beside });
  }

  const put = (part: Part, output: JsonValue): void =>
    send({ type: 'tool-output-available', toolCallId: part.id, output, ...kindOf(part) });
  const fail = (part: Part, errorText: string): void =>
    send({ type: 'tool-output-error', toolCallId: part.id, errorText, ...kindOf(part) });

  function waiting(key: string): Part {
    const part = parts.get(key) ?? ids.get(key) ?? add(key, key, '');
    part.state = 'waits';
    return part;
  }

  const calls: CallParts = {
    input(run, toolCallId, delta) {
      // Whose tool it is, and so the type of the part, is known when the name is.
      if (host.clientTools.size > 0) return;
      const key = callKey(run.runId, toolCallId);
      const before = parts.get(key);
      const part = partOf(run, toolCallId);
      // The name comes with the whole call.
      if (part !== before) start(part, '');
      send({ type: 'tool-input-delta', toolCallId: part.id, inputTextDelta: delta });
    },
    lose({ runId }, message) {
      const kept = new Set(toolCallsOf(message).map(({ id }) => callKey(runId, id)));
      const lost = [...parts].filter(([key, part]) => part.runId === runId && part.state === 'input' && !kept.has(key));
      for (const [key, { id }] of lost) {
        parts.delete(key);
        ids.delete(id);
      }
      return lost.map(([, { id }]) => id);
    },
    offer(run, toolCall) {
      const part = partOf(run, toolCall.id);
      part.state = 'shown';
      show(part, toolCall, run);
    },
    adopt({ runId, resumedFrom }, toolCallId) {
      const key = callKey(runId, toolCallId);
      if (parts.has(key)) return false;
      const before = callKey(resumedFrom ?? runId, toolCallId);
      const part = add(key, host.resumed.get(before) ?? before, runId);
      part.state = 'shown';
      part.asked = resumedFrom !== undefined;
      return true;
    },
    resume(run, toolCall) {
      if (calls.adopt(run, toolCall.id)) show(parts.get(callKey(run.runId, toolCall.id)) as Part, toolCall, run);
    },
    settle(event) {
      const { run, toolCall, outcome, result } = event;
      calls.resume(run, toolCall);
      const part = parts.get(callKey(run.runId, toolCall.id)) as Part;
      part.state = 'over';
      if (outcome === 'denied' && part.asked && !part.own && host.approvals)
        send({ type: 'tool-output-denied', toolCallId: part.id });
      else if (result.isError) fail(part, host.errorText(event));
      else put(part, result.content);
      for (const { url, mediaType = 'application/octet-stream' } of result.media ?? [])
        if (/^(https?|data):/.test(url)) send({ type: 'file', url, mediaType });
    },
    ask({ key, id, tool, input }) {
      const part = waiting(key);
      part.asked = true;
      show(part, { name: tool, input });
      if (host.approvals) send({ type: 'tool-approval-request', approvalId: id, toolCallId: part.id });
      return part.id;
    },
    go({ key, tool, input }) {
      const part = waiting(key);
      part.state = 'shown';
      show(part, { name: tool, input });
      return part.id;
    },
    hand: ({ key, tool, input }) => available(waiting(key), tool, input),
    // The client sends answers when no call of the step is without an output; the real one comes in its place.
    hold: (key) => put(waiting(key), HELD),
    idOf: ({ runId }, toolCallId) => parts.get(callKey(runId, toolCallId))?.id ?? callKey(runId, toolCallId),
    begunBy: (runId) =>
      [...parts].flatMap(([key, part]) =>
        part.id.endsWith(key) && (runId === undefined || part.runId === runId) ? [part.id] : [],
      ),
    close(runId) {
      for (const part of parts.values()) {
        if (part.state === 'over' || part.state === 'waits' || (runId !== undefined && part.runId !== runId)) continue;
        part.state = 'over';
        fail(part, 'The call was cut off.');
      }
    },
  };
  return calls;
}

const kindOf = ({ own }: Part): { readonly dynamic?: true } => (own ? {} : { dynamic: true });
