import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  HookPriority,
  modify,
  pendingCalls,
  systemMessage,
  textOf,
  verdict,
} from 'hookline';
import { recorder, scriptedModel, scriptedTool } from 'hookline/testing';
import { VirtualTimeScheduler } from 'rxjs';
import { play, stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });

describe('AgentScope chapter 16.4 and 16.5: the samples', () => {
  it('16.4.1: the prompt injection hook leads every request, and is not in memory', () => {
    const injection = (prompt: string) =>
      defineHook({
        name: 'prompt-injection',
        on: { preReasoning: (event) => modify(event, { messages: [systemMessage(prompt), ...event.messages] }) },
      });
    const { run, asked, remembered } = stage({
      turns: [{ toolCalls: [call('look')] }, 'done'],
      tools: [scriptedTool({ name: 'look', result: 'seen' })],
      hooks: [injection('Think step by step.')],
    });
    run('go');
    expect([asked(0)[0], asked(1)[0]]).to.deep.equal(['system: Think step by step.', 'system: Think step by step.']);
    expect(asked(1).filter((line) => line.startsWith('system'))).to.have.length(1);
    expect(remembered().join()).not.to.include('step by step');
  });

  it('16.4.2: the tool parameter enhancer, priority 10, adds fields that the model never receives', () => {
    const enhancer = defineHook({
      name: 'enhancer',
      priority: HookPriority.SECURITY,
      on: {
        preActing: (event, { seal }) =>
          modify(event, {
            toolCall: {
              ...event.toolCall,
              input: { ...event.toolCall.input, user_id: 'u-1', auth_token: seal('token', 'secret-token-1') },
            },
          }),
      },
    });
    const tool = scriptedTool({ name: 'orders', result: 'three' });
    const scene = stage({
      turns: [{ toolCalls: [call('orders', { year: 2026 })] }, 'Three.'],
      tools: [tool],
      hooks: [enhancer],
    });
    const played = scene.run('orders?');
    expect(enhancer.priority).to.equal(10);
    expect(tool.calls[0]?.input).to.deep.equal({ year: 2026, user_id: 'u-1', auth_token: 'secret-token-1' });
    expect(scene.remembered()).to.deep.equal([
      'user: orders?',
      'assistant: [orders {"year":2026}]',
      'tool: [three]',
      'assistant: Three.',
    ]);
    expect(JSON.stringify([played.events, scene.model.requests])).not.to.include('secret-token-1');
  });

  it('16.4.3: the sanitisation hook redacts equally for screen, memory and model', () => {
    const sanitize = (text: string) =>
      text
        .replace(/\d{17}[\dXx]/g, '***')
        .replace(/1[3-9]\d{9}/g, '***')
        .replace(/[\w.-]+@[\w.-]+\.[a-zA-Z]{2,}/g, '***@***');
    const sanitization = defineHook({
      name: 'sanitization',
      idempotent: true,
      on: {
        postActing: (event) => modify(event, { result: { ...event.result, content: sanitize(event.result.content) } }),
      },
    });
    const { run, asked, remembered } = stage({
      turns: [{ toolCalls: [call('find')] }, 'found'],
      tools: [scriptedTool({ name: 'find', result: 'a.b@c.org 13912345678 11010519491231002X' })],
      hooks: [sanitization],
    });
    const { events } = run('who?');
    expect(asked(1).at(-1)).to.equal('tool: [***@*** *** ***]');
    expect(remembered()[2]).to.equal('tool: [***@*** *** ***]');
    expect(JSON.stringify(events)).not.to.match(/a\.b@|1391234|1101051949/);
  });

  it('16.5.1: the monitoring hook counts model steps, calls and tokens, and measures the time', () => {
    const report: string[] = [];
    const monitoring = () => {
      const runs = new Map<
        string,
        { started: number; reasonings: number; calls: number; input: number; output: number }
      >();
      return defineHook({
        name: 'monitoring',
        priority: HookPriority.LOGGING,
        observe(event) {
          const { runId } = event.run;
          if (event.type === 'preCall')
            runs.set(runId, { started: event.time, reasonings: 0, calls: 0, input: 0, output: 0 });
          const tally = runs.get(runId);
          if (!tally) return;
          if (event.type === 'preReasoning') tally.reasonings += 1;
          if (event.type === 'preActing') tally.calls += 1;
          if (event.type === 'postReasoning' && event.usage) {
            tally.input += event.usage.inputTokens;
            tally.output += event.usage.outputTokens;
          }
          if (event.type === 'postActing') report.push(`${event.toolCall.name}: ${event.durationMs} ms`);
          if (event.type !== 'postCall') return;
          const { started, reasonings, calls, input, output } = tally;
          runs.delete(runId);
          report.push(
            `${event.time - started} ms, ${reasonings} reasonings, ${calls} calls, ${input} + ${output} = ${input + output}`,
          );
        },
      });
    };
    const scheduler = new VirtualTimeScheduler();
    const model = scriptedModel(
      [
        { toolCalls: [call('look'), call('look')], usage: { inputTokens: 10, outputTokens: 5 } },
        { text: 'done', usage: { inputTokens: 30, outputTokens: 7 } },
      ],
      { delayMs: 100, scheduler },
    );
    const seen = recorder();
    const agent = createAgent({
      name: 'MyAgent',
      model,
      tools: [scriptedTool({ name: 'look', result: 'seen', delayMs: 250, scheduler })],
      pipeline: createPipeline([monitoring(), seen], { scheduler }),
      toolConcurrency: 1,
    });
    agent.run('go').subscribe();
    scheduler.flush();
    expect(report).to.deep.equal(['look: 250 ms', 'look: 250 ms', '800 ms, 2 reasonings, 2 calls, 40 + 12 = 52']);
    expect(seen.of('postCall')[0]?.usage).to.deep.equal({ inputTokens: 40, outputTokens: 12 });
  });

  it('16.5.1: the counts of two simultaneous runs do not mix', () => {
    const counts = new Map<string, number>();
    const counter = defineHook({
      name: 'counter',
      observe: ({ type, run }) => {
        if (type === 'preReasoning') counts.set(run.sessionId, (counts.get(run.sessionId) ?? 0) + 1);
      },
    });
    const { agent } = stage({
      turns: ['one', { toolCalls: [call('look')] }, 'two'],
      tools: [scriptedTool({ name: 'look', result: 'seen' })],
      hooks: [counter],
    });
    play(agent.run('a', { sessionId: 'a' }));
    play(agent.run('b', { sessionId: 'b' }));
    expect([...counts]).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
  });

  describe('16.5.2: the approval hook', () => {
    const sensitive = new Set(['delete_file', 'send_email', 'execute_sql']);
    const approval = (answer: 'y' | 'n' | undefined, shown: string[] = []) =>
      defineHook({
        name: 'approval',
        priority: HookPriority.AUTH,
        approve({ toolCall: { name, input } }) {
          if (!sensitive.has(name)) return verdict.allow();
          shown.push(`${name} ${JSON.stringify(input)}`);
          if (answer === undefined) return verdict.suspend(`Run ${name}?`);
          return answer === 'y' ? verdict.allow() : verdict.deny('the user said no');
        },
      });
    const scene = (answer: 'y' | 'n' | undefined, shown?: string[]) => {
      const tools = ['delete_file', 'read_file'].map((name) => scriptedTool({ name, result: `${name} done` }));
      const turns = [{ toolCalls: [call('delete_file', { path: 'a' }), call('read_file')] }, 'ok'];
      return { tools, ...stage({ turns, tools, hooks: [approval(answer, shown)] }) };
    };

    it('asks with tool and parameters, for sensitive tools only', () => {
      const shown: string[] = [];
      const { run, tools } = scene('y', shown);
      run();
      expect(shown).to.deep.equal(['delete_file {"path":"a"}']);
      expect(tools.map(({ calls }) => calls.length)).to.deep.equal([1, 1]);
    });

    it('prevents a denied call, and the model receives the reason', () => {
      const { run, tools, asked } = scene('n');
      const played = run();
      expect(tools.map(({ calls }) => calls.length)).to.deep.equal([0, 1]);
      expect(played.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied', 'executed']);
      expect(asked(1).at(-1)).to.include('the user said no').and.to.include('read_file done');
    });

    it('works without a terminal: the run is suspended and resumes with the answer', () => {
      const { run, agent, tools } = scene(undefined);
      const { post } = run();
      expect(post.outcome).to.equal('suspended');
      const [pending] = pendingCalls(post.snapshot ?? {});
      expect(pending).to.deep.include({ prompt: 'Run delete_file?', by: 'approval' });
      const resumed = play(agent.resume(post.snapshot ?? {}, { [pending?.key ?? '']: { approved: true } }));
      expect(textOf(resumed.post.message)).to.equal('ok');
      expect(tools.map(({ calls }) => calls.length)).to.deep.equal([1, 1]);
    });
  });
});
