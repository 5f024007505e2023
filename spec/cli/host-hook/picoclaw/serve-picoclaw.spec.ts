import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { firstValueFrom, from, throwError, timeout } from 'rxjs';
import { judgePicoclaw } from '../../../../lib/cli/host-hook/picoclaw/judge-picoclaw.ts';
import { answerPicoclaw } from '../../../../lib/cli/host-hook/picoclaw/serve-picoclaw.ts';
import {
  abort,
  assistantMessage,
  createPipeline,
  defineHook,
  deny,
  finish,
  type HookDefinition,
  modify,
  respond,
  retry,
  userMessage,
  verdict,
} from '../../../../lib/index.ts';
import { recorder } from '../../../../lib/testing/index.ts';

const folder = join(__dirname, '../../../fixtures/picoclaw');
const generations = readdirSync(folder).map((file) => file.replace(/\.json$/, ''));
type Sent = Record<string, Record<string, unknown>>;
const sentBy = (generation: string): Sent => JSON.parse(readFileSync(join(folder, `${generation}.json`), 'utf8'));

/** A host that calls the hooks in one process. */
function host(hooks: readonly HookDefinition[], { timeoutMs = 2_000, failOpen = false } = {}) {
  const input = new PassThrough();
  const replies: Record<string, unknown>[] = [];
  const bytes: number[] = [];
  const waiting = new Map<number, (reply: Record<string, unknown>) => void>();
  const recorded = recorder();
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded]);
  const judge = judgePicoclaw(async () => pipeline, 'me');
  const judges = {
    ask: (event: string) =>
      firstValueFrom(
        from(judge.answer(JSON.parse(event), { begin() {} })).pipe(
          timeout({ each: timeoutMs, with: () => throwError(() => new Error(`it took longer than ${timeoutMs} ms.`)) }),
        ),
      ),
    notify: (event: string) => void judge.notify(JSON.parse(event)),
    close: () => judge.end(),
  };
  const served = answerPicoclaw({
    judges,
    failOpen,
    input,
    log: () => {},
    write(line) {
      const reply = JSON.parse(line);
      bytes.push(Buffer.byteLength(line));
      replies.push(reply);
      waiting.get(reply.id)?.(reply);
    },
  });
  let last = 0;
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    recorded,
    replies,
    bytes,
    ask<R = object>(method: string, params: unknown): Promise<R> {
      last += 1;
      const id = last;
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, (reply) => resolve((reply['result'] ?? reply['error']) as R)));
    },
    tell: (method: string, params: unknown) => send({ method, params }),
    raw: (line: string) => input.write(`${line}\n`),
    async end() {
      input.end();
      await served;
    },
  };
}

const watch: HookDefinition = { name: 'watch', observe: () => {} };
const callOf = (generation: string) => {
  const { hook_result: _, ...params } = sentBy(generation)['hook.before_tool'] ?? {};
  return params;
};

for (const generation of generations) {
  describe(`hookline hook --as picoclaw, for ${generation}`, () => {
    const sent = sentBy(generation);

    it('answers hello and leaves a whole turn unchanged', async () => {
      const { ask, end, recorded } = host([watch]);
      expect(await ask('hook.hello', sent['hook.hello'])).to.deep.equal({ name: 'hookline', version: 1 });
      expect(await ask('hook.before_llm', sent['hook.before_llm'])).to.deep.equal({ action: 'continue' });
      expect(await ask('hook.after_llm', sent['hook.after_llm'])).to.deep.equal({ action: 'continue' });
      expect(await ask('hook.before_tool', callOf(generation))).to.deep.equal({ action: 'continue' });
      expect(await ask('hook.approve_tool', sent['hook.approve_tool'])).to.deep.equal({ approved: true });
      expect(await ask('hook.after_tool', sent['hook.after_tool'])).to.deep.equal({ action: 'continue' });
      await end();
      const types = recorded.events.map(({ type }) => type).filter((type) => !type.endsWith('Chunk'));
      expect(types).to.deep.equal(['preReasoning', 'postReasoning', 'preActing', 'postActing']);
      expect(new Set(recorded.events.map(({ run }) => run.runId)).size).to.equal(1);
      expect(recorded.events[0]?.run).to.include({ agent: 'main', sessionId: 'session-1' });
      const [post] = recorded.of('postActing');
      expect([post?.outcome, post?.result.content, post?.toolCall.name]).to.deep.equal(['executed', 'a.txt', 'bash']);
    });

    it('returns the whole request if hooks change a part, and keeps the rest', async () => {
      const { ask, end } = host([
        {
          name: 'h',
          on: { preReasoning: (event) => modify(event, { messages: [...event.messages, userMessage('Be brief.')] }) },
        },
      ]);
      const params = sent['hook.before_llm'] as { messages: object[] };
      const reply = await ask('hook.before_llm', params);
      expect(reply).to.deep.equal({
        action: 'modify',
        request: { ...params, messages: [...params.messages, { role: 'user', content: 'Be brief.' }] },
      });
      await end();
    });

    it('returns the whole call or result if hooks change it', async () => {
      const { ask, end } = host([
        {
          name: 'h',
          on: {
            preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: 'ls -n' } } }),
            postActing: (event) => modify(event, { result: { ...event.result, content: 'withheld' } }),
          },
        },
      ]);
      const params = callOf(generation);
      expect(await ask('hook.before_tool', params)).to.deep.equal({
        action: 'modify',
        call: { ...params, arguments: { command: 'ls -n' } },
      });
      const after = { ...sent['hook.after_tool'], arguments: { command: 'ls -n' } };
      const reply = (await ask('hook.after_tool', after)) as { action: string; result: { result: object } };
      expect([reply.action, reply.result.result]).to.deep.equal([
        'modify',
        { ...(sent['hook.after_tool'] as { result: object }).result, for_llm: 'withheld' },
      ]);
      await end();
    });
  });
}

describe('hookline hook --as picoclaw', () => {
  const latest = sentBy(generations.at(-1) as string);
  const call = callOf(generations.at(-1) as string);

  for (const [what, hook, reply] of [
    ['denies', { name: 'h', on: { preActing: (event) => deny(event, 'too risky') } }, { action: 'deny_tool' }],
    ['denies by an approver', { name: 'h', approve: () => verdict.deny('too risky') }, { action: 'deny_tool' }],
    [
      'denies calls that require approval',
      { name: 'h', approve: () => verdict.suspend('too risky?') },
      { action: 'deny_tool' },
    ],
    ['ends the turn', { name: 'h', on: { preActing: (event) => abort(event, 'too risky') } }, { action: 'abort_turn' }],
    [
      'ends the turn with a rollback',
      { name: 'h', on: { preActing: (event) => abort(event, 'too risky', { rollback: true }) } },
      { action: 'hard_abort' },
    ],
  ] as readonly (readonly [string, HookDefinition, object])[]) {
    it(`${what}, with the reason`, async () => {
      const { ask, end } = host([hook]);
      const { reason, ...said } = (await ask('hook.before_tool', call)) as { reason: string };
      expect(said).to.deep.equal(reply);
      expect(reason).to.contain('too risky');
      await end();
    });
  }

  it('responds instead of a tool', async () => {
    const { ask, end } = host([{ name: 'h', on: { preActing: (event) => respond(event, 'from the cache') } }]);
    expect(await ask('hook.before_tool', call)).to.deep.equal({
      action: 'respond',
      result: { for_llm: 'from the cache', silent: false, is_error: false, async: false },
    });
    await end();
  });

  it('approves evaluated calls, but not if another hook changed them', async () => {
    const { ask, end } = host([
      {
        name: 'h',
        approve: ({ toolCall: { input } }) => (input['command'] === 'ls' ? verdict.allow() : verdict.deny('no')),
      },
    ]);
    expect(await ask('hook.before_tool', call)).to.deep.equal({ action: 'continue' });
    expect(await ask('hook.approve_tool', call)).to.deep.equal({ approved: true });
    expect(await ask('hook.approve_tool', { ...call, arguments: { command: 'rm' } })).to.include({ approved: false });
    await end();
  });

  it('approves no other call with the id of an evaluated one', async () => {
    const { ask, end } = host([
      {
        name: 'h',
        approve: ({ toolCall: { input } }) => (input['command'] === 'ls' ? verdict.allow() : verdict.deny('no')),
      },
    ]);
    const known = { ...call, tool_call_id: 'call-1' };
    await ask('hook.before_tool', known);
    expect(await ask('hook.approve_tool', known)).to.deep.equal({ approved: true });
    const other = { ...known, arguments: { command: 'rm' } };
    expect(await ask('hook.approve_tool', other)).to.include({ approved: false });
    await end();
  });

  it("changes the model's text, and drops its calls if a hook ends the run", async () => {
    const text: HookDefinition = {
      name: 'h',
      on: { postReasoning: (event) => modify(event, { message: assistantMessage('Said otherwise.') }) },
    };
    for (const hook of [text, { name: 'h', on: { postReasoning: (event) => finish(event) } } as HookDefinition]) {
      const { ask, end } = host([hook]);
      await ask('hook.before_llm', latest['hook.before_llm']);
      const reply = (await ask('hook.after_llm', latest['hook.after_llm'])) as {
        action: string;
        response: { response: { tool_calls: unknown[] } };
      };
      expect([reply.action, reply.response.response.tool_calls]).to.deep.equal(['modify', []]);
      await end();
    }
  });

  it('ends the turn if a hook retries the model step', async () => {
    const { ask, end } = host([
      { name: 'h', on: { postReasoning: (event) => retry(event, [userMessage('Run the tests.')]) } },
    ]);
    await ask('hook.before_llm', latest['hook.before_llm']);
    expect(await ask('hook.after_llm', latest['hook.after_llm'])).to.deep.equal({
      action: 'abort_turn',
      reason: 'Run the tests.',
    });
    await end();
  });

  it('changes the thinking, wherever the host stores it', async () => {
    const clean: HookDefinition = {
      name: 'h',
      on: {
        postReasoning: (event) => {
          const parts = event.message.parts.map((part) => (part.type === 'thinking' ? { ...part, text: '***' } : part));
          return modify(event, { message: { ...event.message, parts } });
        },
      },
    };
    const { ask, end } = host([clean]);
    await ask('hook.before_llm', latest['hook.before_llm']);
    const reply = await ask<{ response: { response: object } }>('hook.after_llm', latest['hook.after_llm']);
    expect(reply.response.response).to.include({ content: 'I will.', reasoning_content: '***', reasoning: '' });
    await end();
  });

  for (const [what, hook] of [
    ['aborts', { name: 'h', on: { preCall: (event) => abort(event, 'not now') } }],
    ['answers', { name: 'h', on: { preCall: (event) => respond(event, 'not now') } }],
    ['fails on', { name: 'h', on: { preCall: () => Promise.reject<undefined>(new Error('not now')) } }],
  ] as readonly (readonly [string, HookDefinition])[]) {
    it(`stops every step of a turn that preCall ${what}`, async () => {
      const { ask, tell, end } = host([hook]);
      const told = latest['hook.runtime_event'] as unknown as { kind: string }[];
      tell(
        'hook.runtime_event',
        told.find(({ kind }) => kind === 'agent.turn.start'),
      );
      const before = await ask<Record<string, string>>('hook.before_llm', latest['hook.before_llm']);
      expect(before['action']).to.equal('abort_turn');
      expect(before['reason']).to.contain('not now');
      const tool = await ask<Record<string, string>>('hook.before_tool', call);
      expect(tool['action']).to.be.oneOf(['abort_turn', 'deny_tool']);
      expect(await ask('hook.approve_tool', call)).to.include({ approved: false });
      await end();
    });
  }

  it('starts and ends a run with the host’s turn', async () => {
    const { ask, tell, end, recorded } = host([watch]);
    const told = latest['hook.runtime_event'] as unknown as { kind: string }[];
    const of = (kind: string) => told.find((one) => one.kind === kind);
    tell('hook.runtime_event', of('agent.turn.start'));
    await ask('hook.before_tool', call);
    await ask('hook.after_tool', latest['hook.after_tool']);
    tell('hook.runtime_event', of('agent.turn.end'));
    await end();
    expect(recorded.events.map(({ type }) => type)).to.deep.equal(['preCall', 'preActing', 'postActing', 'postCall']);
  });

  for (const [method, params, refusal] of [
    ['hook.before_tool', call, { action: 'deny_tool' }],
    ['hook.approve_tool', call, { approved: false }],
    ['hook.before_llm', latest['hook.before_llm'], { action: 'abort_turn' }],
    ['hook.after_tool', latest['hook.after_tool'], { action: 'modify' }],
  ] as const) {
    it(`denies at ${method} after the timeout unless --fail-open is set`, async () => {
      const never = () => new Promise<undefined>(() => {});
      const slow: HookDefinition = {
        name: 'slow',
        timeoutMs: 60_000,
        on: { preActing: never, preReasoning: never, postActing: never },
      };
      const closed = host([slow], { timeoutMs: 50 });
      const refused = await closed.ask(method, params);
      expect(refused).to.include(refusal);
      expect(JSON.stringify(refused)).to.not.contain('a.txt');
      await closed.end();
      const open = host([slow], { timeoutMs: 50, failOpen: true });
      expect(await open.ask(method, params)).to.deep.equal({ action: 'continue', approved: true });
      await open.end();
    });
  }

  it('withholds a result on which a hook failed', async () => {
    const { ask, end } = host([
      { name: 'broken', on: { postActing: () => Promise.reject<undefined>(new Error('no')) } },
    ]);
    const reply = (await ask('hook.after_tool', latest['hook.after_tool'])) as {
      result: { result: { for_llm: string; is_error: boolean } };
    };
    expect(reply.result.result.is_error).to.equal(true);
    expect(reply.result.result.for_llm).to.not.contain('a.txt');
    await end();
  });

  const LONG = 'ä'.repeat(600_000);
  const long = (on: NonNullable<HookDefinition['on']>): HookDefinition => ({ name: 'long', on });
  for (const [what, method, params, hook, refusal] of [
    [
      'a request changed by hooks',
      'hook.before_llm',
      latest['hook.before_llm'],
      long({ preReasoning: (event) => modify(event, { messages: [...event.messages, userMessage(LONG)] }) }),
      { action: 'abort_turn' },
    ],
    [
      'a call changed by hooks',
      'hook.before_tool',
      call,
      long({ preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: LONG } } }) }),
      { action: 'deny_tool' },
    ],
    [
      'a response instead of a tool',
      'hook.before_tool',
      call,
      long({ preActing: (event) => respond(event, LONG) }),
      { action: 'deny_tool' },
    ],
    [
      'a reason to deny',
      'hook.before_tool',
      call,
      long({ preActing: (event) => deny(event, LONG) }),
      { action: 'deny_tool' },
    ],
    [
      'a reason to end the turn',
      'hook.before_tool',
      call,
      long({ preActing: (event) => abort(event, LONG, { rollback: true }) }),
      { action: 'hard_abort' },
    ],
  ] as readonly (readonly [string, string, object, HookDefinition, object])[]) {
    it(`denies, with a reason, if ${what} exceeds PicoClaw's line limit`, async () => {
      const { ask, end, bytes } = host([hook]);
      const { reason, ...said } = (await ask(method, params)) as { reason: string };
      expect(said).to.deep.equal(refusal);
      expect(reason).to.contain('bytes; the limit');
      await end();
      expect(Math.max(...bytes)).to.be.lessThan(1_048_576);
    });
  }

  it('withholds a result that cannot be sent, with any other fields', async () => {
    const tell = async (params: object) => {
      const hook = long({ postActing: (event) => modify(event, { result: { ...event.result, content: LONG } }) });
      const { ask, end, bytes } = host([hook]);
      const reply = (await ask('hook.after_tool', { ...latest['hook.after_tool'], ...params })) as {
        action: string;
        result: { tool: string; arguments?: object; result: { for_llm: string; is_error: boolean } };
      };
      await end();
      expect(Math.max(...bytes)).to.be.lessThan(1_048_576);
      expect(reply.result.result.for_llm).to.contain('withheld').and.to.contain('bytes; the limit');
      expect([reply.action, reply.result.result.is_error]).to.deep.equal(['modify', true]);
      return reply.result;
    };
    expect(await tell({})).to.deep.include({ tool: 'bash', arguments: { command: 'ls' } });
    const lean = await tell({ arguments: { content: LONG } });
    expect(lean).to.include({ tool: 'bash' }).and.to.not.have.property('arguments');
    expect((await tell({ meta: { TurnID: 't', more: LONG } })).result.is_error).to.equal(true);
  });

  it('evaluates a result that is not an object by its text', async () => {
    const mask: HookDefinition = {
      name: 'mask',
      on: {
        postActing: (event) =>
          modify(event, { result: { ...event.result, content: event.result.content.replace('key', '***') } }),
      },
    };
    const { result: _, ...rest } = latest['hook.after_tool'] as { result: object };
    for (const given of [{ result: 'the key' }, { result: ['the key'] }, { Result: { FOR_LLM: 'the key' } }]) {
      const { ask, end } = host([mask]);
      const reply = (await ask('hook.after_tool', { ...rest, ...given })) as {
        action: string;
        result: { result: { for_llm: string } };
      };
      expect(reply.action).to.equal('modify');
      expect(reply.result.result.for_llm).to.contain('the ***');
      expect(JSON.stringify(reply), 'in another spelling').to.not.contain('the key');
      await end();
    }
  });

  it("returns no field in the host's spelling next to its own", async () => {
    const given = { Tool: 'exec', Arguments: { command: 'raw', more: 'raw' } };
    const clean = defineHook({
      name: 'clean',
      on: {
        preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { command: 'ls' } } }),
        preReasoning: (event) => modify(event, { messages: [userMessage('clean')] }),
        postReasoning: (event) => modify(event, { message: assistantMessage('clean') }),
      },
    });
    const { ask, end } = host([clean]);
    const replies = [
      await ask('hook.before_tool', given),
      await ask('hook.before_llm', { Messages: [{ Role: 'user', Content: 'raw' }] }),
      await ask('hook.after_llm', { Response: { Content: 'raw' } }),
    ];
    await end();
    expect(replies.map((reply) => (reply as { action?: string }).action)).to.deep.equal(['modify', 'modify', 'modify']);
    expect(JSON.stringify(replies)).to.not.contain('raw');
  });

  describe('unreadable requests', () => {
    const call = { tool: 'exec', arguments: { command: 'rm -rf /' } };
    const misfits: readonly (readonly [what: string, params: unknown, said: string])[] = [
      ['no params', undefined, 'params must be an object, got nothing'],
      ['null as params', null, 'params must be an object, got null'],
      ['a list as params', [call], 'params must be an object, got a list'],
      ['a string as arguments', { ...call, arguments: '{"command":"rm -rf /"}' }, 'arguments must be an object'],
      ['a list as arguments', { ...call, arguments: [call.arguments] }, 'arguments must be an object'],
      ['no tool', { arguments: call.arguments }, 'It must be the name of a tool'],
      ['a tool that is not a string', { ...call, tool: { name: 'exec' } }, 'tool must be text'],
      ['a field in two spellings', { ...call, Arguments: {} }, 'arguments is set twice'],
      ['field names of another dialect', { name: 'exec', args: call.arguments }, 'It must be the name of a tool'],
    ];
    for (const [what, params, said] of misfits)
      it(`denies ${what}`, async () => {
        const { ask, end } = host([{ name: 'allows', approve: () => verdict.allow() }]);
        const refused = await ask<{ action: string; reason: string }>('hook.before_tool', params);
        expect([refused.action, refused.reason]).to.satisfy(
          ([action, reason]: [string, string]) => action === 'deny_tool' && reason.includes(said),
          JSON.stringify(refused),
        );
        expect(await ask('hook.approve_tool', params)).to.include({ approved: false });
        const result = { for_llm: 'raw' };
        const withheld = await ask(
          'hook.after_tool',
          typeof params === 'object' && params ? { ...params, result } : params,
        );
        expect(withheld).to.include({ action: 'modify' });
        expect(JSON.stringify((withheld as { result: { result: object } }).result.result)).to.not.contain('raw');
        await end();
      });

    it('ends the turn of a model request, with the issue', async () => {
      const { ask, end } = host([watch]);
      for (const [params, said] of [
        [{ messages: 'hello' }, 'messages must be a list'],
        [{ messages: [{ role: 'developer', content: 'x' }] }, 'role'],
        [{ messages: [], tools: {} }, 'tools must be a list'],
        [{ messages: [], options: 'x' }, 'options must be an object'],
      ] as const) {
        const refused = await ask<{ action: string; reason: string }>('hook.before_llm', params);
        expect(refused.action).to.equal('abort_turn');
        expect(refused.reason).to.contain('The request hook.before_llm is invalid').and.to.contain(said);
      }
      for (const params of [{ response: 'text' }, {}, { response: { content: '', tool_calls: 'BAD' } }])
        expect(await ask('hook.after_llm', params)).to.include({ action: 'abort_turn' });
      await end();
    });

    it('names the request, not a reply, whichever field is invalid', async () => {
      const { ask, end } = host([watch]);
      for (const [method, params] of [
        ['hook.before_tool', { ...call, meta: { TurnID: 7 } }],
        ['hook.after_tool', { ...call, result: { for_llm: 7 } }],
        ['hook.after_llm', { response: { content: '', reasoning_content: 7 } }],
      ] as const) {
        const refused = JSON.stringify(await ask(method, params));
        expect(refused).to.contain(`The request ${method} is invalid`).and.to.not.contain('The reply');
      }
      await end();
    });

    it('accepts a call without arguments, which Go omits', async () => {
      const { ask, end } = host([watch]);
      for (const params of [{ tool: 'pwd' }, { tool: 'pwd', arguments: null }, { Tool: 'pwd', Arguments: {} }])
        expect(await ask('hook.before_tool', params)).to.include({ action: 'continue' });
      await end();
    });
  });

  it('continues after a notification that is nested too deeply to forward', async () => {
    const { ask, raw, end } = host([watch]);
    // PicoClaw sends the arguments of a call, which a model wrote.
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const params of [`{"kind":"agent.tool.exec_start","payload":${deep}}`, deep])
      raw(`{"jsonrpc":"2.0","method":"hook.runtime_event","params":${params}}`);
    expect(await ask('hook.before_tool', { tool: 'x' })).to.include({ action: 'continue' });
    await end();
  });

  it('continues after invalid lines, and answers an unknown method with an error', async () => {
    const { ask, raw, end } = host([watch]);
    for (const line of ['', 'hello', '[]', '{"id":null}', '{"id":7,"result":{}}']) raw(line);
    expect(await ask('hook.something', {})).to.deep.equal({
      code: -32601,
      message: 'There is no method "hook.something".',
    });
    expect(await ask('hook.before_tool', { tool: 'x' })).to.include({ action: 'continue' });
    await end();
  });
});
