import { expect } from 'chai';
import { claude } from '../../../../lib/cli/host-hook/dialects/claude/claude.ts';
import { readEventOf } from '../../../../lib/cli/host-hook/dialects/read-event-of.ts';
import { judgeMoment } from '../../../../lib/cli/host-hook/judge/judge-moment.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { securityScan } from '../../../../lib/hooks/index.ts';
import {
  abort,
  assistantMessage,
  createPipeline,
  defineHook,
  deny,
  finish,
  type Hook,
  type HookDefinition,
  modify,
  respond,
  retry,
  userMessage,
  verdict,
} from '../../../../lib/index.ts';
import { recorder } from '../../../../lib/testing/index.ts';

const SECRET = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');
const base = { session_id: 's1', cwd: '/work', transcript_path: '/t', permission_mode: 'default' };
const bash = { ...base, tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls', description: 'Lists' } };
const before = { ...bash, hook_event_name: 'PreToolUse' };
const after = {
  ...bash,
  hook_event_name: 'PostToolUse',
  tool_response: { stdout: 'a\nb', stderr: '', interrupted: false, isImage: false },
};
const prompt = { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'Go!' };
const stop = { ...base, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done.' };

const answer = (moment: object, ...hooks: readonly (HookDefinition | Hook)[]) => answerAs(undefined, moment, ...hooks);

async function answerAs(ask: 'ask' | 'deny' | undefined, moment: object, ...hooks: readonly (HookDefinition | Hook)[]) {
  const recorded = recorder();
  const pipeline = createPipeline([
    ...hooks.map((hook) => ('priority' in hook && Object.isFrozen(hook) ? (hook as Hook) : defineHook(hook))),
    recorded,
  ]);
  const read = readEventOf(claude, JSON.stringify(moment));
  const { verdict } = await judgeMoment(pipeline, claude, read, { ask });
  const { stdout } = claude.write(read, verdict);
  return { said: stdout === '' ? undefined : (JSON.parse(stdout) as JsonObject), recorded };
}
/** The event-specific part of the answer. */
const specific = (said: Awaited<ReturnType<typeof answer>>['said']) =>
  (said?.['hookSpecificOutput'] ?? {}) as { readonly [member: string]: unknown };
const preToolUse = (own: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...own } });
const seen = (check: (call: { name: string; input: object }) => void): HookDefinition => ({
  name: 'sees',
  approve: ({ toolCall }) => {
    check(toolCall);
    return verdict.allow();
  },
});

describe('a hook of Claude Code', () => {
  it('returns nothing for an unchanged call, which hooks see with our tool names', async () => {
    let call: object = {};
    const { said, recorded } = await answer(
      before,
      seen(({ name, input }) => (call = { name, input })),
    );
    expect(said).to.equal(undefined);
    expect(call).to.deep.equal({ name: 'run_command', input: { command: 'ls' } });
    expect(recorded.of('preActing')[0]?.run).to.include({ sessionId: 's1', agent: 'claude' });
  });

  for (const [what, hook, own] of [
    ['denies', { name: 'h', approve: () => verdict.deny('too risky') }, { permissionDecision: 'deny' }],
    [
      'denies in a handler',
      { name: 'h', on: { preActing: (event) => deny(event, 'too risky') } },
      { permissionDecision: 'deny' },
    ],
    ['asks', { name: 'h', approve: () => verdict.suspend('too risky?') }, { permissionDecision: 'ask' }],
  ] as readonly (readonly [string, HookDefinition, object])[]) {
    it(`${what}, with the reason`, async () => {
      const { said } = await answer(before, hook);
      const { permissionDecisionReason: reason, ...rest } = specific(said);
      expect(rest).to.deep.equal({ hookEventName: 'PreToolUse', ...own });
      expect(reason).to.contain('too risky');
    });
  }

  it('shows the whole changed call to the user before it runs, in the host’s own fields', async () => {
    const careful: HookDefinition = {
      name: 'h',
      on: {
        preActing: (event) =>
          modify(event, { toolCall: { ...event.toolCall, input: { command: 'ls -n', timeoutMs: 9 } } }),
      },
    };
    expect((await answer(before, careful)).said).to.deep.equal(
      preToolUse({
        permissionDecision: 'ask',
        permissionDecisionReason: 'A hook changed the input of Bash.',
        updatedInput: { description: 'Lists', command: 'ls -n', timeout: 9 },
      }),
    );
  });

  it('denies calls that Claude Code cannot run: renamed, sealed, or answered by a hook', async () => {
    const renamed: HookDefinition = {
      name: 'h',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: 'other' } }) },
    };
    const sealed: HookDefinition = {
      name: 'h',
      on: {
        preActing: (event, { seal }) =>
          modify(event, { toolCall: { ...event.toolCall, input: { command: seal('token', 'swordfish') } } }),
      },
    };
    const own: HookDefinition = { name: 'h', on: { preActing: (event) => respond(event, 'from the cache') } };
    for (const hook of [renamed, sealed, own]) {
      const { said } = await answer(before, hook);
      expect(specific(said)).to.include({ permissionDecision: 'deny' });
      expect(JSON.stringify(said)).to.not.contain('swordfish');
    }
    expect(JSON.stringify((await answer(before, own)).said)).to.contain('from the cache');
  });

  for (const [tool_name, tool_input] of [
    ['Read', { file_path: '/etc/shadow', path: '/ok' }],
    ['Bash', { command: 'ls', timeout: 1, timeoutMs: 2 }],
  ] as const) {
    it(`rejects a call of ${tool_name} with two spellings of a field`, async () => {
      const thrown = await answer({ ...before, tool_name, tool_input }).catch((error: Error) => error);
      expect(String(thrown)).to.contain('twice');
    });
  }

  for (const [what, hook] of [
    ['asks about', { name: 'h', approve: () => verdict.suspend('too risky?') }],
    [
      'changes',
      {
        name: 'h',
        on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: 'ls -n' } } }) },
      },
    ],
  ] as readonly (readonly [string, HookDefinition])[]) {
    it(`denies, with a reason, a call that a hook ${what} if the host cannot prompt`, async () => {
      const decision = async (moment: object, ask?: 'ask' | 'deny') =>
        specific((await answerAs(ask, moment, hook)).said);
      const denied = await decision(before, 'deny');
      expect(denied).to.have.all.keys('hookEventName', 'permissionDecision', 'permissionDecisionReason');
      expect(denied['permissionDecision']).to.equal('deny');
      expect(denied['permissionDecisionReason']).to.contain('This host has no approval prompts');
      expect(await decision(before)).to.include({ permissionDecision: 'ask' });
    });
  }

  it('leaves a permission request to the user with any approval setting', async () => {
    const { tool_use_id: _, ...request } = { ...before, hook_event_name: 'PermissionRequest' };
    const asks: HookDefinition = { name: 'h', approve: () => verdict.suspend('too risky?') };
    expect((await answerAs('deny', request, asks)).said).to.equal(undefined);
  });

  for (const [tool_name, tool_input, updatedInput] of [
    ['Write', { file_path: '/etc/passwd', content: 'x' }, { file_path: '/safe/a', content: 'x' }],
    ['Write', { path: '/etc/passwd', content: 'x' }, { path: '/safe/a', content: 'x' }],
    ['write_file', { path: '/etc/passwd', content: 'x' }, { path: '/safe/a', content: 'x' }],
    ['write_file', { file_path: '/etc/passwd', content: 'x' }, { file_path: '/safe/a', content: 'x' }],
    ['Read', { path: '/etc/passwd' }, { path: '/safe/a' }],
    ['Bash', { path: '/etc/passwd', description: 'd', timeout: 1 }, { path: '/safe/a', description: 'd', timeout: 1 }],
    ['run_command', { path: '/etc/passwd', timeoutMs: 1 }, { path: '/safe/a', timeoutMs: 1 }],
    ['other', { path: '/etc/passwd' }, { path: '/safe/a' }],
  ] as const) {
    it(`returns the evaluated fields of ${tool_name} with the keys ${Object.keys(tool_input)}`, async () => {
      const safe: HookDefinition = {
        name: 'h',
        on: {
          preActing: (event) =>
            modify(event, {
              toolCall: { ...event.toolCall, input: { ...(event.toolCall.input as object), path: '/safe/a' } },
            }),
        },
      };
      const { said } = await answer({ ...before, tool_name, tool_input }, safe);
      expect(specific(said)['updatedInput']).to.deep.equal(updatedInput);
    });
  }

  it('denies a change that sets a field of the host twice', async () => {
    const both: HookDefinition = {
      name: 'h',
      on: {
        preActing: (event) =>
          modify(event, { toolCall: { ...event.toolCall, input: { path: '/safe/a', file_path: '/safe/b' } } }),
      },
    };
    const read = { ...before, tool_name: 'Read', tool_input: { file_path: '/etc/passwd' } };
    expect(specific((await answer(read, both)).said)).to.include({ permissionDecision: 'deny' });
  });

  it('ends the turn of the session if a hook aborts', async () => {
    const { said } = await answer(before, { name: 'h', on: { preActing: (event) => abort(event, 'enough') } });
    expect(said).to.include({ continue: false, stopReason: 'enough' });
  });

  it('denies a permission request in JSON and never allows it', async () => {
    const request = { ...base, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'ls' } };
    const { said } = await answer(request, { name: 'h', approve: () => verdict.deny('too risky') });
    expect(specific(said)['decision']).to.deep.include({ behavior: 'deny' });
    expect((await answer(request, { name: 'h', approve: () => verdict.allow() })).said).to.equal(undefined);
  });

  it('denies a permission request if hooks would change the call; ends the turn on abort', async () => {
    const request = { ...base, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'ls' } };
    const careful: HookDefinition = {
      name: 'h',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: 'ls -n' } } }) },
    };
    const { decision } = specific((await answer(request, careful)).said) as { decision: Record<string, string> };
    expect(decision['behavior']).to.equal('deny');
    expect(decision['message']).to.contain('change');
    const ended = (await answer(request, { name: 'h', on: { preActing: (event) => abort(event, 'enough') } })).said;
    expect(ended).to.include({ continue: false, stopReason: 'enough' });
    expect(specific(ended)['decision']).to.include({ behavior: 'deny' });
    // The user is asked in any case.
    const asks = await answer(request, { name: 'h', approve: () => verdict.suspend('too risky?') });
    expect(asks.said).to.equal(undefined);
  });

  it('returns a changed result in its original shape', async () => {
    const leaky = { ...after, tool_response: { ...after.tool_response, stdout: `key ${SECRET} end` } };
    const { said, recorded } = await answer(leaky, securityScan({}));
    const { updatedToolOutput: output } = specific(said) as { updatedToolOutput: Record<string, unknown> };
    expect(output).to.have.all.keys('stdout', 'stderr', 'interrupted', 'isImage');
    expect(output['stdout']).to.match(/^key \[REDACTED.*\] end$/);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed']);
    expect(recorded.of('preActing')).to.be.empty;
  });

  it('puts a non-object result in the first text and clears the rest', async () => {
    const short: HookDefinition = {
      name: 'h',
      on: { postActing: (event) => modify(event, { result: { content: 'withheld', isError: false } }) },
    };
    expect((await answer(after, short)).said).to.deep.equal({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: { stdout: 'withheld', stderr: '', interrupted: false, isImage: false },
      },
    });
    const text = { ...after, tool_response: 'plain' };
    expect(specific((await answer(text, short)).said)).to.include({ updatedToolOutput: 'withheld' });
  });

  it('keeps no numbers, keys or booleans of an output that hooks changed', async () => {
    const output = async (tool_response: unknown, content: string) => {
      const hook: HookDefinition = {
        name: 'h',
        on: { postActing: (event) => modify(event, { result: { content, isError: false } }) },
      };
      const { said } = await answer({ ...after, tool_response }, hook);
      return specific(said)['updatedToolOutput'];
    };
    expect(await output({ pin: 4711, ok: true, text: 'a' }, 'withheld')).to.deep.equal({
      pin: 0,
      ok: false,
      text: 'withheld',
    });
    expect(await output({ pin: 4711 }, 'withheld')).to.equal('withheld');
    expect(await output({ [SECRET]: 'a' }, '{"[REDACTED]":"a"}')).to.equal('{"[REDACTED]":"a"}');
    expect(await output({ [SECRET]: 'a' }, 'withheld')).to.equal('withheld');
  });

  it('passes a failed call, and ends the turn if a hook finishes', async () => {
    const failed = { ...bash, hook_event_name: 'PostToolUseFailure', error: 'exit 1' };
    const { said, recorded } = await answer(failed, { name: 'h', on: { postActing: (event) => finish(event) } });
    expect(said).to.include({ continue: false });
    expect(recorded.of('postActing').map(({ outcome, result }) => [outcome, result.content])).to.deep.equal([
      ['failed', 'exit 1'],
    ]);
  });

  it('adds injected messages to the prompt, and blocks a changed prompt', async () => {
    const hint: HookDefinition = {
      name: 'h',
      on: { preCall: (event) => modify(event, { messages: [...event.messages, userMessage('Be brief.')] }) },
    };
    expect((await answer(prompt, hint)).said).to.deep.equal({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'Be brief.' },
    });
    const clean: HookDefinition = {
      name: 'h',
      on: { preCall: (event) => modify(event, { messages: [userMessage('The key is ****.')] }) },
    };
    const { said } = await answer({ ...prompt, prompt: `The key is ${SECRET}.` }, clean);
    expect(said).to.include({ decision: 'block' });
    expect(JSON.stringify(said)).to.not.contain(SECRET);
    expect(
      (await answer(prompt, { name: 'h', on: { preCall: (event) => abort(event, 'not now') } })).said,
    ).to.deep.equal({
      decision: 'block',
      reason: 'not now',
    });
    expect(
      (await answer(prompt, { name: 'h', on: { preCall: (event) => respond(event, 'Mine.') } })).said?.['reason'],
    ).to.contain('Mine.');
  });

  it('makes Claude Code continue once if a hook retries', async () => {
    const better: HookDefinition = {
      name: 'h',
      on: { postReasoning: (event) => retry(event, [userMessage('Run the tests.')]) },
    };
    expect((await answer(stop, better)).said).to.deep.equal({ decision: 'block', reason: 'Run the tests.' });
    expect((await answer({ ...stop, stop_hook_active: true }, better)).said).to.equal(undefined);
    const edit: HookDefinition = {
      name: 'h',
      on: { postReasoning: (event) => modify(event, { message: assistantMessage('x') }) },
    };
    expect((await answer(stop, edit)).said).to.equal(undefined);
  });

  for (const [what, hook] of [
    ['postReasoning', { name: 'h', on: { postReasoning: () => Promise.reject<undefined>(new Error('broken')) } }],
    ['a chunk', { name: 'h', on: { reasoningChunk: () => Promise.reject<undefined>(new Error('broken')) } }],
    ['preReasoning', { name: 'h', on: { preReasoning: () => Promise.reject<undefined>(new Error('broken')) } }],
  ] as readonly (readonly [string, HookDefinition])[]) {
    it(`does not let a session stop if a hook failed on ${what}`, async () => {
      const thrown = await answer(stop, hook).catch((error: Error) => error);
      expect(String(thrown)).to.contain('broken');
    });
  }

  it('ends the turn if a hook aborts before the last message settles', async () => {
    for (const hook of [
      { name: 'h', on: { reasoningChunk: (event) => abort(event, 'enough') } },
      { name: 'h', on: { preReasoning: (event) => abort(event, 'enough') } },
    ] as readonly HookDefinition[])
      expect((await answer(stop, hook)).said).to.deep.equal({ continue: false, stopReason: 'enough' });
  });

  it('returns nothing at the session start', async () => {
    const { said, recorded } = await answer({ ...base, hook_event_name: 'SessionStart', source: 'startup' });
    expect([said, recorded.events]).to.deep.equal([undefined, []]);
  });

  it('returns other events by name', () => {
    for (const name of ['SessionEnd', 'Notification', 'PreCompact', 'MessageDisplay', 'SomethingNew'])
      expect(readEventOf(claude, JSON.stringify({ ...base, hook_event_name: name }))).to.include({
        kind: 'other',
        event: name,
      });
  });

  for (const [what, text, said] of [
    ['text that is not JSON', 'hello', 'it is not JSON'],
    ['input without an event', '{}', 'it has no "hook_event_name"'],
    ['a call without its tool', JSON.stringify({ ...base, hook_event_name: 'PreToolUse' }), 'tool_name'],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(() => readEventOf(claude, text))
        .to.throw(said)
        .with.property('code', 'INPUT_INVALID');
    });
  }
});
