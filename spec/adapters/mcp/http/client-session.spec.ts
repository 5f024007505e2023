import { expect } from 'chai';
import { openClientSession } from '../../../../lib/adapters/mcp/http/client-session.ts';
import type { ClientStream } from '../../../../lib/adapters/mcp/http/event-stream.ts';
import { createPipeline } from '../../../../lib/index.ts';
import { silentLogger as log } from '../../../../lib/pipeline/logger.ts';
import { handMade } from './over-http.ts';

describe('an MCP client session over HTTP', () => {
  it('is in use while a client waits for an answer, unless the client has left', async () => {
    const server = await handMade(() => {});
    const options = { pipeline: createPipeline([]), log, secret: new Uint8Array(32), isNew: () => true };
    const session = openClientSession(options, server, () => {});
    expect(session.idleSince).to.be.a('number');
    const stream = { closed: false, streamed: false, ready: () => undefined, write() {}, end() {} };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } } as const;
    session.request(JSON.stringify(message), { message, headers: {} }, stream as unknown as ClientStream);
    expect(session.idleSince).to.equal(undefined);
    stream.closed = true;
    expect(session.idleSince).to.be.a('number');
    await session.end();
    await server.close();
  });
});
