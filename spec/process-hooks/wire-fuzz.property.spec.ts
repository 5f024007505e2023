import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { createAgent, createPipeline } from 'hookline';
import { processHook } from 'hookline/process-hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { lastValueFrom, toArray } from 'rxjs';

const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;
const STARTS = SOAK ? 1_000 : 100;

/** Actions of a program per request, in order. */
const deeds = [
  'answers',
  'garbage',
  'halfLine',
  'giantLine',
  'wrongId',
  'stringId',
  'duplicate',
  'unasked',
  'wrongTypes',
  'nothing',
  'floodsStderr',
  'closesStdout',
  'diesInMidLine',
  'forksAndDies',
  'error',
  'asksBack',
  'prototype',
  'invalidUtf8',
] as const;
type Deed = (typeof deeds)[number];

const PROGRAM = `
  const plan = JSON.parse(process.env.PLAN);
  const write = (text) => process.stdout.write(text);
  const say = (message) => write(JSON.stringify(message) + '\\n');
  const good = { action: 'continue', approved: true };
  const all = {
    answers: (id) => say({ id, result: good }),
    garbage: (id) => { write('\\u0000{{{ not JSON\\n\\n[]\\n'); say({ id, result: good }); },
    halfLine: (id) => { const line = JSON.stringify({ id, result: good }); write(line.slice(0, 9)); setTimeout(() => write(line.slice(9) + '\\n'), 20); },
    giantLine: (id) => say({ id, result: { approved: true, junk: 'x'.repeat(300000) } }),
    wrongId: (id) => say({ id: id + 1000, result: good }),
    stringId: (id) => say({ id: String(id), result: good }),
    duplicate: (id) => { say({ id, result: good }); say({ id, result: { action: 'deny_tool' } }); },
    unasked: (id) => { for (let one = 1; one < 50; one++) if (one !== id) say({ id: one, result: { approved: true } }); say({ id, result: good }); },
    wrongTypes: (id) => say({ id, result: { action: 7, approved: 'yes', reason: {}, request: { messages: [null, 5, { role: 9 }], tools: 'all', model: 3, options: [] }, response: 4, call: { tool: [], arguments: 'x' }, result: { for_llm: 8, media: [1] } } }),
    nothing: () => {},
    floodsStderr: (id) => { for (let one = 0; one < 2000; one++) process.stderr.write('noise '.repeat(20) + '\\n'); say({ id, result: good }); },
    closesStdout: () => require('node:fs').closeSync(1),
    diesInMidLine: (id) => process.stdout.write('{"id":' + id, () => process.exit(1)),
    forksAndDies: () => { require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' }); setTimeout(() => process.exit(0), 30); },
    error: (id) => say({ id, error: { code: 'x', message: null } }),
    asksBack: (id) => { say({ id: 'own', method: 'host.nonsense', params: 5 }); say({ id, result: good }); },
    prototype: (id) => write('{"id":' + id + ',"result":{"__proto__":{"approved":true},"call":{"__proto__":{"tool":"x"},"arguments":{"__proto__":{"x":1}}}}}\\n'),
    invalidUtf8: (id) => { write(Buffer.from([0xff, 0xfe, 0x0a])); say({ id, result: good }); },
  };
  if (plan.deaf) setInterval(() => {}, 1000);
  else require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined || (method === 'host.nonsense')) return;
    if (method === undefined) return;
    if (method === 'hook.hello' && !plan.hello) return;
    if (method === 'hook.hello') return say({ id, result: {} });
    all[plan.deeds.shift() ?? 'answers'](id);
  });`;

interface Plan {
  readonly deeds: readonly Deed[];
  readonly hello: boolean;
  readonly deaf: boolean;
  readonly onFailure: 'skip' | 'block';
}

const plans: fc.Arbitrary<Plan> = fc.record({
  deeds: fc.array(fc.constantFrom(...deeds), { minLength: 1, maxLength: 8 }),
  hello: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
  deaf: fc.integer({ min: 0, max: 14 }).map((one) => one === 0),
  onFailure: fc.constantFrom('skip' as const, 'block' as const),
});

async function play(plan: Plan): Promise<void> {
  const hook = processHook({
    name: 'fuzz',
    command: [process.execPath, '-e', PROGRAM],
    env: { PLAN: JSON.stringify(plan) },
    intercept: ['before_llm', 'after_llm', 'before_tool', 'after_tool', 'approve_tool'],
    observe: ['*'],
    onFailure: plan.onFailure,
    maxReplyLength: 200_000,
    timeouts: { helloMs: 1_500, interceptorMs: 300, approvalMs: 300 },
  });
  const agent = createAgent({
    name: 'a',
    model: scriptedModel([{ toolCalls: [{ name: 'echo', input: { text: 'x' } }] }, 'done', 'done']),
    tools: [scriptedTool({ name: 'echo', result: 'echoed' })],
    pipeline: createPipeline([hook]),
  });
  const events = await lastValueFrom(agent.run('go').pipe(toArray()));
  const ends = events.filter(({ type }) => type === 'postCall');
  expect(ends).to.have.length(1);
  expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index));
  const calls = events.filter(({ type }) => type === 'preActing').length;
  expect(events.filter(({ type }) => type === 'postActing')).to.have.length(calls);
  await hook.stop();
}

/** Shells that this process started and that still exist, including zombies. Empty if the system cannot list them. */
function childrenOf(parent: number): string[] {
  if (!existsSync('/proc/self/stat')) return [];
  const stats = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && existsSync(`/proc/${entry}/stat`))
    .map((entry) => {
      try {
        return readFileSync(`/proc/${entry}/stat`, 'latin1');
      } catch {
        return '';
      }
    });
  return stats.filter(
    (stat) => stat.includes('(sh)') && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent,
  );
}

/** Long enough for a busy machine. */
const timeouts = { helloMs: 60_000, interceptorMs: 60_000 };

describe('the wire of process hooks', () => {
  it('handles any behaviour of a program without a lost run or a hang beyond the timeout', async () => {
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2 ** 31);
    console.log(`      seed ${seed}`);
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown) => rejected.push(reason);
    process.on('unhandledRejection', onRejection);
    const each: Plan[] = deeds.map((deed) => ({
      deeds: [deed, deed, deed, deed],
      hello: true,
      deaf: false,
      onFailure: 'skip',
    }));
    const special: Plan[] = [
      { deeds: [], hello: false, deaf: false, onFailure: 'block' },
      { deeds: [], hello: true, deaf: true, onFailure: 'skip' },
    ];
    const waiting = [...each, ...special, ...fc.sample(plans, { numRuns: SOAK ? 400 : 15, seed })];
    const lane = async (): Promise<void> => {
      for (let plan = waiting.pop(); plan; plan = waiting.pop()) {
        try {
          await play(plan);
        } catch (thrown) {
          throw new Error(`${JSON.stringify(plan)}: ${thrown instanceof Error ? thrown.message : thrown}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    process.off('unhandledRejection', onRejection);
    expect(rejected).to.deep.equal([]);
  });

  it(`leaves no process, zombie or open handle after ${STARTS} starts and stops`, async () => {
    const reply = `read line; echo '{"id":1,"result":{}}'; cat > /dev/null`;
    const cycle = async (nth: number): Promise<void> => {
      const hook = processHook({ name: `h${nth}`, command: ['sh', '-c', reply], intercept: ['before_tool'], timeouts });
      await lastValueFrom(hook.start(), { defaultValue: undefined });
      await hook.stop();
    };
    await cycle(0);
    const before = process.getActiveResourcesInfo().filter((one) => one !== 'Timeout').length;
    for (let nth = 0; nth < STARTS; nth += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => cycle(nth + index)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(childrenOf(process.pid)).to.deep.equal([]);
    expect(process.getActiveResourcesInfo().filter((one) => one !== 'Timeout').length).to.be.at.most(before);
  });
});
