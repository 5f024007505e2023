import { expect } from 'chai';
import { agentTool, createAgent, type Tool, textOf } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { createScene, on, say, specific } from '../scene.ts';

const scene = createScene('claude-moments');

describe('events of Claude Code hooks', () => {
  for (const [event, type] of [
    ['SessionStart', 'preCall'],
    ['UserPromptSubmit', 'preCall'],
    ['PreToolUse', 'preActing'],
    ['PostToolUse', 'postActing'],
    ['Stop', 'postReasoning'],
  ] as const)
    it(`shows a systemMessage of ${event} as a note and logs it`, async () => {
      const logged: unknown[] = [];
      const { of: events, codes } = await scene.play(on({ [event]: say({ systemMessage: 'Mind the gap.' }) }), {
        pipeline: { log: { debug() {}, info: (...words: unknown[]) => logged.push(words), warn() {}, error() {} } },
      });
      const notes = events(type).flatMap((one) => one.notes ?? []);
      expect(notes).to.deep.equal([{ by: 'claude-hooks', code: 'system-message', message: 'Mind the gap.' }]);
      expect(JSON.stringify(logged)).to.match(/Mind the gap\./);
      expect(codes).to.deep.equal([]);
    });

  it('keeps a message next to a denial', async () => {
    const { of: events, acted } = await scene.play(
      on({ PreToolUse: say({ decision: 'block', reason: 'no', systemMessage: 'Mind.' }) }),
    );
    expect(acted?.outcome).to.equal('denied');
    expect(events('preActing')[0]?.notes?.map(({ message }) => message)).to.include('Mind.');
  });

  it('gets the name of a starting sub-agent and may add context', async () => {
    const model = scriptedModel(['kid says']);
    const kid = createAgent({ name: 'kid', model });
    const tool = agentTool(kid, { name: 'run_command', description: 'Asks the kid.' }) as Tool;
    const start = `cat > start.json; ${specific('SubagentStart', { additionalContext: 'Be brief.' })}`;
    const { codes } = await scene.play(on({ SubagentStart: start }, 'kid'), { tool, input: { prompt: 'go' } });
    expect(codes).to.deep.equal([]);
    expect(scene.told('start.json')).to.include({ hook_event_name: 'SubagentStart', agent_type: 'kid' });
    expect(scene.told('start.json')['agent_id']).to.be.a('string');
    expect(model.requests[0]?.messages.map(textOf)).to.deep.equal(['go', 'Be brief.']);
    await scene.play(on({ SubagentStart: 'touch wrong' }, 'other'), { tool, input: { prompt: 'go' } });
    expect(() => scene.read('wrong')).to.throw('ENOENT');
  });

  it('reports that onFailure: block has no effect on an async handler', async () => {
    const { codes } = await scene.play(on({ PreToolUse: { command: 'true', async: true, onFailure: 'block' } }));
    expect(codes).to.deep.equal(['async-block']);
  });

  it('provides a variables file at SessionStart, and reports that it is not read', async () => {
    const written = await scene.play(on({ SessionStart: 'echo "export A=b" >> "$CLAUDE_ENV_FILE"' }));
    expect([written.end?.outcome, written.codes]).to.deep.equal(['completed', ['env-file']]);
    expect((await scene.play(on({ SessionStart: 'test -f "$CLAUDE_ENV_FILE" || exit 1' }))).codes).to.deep.equal([]);
  });
});
