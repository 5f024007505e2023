import { expect } from 'chai';
import { lastValueFrom, type Observable } from 'rxjs';
import { processHookOptionsSchema } from '../../../lib/process-hooks/index.ts';
import { createHookProcess } from '../../../lib/process-hooks/picoclaw/hook-process.ts';

const make = (program: string, more: object = {}) =>
  createHookProcess(
    processHookOptionsSchema.parse({
      name: 'w',
      command: [process.execPath, '-e', program],
      intercept: ['before_tool'],
      ...more,
    }),
    ['tool'],
  );
const failure = (asked: Observable<unknown>): Promise<string> =>
  lastValueFrom(asked).then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('messages about a hook process', () => {
  it('names the configured timeout, although part of it passed during the start', async () => {
    const own = make(
      `setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'hook.hello') console.log(JSON.stringify({ id, result: {} }));
      }), 200)`,
    );
    expect(await failure(own.ask('hook.before_tool', {}, 1_500))).to.match(/hook\.before_tool within 1500 ms/);
    await own.stop();
  });

  it('names a missing directory, and ends sentences with one full stop', async () => {
    const gone = make('0', { dir: '/gone/for/good' });
    expect(await failure(gone.start())).to.match(
      /could not be started: the folder \/gone\/for\/good does not exist\.$/,
    );
    expect(await failure(gone.start())).to.not.match(/\.\./);
    await gone.stop();
    const ends = make('process.exit(1)');
    for (let time = 0; time < 2; time += 1)
      expect(await failure(ends.start()))
        .to.match(/exited with code 1\./)
        .and.not.match(/\.\./);
    await ends.stop();
  });
});
