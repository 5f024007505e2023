import type { Message, MessagePart } from '../../events/parts/message.ts';
import { textOf, thinkingOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { ModelStepResult } from '../../loops/loop-run.ts';
import { overlaid } from '../../loops/overlaid.ts';
import { relay } from '../../loops/relay.ts';
import type { Model } from '../../pipeline/define/model.ts';
import { BlockWriter } from './block-writer.ts';
import type { HostRun } from './host-run.ts';
import {
  type HostMessage,
  type HostModel,
  type HostModelEvent,
  type HostModelResult,
  type HostStreamOptions,
  make,
} from './host-strands.ts';
import { RawReply } from './raw-reply.ts';
import { toRequest } from './requests.ts';
import type { HostStrands } from './strands-module.ts';

/** A model whose requests all go through the hooks. */
export interface HookedModel {
  readonly model: HostModel;
  readonly wasAsked: () => boolean;
}

type Aggregated = AsyncGenerator<object, HostModelResult>;

/** Wraps the stream of a model with hooks. Everything else is the given model. */
export function hookedModel(strands: HostStrands, inner: HostModel, host: HostRun): HookedModel {
  let settled: Message | undefined;
  let raw = new RawReply();
  let writer: BlockWriter | undefined;

  const stream = (messages: readonly HostMessage[], options: HostStreamOptions): AsyncGenerator<HostModelEvent> =>
    relay<HostModelEvent, void>((emit) => ask(messages, options, emit));

  async function ask(
    given: readonly HostMessage[],
    options: HostStreamOptions,
    emit: (event: HostModelEvent) => void,
  ): Promise<void> {
    writer = new BlockWriter(emit);
    const { scene } = await host.begun(given);
    const request = toRequest(scene, given, options);
    const model: Model = async function* (settledRequest, { signal }) {
      const { messages, options: asked } = request.toHost(settledRequest);
      raw = new RawReply();
      const signals = [signal, options.cancelSignal].filter((one) => one !== undefined);
      for await (const event of inner.stream(messages, { ...asked, cancelSignal: AbortSignal.any(signals) }))
        yield* raw.read(event);
      yield raw.end();
    };
    emit({ type: 'modelMessageStartEvent', role: 'assistant' });
    const live = writer;
    const reasoned = await host.reason(request.asked, model, host.buffer ? undefined : (one) => live.write(one, raw));
    settled = reasoned.message;
    live.close();
    conclude(reasoned, live, emit);
  }

  function conclude(
    { message, finishReason }: ModelStepResult,
    writer: BlockWriter,
    emit: (event: HostModelEvent) => void,
  ): void {
    const { text, thinking } = writer.shown;
    const answered = finishReason === 'responded';
    if (!answered) for (const deltas of raw.takeSilent(Number.POSITIVE_INFINITY)) writer.silent(deltas);
    if (answered || (text === '' && thinking === ''))
      for (const part of message.parts)
        if ((part.type === 'text' || part.type === 'thinking') && part.text !== '')
          writer.block(part.type, part.text, part.type === 'thinking' ? raw.signatureOf(part.text) : undefined);
    const calls = toolCallsOf(message);
    for (const call of calls) writer.call(raw.startOf(call), raw.inputOf(call));
    emit({ type: 'modelMessageStopEvent', stopReason: stopReasonOf(calls, answered) });
    const { usage, metrics } = (raw.metadata ?? {}) as { readonly usage?: object; readonly metrics?: object };
    // Trace data of the provider is left out, because it may repeat text that a hook removed.
    if (usage || metrics) emit({ type: 'modelMetadataEvent', ...(usage && { usage }), ...(metrics && { metrics }) });
    const { inputRedaction, outputRedaction } = (raw.redaction ?? {}) as {
      readonly inputRedaction?: object;
      readonly outputRedaction?: { readonly replaceContent: string };
    };
    if (raw.redaction)
      emit({
        type: 'modelRedactionEvent',
        ...(inputRedaction && { inputRedaction }),
        ...(outputRedaction && { outputRedaction: { replaceContent: outputRedaction.replaceContent } }),
      });
  }

  /** Strands runs calls only for `toolUse`. The model's own reason is kept, unless hooks responded or changed the calls. */
  function stopReasonOf(calls: readonly ToolCall[], answered: boolean): string {
    const added = calls.some(({ id }) => !raw.callIds.includes(id));
    const dropped = calls.length === 0 && raw.callIds.length > 0;
    if (answered || added || (dropped && raw.stopReason === 'toolUse')) return calls.length > 0 ? 'toolUse' : 'endTurn';
    return raw.stopReason ?? 'endTurn';
  }

  /** Replaces the message that Strands assembled with the one that postReasoning settled. */
  function settle(result: HostModelResult): HostModelResult {
    const redacted = raw.redaction?.['outputRedaction'] !== undefined;
    if (!settled || !writer || redacted) return result;
    const { text, thinking } = writer.shown;
    if (text === textOf(settled) && thinking === thinkingOf(settled)) return result;
    const content = settled.parts.flatMap((part) => {
      const data = dataOf(part);
      return data ? [strands.contentBlockFromData(data)] : [];
    });
    const { metadata } = result.message;
    const message = make<HostMessage>(strands.Message, { role: 'assistant', content, ...(metadata && { metadata }) });
    return { ...result, message };
  }

  function dataOf(part: MessagePart): object | undefined {
    if (part.type === 'text') return part.text === '' ? undefined : { text: part.text };
    if (part.type === 'toolCall') {
      const { type: _, ...start } = raw.startOf(part.toolCall);
      return { toolUse: { ...start, input: raw.inputOf(part.toolCall) } };
    }
    if (part.type !== 'thinking') return undefined;
    const signature = raw.signatureOf(part.text);
    return { reasoning: { text: part.text, ...(signature !== undefined && { signature }) } };
  }

  const own = {
    stream,
    async *streamAggregated(messages: readonly HostMessage[], options: HostStreamOptions): Aggregated {
      // Strands' own aggregation of a stream. The model may override it with one that bypasses the hooks.
      const { streamAggregated } = strands.Model.prototype as { streamAggregated(...args: unknown[]): Aggregated };
      return settle(yield* streamAggregated.call(model, messages, options));
    },
  };
  const model: HostModel = overlaid(inner, own, { isBound: true });
  return { model, wasAsked: () => writer !== undefined };
}
