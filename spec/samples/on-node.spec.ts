import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { onNode } from '../../samples/screens/on-node.ts';

describe('the sample with a handler on node:http', () => {
  let server: Server;
  const logged: unknown[] = [];
  const { error } = console;

  async function served(handler: (request: Request) => Promise<Response>): Promise<number> {
    server = createServer(onNode(handler));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  beforeEach(() => {
    logged.length = 0;
    console.error = (...all) => void logged.push(...all);
  });
  afterEach(() => {
    console.error = error;
    server.closeAllConnections();
    server.close();
  });

  it('returns 500 if the handler throws, with the reason only in the log', async () => {
    const port = await served(() => Promise.reject(new Error('the password is swordfish')));
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).to.deep.equal([500, 'The request could not be served.']);
    expect(String(logged[0])).to.include('swordfish');
  });

  it('continues to serve when clients send invalid data, abort or leave', async () => {
    const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) });
    const port = await served(async ({ url }) => new Response(url.endsWith('/endless') ? endless() : 'here'));
    const heads = [
      'GET // HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf',
      'GET /endless HTTP/1.1\r\nHost: a\r\n\r\n',
    ];
    for (const head of heads) {
      const socket = connect(port, '127.0.0.1');
      socket.write(head);
      await once(socket, 'data');
      socket.destroy();
      await once(socket, 'close');
    }
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).to.equal('here');
  });
});
