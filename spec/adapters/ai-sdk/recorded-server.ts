import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

/** The text of an event stream recorded in spec/fixtures/openai. */
export const recording = (name: string): string =>
  readFileSync(join(__dirname, '../../fixtures/openai', `${name}.sse`), 'utf8');

/** The events of a recording, each with its empty line. */
export const eventsOf = (name: string): string[] => recording(name).match(/data: .*\n\n/g) ?? [];

/** Opens an event stream as the answer to a request. */
export const openStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** A chat completion server on loopback that answers each request with `play`. `bodies` holds its requests. */
export async function startServer(play: (response: ServerResponse) => void) {
  const bodies: { [member: string]: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    bodies.push(JSON.parse(text));
    play(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = createOpenAICompatible({ baseURL, name: 'loopback', apiKey: 'test', includeUsage: true });
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { bodies, close, languageModel: provider.chatModel('test-model'), provider };
}
