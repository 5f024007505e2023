import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { SettledEvent } from '../../lib/index.ts';
import { createAudience } from '../../lib/server/sse/audience.ts';
import { Journal } from '../../lib/server/sse/journal.ts';
import { anEvent } from '../../lib/testing/index.ts';
import type { BenchResult } from './result.ts';

const CLIENTS = 100;
const ROUNDS = 40;
/** Events of one turn of the event loop. */
const BURST = 10;
const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };

interface Contender {
  readonly server: Server;
  emit(): void;
}

/** Events to 100 clients of one run over loopback, against the same bytes written to 100 responses in a loop. */
export async function sseFanOutBench(): Promise<BenchResult[]> {
  const frame = frameOf(event(1_000));
  const [bare, ours] = [bareLoop(frame), audience()];
  const wanted = frame.length * BURST * ROUNDS * CLIENTS;
  const contenders = [await connected(bare), await connected(ours)];
  const rates: number[][] = [[], []];
  for (let turn = 0; turn < 5; turn++) {
    for (const [index, contender] of contenders.entries()) rates[index]?.push(await rateOf(contender, wanted));
  }
  for (const { server } of [bare, ours]) {
    server.close();
    server.closeAllConnections();
  }
  const [bareRate = 1, ourRate = 0] = rates.map((all) => Math.max(...all));
  return [
    {
      name: 'events to 100 clients, against the same bytes in a bare loop',
      unit: 'times the rate',
      value: ourRate / bareRate,
      least: 0.5,
    },
    { name: 'the same, frames in a second', unit: 'thousand', value: ourRate / 1_000 },
  ];
}

const event = (seq: number) => ({ ...anEvent.text('word word word '), run, seq, time: seq }) as SettledEvent;
const frameOf = (one: SettledEvent) => `id: ${one.seq}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`;

function bareLoop(frame: string): Contender {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    responses.push(response);
  });
  return {
    server,
    emit() {
      for (let index = 0; index < BURST; index++) for (const response of responses) response.write(frame);
    },
  };
}

function audience(): Contender {
  const journal = new Journal('r', { chunks: 10_000_000, gates: 10_000_000 });
  const listeners = createAudience(journal, { clientLag: 10_000_000, stallMs: 60_000 });
  const app = new Hono();
  app.get('/', (c) => c.body(listeners.open(journal.end), 200, { 'content-type': 'text/event-stream' }));
  let seq = 1_000;
  return {
    server: serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server,
    emit() {
      for (let index = 0; index < BURST; index++) journal.append(event(seq++));
      listeners.wake();
    },
  };
}

async function connected({ server, emit }: Contender) {
  if (!server.listening) {
    if (server.listenerCount('request') > 0 && !server.address()) server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const { port } = server.address() as AddressInfo;
  const state = { bytes: 0, heard: () => {} };
  const opened = Array.from({ length: CLIENTS }, async () => {
    const request = get({ port, host: '127.0.0.1', agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('data', (piece: Buffer) => {
      state.bytes += piece.length;
      state.heard();
    });
    response.on('error', () => {});
  });
  await Promise.all(opened);
  return { emit, state };
}

async function rateOf({ emit, state }: Awaited<ReturnType<typeof connected>>, wanted: number): Promise<number> {
  state.bytes = 0;
  const arrived = new Promise<void>((resolve) => {
    // Ids grow by a digit now and then.
    state.heard = () => state.bytes >= wanted && resolve();
  });
  const began = process.hrtime.bigint();
  for (let round = 0; round < ROUNDS; round++) {
    emit();
    await new Promise(setImmediate);
  }
  await arrived;
  return (BURST * ROUNDS * CLIENTS) / (Number(process.hrtime.bigint() - began) / 1e9);
}
