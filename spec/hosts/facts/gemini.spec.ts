import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { orPending } from '../bed/host-program.ts';
import { recordedOn } from '../bed/recorded-hook.ts';
import { type HostEnd, type HostRun, runHost } from '../bed/run-host.ts';
import { call } from '../bed/turn.ts';

const deny = { decision: 'deny', reason: 'the reason' };
const shell = (command: string) => call('run_shell_command', { command, description: 'd' });

/** A response of a model as hooks write it: its parts are texts. */
const response = (text: string) => ({
  llm_response: { candidates: [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP' }] },
});

const gemini = (context: Context, run: Omit<HostRun, 'host'>) =>
  orPending(context, runHost({ host: 'gemini', ...run }));

describe('Gemini CLI', () => {
  it('sends a prompt that BeforeAgent denies to no model', async function () {
    const answers = [{ event: 'BeforeAgent', stdout: deny, stderr: 'no', exitCode: 2 }];
    const end = await gemini(this, { hooks: recordedOn('BeforeAgent'), answers, turns: [] });
    expect(end.hookInputs).to.have.length(1);
    expect(end.requests).to.deep.equal([]);
  });

  it('answers with the response of a hook that denies BeforeModel, and sends no request', async function () {
    const answers = [{ event: 'BeforeModel', stdout: { ...deny, hookSpecificOutput: response('canned') } }];
    const end = await gemini(this, { hooks: recordedOn('BeforeModel'), answers, turns: [] });
    expect(end.requests).to.deep.equal([]);
    expect(end.output).to.include('"response": "canned"');
  });

  it('ends the run without the text for continue: false of AfterModel', async function () {
    const answers = [{ event: 'AfterModel', stdout: { ...deny, continue: false, stopReason: 'no' } }];
    const turns = [{ text: 'a secret answer' }];
    const end = await gemini(this, { hooks: recordedOn('AfterModel'), answers, turns });
    expect(end.hookInputs).to.have.length(1);
    expect(end.output).not.to.include('a secret answer');
  });

  describe('with hooks around the model', () => {
    const messages = [{ role: 'user', content: 'a clean prompt' }];
    let end: HostEnd;
    before(async function () {
      const answers = [
        { event: 'BeforeModel', stdout: { hookSpecificOutput: { llm_request: { messages } } } },
        {
          event: 'AfterModel',
          includes: 'a secret answer',
          stdout: { hookSpecificOutput: response('a clean answer') },
        },
        { event: 'AfterModel', includes: '"parts":[]', stdout: deny },
      ];
      const turns = [shell('touch a.txt'), { text: 'a secret answer' }];
      const hooks = recordedOn('BeforeModel', 'AfterModel');
      end = await gemini(this, { prompt: 'a secret prompt', hooks, answers, turns });
    });

    it('sends the prompt that BeforeModel rewrote', () => {
      const sent = end.requests.map(({ body }) => JSON.stringify(body['contents']));
      expect(sent[0]).to.include('a clean prompt');
      for (const contents of sent) expect(contents).not.to.include('a secret prompt');
    });

    it('shows the answer that AfterModel rewrote', () => {
      expect(end.output).to.include('"response": "a clean answer"');
      expect(end.output).not.to.include('a secret answer');
    });

    it('runs a tool call although AfterModel denies the response that holds it', () => {
      expect(existsSync(join(end.folder, 'a.txt'))).to.equal(true);
    });

    it('hides tool calls from AfterModel', () => {
      const responses = end.hookInputs.filter(({ hook_event_name: event }) => event === 'AfterModel');
      expect(JSON.stringify(responses)).not.to.include('a.txt');
    });
  });
});
