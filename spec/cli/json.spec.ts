import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { hookEventSchema } from '../../lib/events/hook-event.ts';
import { eventsOf, folder } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

describe('hookline run --json', () => {
  it('prints each settled event as one line and the path of the audit log on stderr', async () => {
    const workspace = folder({ 'a.txt': 'hello' });
    const args = ['run', 'read a.txt', '--workspace', workspace, '--session', 's-1', '--user', 'ada', '--json'];
    const outcome = await hookline(args);
    expect(outcome.code).to.equal(0);
    const events = eventsOf(outcome).map((event) => hookEventSchema.parse(event));
    expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index));
    expect([events[0]?.type, events.at(-1)?.type]).to.deep.equal(['preCall', 'postCall']);
    expect(events.map(({ type }) => type))
      .to.include('reasoningChunk')
      .and.include('postActing');
    for (const { run } of events) expect(run).to.include({ sessionId: 's-1', userId: 'ada', agent: 'hookline' });

    const file = /^audit: (.+)\n$/.exec(outcome.stderr)?.[1] ?? '';
    expect(file).to.not.include(workspace);
    const audit = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect(audit).to.deep.equal([
      'call_start',
      'reasoning_end',
      'tool_call_start',
      'tool_call_end',
      'reasoning_end',
      'call_end',
    ]);
  });

  it('reads a huge prompt from stdin and writes all of a huge output to a pipe', async () => {
    const prompt = 'wörd '.repeat(400_000);
    const outcome = await hookline(['run', '--json', '--workspace', folder()], { input: prompt });
    expect(outcome.code).to.equal(0);
    const events = eventsOf(outcome);
    expect(events.at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
    expect(events[0]?.['messages']).to.deep.equal([{ role: 'user', parts: [{ type: 'text', text: prompt }] }]);
  });

  it('escapes characters that a terminal would interpret, without changing the text', async () => {
    const spoken = 'a\u001b[31m\u009b2J\u202eb\u2028c 👩‍🚀';
    const script = join(folder({ 's.json': JSON.stringify([{ text: spoken }]) }), 's.json');
    const outcome = await hookline(['run', 'x', '--model', `script:${script}`, '--json']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(outcome.stdout).to.not.match(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]/);
    expect(eventsOf(outcome).find(({ type }) => type === 'reasoningChunk')?.['delta']).to.equal(spoken);
  });

  it('contains no secret of the prompt if a hook redacts', async () => {
    const key = `AKIA${'Z7QK2MRWX5LTN3PB'}`;
    const config = join(folder({ 'h.json': JSON.stringify({ hooks: { scan: { type: 'security-scan' } } }) }), 'h.json');
    const outcome = await hookline(['run', `Use ${key} to pay`, '--config', config, '--workspace', folder(), '--json']);
    expect(eventsOf(outcome).at(-1)).to.include({ type: 'postCall', outcome: 'completed' });
    expect(outcome.stdout).to.include('Use [REDACTED').and.not.include(key);
  });
});
