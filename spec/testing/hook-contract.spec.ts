import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import {
  bufferCount,
  concat,
  concatMap,
  delay,
  from,
  interval,
  last,
  map,
  NEVER,
  of,
  Subject,
  tap,
  timeout,
  timer,
} from 'rxjs';
import { HooklineError } from '../../lib/errors.ts';
import { deny } from '../../lib/events/decisions/deny.ts';
import { finish } from '../../lib/events/decisions/finish.ts';
import { modify } from '../../lib/events/decisions/modify.ts';
import { textMessage, textOf } from '../../lib/events/parts/messages.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { type Hook, type HookDefinition, verdict } from '../../lib/pipeline/define/hook.ts';
import { anEvent, type HookContractOptions, hookContract, recorder } from '../../lib/testing/index.ts';

const mask = (text: string) => text.replace(/sk-[a-z0-9-]+/g, '[key]');

const good: Record<string, HookDefinition> = {
  'a hook that only watches': { name: 'good', observe: () => {} },
  'an observer that returns promises': { name: 'good', observe: async () => {} },
  'a hook that rewrites, denies and approves': {
    name: 'good',
    idempotent: true,
    on: {
      preReasoning: (event) => modify(event, { options: { ...event.options, temperature: 0 } }),
      preActing: (event) => (event.toolCall.name === 'unknown' ? deny(event, 'unknown') : undefined),
      postActing: (event) => modify(event, { result: { ...event.result, content: mask(event.result.content) } }),
    },
    approve: (event) => (event.permission === 'write' ? verdict.deny('read only') : verdict.allow()),
  },
  'a hook for all events': { name: 'good', on: () => undefined },
  'a chunk handler that drops, splits and finishes': {
    name: 'good',
    on: {
      reasoningChunk: (chunk) =>
        chunk.delta.includes('Zo') ? [chunk, chunk] : chunk.delta === 'play' ? [] : undefined,
      actingChunk: (chunk) => (chunk.content.includes('key') ? finish(chunk) : undefined),
    },
  },
  'operators that hold text back, with the scheduler of the context': {
    name: 'good',
    through: {
      reasoningChunk: (chunks$, { scheduler }) =>
        chunks$.pipe(
          bufferCount(20),
          concatMap((chunks) =>
            of(modify(chunks[0]!, { delta: chunks.map(({ delta }) => delta).join('') })).pipe(delay(5, scheduler)),
          ),
        ),
    },
  },
  'a gate that answers later, in virtual time': {
    name: 'good',
    on: { preCall: (event, { scheduler }) => timer(100, scheduler).pipe(map(() => event)) },
  },
  'handlers that return promises': {
    name: 'good',
    on: {
      preActing: async (event) => modify(event, { toolCall: event.toolCall }),
      reasoningChunk: async () => undefined,
    },
    approve: () => Promise.resolve(verdict.allow()),
  },
  'an Observable made of a promise': { name: 'good', on: { preCall: (event) => from(Promise.resolve(event)) } },
  'a wrapper with a timeout': {
    name: 'good',
    around: {
      reasoning: (_, next, { scheduler }) => next().pipe(timeout({ each: 1_000, scheduler })),
      acting: (_, next) => next(),
    },
  },
};

const bad: [string, RegExp, HookDefinition, HookContractOptions?][] = [
  [
    'changes a read-only field',
    /on\.postActing changes "outcome", but of a postActing event a hook may change only result/,
    {
      name: 'bad',
      on: { postActing: (event) => ({ ...event, outcome: 'executed' as const, durationMs: 7 }) },
    },
  ],
  [
    'adds an unknown field',
    /on\.preCall changes "extra"/,
    {
      name: 'bad',
      on: { preCall: (event) => ({ ...event, extra: 1 }) },
    },
  ],
  [
    'makes an illegal decision',
    /on\.postCall decides "deny".*may decide nothing/,
    {
      name: 'bad',
      on: { postCall: (event) => ({ ...event, decision: { action: 'deny' } }) as never },
    },
  ],
  [
    'forgets to return its decision',
    /on\.preActing .*took a decision but did not return it/,
    {
      name: 'bad',
      on: { preActing: (event) => void deny(event, 'no') },
    },
  ],
  [
    'changes events in place',
    /on\.preCall changes the event that it got in place.*return modify\(event, changes\)/,
    {
      name: 'bad',
      on: { preCall: (event) => void (event.messages as unknown[]).push(textMessage('user', 'x')) },
    },
  ],
  [
    'changes chunks in place',
    /on\.reasoningChunk changes the event that it got in place/,
    {
      name: 'bad',
      on: { reasoningChunk: (chunk) => void Object.assign(chunk, { delta: 'x' }) },
    },
  ],
  [
    'returns a value that is not JSON',
    /on\.preActing gives something that does not survive JSON: toolCall\.input\.at is an instance of Date/,
    {
      name: 'bad',
      on: {
        preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: new Date() as never } } }),
      },
    },
  ],
  [
    'returns another event',
    /on\.preCall .*returned an event of type "postCall"/,
    {
      name: 'bad',
      on: { preCall: () => anEvent.postCall() as never },
    },
  ],
  [
    'returns two events instead of one',
    /more than one event/,
    { name: 'bad', on: { preCall: (event) => of(event, event) } },
  ],
  [
    'throws for an empty list',
    /on\.preCall fails: .*role.*\(with preCall\)/,
    {
      name: 'bad',
      on: { preCall: (event) => (event.messages[0]!.role === 'user' ? undefined : event) },
    },
  ],
  [
    'fails open',
    /on\.reasoningChunk fails: boom/,
    {
      name: 'bad',
      onFailure: 'skip',
      on: {
        reasoningChunk: () => {
          throw new Error('boom');
        },
      },
    },
  ],
  [
    'declares idempotence but is not idempotent',
    /on\.preReasoning is declared idempotent, but applying it twice differs from once: messages\./,
    {
      name: 'bad',
      idempotent: true,
      on: {
        preReasoning: (event) => modify(event, { messages: [...event.messages, textMessage('system', 'Be brief.')] }),
      },
    },
  ],
  [
    'is not idempotent over chunks',
    /on\.reasoningChunk is declared idempotent.*"!Dear.*then "!!Dear/,
    {
      name: 'bad',
      idempotent: true,
      on: { reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: `!${chunk.delta}` })) },
    },
  ],
  [
    'does not survive many chunks',
    /through\.reasoningChunk fails: too many.*10,000 chunks/,
    {
      name: 'bad',
      through: { reasoningChunk: (chunks$) => chunks$.pipe(tap({ next: counter(9_000) })) },
    },
  ],
  [
    'does not survive a large chunk',
    /on\.actingChunk fails: too long.*one chunk of 1 MiB/,
    {
      name: 'bad',
      on: {
        actingChunk: ({ content }) => {
          if (content.length > 1_000_000) throw new Error('too long');
        },
      },
    },
  ],
  [
    'fails on an empty block',
    /through\.reasoningChunk fails: no elements/,
    {
      name: 'bad',
      through: { reasoningChunk: (chunks$) => chunks$.pipe(last()) },
    },
  ],
  [
    'changes other fields of chunks',
    /through\.reasoningChunk changes "part"/,
    {
      name: 'bad',
      through: { reasoningChunk: (chunks$) => chunks$.pipe(map((chunk) => ({ ...chunk, part: 'thinking' as const }))) },
    },
  ],
  [
    'leaves a timer behind',
    /through\.reasoningChunk leaves 1 timer\(s\) on context\.scheduler behind/,
    {
      name: 'bad',
      through: {
        reasoningChunk: (chunks$, { scheduler }) => {
          interval(1_000, scheduler).subscribe();
          return chunks$;
        },
      },
    },
  ],
  [
    'leaves a timer behind when a gate is cancelled',
    /on\.preCall leaves 1 timer.*cancelled/,
    {
      name: 'bad',
      on: {
        preCall: (event, { scheduler }) => {
          const later = new Subject<typeof event>();
          scheduler.schedule(() => {
            later.next(event);
            later.complete();
          }, 10);
          return later;
        },
      },
    },
  ],
  [
    'stays subscribed to its source',
    /through\.actingChunk stays subscribed to its source.*cancelled/,
    {
      name: 'bad',
      through: {
        actingChunk: (chunks$) => {
          const out = new Subject<never>();
          chunks$.subscribe(out as never);
          return out;
        },
      },
    },
  ],
  [
    'stays subscribed to next()',
    /around\.reasoning stays subscribed to its source.*cancelled/,
    {
      name: 'bad',
      around: {
        reasoning: (_, next) => {
          const out = new Subject<never>();
          next().subscribe(out as never);
          return out;
        },
      },
    },
  ],
  [
    'breaks the step that it wraps',
    /around\.acting fails: .*must return an Observable/,
    {
      name: 'bad',
      around: { acting: () => undefined as never },
    },
  ],
  [
    'never answers',
    /on\.preCall fails: .*did not complete within 20 ms/,
    {
      name: 'bad',
      on: { preCall: () => NEVER },
    },
    { timeoutMs: 20 },
  ],
  [
    'never completes',
    /through\.reasoningChunk fails: .*did not complete within 20 ms after its chunks had ended/,
    {
      name: 'bad',
      through: { reasoningChunk: (chunks$) => concat(chunks$, NEVER) },
    },
    { timeoutMs: 20 },
  ],
  [
    'does not approve, deny or suspend',
    /approve fails: .*must give verdict.allow\(\), verdict.deny\(reason\) or verdict.suspend\(prompt\)/,
    {
      name: 'bad',
      approve: () => true as never,
    },
  ],
  [
    'fails as an observer',
    /observe fails: boom/,
    {
      name: 'bad',
      observe: () => {
        throw new Error('boom');
      },
    },
  ],
  ['rejects as an observer', /observe fails: boom/, { name: 'bad', observe: () => Promise.reject(new Error('boom')) }],
  [
    'fails on a given event',
    /on\.postActing fails: boom \(with postActing call_1 executed "trigger"\)/,
    {
      name: 'bad',
      on: {
        postActing: (event) => {
          if (event.result.content === 'trigger') throw new Error('boom');
        },
      },
    },
    { events: [anEvent.postActing('trigger')] },
  ],
  [
    'depends on chunk boundaries',
    /on\.reasoningChunk gives another text when the chunks are cut elsewhere/,
    {
      name: 'bad',
      on: { reasoningChunk: (chunk) => modify(chunk, { delta: mask(chunk.delta) }) },
    },
    { boundaries: true },
  ],
];

bad.push([
  'is never called',
  /on\.preActing has never been tried: its `match` takes none of the sample events/,
  { name: 'bad', match: { tools: ['deploy'] }, on: { preActing: () => undefined } },
]);

function counter(most: number): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > most) throw new Error('too many');
  };
}

describe('hookContract', () => {
  // Timers of earlier specs in this process come and go, and could be attributed to the hook.
  before(async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    // One belongs to mocha itself.
    for (let look = 0; look < 400 && timers() > 1; look++) await pause(25);
  });

  for (const [what, definition] of Object.entries(good)) {
    it(`passes ${what}`, async () => {
      const { issues, hook } = await hookContract(defineHook(definition));
      expect(issues).to.be.empty;
      expect(hook).to.equal('good');
    });
  }

  it('tests a hook for one tool or agent with the given events', async () => {
    const fails = (): never => {
      throw new Error('boom');
    };
    const match = { tools: ['deploy'], agents: ['researcher'] };
    const events = [anEvent.preActing('deploy', { to: 'production' })];
    const careful = defineHook({
      name: 'careful',
      match,
      on: { preActing: () => undefined },
      around: { acting: (_, next) => next() },
    });
    expect((await hookContract(careful, { events })).issues).to.be.empty;
    const broken = defineHook({ name: 'broken', match, on: { preActing: fails }, around: { acting: fails } });
    expect((await failureOf(broken, { events })).message).to.match(
      /on\.preActing fails: boom[\s\S]*around\.acting fails: .*boom/,
    );
  });

  it('passes a recorder', async () => {
    expect((await hookContract(recorder())).issues).to.be.empty;
  });

  it('tests hooks in virtual time, and those with promises in real time', async () => {
    const times = await Promise.all(
      [() => undefined, async () => undefined].map(
        async (preCall) => (await hookContract(defineHook({ name: 'a', on: { preCall } }))).time,
      ),
    );
    expect(times).to.deep.equal(['virtual', 'real']);
  });

  for (const [what, message, definition, options] of bad) {
    it(`detects a hook that ${what}`, async () => {
      expect((await failureOf(defineHook(definition), options)).message).to.match(message);
    });
  }

  it('detects a hook that leaves a real resource open', async () => {
    const left: ReturnType<typeof setTimeout>[] = [];
    const leaky = defineHook({
      name: 'leaky',
      on: {
        preCall: () => {
          // Many, because timers of other specs may end meanwhile, and only the number is known.
          if (left.length === 0) left.push(...Array.from({ length: 50 }, () => setTimeout(() => {}, 60_000)));
        },
      },
    });
    try {
      expect((await failureOf(leaky)).message).to.match(
        /leaves something behind that keeps the process alive \(Timeout\)/,
      );
    } finally {
      left.forEach(clearTimeout);
    }
  });

  it('lists all issues in one error with a report', async () => {
    const awful = defineHook({
      name: 'awful',
      on: {
        preCall: () => 7 as never,
        postReasoning: (event) => ({ ...event, usage: { inputTokens: 0, outputTokens: textOf(event.message).length } }),
      },
    });
    const failure = await failureOf(awful);
    expect(failure.name).to.equal('AssertionError');
    expect(failure.message).to.match(
      /^Hook "awful" does not keep the contract of hooks \(\d+ issues\):\n {2}1\. on\.preCall .*\n {2}2\./,
    );
    expect(failure).to.have.nested.property('report.issues').that.is.an('array').with.length.above(1);
  });
});

async function failureOf(hook: Hook, options?: HookContractOptions): Promise<Error> {
  try {
    await hookContract(hook, options);
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error('nothing was found');
}

describe('input of hookContract', () => {
  const trying = hookContract as (...args: unknown[]) => Promise<unknown>;
  const hook = defineHook({ name: 'good', observe: () => {} });
  const refusalOf = (...args: unknown[]) => trying(...args).catch((thrown: unknown) => thrown);

  for (const [what, given] of Object.entries({
    nothing: undefined,
    'a bare object': {},
    'a name': 'x',
    'a list': [hook],
  })) {
    it(`is rejected if it is ${what}, because nothing would be tested`, async () => {
      expect(await refusalOf(given))
        .to.be.instanceOf(HooklineError)
        .with.property('message')
        .that.matches(/^hookContract\(\): the first argument must be a hook; make it with defineHook\(\)/);
    });
  }

  for (const [what, options, message] of [
    ['unknown options', { turns: 3 }, /turns/],
    ['options that are not an object', 5, /object/],
    ['events that are not a list', { events: 5 }, /events/],
    ['events that are invalid', { events: [{ type: 'preParty' }] }, /must be an event[\s\S]*events\[0\]/],
    ['texts that are not strings', { texts: [1] }, /texts\[0\]/],
    ['a timeout of 0 ms', { timeoutMs: 0 }, /timeoutMs/],
  ] as const) {
    it(`is rejected with ${what}`, async () => {
      expect(await refusalOf(hook, options))
        .to.be.instanceOf(HooklineError)
        .with.property('message')
        .that.matches(/^hookContract\(\): /)
        .and.matches(message);
    });
  }
});
