import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPipeline, textOf } from 'hookline';
import { processHook } from 'hookline/process-hooks';
import { pino } from 'pino';
import { concat, delay, from, lastValueFrom, of } from 'rxjs';

const folder = join(__dirname, '../../../samples/process-hook-2');
const programs = {
  python3: ['python3', join(folder, 'mask_word.py')],
  node: [process.execPath, join(folder, 'mask-word.mjs')],
};

describe('the sample of protocol 2', () => {
  for (const [what, command] of Object.entries(programs)) {
    it(`has at most sixty lines, in ${what}`, () => {
      const source = readFileSync(command[1] as string, 'utf8');
      expect(source.trimEnd().split('\n').length).to.be.at.most(60);
    });

    it(`masks a word across chunk boundaries, in ${what}`, async function () {
      if (spawnSync(command[0] as string, ['--version']).error) {
        console.log(`      ${what} is not installed; this spec needs it`);
        this.skip();
      }
      const logged: { msg: string; data?: unknown }[] = [];
      const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
      const hook = processHook({
        name: 'mask',
        command,
        chunks: ['reasoning'],
        log,
        timeouts: { helloMs: 60_000, interceptorMs: 60_000 },
      });
      const words = ['It is s', 'word', 'fish, not swo', 'rd; swordfish', 'swordf'];
      const model = () =>
        concat(
          of({ type: 'text' as const, delta: words[0] as string }),
          from(words.slice(1).map((delta) => ({ type: 'text' as const, delta }))).pipe(delay(50)),
          of({ type: 'finish' as const, finishReason: 'stop' as const }),
        );
      const run = createPipeline([hook]).start({ agent: 'a' });
      try {
        const answer = await lastValueFrom(run.reason({ messages: [] }, model));
        expect(answer.type === 'postReasoning' && textOf(answer.message)).to.equal(
          'It is *********, not sword; *********swordf',
        );
        expect(run.state()).to.deep.equal({ 'process-hook:mask': { masked: 2 } });
        const told = logged.filter(({ msg }) => msg === 'masked a word');
        expect(told.map(({ data }) => data)).to.deep.equal([{ times: 2 }]);
      } finally {
        await hook.stop();
      }
    });
  }
});
