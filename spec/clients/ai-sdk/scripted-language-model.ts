import type { LoopRequest } from '../../../lib/testing/index.ts';

/** A language model of a specification version that follows a script and records its requests. */
export interface ScriptedLanguageModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: object;
  readonly prompts: readonly unknown[];
  /** The options of the requests, without their prompts. */
  readonly requests: readonly LoopRequest[];
  doGenerate(options: Options): Promise<object>;
  doStream(options: Options): Promise<{ stream: ReadableStream }>;
}

interface Options {
  readonly prompt: unknown;
  readonly tools?: readonly { readonly name: string }[];
  readonly toolChoice?: { readonly type: 'auto' | 'none' | 'required' };
  readonly abortSignal?: AbortSignal;
}

export interface Turn {
  readonly chunks?: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
  readonly error?: string | Error;
}

export function scriptedLanguageModel(version: 'v2' | 'v3' | 'v4', turns: readonly Turn[]): ScriptedLanguageModel {
  const prompts: unknown[] = [];
  const requests: LoopRequest[] = [];
  const next = ({ prompt, tools = [], toolChoice }: Options): Turn => {
    requests.push({ tools: tools.map(({ name }) => name), ...(toolChoice && { toolChoice: toolChoice.type }) });
    prompts.push(JSON.parse(JSON.stringify(prompt)));
    const turn = turns[prompts.length - 1];
    if (!turn) throw new Error(`asked ${prompts.length} times, ${turns.length} answers`);
    if (turn.error) throw typeof turn.error === 'string' ? new Error(turn.error) : turn.error;
    return turn;
  };
  const ending = ({ calls = [] }: Turn) => {
    const unified = calls.length > 0 ? 'tool-calls' : 'stop';
    return {
      finishReason: version === 'v2' ? unified : { unified, raw: unified },
      usage:
        version === 'v2'
          ? { inputTokens: 3, outputTokens: 2, totalTokens: 5 }
          : { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
    };
  };
  const callParts = ({ calls = [] }: Turn) =>
    calls.map(({ id, name, input }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
    }));
  return {
    specificationVersion: version,
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    prompts,
    requests,
    async doGenerate(options) {
      const turn = next(options);
      const text = turn.chunks?.join('');
      return {
        content: [...(text ? [{ type: 'text', text }] : []), ...callParts(turn)],
        warnings: [],
        ...ending(turn),
      };
    },
    async doStream(options) {
      const turn = next(options);
      const parts = [
        { type: 'stream-start', warnings: [] },
        ...(turn.chunks ? [{ type: 'text-start', id: 't' }] : []),
        ...(turn.chunks ?? []).map((delta) => ({ type: 'text-delta', id: 't', delta })),
        ...(turn.chunks ? [{ type: 'text-end', id: 't' }] : []),
        ...callParts(turn),
        { type: 'finish', ...ending(turn) },
      ];
      return {
        stream: new ReadableStream({
          pull(controller) {
            const part = parts.shift();
            if (part) controller.enqueue(part);
            else controller.close();
          },
        }),
      };
    },
  };
}
