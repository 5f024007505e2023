// The same small server on either generation of the SDK: `node sdk-server.cjs v1|v2` over stdio, with `http` behind it over HTTP, on the port that it prints.
const { z } = require('zod');

const second = process.argv[2] === 'v2';
const secret = process.env.SECRET ?? 'nothing';
const { McpServer } = second
  ? require('@modelcontextprotocol/server')
  : require('@modelcontextprotocol/sdk/server/mcp.js');

/** What a handler is given, the same for both. */
const contextOf = (ctx) =>
  second
    ? { ...ctx.mcpReq, token: ctx.mcpReq._meta?.progressToken, responses: ctx.mcpReq.inputResponses }
    : { signal: ctx.signal, notify: ctx.sendNotification, send: ctx.sendRequest, token: ctx._meta?.progressToken };
const text = (said, more = {}) => ({ content: [{ type: 'text', text: said }], ...more });

function build() {
  const server = new McpServer({ name: 'small', version: '1.0.0' });
  const tool = (name, config, handler) =>
    server.registerTool(
      name,
      {
        description: name,
        ...config,
        ...(config.inputSchema && { inputSchema: second ? z.object(config.inputSchema) : config.inputSchema }),
        ...(config.outputSchema && { outputSchema: second ? z.object(config.outputSchema) : config.outputSchema }),
      },
      config.inputSchema ? (input, ctx) => handler(input, contextOf(ctx)) : (ctx) => handler({}, contextOf(ctx)),
    );
  tool(
    'add',
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number(), note: z.string() } },
    ({ a, b }) => {
      const structuredContent = { sum: a + b, note: secret };
      return text(JSON.stringify(structuredContent), { structuredContent });
    },
  );
  tool('look', { annotations: { readOnlyHint: true } }, () => text('seen'));
  tool('picture', {}, () => ({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }));
  tool('fail', {}, () => text('it failed', { isError: true }));
  tool('count', { inputSchema: { to: z.number() } }, async ({ to }, { notify, token }) => {
    for (let progress = 1; progress <= to; progress++) {
      if (token === undefined) continue;
      const params = { progressToken: token, progress, total: to, message: `step ${progress} ${secret}` };
      await notify({ method: 'notifications/progress', params });
    }
    // Clients drop progress that they read together with the result; a busy one reads late.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return text('counted');
  });
  tool(
    'slow',
    {},
    (_, { signal }) =>
      new Promise((_, reject) => {
        console.error('started');
        signal.addEventListener('abort', () => {
          console.error('aborted');
          reject(new Error('aborted'));
        });
      }),
  );
  tool('who', {}, (_, { responses }) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const { action, content } = responses?.name ?? {};
    if (action) return text(action === 'accept' ? `hello ${content.name}` : 'nobody');
    const params = { mode: 'form', message: 'Who is it?', requestedSchema };
    return { resultType: 'input_required', inputRequests: { name: { method: 'elicitation/create', params } } };
  });
  tool('grow', {}, () => {
    tool('grown', {}, () => text('grown'));
    return text('ok');
  });
  return server;
}

if (process.argv[3] === 'http') require('./serve-http.cjs')(build, second);
else if (second) require('@modelcontextprotocol/server/stdio').serveStdio(build);
else {
  const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
  build().connect(new StdioServerTransport());
}
