import { HooklineError } from '../../errors.ts';
import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { KeepKnown } from '../../loops/keep-known.ts';
import type { LoopRun, ModelStepResult } from '../../loops/loop-run.ts';
import { relay } from '../../loops/relay.ts';
import type { Model } from '../../pipeline/define/model.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { HostGeneration, HostLangChain, HostMessage, HostModel } from './host-langchain.ts';
import { RawReply } from './raw-reply.ts';
import { type BoundTools, toRequest } from './requests.ts';
import { contentOf, generation, textOf } from './shown-answer.ts';

/** The inputs of a hooked model: LangChain's model and the run. */
export interface Asking {
  readonly inner: HostModel;
  readonly run: LoopRun;
  readonly log: Logger;
  /** Reads messages, and returns the same objects for messages that it has read before. */
  readonly readMessages: KeepKnown<HostMessage, Message>;
  /** Tools of hooks. Their permissions are known. */
  readonly brought: readonly Tool[];
  /** If true, text is shown only after it has settled. */
  readonly buffer: boolean;
  /** If true, a hook may change the reply. */
  readonly isGuarded: boolean;
  /** Called when the model step has ended. */
  readonly onAsked: () => void;
  readonly bound?: BoundTools;
}

export type HookedModelClass = new (asking: Asking) => HostModel;

interface Asked {
  readonly reasoned: ModelStepResult;
  readonly reply: RawReply;
}

/** Listeners for a reply in progress: raw chunks of the model, and chunks that have passed the hooks. */
interface Shows {
  readonly onRaw?: (chunk: HostGeneration) => void;
  readonly onChunk?: (chunk: EventOf<'reasoningChunk'>, reply: RawReply) => void;
}

interface RunManager {
  handleLLMNewToken(token: string, ...more: readonly unknown[]): Promise<void>;
}

/**
 * Returns a chat model class that sends every model request through the hooks. It calls LangChain's model below the level of callbacks, so no
 * handler or tracer receives the raw reply.
 */
export function hookedModelClass(langchain: HostLangChain): HookedModelClass {
  const Base = langchain.BaseChatModel as unknown as new (
    fields: object,
  ) => {
    invoke(input: unknown, options?: object): Promise<HostMessage>;
  };

  return class HookedModel extends Base {
    readonly #asking: Asking;
    #asked: Asked | undefined;

    constructor(asking: Asking) {
      const { callbacks, tags, metadata, verbose } = asking.inner;
      super({ callbacks, tags, metadata, verbose });
      this.#asking = asking;
    }

    _llmType(): string {
      return 'hooked';
    }

    getName(): string {
      return this.#asking.inner.getName?.() ?? 'HookedModel';
    }

    get profile(): unknown {
      return this.#asking.inner.profile;
    }

    getLsParams(options: object): object {
      return this.#asking.inner.getLsParams?.(options) ?? {};
    }

    toJSON(): object {
      return this.#asking.inner.toJSON?.() ?? { lc: 1, type: 'not_implemented', id: [this.getName()] };
    }

    bindTools(tools: readonly object[], options: object = {}): HostModel {
      return new HookedModel({ ...this.#asking, bound: { tools, options } }) as unknown as HostModel;
    }

    /** A streamed reply contains only what had passed the hooks. The caller receives the settled message instead. */
    override async invoke(input: unknown, options?: object): Promise<HostMessage> {
      this.#asked = undefined;
      const message = await super.invoke(input, options);
      const asked = this.#asked as Asked | undefined;
      return asked ? asked.reply.settle(langchain, asked.reasoned.message, message.id) : message;
    }

    async _generate(messages: readonly HostMessage[], options: object): Promise<object> {
      const { reasoned, reply } = await this.#ask(messages, options, 'whole');
      const message = reply.settle(langchain, reasoned.message);
      const { generationInfo, llmOutput } = reply.metadataFor(reasoned.message);
      return { generations: [generation(message, generationInfo)], llmOutput };
    }

    async *_streamResponseChunks(
      messages: readonly HostMessage[],
      options: object,
      runManager?: RunManager,
    ): AsyncGenerator<HostGeneration> {
      const { buffer, isGuarded } = this.#asking;
      let shown: 'nothing' | 'chunks' | 'raw' = 'nothing';
      const work = relay<HostGeneration, Asked>((report) =>
        this.#ask(messages, options, 'streamed', {
          onRaw(chunk) {
            if (buffer || isGuarded) return;
            shown = 'raw';
            report(chunk);
          },
          onChunk(chunk, reply) {
            const content = buffer || shown === 'raw' ? undefined : contentOf(chunk, reply);
            if (content === undefined) return;
            shown = 'chunks';
            report(generation(new langchain.AIMessageChunk({ content, id: reply.id })));
          },
        }),
      );
      for (;;) {
        const { done, value } = await work.next();
        if (!done) {
          yield* this.#emit(value, runManager);
          continue;
        }
        // No hook can change the reply. The raw chunks already form it.
        if (shown === ('raw' as string)) return;
        const { reasoned, reply } = value;
        const whole = shown === 'nothing' || reasoned.finishReason === 'responded';
        const content = whole ? textOf(reasoned.message) : '';
        const rest = new langchain.AIMessageChunk({ ...reply.fields(reasoned.message), id: reply.id, content });
        yield* this.#emit(generation(rest, reply.metadataFor(reasoned.message).generationInfo), runManager);
        return;
      }
    }

    async *#emit(chunk: HostGeneration, runManager: RunManager | undefined): AsyncGenerator<HostGeneration> {
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }

    async #ask(
      messages: readonly HostMessage[],
      options: object,
      how: 'whole' | 'streamed',
      shows: Shows = {},
    ): Promise<Asked> {
      const { run, inner, onAsked, isGuarded } = this.#asking;
      const request = toRequest(langchain, messages, this.#asking);
      let reply = new RawReply(isGuarded);
      const model: Model = async function* (settled, { signal }) {
        reply = new RawReply(isGuarded);
        const { tools, given } = request.toHost(settled);
        const { model: host, bound } = await resolve(bind(inner, tools, given));
        const asked = { ...options, ...bound, ...request.changed(settled), signal: either(options, signal) };
        const stream = how === 'streamed' ? host._streamResponseChunks : undefined;
        if (stream && stream !== langchain.BaseChatModel.prototype._streamResponseChunks) {
          for await (const chunk of stream.call(host, request.messages(settled), asked, undefined)) {
            shows.onRaw?.(chunk);
            yield* reply.read(chunk);
          }
        } else {
          const made = await host._generate?.(request.messages(settled), asked, undefined);
          for (const one of made?.generations.slice(0, 1) ?? []) yield* reply.read(one, made?.llmOutput);
        }
        yield* reply.end();
      };
      try {
        const reasoned = await run.reason(request.asked, model, (chunk) => shows.onChunk?.(chunk, reply));
        this.#asked = { reasoned, reply };
        return this.#asked;
      } finally {
        onAsked();
      }
    }
  } as unknown as HookedModelClass;
}

function bind(inner: HostModel, tools: readonly object[] | undefined, options: object): HostModel {
  if (!tools || (tools.length === 0 && Object.keys(options).length === 0)) return inner;
  const bound = inner.bindTools?.(tools, options);
  if (bound) return bound;
  if (inner.bound) return { ...bindingOf(inner), bound: bind(inner.bound, tools, options) };
  if (tools.length === 0) return inner;
  throw invalid('has no bindTools, so it cannot use tools');
}

function bindingOf({ kwargs, config }: HostModel): HostModel {
  return { ...(kwargs && { kwargs }), ...(config && { config }) };
}

/** Settings that can be bound to a model but are not call options. Handlers among them must not receive the raw reply. */
const NO_OPTIONS = [
  'callbacks',
  'tags',
  'metadata',
  'runName',
  'runId',
  'configurable',
  'recursionLimit',
  'maxConcurrency',
];

/** Returns the chat model behind bindings and deferred configuration, and the options bound to it. The hooked model calls it directly. */
async function resolve(given: HostModel, outer: object = {}): Promise<{ model: HostModel; bound: object }> {
  if (given._getModelInstance) return resolve(await given._getModelInstance(), outer);
  if (given.bound) return resolve(given.bound, { ...given.config, ...given.kwargs, ...outer });
  if (!given._generate) throw invalid('is not a chat model, with or without bound options');
  const options = Object.entries(outer).filter(([name]) => !NO_OPTIONS.includes(name));
  return { model: given, bound: Object.fromEntries(options) };
}

function invalid(why: string): HooklineError {
  return new HooklineError(
    'INPUT_INVALID',
    `The model of the agent ${why}; hooks need a chat model, such as \`new ChatOpenAI(..)\` or \`initChatModel(..)\`.`,
  );
}

function either(options: object, signal: AbortSignal): AbortSignal {
  const given = (options as { readonly signal?: AbortSignal }).signal;
  return given ? AbortSignal.any([given, signal]) : signal;
}
