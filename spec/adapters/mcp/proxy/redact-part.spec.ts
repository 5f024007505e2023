import { expect } from 'chai';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { answerOf, handMade, listening, type Message, reply } from '../http/over-http.ts';

const SECRET = `hunter${2}-hunter`;
const opaque = {
  cursor: SECRET,
  nextCursor: SECRET,
  requestState: SECRET,
  progressToken: SECRET,
  elicitationId: SECRET,
};
/** Fields that are exempt at their regular places, here at other places. */
const elsewhere = { ...opaque, blob: SECRET, data: SECRET, type: 'image', content: [{ type: 'image', data: SECRET }] };
const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const redacting = {
  name: 'redacting',
  redact: (text: string) => text.replaceAll(SECRET, '***').replaceAll('4111111111111111', '***'),
};

describe('the redaction of an MCP proxy', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** The messages that the client receives from the server, and the server from the client. */
  const through = async (method: string, given: JsonObject, params: JsonObject = {}) => {
    const answer = (message: Message, response: never) => reply(response, message, given);
    const server = await handMade(answer as never, (message, response) => {
      if (message?.method !== method || method === 'tools/call') return false;
      reply(response, message, given);
      return true;
    });
    closing.push(server.close);
    const one = await listening(server.url, { hooks: [redacting] });
    closing.push(one.proxy.close);
    const client = one.client();
    await client.start();
    const { result } = await answerOf(await client.ask(method, params));
    return { result, sent: server.of(method).at(-1)?.message.params };
  };
  const clean = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(SECRET, '***'));

  it('covers all structured content, with any field names', async () => {
    const given = { content: [{ type: 'text', text: 'x' }], structuredContent: { ...elsewhere, rows: [elsewhere] } };
    const { result } = await through('tools/call', given, { name: 'echo', arguments: {} });
    expect(result).to.deep.equal(clean(given));
  });

  it('covers numbers that match as text, and all fields next to the blocks of a result', async () => {
    const given = { content: [], structuredContent: { card: 4111111111111111, n: 7 }, ...opaque, _meta: opaque };
    const { result } = await through('tools/call', given, { name: 'echo', arguments: {} });
    const hidden = Object.fromEntries(Object.keys(opaque).map((name) => [name, '***']));
    expect(result).to.deep.equal({ content: [], structuredContent: { card: '***', n: 7 }, ...hidden, _meta: hidden });
  });

  it('covers all text in blocks, except data of images, audio and files', async () => {
    const blocks = (secret: string) => [
      { type: 'image', data: SECRET, mimeType: 'image/png', _meta: { ...elsewhere, type: 'image' } },
      { type: 'audio', data: SECRET, mimeType: 'audio/wav', annotations: { blob: secret } },
      { type: 'resource', resource: { uri: 'a:b', blob: SECRET }, blob: secret },
      { type: 'text', text: 'x', data: secret, blob: secret },
      { type: 'constructor', name: secret },
    ];
    const { result } = await through('prompts/get', {
      messages: blocks(SECRET).map((content) => ({ role: 'user', content, data: SECRET })),
      nextCursor: SECRET,
      data: SECRET,
    });
    const wanted = blocks('***').map((content) => ({ role: 'user', content, data: '***' }));
    wanted[0] = {
      ...wanted[0],
      content: { ...wanted[0]?.content, _meta: clean({ ...elsewhere, type: 'image' }) },
    } as never;
    expect(result).to.deep.equal({ messages: wanted, nextCursor: SECRET, data: '***' });
    const file = { uri: 'a:b', blob: SECRET, text: SECRET };
    expect((await through('resources/read', { contents: [file] })).result.contents).to.deep.equal([
      { ...file, text: '***' },
    ]);
  });

  it('covers requests in a result, except values that the sender needs back', async () => {
    const params = { mode: 'url', elicitationId: SECRET, message: SECRET, url: 'https://a.example', data: SECRET };
    const requests = { q: { method: 'elicitation/create', params } };
    const given = { resultType: 'input_required', inputRequests: requests, requestState: SECRET };
    const { result } = await through('prompts/get', given, { _meta: modern });
    expect(result.requestState).to.equal(SECRET);
    expect(result.inputRequests.q.params).to.deep.equal({ ...params, message: '***', data: '***' });
  });

  it('covers lists and objects in place of an exempt text', async () => {
    for (const value of [[SECRET], [{ a: [SECRET] }], { a: SECRET }]) {
      const given = {
        ...{ requestState: value, nextCursor: value, elicitationId: value },
        contents: [{ uri: 'a:b', blob: value }],
        messages: [{ role: 'user', content: { type: 'image', data: value } }],
      };
      const { result } = await through('prompts/get', given);
      expect(result).to.deep.equal(clean(given));
    }
  });

  for (const method of ['tools/call', 'prompts/get', 'resources/read']) {
    it(`covers a client's answers to requests within ${method}, and forms with any fields`, async () => {
      const answers = (secret: string) => ({
        form: { action: 'accept', content: { type: 'image', data: secret, blob: secret, key: secret } },
        role: { action: 'accept', role: 'user', content: { type: 'image', data: secret } },
        'hookline.approve': { action: 'accept', content: { key: secret } },
        sampled: { role: 'assistant', model: 'm', content: { type: 'image', data: SECRET, mimeType: 'image/png' } },
      });
      const named = { name: 'echo', arguments: {}, uri: 'a:b', requestState: SECRET };
      const { sent } = await through(method, { content: [] }, {
        ...named,
        inputResponses: answers(SECRET),
        _meta: modern,
      } as JsonObject);
      expect(sent.inputResponses).to.deep.equal(answers('***'));
      expect(sent.requestState).to.equal(SECRET);
    });
  }
});
