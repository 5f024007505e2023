import type { BareTurn } from '../../../lib/testing/index.ts';
import { type Any, streamOf } from './scene.ts';

const REASONS = { toolCalls: 'tool-calls', contentFilter: 'content-filter' } as Readonly<Record<string, string>>;

/** Parts that hooks do not see, before and after those that they see. */
export interface Extras {
  readonly before?: readonly object[];
  readonly after?: readonly object[];
  /** Metadata for every part that supports it. */
  readonly providerMetadata?: object;
}

/** A language model that gives the same answers whole and streamed, with all possible content. */
export function bareModel(version: 5 | 6 | 7, turns: readonly BareTurn[], extras: Extras = {}): Any {
  const asked: Any[] = [];
  const { before = [], after = [], providerMetadata } = extras;
  const beside = providerMetadata ? { providerMetadata } : {};
  const next = (options: Any): BareTurn => {
    asked.push(options);
    return turns[asked.length - 1] ?? { chunks: [] };
  };
  const ending = ({ finishReason, calls = [] }: BareTurn) => {
    const said = finishReason ?? (calls.length > 0 ? 'toolCalls' : 'stop');
    const unified = REASONS[said] ?? said;
    const finish = version === 5 ? unified : { unified, raw: `raw-${unified}` };
    const usage =
      version === 5
        ? { inputTokens: 3, outputTokens: 2, totalTokens: 5 }
        : { inputTokens: { total: 3 }, outputTokens: { total: 2 } };
    return { finishReason: finish, usage, ...beside };
  };
  const callParts = ({ calls = [] }: BareTurn) =>
    calls.map(({ id, name, input }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
      ...beside,
    }));
  const streamedCall = (part: Any): object[] => {
    const { toolCallId: id, toolName, input } = part;
    const [head, tail] = [input.slice(0, 3), input.slice(3)];
    return [
      { type: 'tool-input-start', id, toolName, ...beside },
      { type: 'tool-input-delta', id, delta: head },
      { type: 'tool-input-delta', id, delta: tail },
      { type: 'tool-input-end', id },
      part,
    ];
  };
  const block = (kind: string, id: string, deltas: readonly string[]): object[] => [
    { type: `${kind}-start`, id },
    ...deltas.map((delta) => ({ type: `${kind}-delta`, id, delta })),
    { type: `${kind}-end`, id, ...beside },
  ];
  return {
    specificationVersion: ({ 5: 'v2', 6: 'v3', 7: 'v4' } as const)[version],
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    asked,
    async doGenerate(options: Any) {
      const turn = next(options);
      const { thoughts, chunks } = turn;
      return {
        content: [
          ...before,
          ...(thoughts ? [{ type: 'reasoning', text: thoughts.join(''), ...beside }] : []),
          ...(chunks.length > 0 ? [{ type: 'text', text: chunks.join(''), ...beside }] : []),
          ...callParts(turn),
          ...after,
        ],
        warnings: [{ type: 'other', message: 'careful' }],
        ...ending(turn),
      };
    },
    async doStream(options: Any) {
      const turn = next(options);
      const { thoughts, chunks, streamsInput = false } = turn;
      return {
        stream: streamOf([
          { type: 'stream-start', warnings: [{ type: 'other', message: 'careful' }] },
          { type: 'response-metadata', id: 'answer', modelId: 'scripted-1', timestamp: new Date(0) },
          ...before,
          ...(thoughts ? block('reasoning', '0', thoughts) : []),
          ...(chunks.length > 0 ? block('text', '0', chunks) : []),
          ...callParts(turn).flatMap((part) => (streamsInput ? streamedCall(part) : [part])),
          ...after,
          { type: 'finish', ...ending(turn) },
        ]),
      };
    },
  };
}
