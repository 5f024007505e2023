import { type LanguageModel, tool } from 'ai';
import { z } from 'zod';

/** The tools of the bench, as the AI SDK has them. */
export const aiSdkTools = {
  look: tool({
    description: 'Looks.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `seen ${path}`,
  }),
};

/** A language model that calls a tool `steps` times, and says each text in so many chunks. */
export function aiSdkModel(steps: number, chunks = 1): LanguageModel {
  let asked = 0;
  const counted = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 10, text: 10, reasoning: 0 },
  };
  const next = () => {
    asked += 1;
    const call = { type: 'tool-call', toolCallId: `c${asked}`, toolName: 'look', input: '{"path":"."}' } as const;
    const over = asked > steps;
    const finishReason = over
      ? ({ unified: 'stop', raw: undefined } as const)
      : ({ unified: 'tool-calls', raw: undefined } as const);
    return { call, over, finishReason };
  };
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate() {
      const { call, over, finishReason } = next();
      return {
        content: [{ type: 'text', text: over ? 'Done.' : 'Let me look.' }, ...(over ? [] : [call])],
        finishReason,
        usage: counted,
        warnings: [],
      };
    },
    async doStream() {
      const { call, over, finishReason } = next();
      const text = [
        { type: 'text-start', id: '1' },
        ...Array.from({ length: chunks }, () => ({
          type: 'text-delta',
          id: '1',
          delta: over ? 'Done.' : 'Let me look.',
        })),
        { type: 'text-end', id: '1' },
      ] as { type: 'text-delta'; id: string; delta: string }[];
      const parts = [
        { type: 'stream-start' as const, warnings: [] },
        ...text,
        ...(over ? [] : [call]),
        { type: 'finish', finishReason, usage: counted } as const,
      ];
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
}
