import { expect } from 'chai';
import { concat, lastValueFrom, NEVER, type Observable, of, throwError, toArray } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { HooklineError } from '../../../lib/errors.ts';
import type { HookEvent } from '../../../lib/events/hook-event.ts';
import type { Permission } from '../../../lib/events/parts/tool-description.ts';
import { type ToolRetryOptions, toolRetry } from '../../../lib/hooks/tool-retry/tool-retry.ts';
import { toolTimeLimit } from '../../../lib/hooks/tool-time-limit/tool-time-limit.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineTool, type ToolItem } from '../../../lib/pipeline/define/tool.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';

const failure = (members: object, message = 'it failed') => Object.assign(new Error(message), members);
const failing = (members: object, message?: string) => throwError(() => failure(members, message));
const good: Observable<ToolItem> = of('good');

interface Scene {
  readonly permission?: Permission;
  readonly random?: () => number;
  readonly more?: Parameters<typeof createPipeline>[0];
}

/** The run times of a tool with these outcomes in order, and the end of the call, in virtual time. */
function call(tries: readonly Observable<ToolItem>[], options: ToolRetryOptions = {}, scene: Scene = {}) {
  const { permission = 'read', random, more = [] } = scene;
  const began: number[] = [];
  const events: HookEvent[] = [];
  const scheduler = new TestScheduler(() => {});
  const lines: string[] = [];
  const warn = (...line: unknown[]) => void lines.push(JSON.stringify(line));
  let ended = '';
  scheduler.run(() => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      inputSchema: { type: 'object' },
      permission,
      execute: () => tries[began.push(scheduler.now()) - 1] ?? of('never'),
    });
    const hook = toolRetry({ jitter: 0, ...options }, random && { random });
    const run = createPipeline([hook, ...more], { scheduler, log: { debug() {}, info() {}, warn, error() {} } }).start({
      agent: 'a',
    });
    run.act({ id: 'c', name: 'work', input: {} }, [tool]).subscribe((event) => {
      events.push(event);
      if (event.type === 'postActing') ended = `${event.outcome}: ${event.result.content}`;
    });
  });
  return { began, ended, events, lines };
}

describe('toolRetry', () => {
  it('retries a transient failure and doubles the wait each time', () => {
    const { began, ended } = call([failing({ status: 503 }), failing({ code: 'ECONNRESET' }), good]);
    expect(began).to.deep.equal([0, 500, 1_500]);
    expect(ended).to.equal('executed: good');
  });

  it('logs the kind of failure, the attempt and the wait, but no text of the tool', () => {
    const said = 'the word of the tool';
    const result = of<ToolItem>({ content: said, isError: true });
    for (const failed of [failing({ status: 503 }, said), result]) {
      const { lines } = call([failed, good], { errorTexts: [said] });
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include('"tool":"work","attempt":1,"why":').and.include('"ms":500');
      expect(lines[0]).to.not.include(said);
    }
  });

  it('fails with the last error after the maximum of attempts', () => {
    const tries = ['one', 'two', 'three'].map((text) => failing({ status: 500 }, text));
    const { began, ended } = call([...tries, good]);
    expect(began).to.have.length(3);
    expect(ended).to.equal('failed: Tool "work" failed: three');
  });

  it('classifies failures by codes, HTTP states and causes', () => {
    const again: [string, object][] = [
      ['timeout', { name: 'TimeoutError' }],
      ['timeout', { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } }],
      ['timeout', { status: 504 }],
      ['network', { cause: { cause: { code: 'EAI_AGAIN' } } }],
      ['rateLimit', { response: { status: 429 } }],
      ['server', { statusCode: 502 }],
      ['other', { status: 404 }],
      ['other', {}],
    ];
    for (const [kind, members] of again) {
      const only = (on: string) => call([failing(members), good], { on: [on as never] }).began.length;
      expect(only(kind), `${kind} ${JSON.stringify(members)}`).to.equal(2);
      for (const other of ['timeout', 'network', 'rateLimit', 'server', 'other'].filter((one) => one !== kind))
        expect(only(other), `${other} for ${JSON.stringify(members)}`).to.equal(1);
    }
  });

  it('reads any thrown value', () => {
    const wicked = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    for (const thrown of ['text', null, undefined, 5, wicked])
      expect(call([throwError(() => thrown), good], { on: ['other'] }).ended, String(typeof thrown)).to.equal(
        'executed: good',
      );
  });

  it('retries a write or external tool only if it is listed', () => {
    for (const permission of ['write', 'external'] as const) {
      const tries = [failing({ status: 503 }), good];
      expect(call(tries, {}, { permission }).ended).to.match(/^failed/);
      expect(call(tries, { tools: ['work'] }, { permission }).ended).to.match(/^failed/);
      expect(call(tries, { repeatable: ['wo*'] }, { permission }).ended).to.equal('executed: good');
    }
    expect(call([failing({ status: 503 }), good], { tools: ['other'] }).ended).to.match(/^failed/);
  });

  it('waits for Retry-After, and does not retry if it exceeds the maximum', () => {
    const told = (value: string) => failing({ status: 429, headers: { 'retry-after': value } });
    expect(call([told('7'), good]).began).to.deep.equal([0, 7_000]);
    expect(call([told(new Date(4_000).toUTCString()), good]).began).to.deep.equal([0, 4_000]);
    expect(call([told('60'), good]).began).to.deep.equal([0]);
    const headers = new Headers({ 'Retry-After': '2' });
    expect(call([failing({ status: 429, response: { headers } }), good]).began).to.deep.equal([0, 2_000]);
  });

  it('waits at most the maximum, minus a jitter', () => {
    const tries = Array.from({ length: 5 }, () => failing({ status: 500 }));
    expect(call(tries, { attempts: 5, maxDelayMs: 900 }).began).to.deep.equal([0, 500, 1_400, 2_300, 3_200]);
    expect(call(tries, { attempts: 3, jitter: 0.5 }, { random: () => 1 }).began).to.deep.equal([0, 250, 750]);
    expect(call(tries, { attempts: 3, jitter: 0.5 }, { random: () => 0 }).began).to.deep.equal([0, 500, 1_500]);
  });

  it('retracts output of a failed attempt and notes the number of runs', () => {
    const { events } = call([concat(of('half'), failing({ status: 503 })), good]);
    const chunks = events.flatMap((event) => (event.type === 'actingChunk' ? [[event.attempt, event.content]] : []));
    expect(chunks.filter(([, content]) => content !== '')).to.deep.equal([
      [1, 'half'],
      [2, 'good'],
    ]);
    const post = events.find((event) => event.type === 'postActing');
    expect(post?.result.content).to.equal('good');
    expect(post?.notes?.map(({ by, code, data }) => ({ by, code, data }))).to.deep.equal([
      { by: 'tool-retry', code: 'tool-retried', data: { times: 2, why: 'server' } },
    ]);
    expect(call([good]).events.at(-1)).not.to.have.property('notes');
  });

  it('retries error results with a configured text and returns the last one', () => {
    const busy = (content: string) => of({ content, isError: true });
    const tries = [busy('busy 1'), busy('busy 2'), busy('busy 3')];
    expect(call(tries, { errorTexts: ['busy'] })).to.include({ ended: 'executed: busy 3' });
    expect(call(tries, { errorTexts: ['busy'] }).began).to.have.length(3);
    expect(call(tries).began).to.have.length(1);
    expect(call([failing({}, 'really busy'), good], { errorTexts: ['busy'] }).ended).to.equal('executed: good');
    expect(call([of({ content: 'busy', isError: false }), good], { errorTexts: ['busy'] }).began).to.have.length(1);
  });

  it('gives each attempt the full time limit', () => {
    const limit = toolTimeLimit({ limits: [{ ms: 100 }] });
    const { began } = call([NEVER, good], { errorTexts: ['[Stopped'], delayMs: 0 }, { more: [limit] });
    expect(began).to.deep.equal([0, 100]);
  });

  it('does not retry an error of the tool definition or the engine', () => {
    const issue = throwError(() => new HooklineError('TOOL_FAILED', 'a result that does not fit'));
    expect(call([issue, good], { on: ['other'] }).began).to.have.length(1);
  });

  it('ends with a cancelled run', () => {
    const scheduler = new TestScheduler(() => {});
    let runs = 0;
    scheduler.run(() => {
      const tool = defineTool({
        name: 'work',
        description: 'Works.',
        inputSchema: { type: 'object' },
        permission: 'read',
        execute: () => {
          runs += 1;
          return failing({ status: 503 });
        },
      });
      const run = createPipeline([toolRetry()], { scheduler }).start({ agent: 'a' });
      const acting = run.act({ id: 'c', name: 'work', input: {} }, [tool]).subscribe();
      scheduler.schedule(() => acting.unsubscribe(), 100);
    });
    expect(runs).to.equal(1);
  });

  it('separates concurrent calls in a real agent', async () => {
    const runs = new Map<string, number>();
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      inputSchema: { type: 'object' },
      permission: 'read',
      execute: (input) => {
        const key = JSON.stringify(input);
        const count = (runs.get(key) ?? 0) + 1;
        runs.set(key, count);
        if (key.includes('1') && count < 3) throw failure({ status: 503 });
        return `done ${key}`;
      },
    });
    const toolCalls = [1, 2].map((n) => ({ name: 'work', input: { n } }));
    const model = scriptedModel([{ toolCalls }, 'done']);
    const agent = createAgent({
      name: 'a',
      model,
      tools: [tool],
      pipeline: createPipeline([toolRetry({ delayMs: 1 })]),
    });
    const events = await lastValueFrom(agent.run('go').pipe(toArray()));
    const ended = events.flatMap((event) => (event.type === 'postActing' ? [event.outcome] : []));
    expect(ended).to.deep.equal(['executed', 'executed']);
    expect([...runs.values()]).to.have.members([3, 1]);
  });

  it('rejects invalid options', () => {
    expect(() => toolRetry({ on: [] }))
      .to.throw('on: must contain a kind of failure')
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => toolRetry({ delayMs: 5, maxDelayMs: 4 })).to.throw('maxDelayMs: must be at least delayMs');
    expect(() => toolRetry({ attempts: 1 })).to.throw(/attempts/);
  });

  it('keeps the hook contract', () => hookContract(toolRetry({ delayMs: 0 })));
});
