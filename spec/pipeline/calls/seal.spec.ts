import { expect } from 'chai';
import { of } from 'rxjs';
import { z } from 'zod';
import { modify } from '../../../lib/events/decisions/modify.ts';
import type { JsonObject, JsonValue } from '../../../lib/events/values/json-value.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, type HookDefinition, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { HookContext } from '../../../lib/pipeline/define/hook-context.ts';
import type { Tool } from '../../../lib/pipeline/define/tool.ts';
import { recorder } from '../../../lib/testing/recorder.ts';
import { callOf, hear, keptLog, start, toolOf } from '../scene.ts';

const SECRET = 's3cr3t-token';

function probe(inputSchema: z.ZodType = z.looseObject({})): { tool: Tool; got: JsonObject[] } {
  const got: JsonObject[] = [];
  const tool = toolOf(
    'probe',
    (input) => {
      got.push(input);
      return 'done';
    },
    { inputSchema },
  );
  return { tool, got };
}

/** A hook that puts a sealed value at `path` of the input. */
const sealer = (at = 'token', value: JsonValue = SECRET, own: Partial<HookDefinition> = {}): Hook =>
  defineHook({
    name: 'sealer',
    on: {
      preActing: (event, context) =>
        modify(event, {
          toolCall: { ...event.toolCall, input: { ...event.toolCall.input, [at]: context.seal('api token', value) } },
        }),
    },
    ...own,
  });
const rewrite = (change: (input: JsonObject) => JsonObject): Hook =>
  defineHook({
    name: 'rewriter',
    on: {
      preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: change(event.toolCall.input) } }),
    },
  });

function act(hooks: readonly Hook[], tool: Tool, input: JsonObject = {}) {
  const { log, lines } = keptLog();
  const seen = recorder();
  const shown: JsonObject[] = [];
  const approver = defineHook({
    name: 'approver',
    approve(event) {
      shown.push(event.toolCall.input);
      return verdict.allow();
    },
  });
  const run = start([...hooks, approver, seen], { log, trace: true });
  const heard = hear(run.act(callOf('probe', input), [tool]));
  const everything = JSON.stringify([heard.events, seen.events, shown, lines, run.state()]);
  return { run, heard, shown, everything, post: heard.of('postActing')[0] };
}

describe('context.seal', () => {
  it('passes the value to execute and the label to everyone else', () => {
    const { tool, got } = probe();
    const { shown, everything, heard } = act([sealer()], tool);
    expect(got).to.deep.equal([{ token: SECRET }]);
    expect(shown[0]?.['token']).to.deep.include({ $sealed: 'api token' });
    expect(heard.of('preActing')[0]?.toolCall.input['token']).to.deep.include({ $sealed: 'api token' });
    expect(heard.of('postActing')[0]?.toolCall.input['token']).to.deep.include({ $sealed: 'api token' });
    expect(everything).not.to.contain(SECRET);
  });

  it('validates the value after unsealing', () => {
    const { tool, got } = probe(z.object({ token: z.string().min(5) }));
    act([sealer()], tool);
    expect(got).to.deep.equal([{ token: SECRET }]);
  });

  it('seals objects, and values at depth', () => {
    const { tool, got } = probe(z.object({ auth: z.object({ user: z.string() }) }));
    const { everything } = act([sealer('auth', { user: SECRET })], tool);
    expect(got).to.deep.equal([{ auth: { user: SECRET } }]);
    expect(everything).not.to.contain(SECRET);
  });

  it('works in an asynchronous handler', async () => {
    const { tool, got } = probe();
    const later = defineHook({
      name: 'later',
      on: {
        preActing: async (event, context) => {
          await Promise.resolve();
          return modify(event, {
            toolCall: { ...event.toolCall, input: { token: context.seal('api token', SECRET) } },
          });
        },
      },
    });
    const { heard } = act([later], tool);
    await heard.ended;
    expect(got).to.deep.equal([{ token: SECRET }]);
  });

  it('lets later handlers keep the placeholder', () => {
    const { tool, got } = probe();
    act([sealer(), rewrite((input) => ({ ...input, more: true }))], tool);
    expect(got).to.deep.equal([{ token: SECRET, more: true }]);
  });

  it('ignores a placeholder that a later handler moved elsewhere', () => {
    const { tool, got } = probe();
    const { everything } = act([sealer(), rewrite(({ token }) => ({ body: token as JsonValue }))], tool);
    expect(got[0]?.['body']).to.deep.include({ $sealed: 'api token' });
    expect(JSON.stringify(got)).not.to.contain(SECRET);
    expect(everything).not.to.contain(SECRET);
  });

  it('ignores a copy of a placeholder next to the real one', () => {
    const { tool, got } = probe();
    act([sealer(), rewrite((input) => ({ ...input, body: input['token'] as JsonValue }))], tool);
    expect(got[0]?.['token']).to.equal(SECRET);
    expect(got[0]?.['body']).to.deep.include({ $sealed: 'api token' });
  });

  it('does not unseal text from a model', () => {
    const { tool, got } = probe();
    const forged = { $sealed: 'api token', nonce: 'guess' };
    act([sealer()], tool, { body: forged });
    expect(got).to.deep.equal([{ body: forged, token: SECRET }]);
  });

  it('does not unseal the placeholder of another call', () => {
    const { tool, got } = probe();
    const placeholders: JsonValue[] = [];
    const first = act([sealer()], tool);
    placeholders.push(first.heard.of('preActing')[0]?.toolCall.input['token'] as JsonValue);
    act([rewrite(() => ({ token: placeholders[0] as JsonValue }))], tool);
    expect(got[1]?.['token']).to.deep.equal(placeholders[0]);
  });

  it('uses a new nonce each time', () => {
    const { tool } = probe();
    const nonces = [1, 2].map(() => (act([sealer()], tool).shown[0] as { token: { nonce: string } }).token.nonce);
    expect(new Set(nonces).size).to.equal(2);
  });

  const misfits: Record<string, z.ZodType> = {
    'a check of its field': z.object({
      token: z.string().refine(() => false, { error: (issue) => `bad ${issue.input}` }),
    }),
    'a check of the whole input': z
      .object({ token: z.string() })
      .refine(() => false, { error: (issue) => `bad ${(issue.input as { token: string }).token}` }),
    'a schema that throws': z.object({
      token: z.string().transform((value) => {
        throw new Error(`cannot read ${value}`);
      }),
    }),
    'a schema of another type': z.object({ token: z.literal('x', { error: (issue) => `not ${issue.input}` }) }),
  };
  for (const [what, schema] of Object.entries(misfits)) {
    it(`names only the path if the sealed value fails ${what}`, () => {
      const { tool, got } = probe(schema);
      const { everything, post } = act([sealer()], tool);
      expect(post?.outcome).to.equal('failed');
      expect(post?.result.content).to.match(/token|sealed/);
      expect(everything).not.to.contain(SECRET);
      expect(got).to.deep.equal([]);
    });
  }

  it('rejects a call if other fields contain the sealed value', () => {
    const { tool, got } = probe();
    const { post } = act([rewrite((input) => ({ ...input, header: `Bearer ${SECRET}` })), sealer()], tool);
    expect(post?.outcome).to.equal('failed');
    expect(got).to.deep.equal([]);
  });

  it('rejects a schema that copies the value to another field', () => {
    const { tool, got } = probe(
      z.object({ token: z.string() }).transform(({ token }) => ({ token, header: `Bearer ${token}` })),
    );
    const { everything, post } = act([sealer()], tool);
    expect(post?.outcome).to.equal('failed');
    expect(everything).not.to.contain(SECRET);
    expect(got).to.deep.equal([]);
  });

  it('rejects a schema that copies a part of a sealed object to another field', () => {
    const { tool } = probe(
      z.looseObject({}).transform((input) => ({ user: (input as { auth: JsonObject })['auth']?.['user'] })),
    );
    const { everything, post } = act([sealer('auth', { user: SECRET })], tool);
    expect(post?.outcome).to.equal('failed');
    expect(everything).not.to.contain(SECRET);
  });

  it('requires a label', () => {
    const { tool } = probe();
    const nameless = defineHook({ name: 'nameless', on: { preActing: (_, context) => void context.seal('', SECRET) } });
    const { everything, heard } = act([nameless], tool);
    expect(heard.of('error')[0]?.error.message).to.match(/requires a label/);
    expect(everything).not.to.contain(SECRET);
  });

  it('accepts only JSON and does not quote rejected values', () => {
    const { tool } = probe();
    const odd = defineHook({
      name: 'odd',
      on: { preActing: (_, context) => void context.seal('x', { when: new Date() } as never) },
    });
    expect(act([odd], tool).heard.of('error')[0]?.error.message).to.match(
      /sealed value "x"\.when is an instance of Date/,
    );
  });

  describe('outside on.preActing', () => {
    const misuse = (own: (use: (context: HookContext) => void) => Partial<HookDefinition>) => {
      let thrown: unknown;
      const use = (context: HookContext) => {
        try {
          context.seal('x', SECRET);
        } catch (error) {
          thrown = error;
        }
      };
      act([defineHook({ name: 'late', ...own(use) })], probe().tool);
      return expect(thrown).to.be.an('error').with.property('code', 'SEAL_MISUSED');
    };

    it('is rejected in postActing', () => {
      misuse((use) => ({ on: { postActing: (_, context) => use(context) } }));
    });

    it('is rejected in an approver, also of a hook that handles preActing', () => {
      misuse((use) => ({
        on: { preActing: () => undefined },
        approve(_, context) {
          use(context);
          return verdict.allow();
        },
      }));
    });

    it('is rejected in an observer', () => {
      misuse((use) => ({ observe: (_, context) => use(context) }));
    });

    it('is rejected in a wrapper', () => {
      misuse((use) => ({
        around: {
          acting(_, next, context) {
            use(context);
            return next();
          },
        },
      }));
    });

    it('is rejected on a context stored after its handler', async () => {
      let kept: HookContext | undefined;
      const keeper = defineHook({
        name: 'keeper',
        on: {
          preActing(_, context) {
            kept = context;
          },
        },
      });
      act([keeper], probe().tool);
      expect(() => kept?.seal('x', SECRET)).to.throw(/works in on\.preActing only/);
    });

    it('is rejected on the stored context of an asynchronous handler', async () => {
      let kept: HookContext | undefined;
      const keeper = defineHook({
        name: 'keeper',
        on: {
          async preActing(_, context) {
            kept = context;
          },
        },
      });
      await act([keeper], probe().tool).heard.ended;
      expect(() => kept?.seal('x', SECRET)).to.throw(/works in on\.preActing only/);
    });

    it('is rejected in a handler of another event while a call is being judged', async () => {
      let thrown: unknown;
      const both = defineHook({
        name: 'both',
        on: {
          preActing: () => undefined,
          preCall: (_, context) => {
            try {
              context.seal('x', SECRET);
            } catch (error) {
              thrown = error;
            }
          },
        },
      });
      const slow = defineHook({ name: 'slow', on: { preActing: async () => undefined } });
      const run = start([both, slow]);
      const heard = hear(run.act(callOf('probe'), [probe().tool]));
      hear(run.begin([]));
      await heard.ended;
      expect(thrown).to.be.an('error').with.property('code', 'SEAL_MISUSED');
    });
  });

  it('keeps the value out of chunks and wrappers', () => {
    const texts: string[] = [];
    const tool = toolOf('probe', () => of('working'));
    const wrapper = defineHook({
      name: 'wrapper',
      around: {
        acting(event, next) {
          texts.push(JSON.stringify(event));
          return next();
        },
      },
      on: { actingChunk: (event) => void texts.push(JSON.stringify(event)) },
    });
    act([sealer(), wrapper], tool);
    expect(texts).to.have.length.greaterThan(1);
    expect(texts.join()).not.to.contain(SECRET);
  });
});
