import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { type Backplane, natsBackplane } from '../../../lib/nats/backplane.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aNatsServer, freePort, type NatsServer } from '../a-nats-server.ts';

describe('a server that cannot be the backplane', function () {
  this.timeout(60_000);
  const running: NatsServer[] = [];
  const fakes: Server[] = [];
  const open: Backplane[] = [];
  let lines: string[];

  beforeEach(() => {
    lines = [];
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await Promise.all(running.splice(0).map((one) => one.kill()));
    for (const fake of fakes.splice(0)) fake.close();
  });

  async function natsWith(config: string): Promise<NatsServer | undefined> {
    const file = join(tempFolder('nats-config'), 'nats.conf');
    writeFileSync(file, config);
    const server = await aNatsServer('-c', file);
    if (server) running.push(server);
    return server;
  }

  /** Greets as a NATS server of a version, and answers pings only. */
  async function ofVersion(version: string): Promise<string> {
    const fake = createServer((socket) => {
      socket.on('error', () => {});
      const info = { server_id: 'x', version, proto: 1, headers: true, max_payload: 1_048_576, jetstream: true };
      socket.write(`INFO ${JSON.stringify(info)}\r\n`);
      socket.on('data', (data) => data.includes('PING\r\n') && socket.write('PONG\r\n'));
    });
    fakes.push(fake);
    const port = await freePort();
    fake.listen(port, '127.0.0.1');
    await once(fake, 'listening');
    return `nats://127.0.0.1:${port}`;
  }

  function backplane(servers: string, more: object = {}): Backplane {
    const secret = 'a secret of the fleet that is long enough';
    const log = pino({ level: 'error' }, { write: (text) => void lines.push(JSON.parse(text).msg) });
    const one = natsBackplane({ servers, secret, timeoutMs: 500, ...more }, { log });
    open.push(one);
    return one;
  }

  const failureOf = ({ documents }: Backplane) =>
    documents.read(['a']).then(
      () => undefined,
      ({ code, message }) => `${code} ${message.replace(/.*documents: /, '')}`,
    );
  const until = async (one: Backplane, failure: string | undefined) => {
    for (let tries = 200; tries > 0 && (await failureOf(one)) !== failure; tries -= 1) await sleep(50);
    expect(await failureOf(one)).to.equal(failure);
  };

  it('is named with its version if it is older than 2.9.4', async () => {
    const old = 'has version 2.8.4, and Hookline needs 2.9.4 or newer. Update nats-server';
    expect(await failureOf(backplane(await ofVersion('2.8.4')))).to.equal(`STORE_FAILED nats-server ${old}.`);
    expect(lines).to.deep.equal([`the backplane cannot be used: nats-server ${old}`]);
    for (const version of ['2.9.3', '1.99.99', '0.1.2-beta'])
      expect(await failureOf(backplane(await ofVersion(version)))).to.include(version);
    for (const version of ['2.9.4', '2.10.0', '2.12.1-RC.2', '3.0.0'])
      expect(await failureOf(backplane(await ofVersion(version)))).to.not.include('version');
  });

  it('is reported if JetStream is off, also when it comes late, until JetStream is on', async function () {
    const server = await aNatsServer();
    if (!server) return this.skip();
    running.push(server);
    await server.kill();
    const late = backplane(server.url);
    expect(await failureOf(late)).to.match(/not reachable within 500 ms/);
    await server.start({ jetStream: false });
    const off = 'JetStream is off. Start NATS with: nats-server -js';
    await until(late, `STORE_FAILED ${off}.`);
    await server.kill();
    await server.start();
    await until(late, undefined);
    await server.kill();
    await server.start({ jetStream: false });
    await until(late, `STORE_FAILED ${off}.`);
    // Once for each connection, however many requests fail.
    expect(lines).to.deep.equal([off, off].map((text) => `the backplane cannot be used: ${text}`));
  });

  it('is reported if JetStream is off for the account', async function () {
    const server = await natsWith(`accounts {
      A { users = [{ user: a, password: a }] }
      B { jetstream: enabled, users = [{ user: b, password: b }] } }`);
    if (!server) return this.skip();
    const off = 'JetStream is off for this account. Set "jetstream: enabled" in the account in the configuration of';
    const as = (user: string) => backplane(server.url, { user, password: user });
    expect(await failureOf(as('a'))).to.equal(`STORE_FAILED ${off} nats-server.`);
    expect(await failureOf(as('b'))).to.equal(undefined);
  });

  it('is reported if its payload is too small', async function () {
    const server = await natsWith('max_payload: 16384');
    if (!server) return this.skip();
    const small = 'max_payload is 16384 bytes. Set it to 65536 or more in the configuration of nats-server.';
    expect(await failureOf(backplane(server.url))).to.equal(`STORE_FAILED ${small}`);
  });
});
