import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createScene, on, say } from '../scene.ts';

const scene = createScene('claude-exit-2');

const needs = (program: string, spec: Mocha.Context): void => {
  if (!spawnSync(program, ['-c', 'exit 0']).error) return;
  console.log(`      ${program} is not installed; this spec needs it`);
  spec.skip();
};

describe('exit code 2 of a Claude Code hook', () => {
  for (const [command, files, env] of [
    ['node ./hooks/guard', { 'hooks/guard.js': '#!/usr/bin/env node\nconsole.error("no");process.exit(2)' }, {}],
    ['node ./guard', { 'guard/index.js': '#!/usr/bin/env node\nconsole.error("no");process.exit(2)' }, {}],
    ['bash pathguard.sh', { 'bin/pathguard.sh': 'echo no >&2; exit 2' }, { PATH: true }],
    ['./guard.sh', { 'guard.sh': 'python3 inner-gone.py; echo no >&2; exit 2' }, {}],
    ['sh guard.sh', { 'guard.sh': 'sh ./inner-gone.sh; echo no >&2; exit 2' }, {}],
    ['sh guard.sh < gone.json', { 'guard.sh': 'echo no >&2; exit 2' }, {}],
    ['python3 gone.py', {}, {}],
    ['sh ./gone.sh', {}, {}],
    ['cd . && sh ./gone.sh', {}, {}],
    ['./gone.sh || exit 2', {}, {}],
  ] as const)
    it(`blocks the call for "${command}"`, async function () {
      needs('python3', this);
      for (const [name, body] of Object.entries(files)) scene.script(name, body);
      mkdirSync(join(scene.folder, 'bin'), { recursive: true });
      const path = 'PATH' in env ? { env: { PATH: `${join(scene.folder, 'bin')}:${process.env['PATH']}` } } : {};
      const { acted, ran } = await scene.play(on({ PreToolUse: command }), path);
      expect([acted?.outcome, ran]).to.deep.equal(['denied', []]);
    });

  it('is reported if it may come from the interpreter', async () => {
    const { acted, diagnostics } = await scene.play(on({ PreToolUse: 'sh ./gone.sh' }));
    expect(acted?.outcome).to.equal('denied');
    expect(diagnostics.map(({ code }) => code)).to.deep.equal(['script', 'maybe-missing']);
    expect(diagnostics[1]?.message).to.match(/blocks.*gone\.sh/);
  });

  it('is not reported for scripts that node and shells can find', async () => {
    scene.script('hooks/guard.js', '#!/usr/bin/env node\nconsole.error("no");process.exit(2)');
    expect((await scene.play(on({ PreToolUse: 'node ./hooks/guard' }))).codes).to.deep.equal([]);
    scene.script('bin/pathguard.sh', 'echo no >&2; exit 2');
    const env = { PATH: `${join(scene.folder, 'bin')}:${process.env['PATH']}` };
    expect((await scene.play(on({ PreToolUse: 'bash pathguard.sh' }), { env })).codes).to.deep.equal([]);
  });

  it('is reported without a reason, or with JSON on standard error', async () => {
    const silent = await scene.play(on({ PreToolUse: 'exit 2' }));
    expect([silent.acted?.outcome, silent.codes]).to.deep.equal(['denied', ['no-reason']]);
    const misprinted = await scene.play(on({ PreToolUse: `${say({ decision: 'block', reason: 'no' })} >&2; exit 2` }));
    expect([misprinted.acted?.outcome, misprinted.codes]).to.deep.equal(['denied', ['json-on-stderr']]);
  });
});
