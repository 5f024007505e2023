import { expect } from 'chai';
import { lastValueFrom, toArray, VirtualTimeScheduler } from 'rxjs';
import { z } from 'zod';
import { createPipeline, defineHook, defineTool, modify, type SettledEvent } from '../../lib/index.ts';
import { toInputSchema } from '../../lib/schemas/input-schema.ts';
import { hear } from '../pipeline/scene.ts';

const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 1, value));

async function act(inputSchema: z.ZodType, input = {}): Promise<{ ran: unknown[]; events: SettledEvent[] }> {
  const ran: unknown[] = [];
  const tool = defineTool({ name: 'save', description: '', inputSchema, execute: (given) => void ran.push(given) });
  const run = createPipeline().start({ agent: 'a' });
  return { ran, events: await lastValueFrom(run.act({ id: 'c', name: 'save', input }, [tool]).pipe(toArray())) };
}

describe('a tool with an asynchronous schema', () => {
  const rejections: unknown[] = [];
  const keep = (reason: unknown): void => void rejections.push(reason);
  before(() => process.on('unhandledRejection', keep));
  after(async () => {
    await later(0);
    process.off('unhandledRejection', keep);
    expect(rejections).to.deep.equal([]);
  });

  it('runs with the transformed input if its refinements pass', async () => {
    const schema = z.object({
      name: z.string().refine(async (name) => later(name !== 'taken')),
      id: z
        .string()
        .default('7')
        .transform(async (id) => later(Number(id))),
    });
    const { ran, events } = await act(schema, { name: 'free' });
    expect(ran).to.deep.equal([{ name: 'free', id: 7 }]);
    expect(events.at(-1)).to.include({ type: 'postActing', outcome: 'executed' });
    const refused = await act(schema, { name: 'taken' });
    expect(refused.ran).to.deep.equal([]);
    expect(refused.events.at(-1))
      .to.have.nested.property('result.content')
      .that.matches(/is invalid\. name: /);
  });

  it('is rejected with its own messages', async () => {
    const failing = [
      z.object({
        a: z
          .string()
          .default('x')
          .transform(async () => Promise.reject(new Error('no database'))),
      }),
      z.object({}).refine(async () => Promise.reject(new Error('no database'))),
      z.lazy(() =>
        z.object({
          a: z.array(z.string().refine(async () => Promise.reject(new Error('no database')))).prefault(['x']),
        }),
      ),
    ];
    for (const schema of failing) {
      const { ran, events } = await act(schema);
      expect(ran).to.deep.equal([]);
      expect(events.at(-1)).to.have.nested.property(
        'result.content',
        'Input of tool "save" cannot be used: no database',
      );
      expect(JSON.stringify(events)).not.to.match(/parseAsync|promise/i);
    }
  });

  it('may return promises from functions that are not async', async () => {
    const schema = z.object({ a: z.string().default('x') }).superRefine((_value, context) => {
      return later(undefined).then(() => context.addIssue('taken')) as unknown as undefined;
    });
    for (let round = 0; round < 2; round++) {
      const { events } = await act(schema);
      expect(events.at(-1)).to.have.nested.property('result.content').that.includes('taken');
    }
  });

  it('may be asynchronous through a promise of a plain function, which may reject', async () => {
    const known = (name: string) => later(name !== 'taken') as unknown as boolean;
    const schema = z.object({ name: z.string().refine((name) => known(name)) });
    expect((await act(schema, { name: 'free' })).ran).to.deep.equal([{ name: 'free' }]);
    expect((await act(schema, { name: 'taken' })).ran).to.deep.equal([]);
    const more = z.object({ n: z.number().transform((n) => Promise.resolve(n + 1)) });
    expect((await act(more, { n: 1 })).ran).to.deep.equal([{ n: 2 }]);
    const down = z.object({ name: z.string().refine(() => Promise.reject(new Error('no database')) as never) });
    expect((await act(down, { name: 'free' })).events.at(-1)).to.have.nested.property(
      'result.content',
      'Input of tool "save" cannot be used: no database',
    );
  });

  it('accepts sealed values', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'login',
      description: '',
      inputSchema: z.object({ token: z.string().refine(async (token) => later(token.length > 3)) }),
      execute: ({ token }) => void seen.push(token),
    });
    const auth = defineHook({
      name: 'auth',
      on: {
        preActing: (event, { seal }) =>
          modify(event, { toolCall: { ...event.toolCall, input: { token: seal('token', 'Hunter2xyz') } } }),
      },
    });
    const run = createPipeline([auth]).start({ agent: 'a' });
    const events = await lastValueFrom(run.act({ id: 'c', name: 'login', input: {} }, [tool]).pipe(toArray()));
    expect(seen).to.deep.equal(['Hunter2xyz']);
    expect(JSON.stringify(events)).not.to.include('Hunter');
  });

  it('is rejected in virtual time', () => {
    const scheduler = new VirtualTimeScheduler();
    const tool = defineTool({
      name: 'save',
      description: '',
      inputSchema: z.object({}).refine(async () => true),
      execute: () => 'saved',
    });
    const run = createPipeline([], { scheduler }).start({ agent: 'a' });
    const heard = hear(run.act({ id: 'c', name: 'save', input: {} }, [tool]));
    expect(heard.of('postActing')[0]?.result.content).to.include('asynchronous, which cannot settle in virtual time');
  });

  it('stays synchronous with a synchronous schema, and runs no default twice', () => {
    let made = 0;
    const schema = z.object({ id: z.number().default(() => ++made) });
    expect(toInputSchema(schema).parse({})).to.deep.equal({ success: true, data: { id: 1 } });
  });
});
