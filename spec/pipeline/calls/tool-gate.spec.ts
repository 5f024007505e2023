import { expect } from 'chai';
import { z } from 'zod';
import { deny } from '../../../lib/events/decisions/deny.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import type { EventOf } from '../../../lib/events/hook-event.ts';
import type { ToolCall } from '../../../lib/events/parts/tool-call.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Approver, type Hook, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool, type Tool } from '../../../lib/pipeline/define/tool.ts';
import { callOf, hear, start, toolOf } from '../scene.ts';

type PreActing = EventOf<'preActing'>;

/** A tool that records its inputs. */
function probe(name = 'probe', own: Partial<Tool> = {}): { tool: Tool; got: unknown[] } {
  const got: unknown[] = [];
  const tool = toolOf(
    name,
    (input) => {
      got.push(input);
      return 'done';
    },
    own,
  );
  return { tool, got };
}

const rewriter = (change: (call: ToolCall) => Partial<ToolCall>, name = 'rewriter'): Hook =>
  defineHook({
    name,
    on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, ...change(event.toolCall) } }) },
  });
const judge = (approve: Approver, name = 'judge'): Hook => defineHook({ name, approve });

function act(hooks: readonly Hook[], toolCall: ToolCall, tools: readonly Tool[]) {
  const run = start(hooks);
  const heard = hear(run.act(toolCall, tools));
  return { run, heard, pre: heard.of('preActing')[0], post: heard.of('postActing')[0] };
}

describe('the tool gate', () => {
  it('resolves the tool by the name after all handlers', () => {
    const [dry, wet] = [probe('dry', { permission: 'read' }), probe('wet', { permission: 'write' })];
    const { pre, post } = act([rewriter(() => ({ name: 'dry' }))], callOf('wet'), [wet.tool, dry.tool]);
    expect(wet.got).to.deep.equal([]);
    expect(dry.got).to.deep.equal([{}]);
    expect(pre).to.deep.include({ permission: 'read', description: 'dry.' });
    expect(post).to.deep.include({ permission: 'read', outcome: 'executed' });
  });

  it('shows later handlers the permission of the rewritten tool', () => {
    const seen: string[] = [];
    const guard = defineHook({ name: 'guard', on: { preActing: (event) => void seen.push(event.permission) } });
    act([rewriter(() => ({ name: 'wet' })), guard], callOf('dry'), [
      probe('dry', { permission: 'read' }).tool,
      probe('wet', { permission: 'write' }).tool,
    ]);
    expect(seen).to.deep.equal(['write']);
  });

  it('passes a schema a copy that it may mutate', () => {
    const untidy = z.preprocess(
      (input) => Object.assign(input as object, { n: 7 }),
      z.object({
        n: z.number(),
        deep: z.preprocess((deep) => Object.assign(deep as object, { m: 8 }), z.looseObject({})),
      }),
    );
    const { tool, got } = probe('probe', { inputSchema: untidy as never });
    const call = callOf('probe', { n: '7', deep: {} });
    expect(act([], call, [tool]).post).to.deep.include({ outcome: 'executed' });
    expect(got).to.deep.equal([{ n: 7, deep: { m: 8 } }]);
    expect(call.input).to.deep.equal({ n: '7', deep: {} });
  });

  it('applies the schema with its coercions after rewrites, and shows approvers the result', () => {
    const shown: unknown[] = [];
    const inputSchema = z.object({ n: z.coerce.number(), unit: z.string().default('m') });
    const { tool, got } = probe('probe', { inputSchema: inputSchema as never });
    const approver = judge((event) => {
      shown.push(event.toolCall.input);
      return verdict.allow();
    });
    const { pre, post } = act([rewriter(() => ({ input: { n: '7', dropped: true } })), approver], callOf('probe'), [
      tool,
    ]);
    expect(shown).to.deep.equal([{ n: 7, unit: 'm' }]);
    expect(got).to.deep.equal(shown);
    expect(pre?.toolCall.input).to.deep.equal(shown[0]);
    expect(post?.toolCall.input).to.deep.equal(shown[0]);
  });

  it('runs only the shown input if a hook keeps a reference', () => {
    const own: JsonObject = { n: 1 };
    const shown: unknown[] = [];
    const keeper = defineHook({
      name: 'keeper',
      on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: own } }) },
      approve(event) {
        shown.push(JSON.stringify(event.toolCall.input));
        (own as { n: number }).n = 666;
        return verdict.allow();
      },
    });
    const { tool, got } = probe();
    act([keeper], callOf('probe'), [tool]);
    expect(shown).to.deep.equal(['{"n":1}']);
    expect(got).to.deep.equal([{ n: 1 }]);
  });

  it('runs only the shown input if the caller keeps a reference', async () => {
    const input = { n: 1 };
    const waits = judge(async () => {
      try {
        input.n = 666;
      } catch {
        // Frozen is equally safe.
      }
      return verdict.allow();
    });
    const { tool, got } = probe();
    const { heard } = act([waits], callOf('probe', input), [tool]);
    await heard.ended;
    expect(got).to.deep.equal([{ n: 1 }]);
  });

  it('runs only the shown input if the schema leaks a reference', async () => {
    const leaked: { n: number }[] = [];
    const inputSchema = z.object({ n: z.number() }).transform((value) => {
      leaked.push(value);
      return value;
    });
    const { tool, got } = probe('probe', { inputSchema: inputSchema as never });
    const waits = judge(async () => {
      for (const value of leaked) value.n = 666;
      return verdict.allow();
    });
    const { heard } = act([waits], callOf('probe', { n: 1 }), [tool]);
    await heard.ended;
    expect(got).to.deep.equal([{ n: 1 }]);
  });

  it('passes execute a frozen input', () => {
    const { tool, got } = probe();
    act([], callOf('probe', { deep: { n: 1 } }), [tool]);
    expect(Object.isFrozen(got[0])).to.equal(true);
    expect(Object.isFrozen((got[0] as { deep: object }).deep)).to.equal(true);
  });

  const getter = () => ({
    get n() {
      return 1;
    },
  });
  const rubbish: Record<string, () => object> = {
    'a function': () => ({ n: () => 1 }),
    'a getter': getter,
    'a class instance': () => ({ when: new Date(0) }),
    'a map': () => ({ n: new Map([['n', 1]]) }),
    NaN: () => ({ n: Number.NaN }),
    'a bigint': () => ({ n: 1n }),
    'a circular reference': () => {
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      return circle;
    },
  };
  for (const [what, input] of Object.entries(rubbish)) {
    it(`rejects ${what} in an input that a handler rewrote`, () => {
      const { tool, got } = probe();
      const { post } = act([rewriter(() => ({ input: input() as JsonObject }))], callOf('probe'), [tool]);
      expect(post?.outcome).to.equal('denied');
      expect(got).to.deep.equal([]);
    });

    it(`rejects ${what} in an input of the caller`, () => {
      const { tool, got } = probe();
      const { heard, post } = act([], callOf('probe', input() as JsonObject), [tool]);
      expect(heard.error).to.equal(undefined);
      expect(post).to.include({ outcome: 'failed' });
      expect(post?.result.isError).to.equal(true);
      expect(got).to.deep.equal([]);
    });

    it(`rejects ${what} in the output of a schema`, () => {
      if (what === 'a getter') return;
      const { tool, got } = probe('probe', { inputSchema: z.looseObject({}).transform(() => input()) as never });
      const { post } = act([], callOf('probe'), [tool]);
      expect(post).to.include({ outcome: 'failed' });
      expect(post?.result.content).to.match(/cannot be used|is invalid/);
      expect(got).to.deep.equal([]);
    });
  }

  it('prevents a getter from showing one input and running another', () => {
    let reads = 0;
    const input = Object.defineProperty({}, 'n', { enumerable: true, get: () => (reads++ === 0 ? 1 : 666) });
    const { tool, got } = probe();
    act([], callOf('probe', input as JsonObject), [tool]);
    expect(got).to.deep.equal([]);
    expect(reads).to.equal(0);
  });

  it('fails a call to an unknown tool and lists the available tools', () => {
    const { heard, pre, post } = act([], callOf('prob'), [probe().tool, probe('other').tool]);
    expect(pre).to.include({ permission: 'external', description: '' });
    expect(post).to.include({ outcome: 'failed', permission: 'external' });
    expect(post?.result).to.deep.equal({ content: 'There is no tool "prob". Tools: probe, other.', isError: true });
    expect(heard.of('error')).to.deep.equal([]);
  });

  it('fails a call with an invalid input and names the field', () => {
    const { tool, got } = probe('probe', { inputSchema: z.object({ at: z.object({ line: z.number() }) }) as never });
    let asked = false;
    const approver = judge(() => {
      asked = true;
      return verdict.allow();
    });
    const { heard, post } = act([approver], callOf('probe', { at: { line: 'x' } }), [tool]);
    expect(post?.outcome).to.equal('failed');
    expect(post?.result.content).to.match(/^The input of tool "probe" is invalid\. at\.line: /);
    expect(heard.of('error')).to.deep.equal([]);
    expect([got, asked]).to.deep.equal([[], false]);
  });

  it('fails a call whose arguments the provider could not parse as an object', () => {
    const { tool, got } = probe();
    const { post } = act([], { ...callOf('probe'), inputError: 'Unexpected end of JSON input' }, [tool]);
    expect(post?.outcome).to.equal('failed');
    expect(post?.result.content).to.contain('Unexpected end of JSON input');
    expect(got).to.deep.equal([]);
  });

  it('runs tools of hooks like any other', () => {
    const { tool, got } = probe('brought');
    const bringer = defineHook({ name: 'bringer', tools: [tool] });
    expect(act([bringer], callOf('brought'), []).post?.outcome).to.equal('executed');
    expect(got).to.deep.equal([{}]);
  });

  it('shows approvers the changes of later handlers, unlike a guard on preActing', () => {
    const guard = defineHook({
      name: 'guard',
      priority: 10,
      on: {
        preActing: (event) => (String(event.toolCall.input['command']).includes('rm') ? deny(event, 'no') : undefined),
      },
    });
    const expand = rewriter(({ input }) => ({
      input: { command: String(input['command']).replace('$CLEAN', 'rm -rf') },
    }));
    const policy = judge((event) =>
      String(event.toolCall.input['command']).includes('rm') ? verdict.deny('destructive') : verdict.allow(),
    );
    const { tool, got } = probe();
    const call = callOf('probe', { command: '$CLEAN /' });
    expect(act([guard, expand], call, [tool]).post?.outcome).to.equal('executed');
    expect(act([guard, expand, policy], call, [tool]).post?.outcome).to.equal('denied');
    expect(got).to.deep.equal([{ command: 'rm -rf /' }]);
  });

  it('leaves notes of hooks out of the result of a denied call', () => {
    const { post } = act(
      [rewriter(() => ({ input: { secret: 's3cr3t' } })), judge(() => verdict.deny('no'))],
      callOf('probe'),
      [probe().tool],
    );
    expect(post?.result.content).to.equal('The call was denied by hook "judge": no');
  });

  describe('respond', () => {
    const responder = defineHook({
      name: 'cache',
      priority: 1,
      on: { preActing: (event) => respond(event, 'cached') },
    });

    it('does not bypass a later deny', () => {
      const guard = defineHook({ name: 'guard', on: { preActing: (event) => deny(event, 'no') } });
      expect(act([responder, guard], callOf('probe'), [probe().tool]).post?.outcome).to.equal('denied');
    });

    it('does not bypass approvers', () => {
      const shown: PreActing[] = [];
      const guard = judge((event) => {
        shown.push(event);
        return verdict.deny('no');
      });
      const { post } = act([responder, guard], callOf('probe', { n: 1 }), [probe().tool]);
      expect(post?.outcome).to.equal('denied');
      expect(shown.map(({ toolCall }) => toolCall.input)).to.deep.equal([{ n: 1 }]);
    });

    it('does not bypass a suspension', () => {
      const { pre, post } = act([responder, judge(() => verdict.suspend('sure?'))], callOf('probe'), [probe().tool]);
      expect(pre?.decision?.action).to.equal('suspend');
      expect(post).to.equal(undefined);
    });

    it('fixes the call, and ignores and notes a later rewrite', () => {
      const { pre, post } = act([responder, rewriter(() => ({ name: 'other' }))], callOf('probe', { n: 1 }), [
        probe().tool,
      ]);
      expect(pre?.toolCall).to.deep.equal(callOf('probe', { n: 1 }));
      expect(pre?.notes?.map(({ by, code }) => `${by} ${code}`)).to.deep.equal(['rewriter change-ignored']);
      expect(post?.result.content).to.equal('cached');
    });

    it('fixes the result against later changes by the hook', () => {
      const result = { content: 'cached', isError: false };
      const cache = defineHook({ name: 'cache', on: { preActing: (event) => respond(event, result) } });
      const late = judge(() => {
        result.content = 'changed';
        return verdict.allow();
      });
      expect(act([cache, late], callOf('probe'), [probe().tool]).post?.result.content).to.equal('cached');
    });

    it('answers for a tool that does not exist', () => {
      expect(act([responder], callOf('nowhere'), []).post).to.deep.include({
        outcome: 'responded',
        result: { content: 'cached', isError: false },
      });
    });
  });

  it('reports the place of an invalid tool definition', () => {
    const bad = { name: 'no spaces', description: 'x', inputSchema: z.object({}), execute: () => undefined };
    expect(() => defineTool(bad))
      .to.throw(/Tool "no spaces".*\n?.*name/s)
      .with.property('code', 'TOOL_INVALID');
    expect(() => defineTool({ ...bad, name: 'ok', inputSchema: 'text' as never })).to.throw(
      /must be a schema of zod or/,
    );
    expect(() => defineTool({ ...bad, name: 'ok', inputSchema: {} })).to.throw(/with type: "object"/);
    const bareShape = { text: z.string() } as never;
    expect(() => defineTool({ ...bad, name: 'ok', inputSchema: bareShape })).to.throw(/type: "object"/);
    expect(() => defineTool({ ...bad, name: 'ok', permission: 'root' as never })).to.throw(/permission/);
    expect(() => defineTool(undefined as never)).to.throw(/Tool/);
  });

  it('rejects a misspelled `parallel`', () => {
    expect(() => toolOf('x', () => 'y', { paralel: true } as never)).to.throw(
      '"paralel" means nothing; did you mean "parallel"?',
    );
  });

  it('rejects a misspelled permission and accepts other fields', () => {
    const tool = { name: 'ok', description: 'x', inputSchema: z.object({}), execute: () => undefined };
    expect(() => defineTool({ ...tool, permision: 'read' } as never))
      .to.throw(/Tool "ok".*"permision".*"permission"/)
      .with.property('code', 'TOOL_INVALID');
    const permissions = ['read'];
    expect(defineTool({ ...tool, permission: 'read', permissions } as never)).to.include({ permissions });
    expect(defineTool({ ...tool, calls: [] } as never)).to.deep.include({ calls: [] });
  });

  it('rejects an input schema for anything but an object', () => {
    const tool = { name: 'ok', description: 'x', execute: () => undefined };
    const object = z.object({ a: z.string() });
    const wrong = [z.string(), z.array(object), z.enum(['a']), z.string().optional(), z.string().transform(Number)];
    for (const inputSchema of wrong) {
      expect(() => defineTool({ ...tool, inputSchema } as never))
        .to.throw(/Tool "ok".*inputSchema must describe an object/s)
        .with.property('code', 'TOOL_INVALID');
    }
    const right = [
      ...[object, z.strictObject({}), z.looseObject({}), z.record(z.string(), z.json()), z.any(), z.unknown()],
      ...[
        z.union([object, z.string()]),
        object.and(z.object({})),
        z.discriminatedUnion('a', [object.extend({ a: z.literal('b') })]),
      ],
      ...[
        object.refine(() => true),
        object.default({ a: '' }),
        z.lazy(() => object),
        z.preprocess((x) => x, z.string()),
      ],
      ...[object.transform(() => 'x'), z.custom<object>(() => true), z.json(), z.string().catch('')],
    ];
    for (const inputSchema of right) expect(defineTool({ ...tool, inputSchema } as never)).to.include({ inputSchema });
  });
});
