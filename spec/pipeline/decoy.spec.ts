import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { createPipeline, defineHook, defineTool, modify } from '../../lib/index.ts';
import { decoyOf } from '../../lib/pipeline/decoy.ts';
import type { SealOptions } from '../../lib/pipeline/vault.ts';

const token = z.object({ token: z.string() });

async function actWith(inputSchema: z.ZodType, options?: SealOptions): Promise<{ ran: unknown[]; told: string }> {
  const ran: unknown[] = [];
  const tool = defineTool({ name: 'login', description: '', inputSchema, execute: (input) => void ran.push(input) });
  const hook = defineHook({
    name: 'auth',
    on: {
      preActing: (event, { seal }) =>
        modify(event, { toolCall: { ...event.toolCall, input: { token: seal('token', 'Hunter2xyz', options) } } }),
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

describe('a sealed value on which the schema makes demands', () => {
  const starting = z.object({ token: z.string().startsWith('Hunter'), retries: z.coerce.number().default(3) });
  const telling = starting.transform(({ token, retries }) => ({ token, retries, hint: token.slice(0, 6) }));

  it('is refused where no harmless value fits in its place, with the way out, and nothing of it shows', async () => {
    for (const schema of [starting, telling, z.object({ token: z.string().regex(/^Hunter2xyz$/) })]) {
      const { ran, told } = await actWith(schema);
      expect(ran).to.deep.equal([]);
      expect(told).to.include('sealed at token').and.to.include('context.seal(label, value, { decoy })');
      expect(told).not.to.match(/hunter/i);
    }
  });

  it('runs with a decoy that fits, defaults and coercions included', async () => {
    const { ran, told } = await actWith(starting, { decoy: 'Hunter-decoy' });
    expect(ran).to.deep.equal([{ token: 'Hunter2xyz', retries: 3 }]);
    expect(told).to.include('"retries":3').and.not.to.include('Hunter2').and.not.to.include('decoy');
  });

  it('is refused where the schema puts something of it elsewhere, whatever the decoy', async () => {
    const whole = starting.transform(({ token, retries }) => ({ token, retries, hint: token.slice(-3) }));
    const { ran, told } = await actWith(whole, { decoy: 'Hunter-decoy' });
    expect(ran).to.deep.equal([]);
    expect(told).to.include('something made of it').and.not.to.include('xyz');
  });

  it('takes no other option than `decoy`, and only JSON', async () => {
    expect((await actWith(token, { decoi: 'x' } as never)).told).to.include('did you mean \\"decoy\\"');
    expect((await actWith(token, { decoy: () => 'x' } as never)).told).to.include('decoy of \\"token\\"');
  });
});

describe('decoyOf', () => {
  it('changes every text, number and boolean, keeping their shape', () => {
    expect(decoyOf({ b: 'aZ9-', c: [1, { d: true }], e: null })).to.deep.equal({
      b: 'bA0-',
      c: [2, { d: false }],
      e: null,
    });
  });
});
