import { expect } from 'chai';
import { defineHook, deny, modify, pendingCalls, respond, type SettledEvent, verdict } from 'hookline';
import { toUiMessageStream } from 'hookline/ai-sdk-ui';
import { scriptedTool } from 'hookline/testing';
import { from, NEVER, type Observable } from 'rxjs';
import { family } from '../../agent/family.ts';
import { looks, run, scene } from './shown.ts';
import { chunksOf, told } from './wire.ts';

const ask = defineHook({ name: 'asks', approve: () => verdict.suspend('may I?') });

describe('toUiMessageStream', () => {
  it('shows a run with thinking, a tool and an answer', async () => {
    expect(await run({ turns: [{ thinking: 'hm', ...looks }, { chunks: ['It is', ' cold.'] }] })).to.deep.equal([
      'start',
      'start-step',
      'reasoning-start #1',
      'reasoning-delta #1 hm',
      'reasoning-end #1',
      'text-start #2',
      'text-delta #2 Let me look.',
      'text-end #2',
      'tool-input-available #3 weather {"city":"Oslo"}',
      'tool-output-available #3 18 °C',
      'finish-step',
      'start-step',
      'text-start #4',
      'text-delta #4 It is',
      'text-delta #4  cold.',
      'text-end #4',
      'finish-step',
      'finish stop (completed)',
    ]);
  });

  it('omits thinking if disabled', async () => {
    const lines = await run({ turns: [{ thinking: 'hm', text: 'hi' }] }, { thinking: false });
    expect(lines.filter((line) => line.startsWith('reasoning'))).to.deep.equal([]);
  });

  it('shows an answer from a hook without a model request', async () => {
    const answers = defineHook({ name: 'answers', on: { preCall: (event) => respond(event, 'closed') } });
    expect(await run({ hooks: [answers] })).to.deep.equal([
      'start',
      'start-step',
      'text-start #1',
      'text-delta #1 closed',
      'text-end #1',
      'finish-step',
      'finish stop (responded)',
    ]);
  });

  it('requests an approval of the judged call', async () => {
    const rewrites = defineHook({
      name: 'rewrites',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { city: 'Bergen' } } }) },
    });
    const lines = await run({ hooks: [rewrites, ask] });
    expect(lines.slice(-6).map((line) => line.replace(/"(id|key|toolCallId)":"[^"]*"/g, '"$1"'))).to.deep.equal([
      'tool-input-available #2 weather {"city":"Oslo"}',
      'tool-input-available #2 weather {"city":"Bergen"}',
      'tool-approval-request #2',
      'data-approval {"agent":"guide","prompt":"may I?","by":"asks","id","toolCallId","tool":"weather","state":"waiting"}',
      'finish-step',
      'finish tool-calls (suspended)',
    ]);
  });

  it('shows a call that waits for a sub-agent as waiting', async () => {
    const { agent } = family({ hooks: [{ ...ask, match: { tools: ['rm'] } }] });
    const chunks = await chunksOf(agent.run('hi'));
    const outputs = chunks.flatMap((chunk) => (chunk.type === 'tool-output-available' ? [chunk.output] : []));
    expect(outputs).to.deep.equal([{ hookline: 'waiting' }]);
  });

  it('continues a resumed run with the part of the client', async () => {
    for (const approved of [true, false]) {
      const { snapshot = {} } = await scene({ hooks: [ask] }).call('hi', { sessionId: 's' });
      const { key = '' } = pendingCalls(snapshot)[0] ?? {};
      const resumed = scene({ hooks: [ask], turns: ['Done.'] });
      const chunks = await chunksOf(resumed.resume(snapshot, { [key]: { approved } }));
      const ofTool = chunks.flatMap((chunk) => ('toolCallId' in chunk ? [[chunk.type, chunk.toolCallId]] : []));
      expect(ofTool).to.deep.equal([
        ['tool-input-available', key],
        [approved ? 'tool-output-available' : 'tool-output-denied', key],
      ]);
    }
  });

  it('shows the reason of a denial, and a failed tool without its error text', async () => {
    const guard = defineHook({ name: 'guard', on: { preActing: (event) => deny(event, 'not in winter') } });
    expect((await run({ hooks: [guard] })).find((line) => line.startsWith('tool-output'))).to.match(/not in winter/);
    const fails = scriptedTool({ name: 'weather', error: 'ECONNREFUSED 10.0.0.3' });
    const lines = await run({ tools: [fails] });
    expect(lines.join('\n')).not.to.include('10.0.0.3');
    expect(lines.find((line) => line.startsWith('tool-output'))).to.match(/The tool "weather" failed/);
  });

  it('shows a failed sub-agent without its error text', async () => {
    const { agent } = family({ child: [{ error: 'ECONNREFUSED 10.0.0.3' }] });
    const chunks = JSON.stringify(await chunksOf(agent.run('hi')));
    expect(chunks).not.to.include('10.0.0.3');
    expect(chunks)
      .to.include('"state":"failed"')
      .and.to.match(/Agent .{2}helper.{2} failed \(run/);
  });

  it('ends a failed run with a safe text and a cancelled one with abort', async () => {
    const failed = await run({ turns: [{ text: 'so far', error: 'key sk-1 is wrong' }] });
    expect(failed.join('\n')).not.to.include('sk-1');
    expect(failed.slice(-3, -1)).to.deep.equal(['finish-step', 'message-metadata (failed)']);
    expect(failed.at(-1)).to.match(/^error The run failed \([-0-9a-f]+\)\.$/);
    const own = await run({ turns: [{ error: 'x' }] }, { errorText: () => 'Try again later.' });
    expect(own.at(-1)).to.equal('error Try again later.');
    const stopped = await chunksOf(scene({ model: () => NEVER }).run('hi', { signal: AbortSignal.abort('enough') }));
    expect(stopped.at(-1)).to.deep.equal({ type: 'abort' });
  });

  it('ends an interrupted stream of events with an error', async () => {
    const events$ = scene().run('hi') as Observable<SettledEvent>;
    const events: SettledEvent[] = [];
    events$.subscribe((event) => events.push(event));
    const cut = told(await chunksOf(from(events.slice(0, 3))));
    expect(cut.slice(-3)).to.deep.equal(['text-end #1', 'finish-step', 'error The run ended unexpectedly.']);
  });

  it('gives parts of a sub-agent separate ids and names the sub-agent', async () => {
    const { agent } = family({});
    const chunks = await chunksOf(agent.run('hi'));
    const starts = chunks.filter((chunk) => chunk.type === 'text-start') as {
      providerMetadata: { hookline: object };
    }[];
    expect(starts.map(({ providerMetadata }) => Object.keys(providerMetadata.hookline))).to.deep.equal([
      ['id', 'runId', 'agent'],
      ['id'],
    ]);
    const states = chunks.flatMap((chunk) => (chunk.type === 'data-subagent' ? [chunk.data] : []));
    expect(states).to.have.length(2);
    expect(states[1]).to.include({ agent: 'helper', state: 'completed' });
    const ids = chunks.flatMap((chunk) => (chunk.type === 'tool-input-available' ? [chunk.toolCallId] : []));
    expect(new Set(ids).size).to.equal(2);
  });

  it('shows names and codes of hooks on request, but no texts', async () => {
    const notes = defineHook({
      name: 'notes',
      on: {
        postActing: (event) =>
          modify(event, { result: event.result }, { note: { code: 'seen', message: 'a private remark', data: 1 } }),
      },
    });
    const chunks = await chunksOf(scene({ hooks: [notes] }).run('hi'), { hooks: true });
    const facts = chunks.flatMap((chunk) => (chunk.type === 'data-hook' ? [chunk.data] : []));
    expect(facts).to.have.length(1);
    expect(facts[0]).to.deep.include({ event: 'postActing', notes: [{ by: 'notes', code: 'seen' }] });
    expect(JSON.stringify(chunks)).not.to.include('private');
  });

  it('rejects unknown options', () => {
    expect(() => toUiMessageStream({ bufer: true } as never)).to.throw(/buffer/);
    expect(() => toUiMessageStream({ version: 4 } as never)).to.throw(/version/);
  });
});
