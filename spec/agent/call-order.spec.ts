import { expect } from 'chai';
import fc from 'fast-check';
import { delay, of } from 'rxjs';
import { z } from 'zod';
import {
  abort,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type Hook,
  HooklineError,
  modify,
  type Permission,
  type SettledEvent,
  verdict,
} from '../../lib/index.ts';
import { marbles } from '../../lib/testing/index.ts';

interface Plan {
  readonly permission: Permission;
  readonly parallel?: boolean;
  readonly ms: number;
  /** The other tool to which a hook rewrites the call. */
  readonly turned?: Permission;
}

type Span = readonly [begin: number, end: number];

/** The execution span of each call of one message, in virtual time. */
function executed(plans: readonly Plan[], own: { toolConcurrency?: number; parallel?: 'reads' | 'all' } = {}): Span[] {
  const spans: Span[] = [];
  marbles(({ scheduler, agent }) => {
    const toolOf = (name: string, { permission, parallel, ms }: Omit<Plan, 'turned'>, place: number) =>
      defineTool({
        name,
        description: '',
        permission,
        ...(parallel !== undefined && { parallel }),
        inputSchema: z.object({}),
        execute() {
          const begin = scheduler.now();
          return of('done')
            .pipe(delay(ms, scheduler))
            .pipe((source$) => {
              source$.subscribe(() => {
                spans[place] = [begin, scheduler.now()];
              });
              return source$;
            });
        },
      });
    const tools = plans.flatMap((plan, place) => [
      toolOf(`named_${place}`, plan, place),
      ...(plan.turned ? [toolOf(`turned_${place}`, { permission: plan.turned, ms: plan.ms }, place)] : []),
    ]);
    const turning: Hook = defineHook({
      name: 'turning',
      on: {
        preActing(event) {
          const name = event.toolCall.name.replace('named', 'turned');
          return tools.some((tool) => tool.name === name)
            ? modify(event, { toolCall: { ...event.toolCall, name } })
            : undefined;
        },
      },
    });
    const busy = agent({
      model: [{ toolCalls: plans.map((_, place) => ({ name: `named_${place}`, input: {} })) }, 'ok'],
      tools,
      hooks: [turning],
      ...own,
    });
    busy.run('go').subscribe();
  });
  return spans;
}

const read = (ms: number): Plan => ({ permission: 'read', ms });
const write = (ms: number): Plan => ({ permission: 'write', ms });

describe('the calls of one message', () => {
  it('run concurrently if they only read', () => {
    expect(executed([read(3), read(2), read(1)])).to.deep.equal([
      [0, 3],
      [0, 2],
      [0, 1],
    ]);
  });

  it('wait for earlier calls and block later ones if they write or are external', () => {
    expect(executed([read(3), write(2), read(1), { permission: 'external', ms: 4 }, read(1)])).to.deep.equal([
      [0, 3],
      [3, 5],
      [5, 6],
      [6, 10],
      [10, 11],
    ]);
  });

  it('run concurrently for a tool with `parallel: true`, for any permission', () => {
    const beside: Plan = { permission: 'external', parallel: true, ms: 3 };
    expect(executed([beside, beside, read(1)])).to.deep.equal([
      [0, 3],
      [0, 3],
      [0, 1],
    ]);
  });

  it('run alone for a read tool with `parallel: false`', () => {
    expect(executed([read(3), { permission: 'read', parallel: false, ms: 1 }])).to.deep.equal([
      [0, 3],
      [3, 4],
    ]);
  });

  it('wait before execution if a hook rewrites them to writing ones', () => {
    expect(executed([read(3), { permission: 'read', turned: 'write', ms: 2 }, read(4)])).to.deep.equal([
      [0, 3],
      [3, 5],
      [5, 9],
    ]);
  });

  it('run concurrently with `parallel: "all"`, up to `toolConcurrency`', () => {
    expect(executed([write(3), write(3), write(3)], { parallel: 'all', toolConcurrency: 2 })).to.deep.equal([
      [0, 3],
      [0, 3],
      [3, 6],
    ]);
  });

  it('all run, within the concurrency limit, and exclusive ones run alone', () => {
    const plan = fc.record<Plan>({
      permission: fc.constantFrom<Permission>('read', 'read', 'write', 'external'),
      ms: fc.nat(5),
      ...({ turned: fc.option(fc.constantFrom<Permission>('read', 'write'), { nil: undefined }) } as object),
    });
    fc.assert(
      fc.property(
        fc.array(plan, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (plans, toolConcurrency) => {
          const spans = executed(plans, { toolConcurrency });
          expect(spans.filter(Boolean)).to.have.length(plans.length);
          const alone = ({ permission, turned }: Plan) => (turned ?? permission) !== 'read';
          for (const [a, [begin, end]] of spans.entries()) {
            const others = spans.filter(([from, to], b) => b !== a && from < end && to > begin);
            if (alone(plans[a] as Plan)) expect(others).to.deep.equal([]);
            expect(others.length).to.be.lessThan(Math.max(1, toolConcurrency * 2));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('stay denied when another one ends the run', async () => {
    const events: SettledEvent[] = [];
    marbles(({ agent, tool, scheduler }) => {
      const slow = defineHook({
        name: 'slow',
        on: { postActing: (event) => (event.outcome === 'denied' ? of(event).pipe(delay(9, scheduler)) : undefined) },
      });
      const busy = agent({
        model: [{ toolCalls: ['bad', 'stop'].map((name) => ({ name, input: {} })) }],
        tools: [tool({ name: 'bad', result: '' }), tool({ name: 'stop', result: '', delayMs: 2 })],
        parallel: 'all',
        hooks: [
          slow,
          defineHook({ name: 'no', match: { tools: ['bad'] }, approve: () => verdict.deny('no') }),
          defineHook({
            name: 'end',
            match: { tools: ['stop'] },
            on: { postActing: (event) => abort(event, 'enough') },
          }),
        ],
      });
      busy.run('go').subscribe((event) => events.push(event));
    });
    const outcomes = events.flatMap((event) =>
      event.type === 'postActing' ? [`${event.toolCall.name} ${event.outcome}`] : [],
    );
    expect(outcomes.sort()).to.deep.equal(['bad denied', 'stop executed']);
  });

  it('accept no other string for `parallel`', () => {
    const model = () => of();
    expect(() => createAgent({ name: 'a', model, parallel: 'some' as never, pipeline: createPipeline() }))
      .to.throw(HooklineError, /parallel/)
      .with.property('code', 'OPTIONS_INVALID');
  });
});
