import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { NEVER } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { AskFunction, Question } from '../../../lib/hooks/asking/ask-function.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import type { PermissionOptions } from '../../../lib/hooks/permission/permission-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import { type Call, ran, results, sh, tools } from './permission-scene.ts';

/** An asker that approves everything for the longest scope offered: always, or the session. */
function yesMan(longest: 'session' | 'always' = 'session') {
  const asked: Question[] = [];
  const askBy: AskFunction = (question) => {
    asked.push(question);
    return { approved: true, remember: question.remembers?.includes(longest) ? longest : 'session' };
  };
  return { asked, askBy };
}

/** Runs calls in sequence in one session. Returns the calls that led to a prompt, with the rule. */
async function askedAbout(options: PermissionOptions, commands: readonly string[]): Promise<string[]> {
  const { asked, askBy } = yesMan();
  const host = { store: memoryStateStore() };
  for (const command of commands)
    expect(await results({ ...options, askBy }, [sh(command)], host, [], 's')).to.deep.equal([ran]);
  return asked.map(({ input, rule }) => `${input['command']} by ${rule}`);
}

describe('the remembered answers of permission', () => {
  it('never lets a grant for an ask rule override a deny rule that may match', async () => {
    const options = { ask: ['run_command'], deny: ['run_command(rm:*)'] };
    expect(await askedAbout(options, ['ls', 'ls -l', 'eval "$X"', 'eval "$X"', 'eval "$Y"'])).to.deep.equal([
      'ls by run_command',
      'eval "$X" by undefined',
      'eval "$Y" by undefined',
    ]);
  });

  it('asks for each matching rule, and for the exact call if a match is uncertain', async () => {
    const options = { ask: ['run_command(git:*)', 'run_command(git push:*)'] };
    expect(
      await askedAbout(options, ['git status', 'git push --force', 'git push a', 'git log', 'git $X', 'git $Y']),
    ).to.deep.equal([
      'git status by run_command(git:*)',
      'git push --force by run_command(git push:*)',
      'git $X by run_command(git:*)',
      'git $Y by run_command(git:*)',
    ]);
    expect(await askedAbout(options, ['git push a', 'git status'])).to.deep.equal(['git push a by run_command(git:*)']);
  });

  it('denies if the store does not save an answer in time', () => {
    const scheduler = new TestScheduler(() => {});
    const told: string[] = [];
    const { askBy } = yesMan();
    scheduler.run(() => {
      const hook = permission({ ask: ['deploy'], askBy }, { store: { ...memoryStateStore(), set: () => NEVER } });
      const run = createPipeline([hook], { scheduler, log: { debug() {}, info() {}, warn() {}, error() {} } }).start({
        agent: 'a',
      });
      run.act({ id: '1', name: 'deploy', input: {} }, tools).subscribe((event) => {
        if (event.type === 'postActing') told.push(`${scheduler.now()} ${event.outcome}`);
      });
    });
    expect(told).to.deep.equal(['10000 denied']);
  });

  it('offers "always" only if the rule has an effect', async () => {
    const alwaysFile = join(tempFolder('always'), 'rules.json');
    const offered = async (options: PermissionOptions, call: Call) => {
      const { asked, askBy } = yesMan();
      await results({ alwaysFile, ...options, askBy }, [call]);
      return asked[0]?.remembers;
    };
    expect(await offered({ ask: ['run_command(git push:*)'] }, sh('git push a'))).to.deep.equal(['session']);
    expect(await offered({ deny: ['run_command(rm:*)'] }, sh('bash x.sh'))).to.deep.equal(['session']);
    expect(await offered({}, sh('git push a'))).to.deep.equal(['session', 'always']);
    expect(await offered({}, sh('bash x.sh'))).to.deep.equal(['session', 'always']);
    expect(existsSync(alwaysFile)).to.equal(false);
  });

  it('describes the grant of "always" and offers it for files, not folders', async () => {
    const workspace = tempFolder('always');
    mkdirSync(join(workspace, 'real'));
    const alwaysFile = join(workspace, 'rules.json');
    const question = async (call: Call) => {
      const { asked, askBy } = yesMan();
      await results({ alwaysFile, askBy }, [call], { workspace });
      return asked[0] as Question;
    };
    const write = await question(['write_file', { path: 'a.txt', content: 'x' }]);
    expect(write.always).to.equal('write_file(./a.txt)');
    expect(write.prompt).to.include(
      '"always" allows all calls of write_file on ./a.txt, with any other arguments: it adds the rule write_file(./a.txt) to',
    );
    const command = await question(sh('npm test'));
    expect(command.prompt).to.include('"always" allows just this command: it adds the rule run_command(npm test) to');
    for (const path of ['real', 'none'])
      expect((await question(['list_files', { path }])).remembers, path).to.deep.equal(['session']);
    expect((await question(['read_file', { path: 'real' }])).remembers).to.deep.equal(['session']);
  });

  it('keeps a file with invalid JSON, logs it and runs the call', async () => {
    const alwaysFile = join(tempFolder('always'), 'rules.json');
    for (const broken of ['{"allow": [', '{"allow": "ls"}', 'allow:\n  - ls\n', '[1]']) {
      writeFileSync(alwaysFile, '{"allow": []}');
      const warned: string[] = [];
      const log = { debug() {}, info() {}, warn: (_: unknown, text: string) => warned.push(text), error() {} };
      const { asked, askBy } = yesMan('always');
      const hook = permission({ alwaysFile, askBy });
      writeFileSync(alwaysFile, broken);
      const run = createPipeline([hook], { log: log as never }).start({ agent: 'a' });
      const outcomes: string[] = [];
      for (const id of ['1', '2'])
        await run.act({ id, name: 'run_command', input: { command: 'npm test' } }, tools).forEach((event) => {
          if (event.type === 'postActing') outcomes.push(event.outcome);
        });
      expect(outcomes).to.deep.equal(['executed', 'executed']);
      expect(asked, 'it is not remembered').to.have.lengthOf(2);
      expect(warned.join()).to.match(/rules\.json(:\d)? is not (JSON|a file of permission rules)/);
      expect(readFileSync(alwaysFile, 'utf8')).to.equal(broken);
    }
  });

  it('offers no "always" for a YAML file', () => {
    for (const alwaysFile of ['rules.yaml', 'rules.YML'])
      expect(() => permission({ alwaysFile })).to.throw(/alwaysFile: must be a JSON file/);
  });
});
