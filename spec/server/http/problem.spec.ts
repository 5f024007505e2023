import { expect } from 'chai';
import { HooklineError } from 'hookline';
import { problemOf } from '../../../lib/server/http/problem.ts';

const system = (code: string) => Object.assign(new Error(`${code}: /srv/state/secret-name`), { code });
const failed = (cause: unknown) => new HooklineError('STORE_FAILED', 'cannot save /srv/state/secret-name', { cause });

describe('the response to a failed store', () => {
  for (const [code, reason] of [
    ['ENOSPC', 'The disk of the server is full.'],
    ['EROFS', 'The file system of the server is read-only.'],
    ['EACCES', 'The server may not write its state directory.'],
    ['EMFILE', 'The server has too many open files.'],
  ] as const)
    it(`names ${code} without paths`, () => {
      for (const thrown of [failed(system(code)), failed(failed(system(code)))]) {
        const { status, problem } = problemOf(thrown);
        expect(status).to.equal(503);
        expect(problem.error).to.deep.equal({ code: 'STORE_FAILED', message: `${reason} See the server log.` });
      }
    });

  it('names no other cause', () => {
    const error = { code: 'STORE_FAILED', message: 'Internal error. See the server log.' };
    for (const cause of [undefined, system('EWHATEVER'), 'text'])
      expect(problemOf(failed(cause))).to.deep.equal({ status: 503, problem: { error } });
  });

  it('ends with causes that form a circle', () => {
    const error = failed(system('EWHATEVER'));
    (error.cause as { cause?: unknown }).cause = error;
    expect(problemOf(error).status).to.equal(503);
  });
});
