import { parseJson } from '../../../events/values/parse-json.ts';
import type { AgUiMessage, AgUiToolCall } from '../ag-ui-event.ts';

/** A message of this run in the client's state. */
type Shown = { -readonly [K in keyof AgUiMessage]: AgUiMessage[K] };

/** The client's state of a conversation: its own messages, and those of this run. */
export class Screen {
  readonly #before: AgUiMessage[];
  #shown: Shown[] = [];

  constructor(before: readonly AgUiMessage[]) {
    this.#before = [...before];
  }

  add(message: AgUiMessage): void {
    this.#shown.push({ ...message });
  }

  write(id: string, content: string): void {
    const shown = this.#shown.find((one) => one.id === id);
    if (shown) shown.content = content;
  }

  /**
   * Retracts messages. A retracted thought stays as an empty message, because clients keep thoughts that a snapshot does not contain. The same
   * applies to the result of a call that stays.
   */
  withdraw(ids: ReadonlySet<string>): void {
    const stays = ({ role, toolCallId = '' }: Shown) =>
      role === 'reasoning' || this.#before.some((one) => hasCall(one, toolCallId));
    this.#shown = this.#shown.filter((one) => !ids.has(one.id) || stays(one));
    for (const one of this.#shown) if (ids.has(one.id)) one.content = '';
  }

  /** Retracts all messages of these runs. `undefined` is the agent's own run. */
  withdrawRuns(runIds: ReadonlySet<string | undefined>): void {
    const theirs = this.#shown.filter(({ subagentRunId }) => runIds.has(subagentRunId));
    this.withdraw(new Set(theirs.map(({ id }) => id)));
  }

  /** Adds a call to a message, and creates the message if necessary. */
  addCall(messageId: string, call: AgUiToolCall, owner: { readonly subagentRunId?: string }): void {
    const known = this.#shown.find(({ id }) => id === messageId);
    if (known) known.toolCalls = [...(known.toolCalls ?? []), call];
    else this.#shown.push({ id: messageId, role: 'assistant', toolCalls: [call], ...owner });
  }

  hasCall(id: string): boolean {
    return this.#before.some((one) => hasCall(one, id)) || this.#shown.some((one) => hasCall(one, id));
  }

  /** Replaces a shown call. Returns false if it is unchanged. */
  rewriteCall(id: string, name: string, input: string): boolean {
    const { at, list } = this.#holderOf(id);
    const message = list[at];
    const call = message?.toolCalls?.find((one) => one.id === id);
    if (!message || !call || (call.function.name === name && sameJson(call.function.arguments, input))) return false;
    const rewritten: AgUiToolCall = { ...call, function: { name, arguments: input } };
    list[at] = { ...message, toolCalls: message.toolCalls?.map((one) => (one === call ? rewritten : one)) ?? [] };
    return true;
  }

  /** Returns the client's own result of a call, which may have changed since. */
  ownResult(toolCallId: string): AgUiMessage | undefined {
    return this.#before.find((one) => one.role === 'tool' && one.toolCallId === toolCallId);
  }

  rewriteResult(own: AgUiMessage, content: string): void {
    this.#before[this.#before.indexOf(own)] = { ...own, content };
  }

  get messages(): readonly AgUiMessage[] {
    return [...this.#before, ...this.#shown.map((one) => ({ ...one }))];
  }

  #holderOf(callId: string): { readonly at: number; readonly list: AgUiMessage[] } {
    const list = this.#shown.some((one) => hasCall(one, callId)) ? this.#shown : this.#before;
    return { list, at: list.findLastIndex((one) => hasCall(one, callId)) };
  }
}

function hasCall({ toolCalls }: AgUiMessage, id: string): boolean {
  return toolCalls?.some((one) => one.id === id) ?? false;
}

function sameJson(a: string, b: string): boolean {
  return a === b || JSON.stringify(parseJson(a)) === b;
}
