import { propertyOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { textOf } from '../../events/parts/messages.ts';
import type { ModelStepResult } from '../../loops/loop-run.ts';
import { overlaid } from '../../loops/overlaid.ts';
import { relay } from '../../loops/relay.ts';
import { asHost } from '../../loops/run-failure.ts';
import { hookReply, wholeReply } from '../../loops/whole-reply.ts';
import type { Model } from '../../pipeline/define/model.ts';
import type { HostRun } from './host-run.ts';
import type { HostModel, HostRequest, HostResponse, HostStreamEvent } from './host-types.ts';
import { toChunks, toOutput } from './reply.ts';

/** Wraps a model so that every request goes through the hooks of `host`. Everything else is the given model. */
export function hookedModel(given: HostModel, host: HostRun): HostModel {
  const hooked: HostModel = {
    getResponse: (request) => respond(given, host, request),
    getStreamedResponse: (request) => stream(given, host, request),
  };
  return overlaid(given, hooked);
}

const NO_USAGE = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  inputTokensDetails: [],
  outputTokensDetails: [],
};

async function respond(inner: HostModel, host: HostRun, request: HostRequest): Promise<HostResponse> {
  let raw: HostResponse = { output: [], usage: NO_USAGE };
  const reasoned = await reason(host, request, (asked) =>
    wholeReply(async () => {
      raw = { output: [], usage: NO_USAGE };
      raw = await inner.getResponse(asked);
      return toChunks(raw);
    }),
  );
  return settle(host, raw, reasoned);
}

/** Returns the response for the runner. Provider data is dropped after a change, because it may repeat text that a hook removed. */
function settle(host: HostRun, raw: HostResponse, reasoned: ModelStepResult): HostResponse {
  const output = toOutput(reasoned, raw.output);
  host.settled(reasoned.message, output);
  if (output.length === raw.output.length && output.every((item, index) => item === raw.output[index])) return raw;
  const { providerData: _, ...rest } = raw;
  return { ...rest, output };
}

function stream(inner: HostModel, host: HostRun, request: HostRequest): AsyncGenerator<HostStreamEvent> {
  return relay<HostStreamEvent, void>((emit) => streamed(inner, host, request, emit));
}

async function streamed(
  inner: HostModel,
  host: HostRun,
  request: HostRequest,
  emit: (event: HostStreamEvent) => void,
): Promise<void> {
  let done: HostStreamEvent | undefined;
  let response: HostResponse = { id: 'hookline', output: [], usage: NO_USAGE };
  let shown = false;
  let started = false;
  const reasoned = await reason(
    host,
    request,
    async function* (asked) {
      const streamed: string[] = [];
      const blocks = new Map<unknown, number>();
      for await (const event of inner.getStreamedResponse(asked)) {
        if (event.type === 'response_started' && !started) emit(event);
        started ||= event.type === 'response_started';
        if (event.type === 'output_text_delta') {
          const block = blocks.get(event['itemId']) ?? blocks.size;
          const delta = String(event['delta']);
          blocks.set(event['itemId'], block);
          streamed[block] = (streamed[block] ?? '') + delta;
          yield { type: 'text', delta, block };
        }
        if (event.type === 'response_done') {
          done = event;
          response = event['response'] as HostResponse;
          yield* toChunks(response, streamed);
        }
      }
    },
    (delta) => {
      if (host.buffer || delta === '') return;
      shown = true;
      emit({ type: 'output_text_delta', delta });
    },
  );
  const text = textOf(reasoned.message);
  if ((!shown || reasoned.finishReason === 'responded') && text !== '')
    emit({ type: 'output_text_delta', delta: text });
  const settled = settle(host, response, reasoned);
  const { providerData: _, ...event } = done ?? { type: 'response_done' };
  emit({ ...event, response: settled });
}

type Ask = (request: HostRequest) => ReturnType<Model>;

async function reason(
  host: HostRun,
  request: HostRequest,
  ask: Ask,
  onText?: (delta: string) => void,
): Promise<ModelStepResult> {
  const { run, bridge, answer } = await host.begun(request.input);
  if (answer) return hookReply(answer);
  // A hook has ended the run, which the runner cannot detect.
  if (run.finishing) return hookReply();
  const asked = bridge.toRequest(request);
  const model: Model = (settled, { signal }) => {
    const signals = [signal, request.signal].filter((one) => one !== undefined);
    return ask({ ...bridge.toHost(request, asked, settled), signal: AbortSignal.any(signals) });
  };
  const left = (): void => {
    // A time limit of the host's is of one request.
    if (propertyOf(request.signal?.reason, 'name') !== 'ModelTimeoutError')
      run.run.cancel('the consumer stopped reading the run');
  };
  request.signal?.addEventListener('abort', left, { once: true });
  try {
    return await asHost(run.reason(asked, model, onText && ((chunk) => chunk.part === 'text' && onText(chunk.delta))));
  } finally {
    request.signal?.removeEventListener('abort', left);
  }
}

/** Returns `model` if it can handle requests. Throws otherwise. */
export function checkModel(model: unknown, what: string): HostModel {
  const has = (name: string): boolean => typeof propertyOf(model, name) === 'function';
  if (has('getResponse') && has('getStreamedResponse')) return model as HostModel;
  throw new HooklineError(
    'INPUT_INVALID',
    `${what} must be a model of OpenAI Agents, with getResponse and getStreamedResponse.`,
  );
}
