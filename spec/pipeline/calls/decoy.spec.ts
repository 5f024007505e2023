import { expect } from 'chai';
import { lastValueFrom, toArray } from 'rxjs';
import { z } from 'zod';
import { createPipeline, defineHook, defineTool, type JsonValue, modify } from '../../../lib/index.ts';
import { decoyOf } from '../../../lib/pipeline/calls/vault.ts';
import type { SealOptions } from '../../../lib/pipeline/define/hook-context.ts';

const token = z.object({ token: z.string() });

async function actWith(
  inputSchema: z.ZodType,
  options?: SealOptions,
  value: JsonValue = 'Hunter2xyz',
): Promise<{ ran: unknown[]; told: string }> {
  const ran: unknown[] = [];
  const tool = defineTool({ name: 'login', description: '', inputSchema, execute: (input) => void ran.push(input) });
  const hook = defineHook({
    name: 'auth',
    on: {
      preActing: (event, { seal }) =>
        modify(event, { toolCall: { ...event.toolCall, input: { token: seal('token', value, options) } } }),
    },
  });
  const run = createPipeline([hook]).start({ agent: 'a' });
  const events = await lastValueFrom(run.act({ id: 'c', name: 'login', input: {} }, [tool]).pipe(toArray()));
  return { ran, told: JSON.stringify(events) };
}

describe('schema output with a sealed value', () => {
  it('reaches execute if the value stays in place', async () => {
    const { ran, told } = await actWith(token.extend({ token: z.string().trim(), retries: z.number().default(3) }));
    expect(ran).to.deep.equal([{ token: 'Hunter2xyz', retries: 3 }]);
    expect(told).not.to.include('Hunter');
  });

  it('is rejected if the value is encoded, cut or moved', async () => {
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

describe('a sealed value without Latin text', () => {
  const values = ['пароль-тайна', '密码本子', 'tajný-žluťoučký', 'πρόσβαση', '!!--##', '🔑🔒', 1e17, Number.MAX_VALUE];
  for (const value of values) {
    it(`is not revealed by the output of a schema: ${value}`, async () => {
      const any = z.object({ token: z.union([z.string(), z.number()]) });
      const hashed = any.transform(({ token }) => ({ token, mark: [...`${token}`].map((one) => one.codePointAt(0)) }));
      const { ran, told } = await actWith(hashed, undefined, value);
      expect(ran).to.deep.equal([]);
      expect(told)
        .to.include('something made of it')
        .and.not.to.include([...`${value}`].map((one) => one.codePointAt(0)).join());
      expect((await actWith(any, undefined, value)).ran).to.deep.equal([{ token: value }]);
    });
  }
});

describe('schema messages about another field', () => {
  const wide = token.extend({ port: z.number().default(1) });
  const saying = (issue: (secret: string) => { path: string[]; message: string } | undefined) =>
    wide.superRefine(({ token }, context) => {
      const found = issue(token);
      if (found) context.addIssue({ code: 'custom', ...found });
    });
  const quoting: Record<string, z.ZodType> = {
    'quotes the value': saying((secret) => ({ path: ['port'], message: `not for ${secret}` })),
    'quotes a part of it': saying((secret) => ({ path: ['port'], message: `not for ${secret.slice(0, 6)}` })),
    'names it in the path': saying((secret) => ({ path: [secret], message: 'is odd' })),
    'reveals how it begins': saying((secret) =>
      secret.startsWith('Hunter') ? { path: ['port'], message: 'begins as a hunter' } : undefined,
    ),
  };
  for (const [what, schema] of Object.entries(quoting)) {
    it(`are hidden if the schema ${what}`, async () => {
      const { ran, told } = await actWith(schema);
      expect(ran).to.deep.equal([]);
      expect(told)
        .to.include('a field with a sealed value is invalid')
        .and.not.to.match(/hunter/i);
    });
  }

  it('are kept if they are unrelated to the sealed value', async () => {
    const { told } = await actWith(wide.extend({ port: z.number({ error: 'a port is needed' }) }));
    expect(told).to.include('port: a port is needed');
  });

  it('do not reveal the keys of a sealed object', async () => {
    const schema = z.object({ token: z.record(z.string(), z.number()) });
    const { told } = await actWith(schema, undefined, { Hunter2xyz: 'x' });
    expect(told).to.include('token: the sealed value is invalid').and.not.to.include('Hunter');
  });
});

describe('a sealed value with schema constraints', () => {
  const starting = z.object({ token: z.string().startsWith('Hunter'), retries: z.coerce.number().default(3) });
  const telling = starting.transform(({ token, retries }) => ({ token, retries, hint: token.slice(0, 6) }));

  it('is rejected without revealing it if no decoy matches, and the message names the fix', async () => {
    for (const schema of [starting, telling, z.object({ token: z.string().regex(/^Hunter2xyz$/) })]) {
      const { ran, told } = await actWith(schema);
      expect(ran).to.deep.equal([]);
      expect(told).to.include('sealed at token').and.to.include('context.seal(label, value, { decoy })');
      expect(told).not.to.match(/hunter/i);
    }
  });

  it('runs with a matching decoy, defaults and coercions included', async () => {
    const { ran, told } = await actWith(starting, { decoy: 'Hunter-decoy' });
    expect(ran).to.deep.equal([{ token: 'Hunter2xyz', retries: 3 }]);
    expect(told).to.include('"retries":3').and.not.to.include('Hunter2').and.not.to.include('decoy');
  });

  it('is rejected for any decoy if the schema copies a part of it elsewhere', async () => {
    const whole = starting.transform(({ token, retries }) => ({ token, retries, hint: token.slice(-3) }));
    const { ran, told } = await actWith(whole, { decoy: 'Hunter-decoy' });
    expect(ran).to.deep.equal([]);
    expect(told).to.include('something made of it').and.not.to.include('xyz');
  });

  it('cannot be its own decoy', async () => {
    expect((await actWith(token, { decoy: 'Hunter2xyz' })).told).to.include('is the value itself');
  });

  it('accepts only the option `decoy`, and only JSON', async () => {
    expect((await actWith(token, { decoi: 'x' } as never)).told).to.include('did you mean \\"decoy\\"');
    expect((await actWith(token, { decoy: () => 'x' } as never)).told).to.include('decoy of \\"token\\"');
  });
});

describe('decoyOf', () => {
  it('changes every text, number and boolean but keeps their shape', () => {
    expect(decoyOf({ b: 'aZ9-', c: [1, { d: true }], e: null })).to.deep.equal({
      b: 'bA0-',
      c: [2, { d: false }],
      e: null,
    });
  });
});
