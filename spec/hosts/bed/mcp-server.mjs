// An MCP server on stdio with one tool, `touch`, that makes the file `path`.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const tool = {
  name: 'touch',
  description: 'Makes a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call'({ arguments: { path } }) {
    writeFileSync(path, '');
    return { content: [{ type: 'text', text: `made ${path}` }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = ANSWERS[method];
  const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: `no ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
