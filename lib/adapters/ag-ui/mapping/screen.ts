import type { AgUiMessage, AgUiToolCall } from '../ag-ui-event.ts';

/** A message of this run as the client shows it. */
type Shown = { -readonly [K in keyof AgUiMessage]: AgUiMessage[K] };

/** What the client shows of a conversation: the messages it had, and those that this run has brought. */
export class Screen {
  readonly #before: AgUiMessage[];
  #shown: Shown[] = [];

  constructor(before: readonly AgUiMessage[]) {
    this.#before = [...before];
  }

  add(message: AgUiMessage): void {
    this.#shown.push({ ...message });
  }

  /** Gives a message other text. */
  write(id: string, content: string): void {
    const shown = this.#shown.find((one) => one.id === id);
    if (shown) shown.content = content;
  }

  /**
   * Takes messages back. A thought leaves an empty one: clients keep the thoughts they have where a snapshot brings none. So does the result of
   * a call that stays.
   */
  withdraw(ids: ReadonlySet<string>): void {
    const stays = ({ role, toolCallId = '' }: Shown) =>
      role === 'reasoning' || this.#before.some((one) => hasCall(one, toolCallId));
    this.#shown = this.#shown.filter((one) => !ids.has(one.id) || stays(one));
    for (const one of this.#shown) if (ids.has(one.id)) one.content = '';
  }

  /** Takes back all that these runs have shown; `undefined` is the agent's own. */
  withdrawRuns(runIds: ReadonlySet<string | undefined>): void {
    const theirs = this.#shown.filter(({ subagentRunId }) => runIds.has(subagentRunId));
    this.withdraw(new Set(theirs.map(({ id }) => id)));
  }

  /** Puts a call into a message, which is made if there is none. */
  addCall(messageId: string, call: AgUiToolCall, owner: { readonly subagentRunId?: string }): void {
    const known = this.#shown.find(({ id }) => id === messageId);
    if (known) known.toolCalls = [...(known.toolCalls ?? []), call];
    else this.#shown.push({ id: messageId, role: 'assistant', toolCalls: [call], ...owner });
  }

  hasCall(id: string): boolean {
    return this.#before.some((one) => hasCall(one, id)) || this.#shown.some((one) => hasCall(one, id));
  }

  /** Shows another call than the one that was made; false where it is the same. */
  rewriteCall(id: string, name: string, input: string): boolean {
    const { at, list } = this.#holderOf(id);
    const message = list[at];
    const call = message?.toolCalls?.find((one) => one.id === id);
    if (!message || !call || (call.function.name === name && sameJson(call.function.arguments, input))) return false;
    const rewritten: AgUiToolCall = { ...call, function: { name, arguments: input } };
    list[at] = { ...message, toolCalls: message.toolCalls?.map((one) => (one === call ? rewritten : one)) ?? [] };
    return true;
  }

  /** The result that the client had itself, by what it says; it may have been changed since. */
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
  if (a === b) return true;
  try {
    return JSON.stringify(JSON.parse(a)) === b;
  } catch {
    return false;
  }
}
