import { callKey } from '../../../agent/suspend/resumed-keys.ts';
import type { EventOf } from '../../../events/hook-event.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { PostActing } from '../../../events/post-acting.ts';
import type { JsonValue } from '../../../events/values/json-value.ts';
import { HELD } from '../pending-output.ts';
import type { PartMetadata, UiMessageChunk } from '../ui-message-chunk.ts';
import type { WaitingCall } from './suspended-calls.ts';

/** The tool calls of all runs of a stream, as the client shows them. */
export interface CallParts {
  /** Sends a call as the model requested it. */
  offer(run: RunInfo, toolCall: ToolCall): void;
  /** Whether the client shows a call, or showed it in an earlier stream. */
  isShown(run: RunInfo, toolCallId: string): boolean;
  /** Takes over a call that another stream has shown, if the run is a resumed one. Returns true if the call was not known yet. */
  adopt(run: RunInfo, toolCallId: string): boolean;
  /** Sends the evaluated input of a call if it differs from the shown one, or if the call was taken over. */
  evaluate(run: RunInfo, toolCall: ToolCall, decision?: EventOf<'preActing'>['decision']): void;
  /** Sends the outcome of a call. */
  settle(event: PostActing): void;
  /** Requests approval of the evaluated call. Returns its id on the wire. */
  ask(call: WaitingCall): string;
  /** Sends that an approved call continues. Returns its id on the wire. */
  go(call: WaitingCall): string;
  /** Sends a call of a client tool to the client. */
  hand(call: WaitingCall): void;
  /** Marks a call that waits for calls of a sub-agent. `key` is that of the pending call. */
  hold(key: string): void;
  /** Returns the ids on the wire of the calls that a run started. Without `runId`, of all runs. */
  begunBy(runId?: string): readonly string[];
  /** Returns the id of a call on the wire. */
  idOf(run: RunInfo, toolCallId: string): string;
  /** Ends the calls of a run. Without `runId`, of all runs. */
  close(runId?: string): void;
}

export interface CallPartsHost {
  send(chunk: UiMessageChunk): void;
  /** Returns the metadata to send with a call. */
  metadataOf(run: RunInfo): { readonly providerMetadata?: PartMetadata };
  readonly clientTools: ReadonlySet<string>;
  /** True if the client supports approvals. */
  readonly approvals: boolean;
  /** Keys of the calls that a resumed run continues with, by the keys from its events. */
  readonly resumed: ReadonlyMap<string, string>;
  errorText(event: PostActing): string;
}

interface Part {
  /** The id on the wire. */
  readonly id: string;
  readonly runId: string;
  state: 'shown' | 'waits' | 'over';
  /** True if an approval was requested from the client. */
  asked: boolean;
  /** True for a client tool. Its parts have their own type, those of other tools are dynamic. */
  own: boolean;
  /** The name and input as sent, as JSON. */
  shown?: string;
}

export function createCallParts(host: CallPartsHost): CallParts {
  const { send } = host;
  /** By the key of the call, and by the id on the wire. */
  const parts = new Map<string, Part>();
  const ids = new Map<string, Part>();

  function add(key: string, id: string, runId: string): Part {
    const part: Part = { id, runId, state: 'shown', asked: false, own: false };
    parts.set(key, part);
    ids.set(id, part);
    return part;
  }

  /** Adds a call of the current model step. Some providers restart their call ids with each reply. */
  function begin({ runId }: RunInfo, toolCallId: string): Part {
    const key = callKey(runId, toolCallId);
    let id = key;
    for (let copy = 2; ids.has(id); copy++) id = `${copy}~${key}`;
    return add(key, id, runId);
  }

  function show(part: Part, { name, input }: Omit<ToolCall, 'id'>, run?: RunInfo): void {
    part.shown = JSON.stringify([name, input]);
    if (host.clientTools.has(name)) {
      // The client runs an available call of its own tool at once.
      part.own = true;
      send({ type: 'tool-input-start', toolCallId: part.id, toolName: name });
      send({ type: 'tool-input-delta', toolCallId: part.id, inputTextDelta: JSON.stringify(input) });
    } else available(part, name, input as JsonValue, run);
  }

  function available(part: Part, toolName: string, input: JsonValue, run?: RunInfo): void {
    part.own = host.clientTools.has(toolName);
    const metadata = run ? host.metadataOf(run) : {};
    send({ type: 'tool-input-available', toolCallId: part.id, toolName, input, ...kindOf(part), ...metadata });
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
    offer: (run, toolCall) => show(begin(run, toolCall.id), toolCall, run),
    isShown: ({ runId, resumedFrom }, toolCallId) =>
      parts.has(callKey(runId, toolCallId)) || host.resumed.has(callKey(resumedFrom ?? runId, toolCallId)),
    adopt({ runId, resumedFrom }, toolCallId) {
      const key = callKey(runId, toolCallId);
      if (parts.has(key)) return false;
      const before = callKey(resumedFrom ?? runId, toolCallId);
      const part = add(key, host.resumed.get(before) ?? before, runId);
      part.asked = resumedFrom !== undefined;
      return true;
    },
    evaluate(run, toolCall, decision) {
      const adopted = calls.adopt(run, toolCall.id);
      const part = parts.get(callKey(run.runId, toolCall.id)) as Part;
      // A suspended call is sent with its approval request.
      const changed = decision?.action !== 'suspend' && part.shown !== JSON.stringify([toolCall.name, toolCall.input]);
      if (adopted || changed) show(part, toolCall, run);
    },
    settle(event) {
      const { run, toolCall, outcome, result } = event;
      calls.evaluate(run, toolCall);
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
    // The client sends answers only when every call of the step has an output. The real output replaces this one.
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
        fail(part, 'The call was interrupted.');
      }
    },
  };
  return calls;
}

const kindOf = ({ own }: Part): { readonly dynamic?: true } => (own ? {} : { dynamic: true });
