import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { createPipeline, defineHook, defineTool, modify } from '../../lib/index.ts';
import { withDecoys } from '../../lib/pipeline/decoy.ts';

const token = z.object({ token: z.string() });

async function actWith(inputSchema: z.ZodType): Promise<{ ran: unknown[]; told: string }> {
  const ran: unknown[] = [];
  const tool = defineTool({ name: 'login', description: '', inputSchema, execute: (input) => void ran.push(input) });
  const hook = defineHook({
    name: 'auth',
    on: {
      preActing: (event, { seal }) =>
        modify(event, { toolCall: { ...event.toolCall, input: { token: seal('token', 'Hunter2xyz') } } }),
    },
  });
  const run = createPipeline([hook]).start({ agent: 'a' });
  const events = await lastValueFrom(run.act({ id: 'c', name: 'login', input: {} }, [tool]).pipe(toArray()));
  return { ran, told: JSON.stringify(events) };
}

describe('what a schema makes of a sealed value', () => {
  it('gets to execute where it stays in its place', async () => {
    const { ran, told } = await actWith(token.extend({ token: z.string().trim(), retries: z.number().default(3) }));
    expect(ran).to.deep.equal([{ token: 'Hunter2xyz', retries: 3 }]);
    expect(told).not.to.include('Hunter');
  });

  it('is refused where it would show: encoded, cut or moved', async () => {
    const encoded = token.transform(({ token }) => ({ token, header: `Basic ${btoa(token)}` }));
    const cut = token.transform(({ token }) => ({ token, pin: token.slice(0, 3) }));
    const moved = token.transform(({ token }) => ({ password: token.toUpperCase() }));
    for (const schema of [encoded, cut, moved]) {
      const { ran, told } = await actWith(schema);
      expect(ran).to.deep.equal([]);
      expect(told).to.include('something made of it').and.not.to.include(btoa('Hunter2xyz')).and.not.to.match(/hun/i);
    }
  });
});

describe('withDecoys', () => {
  it('changes the sealed places and nothing else, keeping their shape', () => {
    const value = { a: 'aZ9-', b: 'aZ9-', c: [1, { d: true }] };
    const sealed = new Map([
      ['/a', {}],
      ['/c/1', {}],
    ]);
    expect(withDecoys(value, '', sealed)).to.deep.equal({ a: 'bA0-', b: 'aZ9-', c: [1, { d: false }] });
  });
});
