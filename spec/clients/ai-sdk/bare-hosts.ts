import { withHooks } from '../../../lib/adapters/ai-sdk/index.ts';
import type { JsonValue } from '../../../lib/index.ts';
import type { BareHost, BareScene, LoopTool } from '../../../lib/testing/index.ts';
import { bareModel, type Extras } from './bare-model.ts';
import { type Any, versions } from './scene.ts';

const source = { type: 'source', sourceType: 'url', id: 's1', url: 'https://a.example', title: 'A' };
const DATA = 'aGVsbG8=';
const fileOf = (version: 5 | 6 | 7): object => ({
  type: 'file',
  mediaType: 'image/png',
  data: version === 7 ? { type: 'data', data: DATA } : DATA,
});
const ran = [
  { type: 'tool-call', toolCallId: 'p1', toolName: 'search', input: '{}', providerExecuted: true },
  { type: 'tool-result', toolCallId: 'p1', toolName: 'search', result: { found: 1 }, providerExecuted: true },
];

// Its models return warnings, which the specs compare.
(globalThis as Any).AI_SDK_LOG_WARNINGS = false;

/** Options besides the model, the messages and the tools. */
const variants: Readonly<
  Record<
    string,
    { readonly options?: (sdk: Any, more: Any) => object; readonly extras?: (version: 5 | 6 | 7) => Extras }
  >
> = {
  plain: {},
  'one step': { options: () => ({ stopWhen: undefined }) },
  'options of a call': {
    options: () => ({
      temperature: 0.5,
      topK: 3,
      seed: 7,
      stopSequences: ['x'],
      headers: { 'x-a': 'b' },
      providerOptions: { scripted: { effort: 'low' } },
      activeTools: ['look', 'fail'],
      toolChoice: 'auto',
    }),
  },
  prepareStep: {
    options: () => ({
      prepareStep: ({ stepNumber, messages }: Any) =>
        stepNumber === 1 ? { toolChoice: 'none', messages: messages.slice(-2) } : {},
    }),
  },
  'prepareStep with another model': {
    options: (_, { other }) => ({
      prepareStep: ({ stepNumber }: Any) => (stepNumber === 1 ? { model: other } : undefined),
    }),
  },
  'parts that hooks do not see': {
    extras: (version) => ({
      before: [source],
      after: [fileOf(version), ...ran],
      providerMetadata: { scripted: { sig: 'a' } },
    }),
  },
};

export const bareHosts: readonly BareHost[] = versions.flatMap(({ name, version, bare }) =>
  [false, true]
    .filter((agent) => !agent || bare.ToolLoopAgent)
    .map((agent) => ({
      name: agent ? `${name}, its agent` : name,
      variants: Object.keys(variants),
      async play(scene: BareScene): Promise<JsonValue> {
        const sdk: Any = scene.pipeline ? withHooks(bare, scene.pipeline, { agent: 'guest' }) : bare;
        const { options = () => ({}), extras: extrasOf } = variants[scene.variant] ?? {};
        const extras = extrasOf?.(version);
        const model = bareModel(version, scene.turns, extras);
        const other = bareModel(version, scene.turns.slice(1), extras);
        const own = Object.fromEntries(scene.tools.map((tool) => [tool.name, toTool(bare, tool)]));
        const tools = extras ? { ...own, search: providers(bare, version) } : own;
        const heard: string[] = [];
        const settings = {
          model,
          tools,
          stopWhen: bare.stepCountIs(6),
          ...options(bare, { other }),
          onStepFinish: ({ finishReason }: Any) => void heard.push(finishReason),
          onFinish: ({ finishReason }: Any) => void heard.push(`all ${finishReason}`),
          onError: ({ error }: Any) => void heard.push(String(error)),
        };
        const given = { messages: [{ role: 'user', content: scene.question }] };
        const start = (): Any => {
          const { onError: _, ...whole } = settings;
          const one: Any = agent ? new sdk.ToolLoopAgent(scene.streamed ? settings : whole) : undefined;
          if (scene.streamed) return one ? one.stream(given) : sdk.streamText({ ...settings, ...given });
          return one ? one.generate(given) : sdk.generateText({ ...whole, ...given });
        };
        const came = scene.streamed ? await streamed(start) : await whole(start);
        const prompts = [model, other].map(({ asked }) => asked.map(({ abortSignal: _, ...rest }: Any) => rest));
        return toJson({ came, prompts, heard });
      },
    })),
);

function toTool(sdk: Any, { description, inputSchema, progress, execute }: LoopTool): object {
  const schema = { description, inputSchema: sdk.jsonSchema(inputSchema) };
  if (!progress) return { ...schema, execute: async (input: Any) => execute(input) };
  return {
    ...schema,
    async *execute(input: Any) {
      yield* progress;
      yield execute(input);
    },
  };
}

/** A tool that the provider runs. */
function providers(sdk: Any, version: 5 | 6 | 7): object {
  const inputSchema = sdk.jsonSchema({ type: 'object' });
  const type = version === 5 ? 'provider-defined' : 'provider';
  return { type, id: 'scripted.search', name: 'search', args: {}, isProviderExecuted: true, inputSchema };
}

const RESULT = [
  'content',
  'text',
  'reasoning',
  'files',
  'sources',
  'toolCalls',
  'toolResults',
  'finishReason',
  'rawFinishReason',
];
const MORE = ['usage', 'totalUsage', 'warnings', 'providerMetadata', 'response', 'responseMessages', 'steps'];

async function settled(result: Any): Promise<object> {
  const told = [...RESULT, ...MORE].map(async (name) => [name, await Promise.resolve(result[name]).catch(String)]);
  return Object.fromEntries(await Promise.all(told));
}

async function whole(start: () => Any): Promise<object> {
  try {
    return await settled(await start());
  } catch (thrown) {
    return { thrown: String(thrown) };
  }
}

async function streamed(start: () => Any): Promise<object> {
  const result = await start();
  const parts: unknown[] = [];
  const results: Any[] = [];
  // Empty deltas are ignored, and concurrent calls end in any order.
  for await (const part of result.fullStream)
    if (/^tool-(result|error)$/.test(part.type)) results.push(part);
    else if (!/^(text|reasoning)-delta$/.test(part.type) || part.text) parts.push(part);
  results.sort((a, b) => String(a.toolCallId).localeCompare(String(b.toolCallId)));
  return { parts, results, ...(await settled(result)) };
}

/** Fields that the SDK creates in each run, and those named in the guide: whole answers without HTTP bodies. */
const NEW = ['timestamp', 'callId', 'performance', 'stepTimestampMs', 'body', 'request', 'stepMs'];

function toJson(value: unknown): JsonValue {
  return JSON.parse(
    JSON.stringify(value, (key, one) => {
      if (NEW.includes(key)) return undefined;
      if (one instanceof Error) return String(one);
      if (key === 'id' && /^(aitxt|aiobj|msg|call)-\w{24}/.test(String(one))) return undefined;
      return typeof one === 'function' ? 'function' : one;
    }),
  );
}
