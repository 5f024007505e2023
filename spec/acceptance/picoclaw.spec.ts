import { realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import {
  type AgentRunOptions,
  createAgent,
  createPipeline,
  type Delivery,
  defineHook,
  type Hook,
  type Message,
  modify,
  type PostActing,
  type SettledEvent,
  type Tool,
  textOf,
} from 'hookline';
import { createLiveHooks } from 'hookline/config';
import { type ProcessHookOptions, processHook } from 'hookline/process-hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { lastValueFrom, type Observable, Subject, toArray } from 'rxjs';
import { written } from '../config/read.ts';
import { processScene, type Replies } from '../process-hooks/picoclaw/scene.ts';
import { tempFolder } from '../temp-folder.ts';

/*
 * The host of PicoClaw's hooks, in detail. Numbers in titles count its behaviours, and the issues that Hookline must not have. The end of the file lists its
 * parts without a counterpart in Hookline (gateway, channels, session summaries, /btw).
 */

const scenes: ReturnType<typeof processScene>[] = [];
const isCall = (part: Message['parts'][number]) => part.type === 'toolCall';
const yes: Replies = { 'hook.approve_tool': { approved: true } };

interface Scene {
  readonly replies?: Replies;
  readonly options?: Partial<ProcessHookOptions>;
  readonly hooks?: readonly Hook[];
  readonly turns?: Parameters<typeof scriptedModel>[0];
  readonly deliver?: (delivery: Delivery) => unknown;
  readonly input?: string;
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  /** Calls run one by one, so that the first has ended before the second starts. */
  readonly inTurn?: boolean;
  readonly run?: Pick<AgentRunOptions, 'metadata' | 'steering$' | 'interrupt$'>;
}

async function host(given: Scene) {
  const { replies = {}, options = {}, hooks = [], turns, deliver, input = 'hello', instructions, tools = [] } = given;
  const scene = processScene({ ...yes, ...replies }, options);
  scenes.push(scene);
  const model = scriptedModel(turns ?? [{ toolCalls: [{ name: 'echo_text', input: { text: 'hello' } }] }, 'done']);
  const tool = scriptedTool({ name: 'echo_text', result: 'echoed: hello' });
  const agent = createAgent({
    name: 'main',
    model,
    tools: [tool, ...tools],
    pipeline: createPipeline([scene.hook, ...hooks]),
    ...(given.inTurn && { toolConcurrency: 1 }),
    ...(deliver && { deliver }),
    ...(instructions !== undefined && { instructions }),
  });
  const metadata = { channel: 'cli', chat_id: 'chat-1' };
  const run$ = agent.run(input, { sessionId: 'session-1', metadata, ...given.run });
  const events = (await lastValueFrom((run$ as Observable<SettledEvent>).pipe(toArray()))) as SettledEvent[];
  const of = <T extends SettledEvent['type']>(type: T) =>
    events.filter((event) => event.type === type) as Extract<SettledEvent, { type: T }>[];
  const acted = of('postActing') as PostActing[];
  return { ...scene, model, tool, events, of, acted: acted[0] as PostActing, all: acted, end: of('postCall')[0] };
}

const say = (method: string, reply: unknown): Replies => ({ [`hook.${method}`]: reply });

const twoCalls = [
  {
    toolCalls: [
      { name: 'echo_text', input: { text: 'one' } },
      { name: 'echo_text', input: { text: 'two' } },
    ],
  },
  'done',
];

/** Calls `act` when the first call has its result. */
const afterFirst = (act: () => void): Hook => {
  let acted = 0;
  return defineHook({ name: 'after-first', on: { postActing: () => void (acted++ === 0 && act()) } });
};

describe('PicoClaw', () => {
  afterEach(async () => {
    await Promise.all(scenes.splice(0).map((scene) => scene.close()));
  });

  describe('behaviours (section 4)', () => {
    it('1: runs in-process hooks before process hooks, regardless of their priorities', async () => {
      const order: string[] = [];
      const inside = defineHook({
        name: 'inside',
        priority: 100,
        on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { text: 'inside' } } }) },
      });
      const { frames } = await host({ options: { priority: -10 }, hooks: [inside] });
      order.push(frames('hook.before_tool')[0]?.params['arguments'].text);
      expect(order).to.deep.equal(['inside']);
    });

    it('2, 5: with changes kept, a model change applies while system text and tools are restored', async () => {
      const request = {
        model: 'hook-model',
        messages: [
          { role: 'system', content: 'other' },
          { role: 'user', content: 'hello' },
        ],
        tools: [],
      };
      const { model } = await host({
        replies: say('before_llm', { action: 'modify', request }),
        options: { dialect: { changes: 'keep' } },
        instructions: 'be brief',
      });
      expect(model.requests[0]?.model).to.equal('hook-model');
      expect(model.requests[0]?.messages.map(textOf)).to.deep.equal(['be brief', 'hello']);
      expect(model.requests[0]?.tools.map(({ name }) => name)).to.deep.equal(['echo_text']);
    });

    it('3: keeps a user message that before_llm appends', async () => {
      const messages = [
        { role: 'user', content: 'hello' },
        { role: 'user', content: 'and be quick' },
      ];
      const { model } = await host({ replies: say('before_llm', { action: 'modify', request: { messages } }) });
      expect(model.requests[0]?.messages.map(textOf)).to.deep.equal(['hello', 'and be quick']);
    });

    it('4: treats an echo of the whole request as unchanged', async () => {
      const first = await host({});
      const { meta: _, context: __, ...echo } = first.frames('hook.before_llm')[0]?.params ?? {};
      const second = await host({
        replies: say('before_llm', [{ action: 'modify', request: echo }]),
        options: { dialect: { changes: 'keep' } },
      });
      expect(second.model.requests[0]).to.deep.equal(first.model.requests[0]);
      expect(second.logged.join('\n')).not.to.match(/kept/);
    });

    it('6: shows the end of a turn with the model of before_llm and content of after_llm', async () => {
      const { frames, model, end } = await host({
        replies: {
          ...say('before_llm', { request: { model: 'm2' } }),
          ...say('after_llm', [{}, { response: { response: { content: 'after' } } }]),
        },
        options: { observe: ['agent.turn.end'] },
      });
      expect(model.requests[0]?.model).to.equal('m2');
      expect(textOf(end?.message as never)).to.equal('after');
      await new Promise((resolve) => setTimeout(resolve, 50));
      const told = frames('hook.runtime_event')[0]?.params;
      expect(told?.['scope']).to.include({
        agent_id: 'main',
        session_key: 'session-1',
        channel: 'cli',
        chat_id: 'chat-1',
      });
      expect(told?.['payload']).to.include({ Status: 'completed', FinalContent: 'after' });
    });

    it('7: shows the end of a turn with its user message, and leaves the answer unchanged', async () => {
      const inbound = { channel: 'cli', chat_id: 'chat-1', message_id: 'msg-1' };
      const { frames, hook, end } = await host({
        options: { intercept: [], observe: ['agent.turn.end'] },
        turns: ['plain'],
        run: { metadata: { inbound } },
      });
      await hook.stop();
      expect(frames('hook.runtime_event').map(({ params }) => params['scope'].message_id)).to.deep.equal(['msg-1']);
      expect(textOf(end?.message as never)).to.equal('plain');
    });

    it('8: sends both model hooks the source, the target and the scope of a message', async () => {
      const { frames, model } = await host({ replies: say('before_llm', { request: { model: 'm2' } }), turns: ['ok'] });
      for (const method of ['hook.before_llm', 'hook.after_llm']) {
        const context = frames(method)[0]?.params['context'];
        expect(context.inbound).to.include({ channel: 'cli', chat_id: 'chat-1' });
        expect(context.route).to.include({ AgentID: 'main', Channel: 'cli' });
        expect(context.scope).to.include({ agent_id: 'main', channel: 'cli' });
      }
      expect(model.requests[0]?.model).to.equal('m2');
    });

    it('9, 22: rewrites arguments and result', async () => {
      const { acted, tool } = await host({
        replies: {
          ...say('before_tool', { action: 'modify', call: { tool: 'echo_text', arguments: { text: 'ipc' } } }),
          ...say('after_tool', { action: 'modify', result: { result: { for_llm: 'ipc:ipc' } } }),
        },
      });
      expect([tool.calls[0]?.input, acted.result.content]).to.deep.equal([{ text: 'ipc' }, 'ipc:ipc']);
    });

    it('10: shows a renamed tool under its new name, wherever it ran', async () => {
      const other = scriptedTool({ name: 'other_text', result: 'other: hello' });
      const { frames, hook, tool, acted } = await host({
        replies: say('before_tool', { action: 'modify', call: { tool: 'other_text', arguments: { text: 'hello' } } }),
        options: { observe: ['agent.tool.exec_start', 'agent.tool.exec_end'] },
        tools: [other],
      });
      await hook.stop();
      expect(frames('hook.runtime_event').map(({ params }) => params['payload'].Tool)).to.deep.equal([
        'other_text',
        'other_text',
      ]);
      expect(frames('hook.approve_tool')[0]?.params['tool']).to.equal('other_text');
      expect([tool.calls.length, other.calls.length, acted.result.content]).to.deep.equal([0, 1, 'other: hello']);
    });

    it('11, 23: sends the model the reason of an approver', async () => {
      const { model } = await host({ replies: say('approve_tool', { approved: false, reason: 'blocked' }) });
      const told = model.requests[1]?.messages.at(-1)?.parts[0];
      expect(told?.type === 'toolResult' && told.result.content).to.match(/blocked/);
    });

    it('12, 13, 14: answers instead of the tool, or denies it', async () => {
      const responded = await host({ replies: say('before_tool', { action: 'respond', result: { for_llm: 'stub' } }) });
      expect([responded.acted.outcome, responded.acted.result.content, responded.tool.calls.length]).to.deep.equal([
        'responded',
        'stub',
        0,
      ]);
      const denied = await host({ replies: say('before_tool', { action: 'deny_tool' }) });
      expect(denied.acted.result.content).to.match(/Tool execution denied by hook/);
    });

    it('15: treats a failed delivery as an error, which the model receives', async () => {
      const result = { for_llm: 'drawn', media: ['media://1'], response_handled: true };
      const { acted } = await host({
        replies: say('before_tool', { action: 'respond', result }),
        deliver: () => {
          throw new Error('channel is down');
        },
      });
      expect([acted.result.isError, acted.result.content.includes('channel is down')]).to.deep.equal([true, true]);
    });

    it('16: continues with the model without a delivery port', async () => {
      const result = { for_llm: 'drawn', media: ['media://1'] };
      const { end, model } = await host({ replies: say('before_tool', { action: 'respond', result }) });
      expect([textOf(end?.message as never), model.requests.length]).to.deep.equal(['done', 2]);
    });

    it('17: delivers handled content once, and ends the turn', async () => {
      const delivered: Delivery[] = [];
      const result = { for_llm: 'drawn', for_user: 'here', media: ['https://x.test/a.png'], response_handled: true };
      const { model, end } = await host({
        replies: say('before_tool', { action: 'respond', result }),
        deliver: (delivery) => void delivered.push(delivery),
      });
      expect(delivered.map(({ text, media, run }) => [text, media?.[0]?.url, run.sessionId])).to.deep.equal([
        ['here', 'https://x.test/a.png', 'session-1'],
      ]);
      expect([model.requests.length, end?.outcome]).to.deep.equal([1, 'finished']);
    });

    it('18: skips the remaining calls after an interrupt that follows a respond', async () => {
      const interrupt$ = new Subject<'graceful'>();
      const { all, tool, frames, hook } = await host({
        replies: say('before_tool', { action: 'respond', result: { for_llm: 'stub' } }),
        options: { observe: ['agent.tool.exec_skipped'] },
        hooks: [afterFirst(() => interrupt$.next('graceful'))],
        turns: twoCalls,
        inTurn: true,
        run: { interrupt$ },
      });
      await hook.stop();
      expect(all.map(({ outcome }) => outcome)).to.deep.equal(['responded', 'skipped']);
      expect(tool.calls).to.deep.equal([]);
      expect(frames('hook.before_tool')).to.have.length(1);
      expect(frames('hook.runtime_event').map(({ params }) => params['payload'].Reason)).to.match(/interrupted/);
    });

    it('19: skips the remaining calls after a user message that follows a respond', async () => {
      const steering$ = new Subject<string>();
      const { all, tool, model, frames, hook } = await host({
        replies: say('before_tool', { action: 'respond', result: { for_llm: 'stub' } }),
        options: { observe: ['agent.tool.exec_skipped'] },
        hooks: [afterFirst(() => steering$.next('something else'))],
        turns: twoCalls,
        inTurn: true,
        run: { steering$ },
      });
      await hook.stop();
      expect(all.map(({ outcome }) => outcome)).to.deep.equal(['responded', 'skipped']);
      expect(tool.calls).to.deep.equal([]);
      expect(frames('hook.runtime_event').map(({ params }) => params['payload'].Reason)).to.match(/another message/);
      expect(textOf(model.requests[1]?.messages.at(-1) as never)).to.equal('something else');
    });

    it('20: sends missing arguments as {}, and keeps the message of the model unchanged', async () => {
      const { frames, tool, model } = await host({
        replies: say('before_tool', { action: 'modify', call: { tool: 'echo_text', arguments: { text: 'mine' } } }),
        turns: [{ toolCalls: [{ name: 'echo_text', input: {} }] }, 'done'],
      });
      expect(frames('hook.before_tool')[0]?.params['arguments']).to.deep.equal({});
      expect(tool.calls[0]?.input).to.deep.equal({ text: 'mine' });
      const [call] = model.requests[1]?.messages.flatMap(({ parts }) => parts).filter(isCall) ?? [];
      expect(call?.toolCall.input).to.deep.equal({});
    });

    it('24: resolves the path of a program in a folder relative to the host', async () => {
      const folder = tempFolder('relative');
      const reply = `console.log(JSON.stringify({ id, result: { approved: true, action: 'deny_tool', reason: process.cwd() } }));`;
      const source = `#!${process.execPath}\nrequire('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { const { id } = JSON.parse(line); ${reply} });`;
      writeFileSync(join(folder, 'hook'), source, { mode: 0o755 });
      const { acted } = await host({
        options: { command: ['./hook'], dir: relative(process.cwd(), folder), intercept: ['before_tool'] },
      });
      expect(acted.result.content).to.include(realpathSync(folder));
    });

    it('25, 26: mounts a built-in hook with config and a process with an old name', async () => {
      const scene = processScene({}, {});
      scenes.push(scene);
      const { command, env } = scene.program;
      const hooks = {
        builtins: { security_scan: { enabled: true, config: { known: [{ label: 'door', value: 'open-sesame' }] } } },
        processes: { told: { enabled: true, command, env, observe: ['turn_end'] } },
      };
      const live = await createLiveHooks({ files: [written({ 'c.json': { hooks } })('c.json')] });
      const { pipeline, release } = await live.lease();
      const agent = createAgent({ name: 'main', model: scriptedModel(['say open-sesame']), pipeline });
      const { message } = await agent.call('hello');
      release();
      await live.close();
      expect(textOf(message as Message)).to.match(/^say .*door/);
      expect(scene.frames('hook.runtime_event').map(({ params }) => params['kind'])).to.deep.equal(['agent.turn.end']);
    });

    it('26, 27: accepts old and new event names, mixed', () => {
      expect(() =>
        processHook({
          name: 'h',
          command: ['true'],
          observe: ['turn_end', 'agent.tool.exec_end', 'mcp.tool.call.start', ''],
        }),
      ).not.to.throw();
    });

    it('28: rejects an unknown intercept', () => {
      expect(() => processHook({ name: 'h', command: ['true'], intercept: ['before_dinner' as never] })).to.throw(
        /before_dinner|intercept/,
      );
    });

    it('44: sends the events of a turn with one tool in their order', async () => {
      const { frames, hook } = await host({ options: { intercept: [], observe: ['all'] } });
      // It may still be starting: its notifications are not lost.
      await hook.stop();
      expect(frames('hook.runtime_event').map(({ params }) => params['kind'])).to.deep.equal([
        'agent.turn.start',
        'agent.llm.request',
        'agent.llm.response',
        'agent.tool.exec_start',
        'agent.tool.exec_end',
        'agent.llm.request',
        'agent.llm.response',
        'agent.turn.end',
      ]);
    });
  });

  describe('the table of actions (section 2)', () => {
    for (const method of ['before_llm', 'after_llm'] as const) {
      for (const action of ['respond', 'deny_tool', 'nonsense']) {
        it(`${action} has no effect at ${method}, and a log entry reports it`, async () => {
          const { end, logged } = await host({ replies: say(method, { action, reason: 'x' }) });
          expect(end?.outcome).to.equal('completed');
          expect(logged.join('\n')).to.match(/has no effect|have no effect|which does not exist/);
        });
      }
      for (const action of ['abort_turn', 'hard_abort']) {
        it(`${action} at ${method} ends the run with its reason (23)`, async () => {
          const { end } = await host({ replies: say(method, { action, reason: 'stop here' }) });
          expect([end?.outcome, end?.reason?.includes('stop here')]).to.deep.equal(['aborted', true]);
        });
      }
      for (const [what, reply] of Object.entries({
        'an error': { error: { code: 1, message: 'x' } },
        silence: null,
        death: 'exit',
      })) {
        it(`${what} at ${method} is skipped, because it fails open`, async () => {
          const { end } = await host({ replies: say(method, reply), options: { timeouts: { interceptorMs: 300 } } });
          expect(end?.outcome).to.equal('completed');
        });
      }
    }

    for (const action of ['respond', 'deny_tool', 'nonsense']) {
      it(`${action} has no effect at after_tool`, async () => {
        const { acted } = await host({ replies: say('after_tool', { action, result: { for_llm: 'x' } }) });
        expect(acted.result.content).to.equal('echoed: hello');
      });
    }

    for (const action of ['abort_turn', 'hard_abort']) {
      it(`${action} at before_tool runs nothing`, async () => {
        const { tool, end } = await host({ replies: say('before_tool', { action, reason: 'stop here' }) });
        expect([tool.calls.length, end?.outcome]).to.deep.equal([0, 'aborted']);
      });
    }
  });

  describe('issues that Hookline does not have (section 6)', () => {
    it('1: respond does not bypass approval', async () => {
      const { acted } = await host({
        replies: {
          ...say('before_tool', { action: 'respond', result: { for_llm: 'free' } }),
          ...say('approve_tool', { approved: false, reason: 'no' }),
        },
      });
      expect(acted.outcome).to.equal('denied');
    });

    it('2: respond without a result executes nothing', async () => {
      const { acted, tool } = await host({ replies: say('before_tool', { action: 'respond' }) });
      expect([acted.outcome, tool.calls.length]).to.deep.equal(['denied', 0]);
    });

    it('3: a guard may fail closed', async () => {
      const { acted, tool } = await host({
        replies: say('before_tool', 'exit'),
        options: { onFailure: 'block', intercept: ['before_tool'] },
      });
      expect([acted.outcome, tool.calls.length]).to.deep.equal(['denied', 0]);
    });

    it('6: the environment contains only allowed variables', async () => {
      process.env['HOOKLINE_SPEC_SECRET'] = 'hidden';
      const printed = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { const { id } = JSON.parse(line); console.log(JSON.stringify({ id, result: { approved: true, reason: process.env.HOOKLINE_SPEC_SECRET ?? 'none', action: 'deny_tool' } })); });`;
      const seen = async (inheritEnv: boolean | string[]) => {
        const hook = processHook({
          name: 'h',
          command: [process.execPath, '-e', printed],
          inheritEnv,
          intercept: ['before_tool'],
          timeouts: { helloMs: 60_000, interceptorMs: 60_000 },
        });
        const run = createPipeline([hook]).start({ agent: 'a' });
        const events = await lastValueFrom(run.act({ id: 'c', name: 'x', input: {} }, []).pipe(toArray()));
        await hook.stop();
        return (events.at(-1) as PostActing).result.content;
      };
      expect(await seen(true)).to.match(/hidden/);
      expect(await seen(['PATH'])).to.match(/none/);
      delete process.env['HOOKLINE_SPEC_SECRET'];
    });

    it('10: a hook receives only matching events', async () => {
      const { frames, tool } = await host({
        options: { match: { tools: ['other_*'] }, intercept: ['before_tool', 'approve_tool'] },
      });
      expect(tool.calls).to.have.length(1);
      // It handles none of these events, so it was not started.
      expect(() => frames('hook.before_tool')).to.throw(/ENOENT/);
    });

    it('11: an echo of the answer keeps its tool calls', async () => {
      const first = await host({});
      const response = first.frames('hook.after_llm')[0]?.params['response'];
      const { tool_calls: _, ...rest } = response;
      const echo = await host({ replies: say('after_llm', [{ action: 'modify', response: { response: rest } }]) });
      expect(echo.tool.calls).to.have.length(1);
    });

    it('13: a missing hello ends with the timeout', async () => {
      const hook = processHook({
        name: 'mute',
        command: ['sleep', '300'],
        intercept: ['before_tool'],
        timeouts: { helloMs: 200 },
      });
      const issue = await lastValueFrom(hook.start()).catch((error: Error) => error.message);
      await hook.stop();
      expect(issue).to.match(/did not answer hook\.hello within 200 ms/);
    });

    it('15: a reply without some fields keeps them, unless configured otherwise', async () => {
      const turns = [{ toolCalls: [{ name: 'echo_text', input: { text: 'keep' } }] }, 'done'];
      const merged = await host({
        replies: say('before_tool', { action: 'modify', call: { tool: 'echo_text' } }),
        turns,
      });
      expect(merged.tool.calls[0]?.input).to.deep.equal({ text: 'keep' });
      const replaced = await host({
        replies: say('before_tool', { action: 'modify', call: { tool: 'echo_text' } }),
        options: { dialect: { reply: 'replace' } },
        turns,
      });
      expect(replaced.tool.calls[0]?.input ?? {}).to.deep.equal({});
    });

    it('24: a hook that declines in hello is not used', async () => {
      const { end, logged } = await host({
        replies: { ...say('hello', { ok: false }) },
        options: { intercept: ['before_tool'] },
      });
      expect(end?.outcome).to.equal('completed');
      expect(logged.join('\n')).to.match(/is down/);
    });

    it('28: before and after of one call are linked by its ID', async () => {
      const turns = [
        {
          toolCalls: [
            { name: 'echo_text', input: {} },
            { name: 'echo_text', input: {} },
          ],
        },
        'done',
      ];
      const { frames } = await host({ turns });
      const ids = (method: string) =>
        frames(method)
          .map(({ params }) => params['tool_call_id'])
          .sort();
      expect(ids('hook.before_tool')).to.deep.equal(ids('hook.after_tool'));
      expect(new Set(ids('hook.before_tool')).size).to.equal(2);
    });
  });
});

/*
 * Without a counterpart:
 * - `/btw` (8, 33 to 35, 40 to 42): the specs above verify only the input of its two hooks.
 * - The channel and the topic name of a delivery (17): a host finds them in the run that `deliver` receives.
 * - A built-in hook that is not a kind of the catalogue (25): a host can add it.
 * - Thinking and streaming that a model decides again (31, 32, 36), turn profiles (39), and the evolution bridge (43).
 * - Session summaries (46, 47) and the event bus (48, 49).
 */
