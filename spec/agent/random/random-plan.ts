import fc from 'fast-check';

const gateBehaviours = [
  'pass',
  'undefined',
  'modify',
  'later',
  'laterEmpty',
  'throw',
  'hang',
  'rubbish',
  'decide',
  'illegal',
  'mutate',
  'forget',
  'calls',
] as const;
const chunkBehaviours = [
  'pass',
  'modify',
  'drop',
  'split',
  'later',
  'throw',
  'hang',
  'rubbish',
  'finish',
  'abort',
  'mutate',
] as const;
const throughBehaviours = ['pass', 'buffer', 'early', 'never', 'throw', 'delay', 'tail'] as const;
const aroundBehaviours = ['pass', 'retry', 'answer', 'timeout', 'throw', 'twice', 'beside', 'race'] as const;
const approveBehaviours = ['approve', 'deny', 'suspend', 'throw', 'hang', 'rubbish', 'later'] as const;
const observeBehaviours = ['record', 'throw', 'slow'] as const;
const toolBehaviours = [
  'value',
  'slow',
  'throw',
  'hang',
  'flood',
  'chunks',
  'result',
  'late_throw',
  'handled',
] as const;
const modelFailures = [...Array<'none'>(8).fill('none'), 'start', 'middle', 'hang', 'rubbish'] as const;
const cancels = ['none', 'none', 'none', 'none', 'unsubscribe', 'signal', 'interrupt', 'graceful', 'steer'] as const;

// If every second hook failed, few runs would reach a tool that reports progress.
const gate = fc.oneof(
  { weight: 3, arbitrary: fc.constant('pass' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...gateBehaviours, 'calls' as const, 'calls' as const) },
);
const chunk = fc.constantFrom(...chunkBehaviours);
const approve = fc.oneof(
  { weight: 3, arbitrary: fc.constant('approve' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...approveBehaviours, 'suspend' as const, 'suspend' as const) },
);
const tool = fc.oneof(
  { weight: 1, arbitrary: fc.constant('chunks' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...toolBehaviours, 'unknown' as const) },
);

const hook = fc.record(
  {
    priority: fc.constantFrom(10, 50, 100, 100, 500),
    onFailure: fc.constantFrom('block' as const, 'skip' as const),
    rare: fc.integer({ min: 1, max: 4 }),
    on: fc.record(
      {
        preCall: gate,
        preReasoning: gate,
        postReasoning: gate,
        preActing: gate,
        postActing: gate,
        postCall: gate,
        error: gate,
        reasoningChunk: chunk,
        actingChunk: chunk,
      },
      { requiredKeys: [] },
    ),
    throughReasoning: fc.constantFrom(...throughBehaviours),
    throughActing: fc.constantFrom(...throughBehaviours),
    aroundReasoning: fc.constantFrom(...aroundBehaviours),
    aroundActing: fc.constantFrom(...aroundBehaviours),
    approve,
    observe: fc.constantFrom(...observeBehaviours),
  },
  { requiredKeys: ['priority', 'onFailure', 'rare'] },
);

const turn = fc.record({
  texts: fc.array(fc.constantFrom('a', 'bc', 'def', ''), { maxLength: 3 }),
  thinking: fc.boolean(),
  calls: fc.array(fc.record({ tool, fits: fc.constantFrom(true, true, true, false) }), { maxLength: 3 }),
  failure: fc.constantFrom(...modelFailures),
  delay: fc.integer({ min: 0, max: 3 }),
});

/** A whole random run as data: model answers, hook and tool behaviour, and outside events. */
export const randomPlan = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  hooks: fc.array(hook, { maxLength: 4 }),
  maxIterations: fc.integer({ min: 1, max: 4 }),
  concurrency: fc.integer({ min: 1, max: 3 }),
  cancel: fc.record({ kind: fc.constantFrom(...cancels), at: fc.integer({ min: 0, max: 12 }) }),
  answers: fc.array(fc.constantFrom('yes' as const, 'no' as const, 'edit' as const, 'none' as const), {
    minLength: 1,
    maxLength: 3,
  }),
});

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type Plan = ValueOf<typeof randomPlan>;
export type HookPlan = Plan['hooks'][number];
export type TurnPlan = Plan['turns'][number];
export type GateBehaviour = (typeof gateBehaviours)[number];
export type ChunkBehaviour = (typeof chunkBehaviours)[number];

/** Every branch of a plan. The runs of the property must have taken them all. */
export const branches: readonly string[] = [
  ...gateBehaviours.map((one) => `gate ${one}`),
  ...chunkBehaviours.flatMap((one) => [`chunk ${one}`, `acting chunk ${one}`]),
  ...['preCall', 'preReasoning', 'postReasoning', 'postCall', 'error'].flatMap((one) => [
    `calls ${one}`,
    `calls ${one} twice`,
  ]),
  ...throughBehaviours.map((one) => `through ${one}`),
  ...aroundBehaviours.map((one) => `around ${one}`),
  ...approveBehaviours.map((one) => `approve ${one}`),
  ...observeBehaviours.map((one) => `observe ${one}`),
  ...toolBehaviours.map((one) => `tool ${one}`),
  ...[...new Set(modelFailures)].map((one) => `model ${one}`),
  ...[...new Set(cancels)].map((one) => `cancel ${one}`),
  ...['yes', 'no', 'edit', 'none'].map((one) => `answer ${one}`),
  ...['completed', 'responded', 'finished', 'suspended', 'exhausted', 'aborted', 'failed', 'cancelled'].map(
    (one) => `outcome ${one}`,
  ),
];
