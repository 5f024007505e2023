/** Serves servers of an SDK over HTTP, on the port that it prints. Each client of the protocol with sessions has a server of its own. */
module.exports = async function serveHttp(build, second, options = () => ({})) {
  const { createServer } = require('node:http');
  const { randomUUID } = require('node:crypto');
  const {
    createMcpHandler,
    isLegacyRequest,
    WebStandardStreamableHTTPServerTransport: Second,
  } = second ? require('@modelcontextprotocol/server') : {};
  const First = second ? undefined : require('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
  const Transport = Second ?? First.WebStandardStreamableHTTPServerTransport;
  const modern = createMcpHandler?.(build);
  const sessions = new Map();
  async function answer(request) {
    if (modern && request.method === 'POST' && !(await isLegacyRequest(request))) return modern.fetch(request);
    const known = sessions.get(request.headers.get('mcp-session-id'));
    if (known) return known.handleRequest(request);
    const transport = new Transport({
      ...options(),
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => {
        console.error('closed');
        sessions.delete(id);
      },
    });
    await build().connect(transport);
    return transport.handleRequest(request);
  }
  const server = createServer(async (incoming, outgoing) => {
    // A page of another name that leads here.
    if (!/^(127\.0\.0\.1|localhost):\d+$/.test(incoming.headers.host)) return outgoing.writeHead(403).end();
    const pieces = [];
    for await (const piece of incoming) pieces.push(piece);
    const stop = new AbortController();
    outgoing.once('close', () => stop.abort());
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      signal: stop.signal,
      ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
    });
    const response = await answer(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return outgoing.end();
    outgoing.flushHeaders();
    const reader = response.body.getReader();
    outgoing.once('close', () => reader.cancel().catch(() => {}));
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true }));
      if (done) return outgoing.end();
      outgoing.write(value);
    }
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
};
