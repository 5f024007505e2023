import type { Wire } from './fake-model.ts';

const chunk = (step: number, choices: object[], usage?: object) =>
  `data: ${JSON.stringify({ id: `x${step}`, object: 'chat.completion.chunk', created: 1, model: 'main', choices, usage })}\n\n`;

const delta = (step: number, content: object, reason: string | null = null) =>
  chunk(step, [{ index: 0, delta: { role: 'assistant', ...content }, finish_reason: reason }]);

const end = (step: number, reason: string) =>
  delta(step, {}, reason) +
  chunk(step, [], { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }) +
  'data: [DONE]\n\n';

const said = (step: number, text: string) => delta(step, { content: text }) + end(step, 'stop');

/** The chat completions wire, which opencode speaks with `@ai-sdk/openai-compatible`. The model `small` writes its titles. */
export const chatCompletions: Wire = {
  answers({ path, body }) {
    if (path !== '/v1/chat/completions') return 'not-found';
    return body.model === 'small' ? 'text' : 'turn';
  },
  turn(turn, step) {
    if ('text' in turn) return said(step, turn.text);
    const toolCalls = turn.calls.map(({ name, input }, index) => ({
      index,
      id: `c${step}-${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    return delta(step, { tool_calls: toolCalls }) + end(step, 'tool_calls');
  },
  aside: () => ({ type: 'text/event-stream', body: said(0, 'title') }),
};
