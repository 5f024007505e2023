import type { Wire } from './fake-model.ts';
import type { TurnCall } from './turn.ts';

const USAGE = {
  input_tokens: 1,
  input_tokens_details: null,
  output_tokens: 1,
  output_tokens_details: null,
  total_tokens: 2,
};

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

const call = ({ name, namespace, input }: TurnCall, callId: string) =>
  typeof input === 'string'
    ? { type: 'custom_tool_call', call_id: callId, name, input }
    : { type: 'function_call', call_id: callId, name, namespace, arguments: JSON.stringify(input) };

/** The Responses wire, which Codex speaks. */
export const openAiResponses: Wire = {
  answers: ({ path }) => (path === '/v1/responses' ? 'turn' : 'not-found'),
  turn(turn, step) {
    const items =
      'text' in turn
        ? [{ type: 'message', role: 'assistant', id: `m${step}`, content: [{ type: 'output_text', text: turn.text }] }]
        : turn.calls.map((each, index) => call(each, `c${step}-${index}`));
    return [
      event('response.created', { response: { id: `r${step}` } }),
      ...items.map((item, index) => event('response.output_item.done', { output_index: index, item })),
      event('response.completed', { response: { id: `r${step}`, usage: USAGE } }),
    ].join('');
  },
  aside: () => ({ type: 'application/json', body: '{}' }),
};
