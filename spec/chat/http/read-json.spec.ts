import { expect } from 'chai';
import { readJson } from '../../../lib/chat/http/read-json.ts';

const read = (body: string) =>
  readJson(
    new Request('http://a.test', { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    1e6,
  );

describe('readJson', () => {
  it('rejects JSON nested so deep that validation would overflow the stack', async () => {
    for (const [open, close] of [
      ['{"a":', '}'],
      ['[', ']'],
    ] as const) {
      const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
      expect(await read(nested(500))).to.have.property('json');
      expect(await read(nested(501))).to.deep.include({
        refusal: {
          status: 400,
          code: 'BODY_INVALID',
          message: 'The request body is nested more than 500 levels deep.',
        },
      });
      expect(await read(nested(100_000))).to.have.property('refusal');
    }
  });

  it('ignores braces in texts, and counts adjacent levels once', async () => {
    const text = `${'{['.repeat(600)}\\"${'{'.repeat(600)}"`;
    expect(await read(JSON.stringify([text, ...Array(600).fill({ a: [] })]))).to.have.property('json');
  });
});
