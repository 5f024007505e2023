#!/usr/bin/env node
// A PicoClaw process hook that brings a tool: before_llm offers it, before_tool answers it.
import { createInterface } from 'node:readline';

const weather = { Beijing: 'sunny, 15 degrees', Shanghai: 'cloudy, 18 degrees', Guangzhou: 'sunny, 25 degrees' };
const tool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Says what the weather is in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const methods = {
  'hook.hello': () => ({ ok: true }),
  'hook.before_llm': (params) => ({
    action: 'modify',
    request: { ...params, tools: [...(params.tools ?? []), tool] },
  }),
  'hook.before_tool'({ tool: name, arguments: { city = '' } = {} }) {
    if (name !== 'get_weather') return { action: 'continue' };
    const known = weather[city];
    const text = known ? `${city}: ${known}` : `No weather is known for "${city}".`;
    return { action: 'respond', result: { for_llm: text, silent: false, is_error: !known } };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const result = methods[method]?.(params) ?? { action: 'continue' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
