import { expect } from 'chai';
import { folder } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

describe('hookline run --session', () => {
  it('continues only the session with that name', async () => {
    const workspace = folder({ 'script.json': JSON.stringify([{ text: 'Noted.' }]) });
    const run = async (session: string, prompt: string) => {
      const args = [
        'run',
        prompt,
        '--json',
        '--session',
        session,
        '--workspace',
        workspace,
        '--model',
        `script:${workspace}/script.json`,
      ];
      const { stdout, code } = await hookline(args);
      expect(code).to.equal(0);
      const events = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return JSON.stringify(events.find(({ type }) => type === 'preReasoning').messages);
    };
    await run('one', 'my name is Ada');
    expect(await run('one', 'who am I?'))
      .to.include('my name is Ada')
      .and.include('Noted.');
    expect(await run('two', 'who am I?')).not.to.include('Ada');
  });
});
