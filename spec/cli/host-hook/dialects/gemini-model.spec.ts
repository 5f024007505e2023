import { expect } from 'chai';
import { gemini } from '../../../../lib/cli/host-hook/dialects/gemini/gemini.ts';
import { promptHint, securityScan } from '../../../../lib/hooks/index.ts';
import { abort, type HookDefinition, modify, respond, userMessage } from '../../../../lib/index.ts';
import { fakeGemini } from './fake-gemini.ts';
import { outcomeOf } from './fake-host.ts';

const SECRET = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');
const base = { session_id: 's', transcript_path: '/t.json', cwd: '/w/shop', timestamp: '2026-11-24T08:00:00Z' };
const request = (...messages: readonly { readonly role: string; readonly content: string }[]) => ({
  ...base,
  hook_event_name: 'BeforeModel',
  llm_request: { model: 'm', messages, config: { temperature: 0 } },
});
const response = (...parts: readonly string[]) => ({
  ...base,
  hook_event_name: 'AfterModel',
  llm_request: { model: 'm', messages: [] },
  llm_response: { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata: {} },
});
const go = { role: 'user', content: 'Go!' };

async function said(event: object, ...hooks: Parameters<typeof outcomeOf>[2]) {
  const { answer } = await outcomeOf(fakeGemini, event as never, hooks);
  return { code: answer.code, ...JSON.parse(answer.stdout) };
}

describe('a model request of Gemini CLI', () => {
  it('passes unchanged', async () => {
    expect(await said(request(go))).to.deep.equal({ code: 0 });
    expect(await said(response('done'))).to.deep.equal({ code: 0 });
    expect(await said(response())).to.deep.equal({ code: 0 });
  });

  it('keeps its fields when hooks change texts and add messages, which are last', async () => {
    const clean: HookDefinition = {
      name: 'clean',
      priority: 1,
      on: {
        preReasoning: (event) =>
          modify(event, { messages: [userMessage('My key is [REDACTED].'), ...event.messages.slice(1)] }),
      },
    };
    const hint = promptHint({ hints: [{ text: 'Be brief.' }] });
    const { hookSpecificOutput } = await said(
      request({ role: 'user', content: `My key is ${SECRET}.` }, { role: 'model', content: 'Thanks.' }),
      clean,
      hint,
    );
    const { messages, ...rest } = hookSpecificOutput.llm_request;
    expect(rest).to.deep.equal({ model: 'm', config: { temperature: 0 } });
    expect(messages.map(({ role }: { role: string }) => role)).to.deep.equal(['user', 'model', 'user']);
    expect(messages[0].content).to.contain('My key is [REDACTED');
    expect(messages[1].content).to.equal('Thanks.');
    expect(messages[2].content).to.contain('Be brief.');
  });

  it('is answered with the reason if a hook aborts or responds', async () => {
    for (const hook of [
      { name: 'h', on: { preReasoning: (event) => abort(event, 'enough') } },
      { name: 'h', on: { preReasoning: (event) => respond(event, 'enough') } },
    ] as readonly HookDefinition[]) {
      const { code, decision, hookSpecificOutput } = await said(request(go), hook);
      expect([code, decision]).to.deep.equal([2, 'deny']);
      expect(hookSpecificOutput.llm_response.candidates[0].content.parts[0]).to.contain('enough');
    }
  });

  it('is denied if a hook removes messages', async () => {
    const hook: HookDefinition = {
      name: 'h',
      on: { preReasoning: (event) => modify(event, { messages: event.messages.slice(1) }) },
    };
    expect(await said(request(go, go), hook)).to.include({ code: 2, decision: 'deny' });
  });

  it('gets a changed answer in the response', async () => {
    const { hookSpecificOutput } = await said(response('The key ', `is ${SECRET}.`), securityScan({}));
    const [{ content, finishReason }] = hookSpecificOutput.llm_response.candidates;
    expect(content).to.have.property('role', 'model');
    expect(content.parts.join('')).to.match(/^The key is \[REDACTED.*\]\.$/);
    expect(finishReason).to.equal('STOP');
  });

  it('ends the run if a hook aborts an answer, or if it cannot be evaluated', async () => {
    const hook: HookDefinition = { name: 'h', on: { postReasoning: (event) => abort(event, 'enough') } };
    expect(await said(response('done'), hook)).to.include({ code: 2, continue: false, stopReason: 'enough.' });
    const refused = JSON.parse(gemini.refuse(response('done') as never, 'it broke', false).stdout);
    expect(refused).to.include({ decision: 'deny', continue: false });
    expect(JSON.parse(gemini.refuse(request(go) as never, 'it broke', false).stdout)).to.have.nested.property(
      'hookSpecificOutput.llm_response',
    );
  });
});
