// Two copies of the package and both of zod in one process, as a server has them that bundles one and leaves the other outside.
import { createRequire } from 'node:module';
import { from, lastValueFrom, toArray } from 'rxjs';
import { z as esmZod } from 'zod';

const [, , dist, bundle] = process.argv;
const require = createRequire(import.meta.url);
const copies = {
  cjs: { ...require(`${dist}/index.js`), ...require(`${dist}/loops/index.js`) },
  esm: { ...(await import(`${bundle}/index.mjs`)), ...(await import(`${bundle}/loops.mjs`)) },
};
const zods = { cjs: require('zod').z, esm: esmZod };
const found = { zodsDiffer: zods.cjs !== zods.esm, copiesDiffer: copies.cjs.createAgent !== copies.esm.createAgent };
const rejections = [];
process.on('unhandledRejection', (reason) => rejections.push(String(reason)));

const log = { debug() {}, info() {}, warn() {}, error() {} };
/** A model that calls `tool` once, and then says so. */
const calling = (tool, input = {}) => {
  let asked = 0;
  return () => {
    asked += 1;
    return from(
      asked % 2 === 1
        ? [
            { type: 'text', delta: 'so' },
            { type: 'toolCall', toolCall: { id: `c${asked}`, name: tool, input } },
          ]
        : [{ type: 'text', delta: 'done' }],
    );
  };
};
const ends = (events$) => lastValueFrom(events$.pipe(toArray()));

/** A run of `mine` with one tool, with hooks made of `theirs`. */
async function play({
  agentOf,
  pipelineOf = agentOf,
  hooks = [],
  zod = zods.cjs,
  schema = zod.object({}),
  input = {},
}) {
  let ran = 0;
  const tool = agentOf.defineTool({
    name: 't',
    description: '',
    inputSchema: schema,
    execute: (given) => {
      ran += 1;
      return JSON.stringify(given);
    },
  });
  const pipeline = pipelineOf.createPipeline(hooks, { log });
  const agent = agentOf.createAgent({ name: 'a', model: calling('t', input), tools: [tool], pipeline });
  const events = await ends(agent.run('go'));
  return { ran, events, post: events.find(({ type }) => type === 'postActing') };
}

for (const [mine, theirs] of [
  ['cjs', 'esm'],
  ['esm', 'cjs'],
]) {
  const own = copies[mine];
  const other = copies[theirs];
  const to = `${mine} with ${theirs}`;

  const forgets = (on) => [own.defineHook({ name: 'forgets', on })];
  const denied = await play({ agentOf: own, hooks: forgets({ preActing: (event) => void other.deny(event, 'no') }) });
  found[`a deny that is not returned, ${to}`] = [denied.ran, denied.post?.outcome];
  const aborted = await play({
    agentOf: own,
    hooks: forgets({ reasoningChunk: (chunk) => void other.abort(chunk, 'no') }),
  });
  found[`an abort that is not returned, ${to}`] = [aborted.ran, aborted.events.at(-1)?.outcome];

  const seen = [];
  const pipeline = other.createPipeline([], { log });
  pipeline.events$.subscribe((event) => seen.push(event));
  const child = own.createAgent({
    name: 'child',
    model: () => from([{ type: 'text', delta: 'hi' }]),
    pipeline: own.createPipeline([own.defineHook({ name: 'childs', on: () => undefined })], { log }),
  });
  const parent = own.createAgent({
    name: 'parent',
    model: calling('child', { prompt: 'go' }),
    tools: [own.agentTool(child, { description: '' })],
    pipeline,
  });
  const hooks = [own.defineHook({ name: 'of-the-run', on: () => undefined })];
  const events = await ends(parent.run('go', { hooks }));
  found[`events$ of run({ hooks }) and of a sub-agent, ${to}`] = [
    seen.length === events.length,
    seen.some(({ run }) => run.depth === 1),
  ];

  const abort = { action: 'abort', reason: 'no', by: 'h' };
  found[`errors, ${to}`] = [
    new own.HooklineError('HOOK_FAILED', 'x') instanceof other.HooklineError,
    new own.RunAborted(abort) instanceof other.RunAborted,
    new own.RunAborted(abort) instanceof other.HooklineError,
    new own.HooklineError('HOOK_FAILED', 'x') instanceof other.RunAborted,
    new Error('x') instanceof other.HooklineError,
    new own.RunAborted(abort).name,
  ];

  const order = [];
  const store = own.memoryTranscript();
  const slow = (name) => ({
    name,
    model: async function* () {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`${name} ends`);
      yield { type: 'text', delta: 'x' };
    },
    transcript: store,
  });
  await Promise.all([
    ends(own.createAgent(slow('first')).run('go', { sessionId: 's' })),
    ends(other.createAgent(slow('second')).run('go', { sessionId: 's' })),
  ]);
  found[`runs of one session, ${to}`] = order;
}

for (const [copy, own] of Object.entries(copies)) {
  for (const [kind, zod] of Object.entries(zods)) {
    const id = zod.string();
    const schemas = {
      'a promise from refine': [zod.object({ id: id.refine((given) => Promise.resolve(given === 'known')) }), 'known'],
      'a promise that says no': [zod.object({ id: id.refine((given) => Promise.resolve(given === 'known')) }), 'x'],
      'a rejection': [zod.object({ id: id.refine(() => Promise.reject(new Error('no database'))) }), 'x'],
      'a transform': [zod.object({ id: id.transform((given) => Promise.resolve(`${given}!`)) }), 'x'],
      'a misfit': [zod.object({ id }), 7],
    };
    for (const [what, [schema, given]] of Object.entries(schemas)) {
      const { post } = await play({ agentOf: own, schema, input: { id: given } });
      found[`${what}, zod ${kind} with ${copy}`] = post?.result.content;
    }
  }
}
await new Promise((resolve) => setTimeout(resolve, 5));
found.rejections = rejections;
console.log(JSON.stringify(found));
