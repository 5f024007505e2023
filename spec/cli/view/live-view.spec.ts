import { expect } from 'chai';
import { createColors } from 'picocolors';
import { throwError } from 'rxjs';
import { agentTool } from '../../../lib/agent/agent-tool.ts';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { liveView } from '../../../lib/cli/view/live-view.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import { assistantMessage } from '../../../lib/events/parts/messages.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type HookDefinition, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { Model } from '../../../lib/pipeline/define/model.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

type Turns = Parameters<typeof scriptedModel>[0];

const look = scriptedTool({
  name: 'look',
  permission: 'read',
  result: ({ n }: { n?: number }) => `line\n`.repeat(n ?? 1),
});
const helper = createAgent({ name: 'helper', model: scriptedModel([{ text: 'I helped.\nTwice.' }]) });
const delegate = agentTool(helper, { name: 'delegate', description: 'Asks the helper.' });

/** Output of a run, without its last line. */
async function shown(
  model: Turns | Model,
  hook: Omit<HookDefinition, 'name'> = { observe: () => {} },
  colour = false,
): Promise<{ text: string; end: string }> {
  const pipeline = createPipeline([defineHook({ name: 'h', ...hook })], { trace: true });
  let text = '';
  pipeline.traces$.subscribe(
    liveView((piece) => {
      text += piece;
    }, createColors(colour)),
  );
  const answers = typeof model === 'function' ? model : scriptedModel(model);
  await createAgent({ name: 'a', model: answers, tools: [look, delegate], pipeline, maxIterations: 3 }).call('go');
  const lines = text.trimEnd().split('\n');
  const end = lines.pop() ?? '';
  return { text: lines.join('\n').trimEnd(), end };
}

const call = (input: { readonly n?: number } = {}) => ({ text: 'Let me see.', toolCalls: [{ name: 'look', input }] });

describe('liveView', () => {
  it('shows streamed text, separate thinking, and the outcome of the run', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 };
    const { text, end } = await shown([{ thinking: 'Hm.', chunks: ['Hel', 'lo,\n', 'you'], usage }]);
    expect(text).to.equal('Hm.\n\nHello,\nyou');
    expect(end).to.equal('● completed · 1 model step, 3 tokens in and 2 out');
  });

  it('shows a call with its arguments and the beginning of its result', async () => {
    const { text } = await shown([call({ n: 9 }), { text: 'Nine.' }]);
    expect(text.replace(/\d+ ms/, '0 ms')).to.equal(
      [
        'Let me see.',
        '',
        '→ look {"n":9}',
        '  ✓ executed, 0 ms',
        ...Array(4).fill('    line'),
        '    … 5 more lines',
        '',
        'Nine.',
      ].join('\n'),
    );
  });

  it("shows changes of a hook next to the model's request", async () => {
    const { text } = await shown([call({ n: 1 }), { text: 'Two.' }], {
      on: {
        preActing: (event) =>
          modify(
            event,
            { toolCall: { ...event.toolCall, input: { n: 2 } } },
            { note: { code: 'c', message: 'two is enough' } },
          ),
        postActing: (event) => modify(event, { result: { ...event.result, content: 'hidden' } }),
        reasoningChunk: (event) => modify(event, { delta: event.delta.toUpperCase() }),
      },
    });
    expect(text).to.include('→ look {"n":2}\n  the model called look {"n":1}\n  ~ h changed toolCall.input.n\n');
    expect(text).to.include('  ~ h: two is enough\n').and.include('  ~ h changed result.content\n');
    expect(text).to.include('    hidden').and.not.include('    line');
    expect(text).to.include('LET ME SEE.\n').and.include('~ h changed the streamed text');
  });

  it('shows once who denied a call, and why', async () => {
    const { text, end } = await shown([call(), { text: 'Pity.' }], { approve: () => verdict.deny('not today') });
    expect(text).to.equal('Let me see.\n\n→ look {}\n  ✗ denied by h: not today\n\nPity.');
    expect(end).to.match(/^● completed/);
  });

  it('shows the prompt of an approver', async () => {
    const { text, end } = await shown([call()], { approve: () => verdict.suspend('Sure?\nReally?') });
    expect(text).to.include('→ look {}\n  ? h asks: Sure?\n  Really?');
    expect(end).to.match(/^● suspended/);
  });

  it('shows a message that did not stream, because a hook responded or changed it later', async () => {
    const answered = await shown([], { on: { preCall: (event) => respond(event, assistantMessage('No need.')) } });
    expect(answered.text).to.equal('= h responds instead of the model\n\nNo need.');
    expect(answered.end).to.equal('● responded');

    const recovered = await shown([{ error: 'gone' }], {
      on: { error: (event) => (event.phase === 'reasoning' ? respond(event, assistantMessage('Sorry.')) : undefined) },
    });
    expect(recovered.text).to.equal('! The model failed: gone\n= h responds instead of the failed step\n\nSorry.');

    const changed = await shown([{ text: 'Draft.' }], {
      on: { postReasoning: (event) => modify(event, { message: assistantMessage('Fair copy.') }) },
    });
    expect(changed.text).to.match(
      /^Draft\.\n\n~ h changed message.*\n\n\(The text above is retracted: .*\)\nFair copy\.$/,
    );
    expect((await shown([{ text: 'As it is.' }])).text).to.equal('As it is.');
  });

  it('marks the text of a retracted attempt', async () => {
    const script = scriptedModel([{ text: 'Hel', error: 'cut' }, { text: 'Hello.' }]);
    const { text } = await shown(script, {
      on: { error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : undefined) },
    });
    expect(text).to.equal(
      [
        'Hel',
        '',
        '! The model failed: cut',
        '↻ h retries this',
        '',
        '(The text above is retracted: attempt 2 follows.)',
        'Hello.',
      ].join('\n'),
    );
  });

  it('shows once the hook that failed and its error', async () => {
    const { text, end } = await shown(['x'], {
      on: {
        postReasoning() {
          throw new Error('out of ink');
        },
      },
    });
    const told = 'Hook "h" failed in on.postReasoning: out of ink';
    expect(text.split('\n')).to.include(`! ${told}`);
    expect(end).to.equal(`● failed: ${told} · 1 model step`);
    const misled = await shown(['x'], { on: { postReasoning: () => 7 as never } });
    expect(misled.text).to.match(/^! Hook "h" \(postReasoning\): returned a number/m);
  });

  it('shows why a run failed, and a last answer at the limit', async () => {
    const failed = await shown(() => throwError(() => new Error('no line')));
    expect(failed.text).to.equal('! The model failed: no line');
    expect(failed.end).to.equal('● failed: no line · 1 model step');

    const exhausted = await shown([call(), call(), call(), { text: 'So far.' }]);
    expect(exhausted.text).to.match(/\n\n\(One last answer, without tools\.\)\n\nSo far\.$/);
    expect(exhausted.end).to.match(/^● exhausted/);
  });

  it('indents the output of a sub-agent under its name', async () => {
    const { text } = await shown([{ toolCalls: [{ name: 'delegate', input: { prompt: 'help' } }] }, { text: 'Done.' }]);
    expect(text).to.include('→ delegate {"prompt":"help"}\n\n  helper:\n\n  I helped.\n  Twice.\n\n  ● completed');
  });

  it('escapes the output of models, tools and hooks', async () => {
    const bad = '\u001b[2J';
    const evil = scriptedModel([
      { text: `t${bad}`, thinking: `h${bad}`, toolCalls: [{ name: 'look', input: { [`k${bad}`]: `v${bad}` } }] },
      { text: 'x' },
    ]);
    const { text } = await shown(evil, {
      on: {
        postActing: (event) => modify(event, { result: { ...event.result, content: `c${bad}`, forUser: `u${bad}` } }),
      },
      approve: () => verdict.suspend(`p${bad}`),
    });
    expect(text).to.not.include('\u001b');
    for (const letter of ['t', 'h', 'p']) expect(text).to.include(`${letter}\\u{1b}[2J`);
    expect(text).to.include('{"k\\u001b[2J":"v\\u001b[2J"}');
  });

  it('uses colour only if enabled', async () => {
    const [plain, painted] = await Promise.all([
      shown([call(), { text: 'x' }]),
      shown([call(), { text: 'x' }], undefined, true),
    ]);
    expect(plain.text + plain.end).to.not.include('\u001b');
    expect(painted.text).to.include('\u001b[36m→ look {}\u001b[39m');
  });
});
