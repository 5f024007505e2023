import { expect } from 'chai';
import { type Message, type Model, type ModelRequest, textOf } from 'hookline';
import { NEVER, of, throwError } from 'rxjs';
import { createScene, on } from '../scene.ts';

const scene = createScene('claude-prompt');

/** Calls one tool, then says done. Prompts of hooks go to `judge`. */
function modelWith(judge: (request: ModelRequest) => string | Model) {
  const asked: ModelRequest[] = [];
  const texts = (request: ModelRequest) => request.messages.map((message) => textOf(message as Message)).join('\n');
  const model: Model = (request, options) => {
    if (/"ok"/.test(texts(request))) {
      asked.push(request);
      const answer = judge(request);
      if (typeof answer !== 'string') return answer(request, options);
      const usage = { inputTokens: 5, outputTokens: 7 };
      return of({ type: 'text', delta: answer } as const, { type: 'finish', finishReason: 'stop', usage } as const);
    }
    if (request.messages.some(({ role }) => role === 'tool'))
      return of({ type: 'text', delta: 'done' } as const, { type: 'finish', finishReason: 'stop' } as const);
    const call = { id: 'c1', name: 'run_command', input: { command: 'ls' } };
    return of({ type: 'toolCall', toolCall: call } as const, { type: 'finish', finishReason: 'toolCalls' } as const);
  };
  return { model, asked, texts };
}

const prompt = (text: string, more: object = {}) => ({ type: 'prompt', prompt: text, ...more });

describe('a Claude Code handler of type prompt', () => {
  for (const [answer, outcome] of [
    ['{"ok": true}', 'executed'],
    ['{"ok": false, "reason": "not today"}', 'denied'],
    ['```json\n{"ok": false, "reason": "not today"}\n```', 'denied'],
  ] as const)
    it(`ends a call as ${outcome} on ${answer}`, async () => {
      const { model, asked, texts } = modelWith(() => answer);
      const { acted, codes, end } = await scene.play(on({ PreToolUse: prompt('Is $ARGUMENTS harmless?') }), {
        agent: { model },
      });
      expect([acted?.outcome, codes]).to.deep.equal([outcome, []]);
      if (outcome === 'denied') expect(acted?.result.content).to.match(/not today/);
      expect(asked).to.have.length(1);
      expect(texts(asked[0] as ModelRequest)).to.match(/Is \{.*"tool_name":"Bash".*\} harmless\?/);
      expect(end?.usage).to.include({ inputTokens: 5, outputTokens: 7 });
    });

  it('appends the input without a placeholder', async () => {
    const { model, asked, texts } = modelWith(() => '{"ok": true}');
    await scene.play(on({ PreToolUse: prompt('Harmless?') }), { agent: { model } });
    expect(texts(asked[0] as ModelRequest)).to.match(/Harmless\?\n\n\{.*"tool_name"/);
  });

  for (const [what, answer, words] of [
    ['another answer', 'well..', /other than \{"ok": true\}/],
    ['an error', () => throwError(() => new Error('overloaded')), /overloaded/],
  ] as const)
    it(`fails on ${what}, which blocks if failures block`, async () => {
      const judge = () => answer as string | Model;
      const open = await scene.play(on({ PreToolUse: prompt('Harmless?') }), {
        agent: { model: modelWith(judge).model },
      });
      expect([open.acted?.outcome, open.codes]).to.deep.equal(['executed', ['handler-failed']]);
      expect(open.diagnostics[0]?.message).to.match(words);
      const closed = await scene.play(on({ PreToolUse: prompt('Harmless?', { onFailure: 'block' }) }), {
        agent: { model: modelWith(judge).model },
      });
      expect(closed.acted?.outcome).to.equal('denied');
    });

  it('ends on timeout, together with its model request', async () => {
    let ended = false;
    const { model } = modelWith(() => (_, { signal }) => {
      signal.addEventListener('abort', () => {
        ended = true;
      });
      return NEVER;
    });
    const { acted, diagnostics } = await scene.play(
      on({ PreToolUse: prompt('Harmless?', { timeout: 0.05, onFailure: 'block' }) }),
      {
        agent: { model },
      },
    );
    expect([acted?.outcome, ended]).to.deep.equal(['denied', true]);
    expect(diagnostics[0]?.message).to.match(/no answer within 50 ms/);
  });

  it('lists the known models for an unknown one', async () => {
    const { model } = modelWith(() => '{"ok": true}');
    const { diagnostics } = await scene.play(on({ PreToolUse: prompt('Harmless?', { model: 'haiku' }) }), {
      agent: { model },
    });
    expect(diagnostics[0]?.message).to.match(/no model "haiku"/);
  });

  it('makes the model continue at Stop until that is impossible', async () => {
    const answers = [
      '{"ok": false, "reason": "tests first"}',
      '{"ok": false, "reason": "no tests", "impossible": true}',
    ];
    const { model, asked } = modelWith(() => answers.shift() as string);
    const { end, of: events } = await scene.play(on({ Stop: prompt('Tested?') }), { agent: { model } });
    expect([end?.outcome, asked.length, events('postReasoning').length]).to.deep.equal(['completed', 2, 3]);
  });

  it('is reported at load if it has no run', async () => {
    const { codes } = await scene.play(on({ SessionEnd: prompt('Bye?') }));
    expect(codes).to.deep.equal(['no-handler']);
  });
});
