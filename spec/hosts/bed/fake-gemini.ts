import type { Wire } from './fake-model.ts';
import type { Turn } from './turn.ts';

const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

const reply = (turn: Turn) => ({
  candidates: [
    {
      content: {
        role: 'model',
        parts:
          'text' in turn
            ? [{ text: turn.text }]
            : turn.calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: USAGE,
});

/** The generateContent wire, which Gemini CLI speaks. */
export const geminiContent: Wire = {
  answers({ path }) {
    if (path.includes(':streamGenerateContent')) return 'turn';
    return path.includes(':generateContent') || path.includes(':countTokens') ? 'text' : 'not-found';
  },
  turn: (turn) => `data: ${JSON.stringify(reply(turn))}\n\n`,
  aside: ({ path }) => ({
    type: 'application/json',
    body: JSON.stringify(path.includes(':countTokens') ? { totalTokens: 1 } : reply({ text: '{}' })),
  }),
};
