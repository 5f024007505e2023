import * as ai5latest from 'ai5latest';
import { withHooks } from '../../../lib/adapters/ai-sdk/index.ts';
import { createPipeline, defineHook, type HookDefinition } from '../../../lib/index.ts';
import { type Recorder, recorder } from '../../../lib/testing/index.ts';
import { clients } from '../ai-sdk-ui/clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: options and results of any version.
export type Any = any;

/** The AI SDK in one version: `hookedBy` gives it hooks, `bare` has none. */
export interface Version {
  readonly name: string;
  readonly version: 5 | 6 | 7;
  readonly bare: Any;
  hookedBy(...hooks: readonly HookDefinition[]): { readonly sdk: Any; readonly recorded: Recorder };
}

const latest = [{ name: 'ai 5.0.277', version: 5 as const, sdk: ai5latest }, ...clients.slice(2)];

export const versions: readonly Version[] = latest.map(({ name, version, sdk }) => ({
  name,
  version,
  bare: sdk,
  hookedBy(...hooks) {
    const recorded = recorder();
    const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded]);
    return { sdk: withHooks(sdk as never, pipeline, { agent: 'guest' }), recorded };
  },
}));

/** The parts of a model answer, or a function that replaces it. */
export type Says = readonly object[] | ((options: { readonly abortSignal?: AbortSignal }) => unknown);

/** A language model that gives the same answers whole and streamed, and records its requests. */
export function modelOf(version: 5 | 6 | 7, ...answers: readonly Says[]): Any {
  const asked: Any[] = [];
  const next = (options: Any): Says => {
    asked.push(options);
    return answers[asked.length - 1] ?? [];
  };
  const ending = (content: readonly Any[]) => {
    const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    return {
      finishReason: version === 5 ? unified : { unified, raw: unified },
      usage: { inputTokens: {}, outputTokens: {} },
    };
  };
  return {
    specificationVersion: ({ 5: 'v2', 6: 'v3', 7: 'v4' } as const)[version],
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    asked,
    async doGenerate(options: Any) {
      const says = next(options);
      if (typeof says === 'function') return says(options);
      return { content: says, warnings: [], ...ending(says) };
    },
    async doStream(options: Any) {
      const says = next(options);
      if (typeof says === 'function') return says(options);
      const parts = [
        { type: 'stream-start', warnings: [] },
        ...says.flatMap(streamed),
        { type: 'finish', ...ending(says) },
      ];
      return { stream: streamOf(parts) };
    },
  };
}

export function streamOf(parts: readonly object[]): ReadableStream {
  return new ReadableStream({
    start(to) {
      for (const part of parts) to.enqueue(part);
      to.close();
    },
  });
}

function streamed(part: Any, index: number): object[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part];
  const { type, text, providerMetadata } = part;
  const id = String(index);
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, ...(providerMetadata && { providerMetadata }) },
  ];
}

/** The result of a promise, or its error as thrown. */
export const settled = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => value,
    (thrown) => thrown,
  );
