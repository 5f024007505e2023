import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Turn, TurnOf } from './turn.ts';

/** One request of a host for the next step of its conversation. */
export interface ModelRequest {
  path: string;
  body: Record<string, unknown>;
}

/** How one wire is spoken: which requests continue the conversation, and what a turn looks like as server-sent events. */
export interface Wire {
  answers(request: ModelRequest): 'turn' | 'text' | 'not-found';
  turn(turn: Turn, step: number): string;
  /** The answer to a side request (a title, a summary) that no spec scripts. */
  aside(request: ModelRequest): { type: string; body: string };
}

export interface FakeModel {
  port: number;
  requests: ModelRequest[];
  /** Side requests (a title, a summary), which take no turn. */
  asides: ModelRequest[];
  close(): void;
}

const DONE: Turn = { text: 'done' };

const answer = (response: ServerResponse, status: number, type: string, body: string) =>
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);

/** Serves the turns one after another on loopback, then the text `done`; records every request that took a turn. */
export async function fakeModel(wire: Wire, turns: readonly (Turn | TurnOf)[], bed: string): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const asides: ModelRequest[] = [];
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await text(incoming);
    const request = { path: incoming.url ?? '', body: body === '' ? {} : JSON.parse(body) };
    const kind = incoming.method === 'POST' ? wire.answers(request) : 'not-found';
    if (kind === 'not-found') return answer(response, 404, 'application/json', '{"error":{"message":"not found"}}');
    if (kind === 'text') {
      asides.push(request);
      const aside = wire.aside(request);
      return answer(response, 200, aside.type, aside.body);
    }
    requests.push(request);
    const step = requests.length;
    const turn = turns[step - 1] ?? DONE;
    const found = typeof turn === 'function' ? await turn(request.body, bed) : turn;
    return answer(response, 200, 'text/event-stream', wire.turn(found, step));
  };
  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    asides,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
