import type { SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf, toolCallsOf } from '../../../events/parts/messages.ts';
import type { PostReasoning } from '../../../events/post-reasoning.ts';
import type { PreReasoning } from '../../../events/pre-reasoning.ts';
import type { ReasoningChunk } from '../../../events/reasoning-chunk.ts';
import type { ClientCalls } from './client-calls.ts';
import type { ShownPart, ShownRun } from './shown-run.ts';
import type { Wire } from './wire.ts';

/** Streams replies of models, and retracts what is not part of the settled message. */
export class Answers {
  readonly #wire: Wire;
  readonly #thinking: boolean;
  readonly #clientCalls: ClientCalls;
  readonly #runOf: (event: SettledEvent) => ShownRun;
  /** A cache, because most chunks belong to the same part as the previous one. */
  #latest: { readonly run: ShownRun; readonly part: ShownPart; readonly block: number } | undefined;

  constructor(wire: Wire, thinking: boolean, clientCalls: ClientCalls, runOf: (event: SettledEvent) => ShownRun) {
    this.#wire = wire;
    this.#clientCalls = clientCalls;
    this.#thinking = thinking;
    this.#runOf = runOf;
  }

  begin(run: ShownRun, { iteration, attempt }: PreReasoning): void {
    if (attempt > 1) this.#newAttempt(run, attempt);
    else {
      this.close(run);
      run.parts = new Map();
      run.attempt = 1;
    }
    this.#wire.finishSteps(run, 'reasoning:');
    this.#wire.startStep(run, `reasoning:${iteration}`);
  }

  chunk(event: SettledEvent<ReasoningChunk>): void {
    const { block, delta, attempt, part: kind } = event;
    const latest = this.#latest;
    if (latest?.block === block && latest.run.attempt === attempt && latest.run.runId === event.run.runId) {
      if (latest.part.open) this.#show(latest.run, latest.part, delta);
      if (event.last) this.#closePart(latest.run, latest.part);
      return;
    }
    const run = this.#runOf(event);
    if (run.over) return;
    if (attempt > run.attempt) this.#newAttempt(run, attempt);
    // Tool input is shown with the complete call. Chunks of an earlier attempt are dropped.
    if (kind === 'toolInput' || attempt < run.attempt || (kind === 'thinking' && !this.#thinking)) return;
    const part = run.parts.get(block) ?? (delta === '' ? undefined : this.#open(run, kind, block));
    if (!part?.open) return;
    this.#latest = { run, part, block };
    this.#show(run, part, delta);
    if (event.last) this.#closePart(run, part);
  }

  end(run: ShownRun, event: PostReasoning): void {
    this.#newAttempt(run, event.attempt ?? 1);
    this.close(run);
    this.#settle(run, event.message);
    const calls = toolCallsOf(event.message);
    const texts = [...run.parts.values()].filter(({ kind, text }) => kind === 'text' && text !== '');
    const parentMessageId = texts.at(-1)?.id ?? this.#wire.messageId();
    for (const call of calls) {
      const id = this.#wire.names.give(run, call.id);
      if (!this.#clientCalls.hold(id, call, parentMessageId))
        this.#wire.callShown(run, { ...call, id }, parentMessageId);
    }
    run.answer = { text: textOf(event.message), called: calls.length > 0 };
    this.#wire.finishSteps(run, 'reasoning:');
  }

  /** Shows the final message of a run, unless it is already shown. */
  last(run: ShownRun, message: Message): void {
    const text = textOf(message);
    if (run.answer?.text === text) return;
    if (run.answer?.called !== false) run.parts = new Map();
    this.#settle(run, message);
  }

  /** Ends all open parts. */
  close(run: ShownRun): void {
    for (const part of run.parts.values()) this.#closePart(run, part);
  }

  /** Retracts what an earlier attempt has shown. */
  #newAttempt(run: ShownRun, attempt: number): void {
    if (attempt <= run.attempt) return;
    run.attempt = attempt;
    this.close(run);
    if (run.parts.size > 0) {
      this.#wire.screen.withdraw(new Set([...run.parts.values()].map(({ id }) => id)));
      this.#wire.snapshot();
    }
    run.parts = new Map();
  }

  /** Adapts the client's text to the settled message: it is sent if nothing was shown, and rewritten if other text was shown. */
  #settle(run: ShownRun, message: Message): void {
    const { screen } = this.#wire;
    let changed = false;
    for (const kind of ['thinking', 'text'] as const) {
      if (kind === 'thinking' && !this.#thinking) continue;
      const settled = message.parts.map((part) => (part.type === kind ? part.text : '')).join('');
      const parts = [...run.parts.values()].filter((part) => part.kind === kind);
      if (parts.map(({ text }) => text).join('') === settled) continue;
      const [first, ...others] = parts;
      if (!first) {
        const part = this.#open(run, kind, -1 - run.parts.size);
        this.#show(run, part, settled);
        this.#closePart(run, part);
        continue;
      }
      changed = true;
      for (const part of others) part.text = '';
      first.text = settled;
      screen.withdraw(new Set((settled === '' ? parts : others).map(({ id }) => id)));
      if (settled !== '') screen.write(first.id, settled);
    }
    if (changed) this.#wire.snapshot();
  }

  #open(run: ShownRun, kind: ShownPart['kind'], block: number): ShownPart {
    const messageId = this.#wire.messageId();
    const part: ShownPart = { kind, id: messageId, text: '', open: true };
    run.parts.set(block, part);
    const role = kind === 'text' ? 'assistant' : 'reasoning';
    this.#wire.screen.add({ id: messageId, role, content: '', ...run.owner });
    if (kind === 'text') this.#wire.send(run, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
    else {
      this.#wire.send(run, { type: 'REASONING_START', messageId });
      this.#wire.send(run, { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' });
    }
    return part;
  }

  /** Written without helpers, because it runs for every chunk. */
  #show(run: ShownRun, part: ShownPart, delta: string): void {
    if (delta === '') return;
    part.text += delta;
    const type = part.kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT';
    const { subagentRunId } = run.owner;
    if (subagentRunId === undefined) this.#wire.emit({ type, messageId: part.id, delta });
    else this.#wire.emit({ type, messageId: part.id, delta, subagentRunId });
  }

  #closePart(run: ShownRun, part: ShownPart): void {
    if (!part.open) return;
    part.open = false;
    this.#wire.screen.write(part.id, part.text);
    const { id: messageId, kind } = part;
    if (kind === 'text') this.#wire.send(run, { type: 'TEXT_MESSAGE_END', messageId });
    else {
      this.#wire.send(run, { type: 'REASONING_MESSAGE_END', messageId });
      this.#wire.send(run, { type: 'REASONING_END', messageId });
    }
  }
}
