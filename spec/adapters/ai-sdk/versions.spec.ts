import { expect } from 'chai';
import { aiSdkModel } from '../../../lib/adapters/ai-sdk/index.ts';
import type { Message } from '../../../lib/events/parts/message.ts';
import { type ModelChunk, modelChunkSchema } from '../../../lib/pipeline/define/model.ts';
import { collect, request } from './collect.ts';
import { fakeModel } from './fake-model.ts';

/** The differences between the versions for the same content. */
const versions = {
  v2: {
    finish: {
      finishReason: 'tool-calls',
      usage: { inputTokens: 10, outputTokens: 4, totalTokens: 14, cachedInputTokens: 3, reasoningTokens: 2 },
    },
    more: [{ type: 'tool-result', toolCallId: 'p', toolName: 'web', result: 1, providerExecuted: true }],
    file: { data: { type: 'file', mediaType: 'image/png', data: 'AQID' }, url: new URL('https://example.test/a.pdf') },
    resultMedia: [
      { type: 'media', mediaType: 'image/png', data: 'AQID' },
      { type: 'text', text: 'application/pdf: https://example.test/a.pdf' },
    ],
  },
  v3: {
    finish: {
      finishReason: { unified: 'tool-calls', raw: 'tool_use' },
      usage: {
        inputTokens: { total: 10, noCache: 7, cacheRead: 3, cacheWrite: undefined },
        outputTokens: { total: 4, text: 2, reasoning: 2 },
      },
    },
    more: [
      { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'p' },
      { type: 'tool-result', toolCallId: 'p', toolName: 'web', result: 1 },
    ],
    file: { data: { type: 'file', mediaType: 'image/png', data: 'AQID' }, url: new URL('https://example.test/a.pdf') },
    resultMedia: [
      { type: 'image-data', mediaType: 'image/png', data: 'AQID' },
      { type: 'file-url', mediaType: 'application/pdf', url: 'https://example.test/a.pdf' },
    ],
  },
  v4: {
    finish: {
      finishReason: { unified: 'tool-calls', raw: 'tool_use' },
      usage: {
        inputTokens: { total: 10, noCache: 7, cacheRead: 3, cacheWrite: undefined },
        outputTokens: { total: 4, text: 2, reasoning: 2 },
      },
    },
    more: [
      { type: 'ping' },
      { type: 'custom', kind: 'fake.thing' },
      {
        type: 'reasoning-file',
        mediaType: 'image/png',
        data: { type: 'data', data: 'AQID' },
        providerMetadata: { fake: { n: 1 } },
      },
    ],
    file: {
      data: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      url: { type: 'url', url: new URL('https://example.test/a.pdf') },
    },
    resultMedia: [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: new URL('https://example.test/a.pdf') } },
    ],
  },
} as const;

const story = ({ finish, more }: (typeof versions)[keyof typeof versions]) => [
  { type: 'stream-start', warnings: [] },
  { type: 'response-metadata', id: 'r' },
  { type: 'reasoning-start', id: '0', providerMetadata: { fake: { item: 'i' } } },
  { type: 'reasoning-delta', id: '0', delta: 'Hm' },
  { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { fake: { signature: 's' } } },
  { type: 'reasoning-end', id: '0' },
  { type: 'reasoning-start', id: '1', providerMetadata: { fake: { redacted: 'r' } } },
  { type: 'reasoning-end', id: '1' },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Well' },
  { type: 'tool-input-start', id: 'p', toolName: 'web', providerExecuted: true },
  { type: 'tool-input-delta', id: 'p', delta: '{}' },
  { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: '{}', providerExecuted: true },
  { type: 'tool-call', toolCallId: 'q', toolName: 'web', input: '{}', providerExecuted: true },
  ...more,
  { type: 'source', sourceType: 'url', id: 's', url: 'https://example.test/' },
  { type: 'file', mediaType: 'image/png', data: 'AQID' },
  { type: 'tool-input-start', id: 'c', toolName: 'read' },
  { type: 'tool-input-delta', id: 'c', delta: '{"n"' },
  { type: 'tool-input-delta', id: 'c', delta: ':1}' },
  { type: 'tool-input-end', id: 'c' },
  {
    type: 'tool-call',
    toolCallId: 'c',
    toolName: 'read',
    input: '{"n":1}',
    providerMetadata: { fake: { thought: 't' } },
  },
  { type: 'text-delta', id: '0', delta: ' then' },
  { type: 'text-end', id: '0' },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'again' },
  { type: 'finish', ...finish },
];

const told: ModelChunk[] = [
  { type: 'thinking', delta: 'Hm', block: 0, metadata: { fake: { item: 'i' } } },
  { type: 'blockEnd', block: 0, metadata: { fake: { item: 'i', signature: 's' } } },
  { type: 'thinking', delta: '', block: 1, metadata: { fake: { redacted: 'r' } } },
  { type: 'blockEnd', block: 1 },
  { type: 'text', delta: 'Well', block: 2 },
  { type: 'toolInput', toolCallId: 'c', delta: '{"n"', block: 3 },
  { type: 'toolInput', toolCallId: 'c', delta: ':1}', block: 3 },
  {
    type: 'toolCall',
    toolCall: { id: 'c', name: 'read', input: { n: 1 } },
    block: 3,
    metadata: { fake: { thought: 't' } },
  },
  { type: 'text', delta: ' then', block: 2 },
  { type: 'blockEnd', block: 2 },
  { type: 'text', delta: 'again', block: 4 },
  { type: 'blockEnd', block: 4 },
  {
    type: 'finish',
    finishReason: 'toolCalls',
    usage: { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 2 },
  },
];

const png = 'media://7';
const pdf = { url: 'https://example.test/a.pdf', mediaType: 'application/pdf' };

const messages: Message[] = [
  {
    role: 'system',
    parts: [
      { type: 'text', text: 'Be ' },
      { type: 'text', text: 'brief.', metadata: { fake: { cache: true } } },
    ],
  },
  {
    role: 'user',
    parts: [
      { type: 'text', text: '' },
      { type: 'media', url: png },
      { type: 'media', ...pdf },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'thinking', text: '', metadata: { fake: { redacted: 'r' } } },
      { type: 'thinking', text: 'Hm', metadata: { fake: { signature: 's' } } },
      { type: 'toolCall', toolCall: { id: 'c', name: 'read', input: { n: 1 } }, metadata: { fake: { thought: 't' } } },
      { type: 'toolCall', toolCall: { id: 'd', name: 'read', input: {} } },
    ],
  },
  {
    role: 'tool',
    parts: [{ type: 'toolResult', toolCallId: 'c', toolName: 'read', result: { content: 'no', isError: true } }],
  },
  {
    role: 'tool',
    parts: [
      {
        type: 'toolResult',
        toolCallId: 'd',
        toolName: 'read',
        result: { content: 'see', isError: false, media: [{ url: png }, pdf] },
      },
    ],
  },
  { role: 'assistant', parts: [] },
];

for (const [version, differences] of Object.entries(versions)) {
  describe(`aiSdkModel with specification ${version}`, () => {
    const { file, resultMedia } = differences;

    it('streams text, thinking with metadata, and our calls, and leaves provider calls alone', async () => {
      const { chunks, error } = await collect(aiSdkModel(fakeModel(version, story(differences))));
      expect(error).to.equal(undefined);
      expect(chunks).to.deep.equal(told);
      for (const chunk of chunks) modelChunkSchema.parse(chunk);
    });

    it('sends metadata, media and results in the format of the version', async () => {
      const fake = fakeModel(version, [{ type: 'finish', ...differences.finish }]);
      const mediaStore = { resolve: async () => ({ mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }) };
      await collect(aiSdkModel(fake, { mediaStore }), request({ messages }));
      expect(fake.seen.asked[0]?.['prompt']).to.deep.equal([
        { role: 'system', content: 'Be brief.', providerOptions: { fake: { cache: true } } },
        { role: 'user', content: [file.data, { type: 'file', mediaType: 'application/pdf', data: file.url }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: '', providerOptions: { fake: { redacted: 'r' } } },
            { type: 'reasoning', text: 'Hm', providerOptions: { fake: { signature: 's' } } },
            {
              type: 'tool-call',
              toolCallId: 'c',
              toolName: 'read',
              input: { n: 1 },
              providerOptions: { fake: { thought: 't' } },
            },
            { type: 'tool-call', toolCallId: 'd', toolName: 'read', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c', toolName: 'read', output: { type: 'error-text', value: 'no' } },
            {
              type: 'tool-result',
              toolCallId: 'd',
              toolName: 'read',
              output: { type: 'content', value: [{ type: 'text', text: 'see' }, ...resultMedia] },
            },
          ],
        },
      ]);
    });
  });
}
