import { expect } from 'chai';
import { loadMedia } from '../../../../lib/adapters/ai-sdk/prompt/load-media.ts';
import { toPrompt } from '../../../../lib/adapters/ai-sdk/prompt/to-prompt.ts';
import type { HooklineError } from '../../../../lib/errors.ts';
import type { Message } from '../../../../lib/events/parts/message.ts';
import type { MediaStore, StoredMedia } from '../../../../lib/pipeline/run/run.ts';

const storeOf = (found: StoredMedia): MediaStore => ({ resolve: async () => found });
const errorOf = (loading: Promise<unknown>): Promise<HooklineError> =>
  loading.then(
    () => undefined,
    (error) => error,
  );

describe('loadMedia', () => {
  it('keeps an https URL', async () => {
    const media = await loadMedia({ url: 'https://example.test/a', mediaType: 'image/png' });
    expect(media).to.deep.equal({ mediaType: 'image/png', url: new URL('https://example.test/a') });
    expect(await loadMedia({ url: 'https://example.test/a' })).to.include({ mediaType: 'application/octet-stream' });
  });

  it('reads the type and the bytes of a data URL', async () => {
    expect(await loadMedia({ url: 'data:image/gif;base64,R0lG' })).to.deep.equal({
      mediaType: 'image/gif',
      data: 'R0lG',
    });
    expect(await loadMedia({ url: 'data:text/html;charset=utf-8;base64,R0lG' })).to.include({
      mediaType: 'text/html',
      data: 'R0lG',
    });
    expect(await loadMedia({ url: 'data:,%C3%A9,' })).to.deep.equal({
      mediaType: 'text/plain',
      data: btoa('\xc3\xa9,'),
    });
    expect(await loadMedia({ url: 'data:image/gif;base64,R0lG', mediaType: 'image/png' })).to.include({
      mediaType: 'image/png',
    });
  });

  it('asks the store by id and accepts bytes, base64 or a URL', async () => {
    const ids: string[] = [];
    const bytes = new Uint8Array(20_000).fill(255);
    const mediaStore: MediaStore = {
      resolve: async (id) => {
        ids.push(id);
        return { mediaType: 'image/png', data: bytes };
      },
    };
    const media = await loadMedia({ url: 'media://a/7' }, mediaStore);
    expect(ids).to.deep.equal(['a/7']);
    expect(media).to.deep.equal({ mediaType: 'image/png', data: Buffer.from(bytes).toString('base64') });
    expect(await loadMedia({ url: 'media://7' }, storeOf({ mediaType: 'a/b', data: 'R0lG' }))).to.include({
      data: 'R0lG',
    });
    const there = await loadMedia({ url: 'media://7', mediaType: 'a/b' }, storeOf({ url: 'https://example.test/a' }));
    expect(there).to.deep.equal({ mediaType: 'a/b', url: new URL('https://example.test/a') });
  });

  it('names the fix if there is no store', async () => {
    const error = await errorOf(loadMedia({ url: 'media://7' }));
    expect(error).to.have.property('code', 'INPUT_INVALID');
    expect(error.message).to.match(/media:\/\/7 needs a media store.*option mediaStore/);
  });

  it('names the media that a store could not load', async () => {
    const cause = new Error('gone');
    const error = await errorOf(loadMedia({ url: 'media://7' }, { resolve: () => Promise.reject(cause) }));
    expect(error).to.include({ code: 'MODEL_FAILED', cause });
    expect(error.message).to.include('media://7').and.include('gone');
  });

  it('rejects other URLs, also from a store', async () => {
    for (const url of ['file:///etc/passwd', 'http://example.test/', 'notes.txt', 'https://']) {
      expect(await errorOf(loadMedia({ url })), url).to.have.property('code', 'INPUT_INVALID');
    }
    const error = await errorOf(loadMedia({ url: 'media://7' }, storeOf({ url: 'media://7' })));
    expect(error.message).to.include('which the media store returned for media://7');
  });
});

describe('toPrompt', () => {
  it('rejects a part that its role does not allow', async () => {
    const messages: Message[] = [{ role: 'system', parts: [{ type: 'media', url: 'media://7' }] }];
    const error = await errorOf(toPrompt(messages, 'v3'));
    expect(error).to.have.property('code', 'INPUT_INVALID');
    expect(error.message).to.equal('A system message can contain text, got a media part.');
  });

  it('sends an error with media as text and names the files of a result', async () => {
    const result = {
      content: 'no',
      isError: true,
      artifactTags: ['[file:a]'],
      media: [{ url: 'data:image/gif;base64,R0lG' }],
    };
    const [message] = await toPrompt(
      [{ role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'c', toolName: 't', result }] }],
      'v3',
    );
    expect(message)
      .to.have.nested.property('content[0].output')
      .that.deep.equals({
        type: 'content',
        value: [
          { type: 'text', text: 'Error: no\n[file:a]' },
          { type: 'image-data', data: 'R0lG', mediaType: 'image/gif' },
        ],
      });
  });
});
