import { expect } from 'chai';
import fc from 'fast-check';
import {
  createAgent,
  createPipeline,
  defineTool,
  type Model,
  type ModelChunk,
  type SettledEvent,
  textOf,
} from 'hookline';
import { processHook } from 'hookline/process-hooks';
import { lastValueFrom, type Observable, toArray } from 'rxjs';
import { z } from 'zod';

/** Actions of a program per batch of chunks, in order. After the last action it replies normally. */
const deeds = [
  'answers',
  'holdsBack',
  'neverFlushes',
  'late',
  'nothing',
  'twice',
  'twiceOtherwise',
  'forAnother',
  'noMembers',
  'noList',
  'noText',
  'stranger',
  'huge',
  'many',
  'finishes',
  'aborts',
  'finishesNot',
  'error',
  'dies',
  'unasked',
  'hostRubbish',
  'hostFlood',
  'hostStateRubbish',
  'hostNoRun',
  'hostPrototype',
] as const;
type Deed = (typeof deeds)[number];

const PROGRAM = `
  const plan = JSON.parse(process.env.PLAN);
  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
  // All that a program answers bears its mark.
  const marked = (chunks) => chunks.map((text) => '+' + text);
  const same = (id, { chunks }) => say({ id, result: { chunks: marked(chunks) } });
  const held = [];
  const all = {
    answers: same,
    holdsBack: (id, { chunks, last }) => { held.push(...marked(chunks)); say({ id, result: { chunks: last ? held.splice(0) : [] } }); },
    neverFlushes: (id) => say({ id, result: { chunks: [] } }),
    late: (id, params) => setTimeout(() => same(id, params), 700),
    nothing: () => {},
    twice: (id, params) => { same(id, params); same(id, params); },
    twiceOtherwise: (id, params) => { same(id, params); say({ id, result: { abort: 'no' } }); },
    forAnother: (id, params) => same(id + 1, params),
    noMembers: (id) => say({ id, result: {} }),
    noList: (id) => say({ id, result: { chunks: 'text' } }),
    noText: (id) => say({ id, result: { chunks: [null, 5, ['x']] } }),
    stranger: (id, { chunks }) => say({ id, result: { chunks: marked(chunks), action: 'modify' } }),
    huge: (id) => say({ id, result: { chunks: ['x'.repeat(300000)] } }),
    many: (id) => say({ id, result: { chunks: Array.from({ length: 5000 }, () => 'y') } }),
    finishes: (id, { chunks }) => say({ id, result: { chunks: marked(chunks), finish: true } }),
    aborts: (id) => say({ id, result: { abort: 'enough' } }),
    finishesNot: (id, { chunks }) => say({ id, result: { chunks: marked(chunks), finish: 'yes' } }),
    error: (id) => say({ id, error: { code: 1, message: 'no' } }),
    dies: () => process.exit(3),
    unasked: (id, params) => { for (let one = 1; one < 30; one++) if (one !== id) same(one, params); same(id, params); },
    hostRubbish: (id, params) => { for (const method of ['host.log', 'host.state.get', 'host.state.set', 'host.message', 'host.x', 'hook.chunks', '']) for (const given of [null, 5, [], 'x', {}, { run: {} }]) say({ id: 'own', method, params: given }); same(id, params); },
    hostFlood: (id, params) => { for (let one = 0; one < 500; one++) say({ id: 'm' + one, method: 'host.message', params: { run: params.run, text: 'hi' } }); same(id, params); },
    hostStateRubbish: (id, params) => { say({ id: 's', method: 'host.state.set', params: { run: params.run, key: 'k', value: 'x'.repeat(1100000) } }); say({ id: 's', method: 'host.state.set', params: { run: params.run, key: '', value: 1 } }); same(id, params); },
    hostNoRun: (id, params) => { say({ id: 'r', method: 'host.state.get', params: { run: 'gone', key: 'k' } }); same(id, params); },
    hostPrototype: (id, params) => { for (const key of ['__proto__', 'constructor', 'toString']) { process.stdout.write('{"id":"p","method":"host.state.set","params":{"run":' + JSON.stringify(params.run) + ',"key":"' + key + '","value":{"__proto__":{"polluted":true}}}}\\n'); } same(id, params); },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'hook.hello') say({ id, result: { protocol: 2 } });
    if (method === 'hook.chunks') all[plan.deeds.shift() ?? 'answers'](id, params);
  });`;

interface Plan {
  readonly deeds: readonly Deed[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  deeds: fc.array(fc.constantFrom(...deeds), { minLength: 1, maxLength: 6 }),
});

/** Says three words each time, and calls the tool the first time. */
function talker(): Model {
  let asked = 0;
  return async function* (): AsyncGenerator<ModelChunk> {
    asked += 1;
    for (const delta of ['the ', 'secret ', 'word']) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      yield { type: 'text', delta };
    }
    if (asked === 1) yield { type: 'toolCall', toolCall: { id: 'c', name: 'print', input: {} } };
    yield { type: 'finish', finishReason: asked === 1 ? 'toolCalls' : 'stop' };
  };
}

const print = defineTool({
  name: 'print',
  description: 'Prints.',
  inputSchema: z.object({}),
  async *execute() {
    yield 'raw ';
    await new Promise((resolve) => setTimeout(resolve, 3));
    yield 'output';
  },
});

async function play(plan: Plan): Promise<void> {
  const hook = processHook({
    name: 'fuzz',
    command: [process.execPath, '-e', PROGRAM],
    env: { PLAN: JSON.stringify(plan) },
    chunks: ['reasoning', 'acting'],
    maxReplyLength: 200_000,
    message: () => new Promise(() => {}),
    timeouts: { helloMs: 20_000, interceptorMs: 400 },
  });
  await lastValueFrom(hook.start(), { defaultValue: undefined });
  const agent = createAgent({ name: 'a', model: talker(), tools: [print], pipeline: createPipeline([hook]) });
  const events = (await lastValueFrom((agent.run('go') as Observable<SettledEvent>).pipe(toArray()))) as SettledEvent[];
  await hook.stop();
  expect(events.filter(({ type }) => type === 'postCall')).to.have.length(1);
  expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index));
  const calls = events.filter(({ type }) => type === 'preActing').length;
  expect(events.filter(({ type }) => type === 'postActing')).to.have.length(calls);
  for (const event of events)
    for (const text of textsOf(event)) expect(text).not.to.match(/(?<!\+)(the |secret |word|raw |output)/);
}

/** Everything that the program must see first. */
function textsOf(event: SettledEvent): string[] {
  if (event.type === 'reasoningChunk') return [event.delta];
  if (event.type === 'actingChunk') return [event.content];
  if (event.type === 'postReasoning') return [textOf(event.message)];
  return event.type === 'postActing' && !event.result.isError ? [event.result.content] : [];
}

describe('process hooks, protocol 2', () => {
  it('handles any use of chunks and host methods: emits nothing raw and loses no run', async () => {
    const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2 ** 31);
    console.log(`      seed ${seed}`);
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown) => rejected.push(reason);
    process.on('unhandledRejection', onRejection);
    const each: Plan[] = deeds.flatMap((deed) => [{ deeds: [deed] }, { deeds: ['answers', deed, deed] }]);
    const waiting = [...each, ...fc.sample(plans, { numRuns: process.env['HOOKLINE_SOAK'] ? 250 : 8, seed })];
    const lane = async (): Promise<void> => {
      for (let plan = waiting.pop(); plan; plan = waiting.pop()) {
        try {
          await play(plan);
        } catch (thrown) {
          throw new Error(`${JSON.stringify(plan)}: ${thrown instanceof Error ? thrown.message : thrown}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, lane));
    process.off('unhandledRejection', onRejection);
    expect(rejected).to.deep.equal([]);
    expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
  });
});
