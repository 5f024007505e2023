import { expect } from 'chai';
import { defer, NEVER, retry, timeout } from 'rxjs';
import { pendingCalls } from '../../lib/agent/suspend/snapshot.ts';
import { memoryTranscript } from '../../lib/agent/transcript/memory-transcript.ts';
import { textOf } from '../../lib/events/parts/messages.ts';
import type { JsonObject } from '../../lib/events/values/json-value.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../lib/pipeline/define/hook.ts';
import { marbles, recorder } from '../../lib/testing/index.ts';

const call = (name: string, input: JsonObject = {}) => ({ name, input });

describe('a whole agent in virtual time', () => {
  it('emits each chunk at the frame of the model', () => {
    marbles(({ agent, expectEvents }) => {
      const chatty = agent({ model: [{ marbles: '--a-b--|', values: { a: 'Hel', b: 'lo' } }] });
      expectEvents(chatty.run('hi')).toShow([
        '0 preCall "hi"',
        '0 preReasoning',
        '2 reasoningChunk "Hel"',
        '4 reasoningChunk "lo"',
        '7 reasoningChunk last',
        '7 postReasoning "Hello"',
        '7 postCall completed "Hello"',
        '7 |',
      ]);
    });
  });

  it('interleaves parallel tools as they run, and stores their results in call order', () => {
    marbles(({ agent, model, tool, expectEvents, at }) => {
      const script = model([{ toolCalls: [call('slow'), call('quick')] }, 'both done']);
      const busy = agent({
        model: script,
        tools: [
          tool({
            name: 'slow',
            marbles: '-a---(br|)',
            values: { a: 's1', b: 's2', r: { content: 'SLOW', isError: false } },
          }),
          tool({ name: 'quick', marbles: '--a(r|)', values: { a: 'q1', r: { content: 'QUICK', isError: false } } }),
        ],
        parallel: 'all',
      });
      expectEvents(busy.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 slow {} call_2 quick {}',
        '0 preActing call_1 slow {}',
        '0 preActing call_2 quick {}',
        '1 actingChunk call_1 "s1"',
        '2 actingChunk call_2 "q1"',
        '3 actingChunk call_2 last',
        '3 postActing call_2 executed "QUICK"',
        '5 actingChunk call_1 "s2"',
        '5 actingChunk call_1 last',
        '5 postActing call_1 executed "SLOW"',
        '5 preReasoning',
        '5 reasoningChunk "both done"',
        '5 reasoningChunk last',
        '5 postReasoning "both done"',
        '5 postCall completed "both done"',
        '5 |',
      ]);
      at(6, () => {
        const results = script.requests[1]?.messages
          .at(-1)
          ?.parts.map((part) => part.type === 'toolResult' && part.result.content);
        expect(results).to.deep.equal(['SLOW', 'QUICK']);
      });
    });
  });

  it('runs at most the maximum number of tools concurrently', () => {
    marbles(({ agent, tool, expectEvents }) => {
      const careful = agent({
        model: [{ toolCalls: [call('bash'), call('bash')] }, 'ok'],
        tools: [tool({ name: 'bash', result: 'done', delayMs: 10 })],
        toolConcurrency: 1,
      });
      expectEvents(careful.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 bash {} call_2 bash {}',
        '0 preActing call_1 bash {}',
        '10 postActing call_1 executed "done"',
        '10 preActing call_2 bash {}',
        '20 postActing call_2 executed "done"',
        '20 preReasoning',
        '20 reasoningChunk "ok"',
        '20 reasoningChunk last',
        '20 postReasoning "ok"',
        '20 postCall completed "ok"',
        '20 |',
      ]);
    });
  });

  it('denies a call whose hook is late, at the frame of its timeout', () => {
    marbles(({ agent, tool, expectEvents, at }) => {
      const bash = tool({ name: 'bash', result: 'done' });
      const sleepy = defineHook({ name: 'sleepy', timeoutMs: 50, on: { preActing: () => NEVER } });
      const guarded = agent({ model: [{ toolCalls: [call('bash')] }, 'so be it'], tools: [bash], hooks: sleepy });
      expectEvents(guarded.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 bash {}',
        '50 error acting hook sleepy call_1 "Hook …did not complete within 50 ms…',
        '50 preActing call_1 bash {} => deny "hook \\"sleepy\\" failed" by sleepy',
        '50 postActing call_1 denied "…sleepy…',
        '50 preReasoning',
        '50 reasoningChunk "so be it"',
        '50 reasoningChunk last',
        '50 postReasoning "so be it"',
        '50 postCall completed "so be it"',
        '50 |',
      ]);
      at(60, () => expect(bash.calls).to.be.empty);
    });
  });

  it('numbers the attempts of an around that times out and retries', () => {
    marbles(({ agent, expectEvents, scheduler }) => {
      const stubborn = defineHook({
        name: 'stubborn',
        around: { reasoning: (_, next) => next().pipe(timeout({ each: 10, scheduler }), retry(2)) },
      });
      const asked = agent({
        model: [
          { marbles: '--a 60s |', values: { a: 'Hel' } },
          { marbles: '-a-b|', values: { a: 'Hel', b: 'lo' } },
        ],
        hooks: stubborn,
      });
      expectEvents(asked.run('hi')).toShow([
        '0 preCall "hi"',
        '0 preReasoning',
        '2 reasoningChunk "Hel"',
        '13 reasoningChunk "Hel" attempt 2',
        '15 reasoningChunk "lo" attempt 2',
        '16 reasoningChunk last attempt 2',
        '16 postReasoning "Hello"',
        '16 postCall completed "Hello"',
        '16 |',
      ]);
    });
  });

  it('emits nothing to the consumer after unsubscription, but the cancellation to observers', () => {
    marbles(({ agent, expectEvents, at }) => {
      const record = recorder();
      const talking = agent({ model: [{ marbles: '--a-b-|' }], hooks: record });
      expectEvents(talking.run('hi'), '^--!').toShow(['0 preCall "hi"', '0 preReasoning', '2 reasoningChunk "a"']);
      at(10, () => {
        expect(record.lines().slice(3)).to.deep.equal(['postCall cancelled']);
        expect(record.events.at(-1)?.time).to.equal(3);
      });
    });
  });

  it('ends with a cancelled postCall when a signal aborts during the stream', () => {
    marbles(({ agent, expectEvents, at }) => {
      const controller = new AbortController();
      at(3, () => controller.abort('the user left'));
      const transcript = memoryTranscript();
      const talking = agent({ model: [{ marbles: '--a-b-|' }], transcript });
      expectEvents(talking.run('hi', { signal: controller.signal, sessionId: 's' })).toShow([
        '0 preCall "hi"',
        '0 preReasoning',
        '2 reasoningChunk "a"',
        '3 postCall cancelled (the user left)',
        '3 |',
      ]);
      at(4, () => expect(transcript.sessions.get('s')?.map(textOf)).to.deep.equal(['hi', 'a']));
    });
  });

  it('cancels a running tool with the run, and reports to observers that its effect is unknown', () => {
    marbles(({ agent, tool, expectEvents, at }) => {
      const record = recorder();
      const endless = tool({ name: 'bash', never: true });
      const busy = agent({ model: [{ toolCalls: [call('bash')] }], tools: [endless], hooks: record });
      expectEvents(busy.run('go'), '^-----!').toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 bash {}',
        '0 preActing call_1 bash {}',
      ]);
      at(6, () => {
        expect(endless.calls[0]?.state).to.equal('cancelled');
        expect(record.of('postActing').map(({ outcome, time }) => [outcome, time])).to.deep.equal([['cancelled', 6]]);
        expect(record.of('postCall').map(({ outcome, time }) => [outcome, time])).to.deep.equal([['cancelled', 6]]);
      });
    });
  });

  it('skips calls that have not started when a user message arrives', () => {
    marbles(({ agent, tool, hot, expectEvents }) => {
      const steered = agent({
        model: [{ toolCalls: [call('bash'), call('bash')] }, 'as you wish'],
        tools: [tool({ name: 'bash', result: 'done', delayMs: 10 })],
        toolConcurrency: 1,
      });
      expectEvents(steered.run('go', { steering$: hot('-----s', { s: 'stop that' }) })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 bash {} call_2 bash {}',
        '0 preActing call_1 bash {}',
        '10 postActing call_1 executed "done"',
        '10 postActing call_2 skipped "The call was not started: the user sent another message first."',
        '10 preReasoning',
        '10 reasoningChunk "as you wish"',
        '10 reasoningChunk last',
        '10 postReasoning "as you wish"',
        '10 postCall completed "as you wish"',
        '10 |',
      ]);
    });
  });

  it('runs one last model step without tools on a graceful interrupt', () => {
    marbles(({ agent, model, tool, hot, expectEvents, at }) => {
      const script = model([{ toolCalls: [call('bash'), call('bash')] }, 'half of it is done']);
      const interrupted = agent({
        model: script,
        tools: [tool({ name: 'bash', result: 'done', delayMs: 10 })],
        toolConcurrency: 1,
      });
      expectEvents(interrupted.run('go', { interrupt$: hot('-----g', { g: 'graceful' as const }) })).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 bash {} call_2 bash {}',
        '0 preActing call_1 bash {}',
        '10 postActing call_1 executed "done"',
        '10 postActing call_2 skipped "The call was not started: the run was interrupted."',
        '10 preReasoning summary',
        '10 reasoningChunk "half of it is done"',
        '10 reasoningChunk last',
        '10 postReasoning summary "half of it is done"',
        '10 postCall finished "half of it is done"',
        '10 |',
      ]);
      at(11, () => expect(script.requests.map(({ tools }) => tools.length)).to.deep.equal([1, 0]));
    });
  });

  it('suspends on one call while its sibling runs, and resumes without repeating that', () => {
    marbles(({ agent, tool, expectEvents, at }) => {
      const record = recorder();
      const ask = defineHook({
        name: 'ask',
        approve: ({ toolCall: { name } }) => (name === 'rm' ? verdict.suspend('sure?') : { verdict: 'approved' }),
      });
      const rm = tool({ name: 'rm', result: 'gone', delayMs: 5 });
      const ls = tool({ name: 'ls', result: 'files', delayMs: 5 });
      const careful = agent({
        model: [{ toolCalls: [call('rm', { path: '/' }), call('ls')] }, 'all done'],
        tools: [rm, ls],
        hooks: [ask, record],
      });
      expectEvents(careful.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 rm {"path":"/"} call_2 ls {}',
        '0 preActing call_1 rm {"path":"/"} => suspend "sure?" by ask',
        '0 preActing call_2 ls {}',
        '5 postActing call_2 executed "files"',
        '5 postCall suspended',
        '5 |',
      ]);
      const resumed$ = defer(() => {
        const snapshot = record.of('postCall')[0]?.snapshot as JsonObject;
        const answers = pendingCalls(snapshot).map(({ key }) => [key, { approved: true }] as const);
        return careful.resume(snapshot, Object.fromEntries(answers));
      });
      expectEvents(resumed$, '20ms ^').toShow([
        '20 preCall',
        '20 preActing call_1 rm {"path":"/"}',
        '25 postActing call_1 executed "gone"',
        '25 preReasoning',
        '25 reasoningChunk "all done"',
        '25 reasoningChunk last',
        '25 postReasoning "all done"',
        '25 postCall completed "all done"',
        '25 |',
      ]);
      at(30, () => {
        expect(rm.calls).to.have.length(1);
        expect(ls.calls).to.have.length(1);
      });
    });
  });

  it('summarizes when it is exhausted', () => {
    marbles(({ agent, tool, expectEvents }) => {
      const tireless = agent({
        model: [{ toolCalls: [call('bash')] }, { toolCalls: [call('bash')] }, 'this is how far I got'],
        tools: [tool({ name: 'bash', result: 'ok', delayMs: 5 })],
        maxIterations: 2,
      });
      expectEvents(tireless.run('go')).toShow([
        '0 preCall "go"',
        '0 preReasoning',
        '0 postReasoning call_1 bash {}',
        '0 preActing call_1 bash {}',
        '5 postActing call_1 executed "ok"',
        '5 preReasoning',
        '5 postReasoning call_2 bash {}',
        '5 preActing call_2 bash {}',
        '10 postActing call_2 executed "ok"',
        '10 preReasoning summary',
        '10 reasoningChunk "this is how far I got"',
        '10 reasoningChunk last',
        '10 postReasoning summary "this is how far I got"',
        '10 postCall exhausted "this is how far I got"',
        '10 |',
      ]);
    });
  });
});
