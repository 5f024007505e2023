import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { pendingCalls } from '../../../lib/agent/suspend/snapshot.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import type { Answer } from '../../../lib/hooks/asking/ask-function.ts';
import type { Asker } from '../../../lib/hooks/asking/asker.ts';
import { createInbox, type Inbox } from '../../../lib/hooks/asking/inbox.ts';
import { dangerousConfirmation } from '../../../lib/hooks/dangerous-confirmation/dangerous-confirmation.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, HookPriority, type Verdict, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { scriptedTool } from '../../../lib/testing/scripts/scripted-tool.ts';
import { type Came, type Said, type Way, waysOfAsking } from './ways-of-asking.ts';

const shown = { to: 'bob', amount: 1 };
const edit = { to: 'bob', amount: 2 };
const edits: Said = { approved: true, input: edit };
const yes: Said = { approved: true };

type Guard = (askBy: Asker, inbox: Inbox) => Hook;
const guards: Readonly<Record<string, Guard>> = {
  permission: (askBy, inbox) =>
    permission({ ask: ['pay'], deny: [{ tool: 'pay', input: { to: 'mallory' } }], askBy }, { inbox }),
  'dangerous-confirmation': (askBy, inbox) => dangerousConfirmation({ patterns: ['pay'], askBy }, { inbox }),
};

/** Plays calls that the guard asks about, with these answers. Returns the inputs that ran and the results that the model received. */
async function play(
  way: Way,
  guard: Guard,
  answers: readonly Said[],
  more: readonly Hook[] | (() => readonly Hook[]) = [],
  calls = [shown],
) {
  const tool = scriptedTool({
    name: 'pay',
    permission: 'write',
    inputSchema: z.strictObject({ to: z.string(), amount: z.number() }),
    result: 'paid',
  });
  const model = scriptedModel([...calls.map((input) => ({ toolCalls: [{ name: 'pay', input }] })), 'done']);
  const hooks = (askBy: Asker, inbox = createInbox()) => [
    guard(askBy, inbox),
    ...(typeof more === 'function' ? more() : more),
  ];
  const came: Came = await way.play({ model, tool, hooks, answers });
  const ended = came.events.filter((event) => event.type === 'postActing');
  return {
    ...came,
    ran: tool.calls.map(({ input }) => input as JsonObject),
    told: ended.map(({ outcome, result }) => `${outcome}: ${result.content}`),
    judged: came.events.filter((event) => event.type === 'preActing'),
    // The model keeps its own request in memory.
    ended: ended.map(({ toolCall }) => toolCall.input),
  };
}

/** An approver that records the calls that it judges and denies one receiver. */
function watcher(priority: number, seen: JsonObject[] = [], denied = 'nobody'): Hook {
  return defineHook({
    name: `watcher-${priority}`,
    priority,
    approve: ({ toolCall }) => {
      seen.push(toolCall.input);
      return toolCall.input['to'] === denied ? verdict.deny(`not to ${denied}`) : verdict.allow();
    },
  });
}

for (const [wayName, way] of Object.entries(waysOfAsking))
  for (const [guardName, guard] of Object.entries(guards))
    describe(`an approval with edited arguments, by ${wayName}, to ${guardName}`, () => {
      it('runs the call with them after one prompt', async () => {
        const { asked, ran, told, ended, judged } = await play(way, guard, [edits]);
        expect(asked).to.deep.equal([shown]);
        expect(ran).to.deep.equal([edit]);
        expect(told).to.deep.equal(['executed: paid']);
        expect(ended).to.deep.equal([edit]);
        expect(judged.at(-1)?.toolCall.input).to.deep.equal(edit);
        if (!way.inline) return;
        expect(judged).to.have.length(1);
        const [note] = judged[0]?.notes ?? [];
        expect(note).to.deep.include({ by: guardName, code: 'answered' });
        expect(note?.data).to.deep.include({ action: 'approve', edited: true });
      });

      it('passes them to all approvers, earlier ones too', async () => {
        for (const priority of [HookPriority.SECURITY - 1, HookPriority.METRICS]) {
          const seen: JsonObject[] = [];
          const { ran } = await play(way, guard, [edits], [watcher(priority, seen)]);
          expect(ran).to.deep.equal([edit]);
          expect(seen.at(-1)).to.deep.equal(edit);
          const denies = watcher(priority, [], 'mallory');
          const refused = await play(way, guard, [{ approved: true, input: { ...edit, to: 'mallory' } }], [denies]);
          expect(refused.ran).to.deep.equal([]);
          expect(refused.told[0]).to.match(/^denied: /);
        }
      });

      it('does not cover a call that a hook rewrote from it', async () => {
        const rewriter = defineHook({
          name: 'rewriter',
          on: {
            preActing: (event) =>
              event.toolCall.input['amount'] === 2
                ? modify(event, { toolCall: { ...event.toolCall, input: { ...edit, amount: 3 } } })
                : event,
          },
        });
        const { asked, ran } = await play(way, guard, [edits, yes], [rewriter]);
        expect(asked).to.deep.equal([shown, { ...edit, amount: 3 }]);
        expect(ran).to.deep.equal([{ ...edit, amount: 3 }]);
        const no = await play(way, guard, [edits, { approved: false }], [rewriter]);
        expect(no.ran).to.deep.equal([]);
      });

      it("runs nothing if they do not match the tool's schema", async () => {
        for (const input of [{ to: 'bob' }, { ...edit, more: true }, { to: 'bob', amount: 'much' }]) {
          const { ran, told } = await play(way, guard, [{ approved: true, input }, { approved: false }]);
          expect(ran).to.deep.equal([]);
          expect(told[0]).to.match(/^(failed: The input of tool "pay" is invalid|denied: )/);
        }
      });

      it('runs nothing for edits that are not a JSON object, or for a no', async () => {
        for (const input of [[1], 'x', 7, null]) {
          const { ran, told } = await play(way, guard, [{ approved: true, input }, { approved: false }]);
          expect(ran, JSON.stringify(input)).to.deep.equal([]);
          expect(told[0]).to.match(/^denied: /);
        }
        const { ran } = await play(way, guard, [{ approved: false, input: edit }]);
        expect(ran).to.deep.equal([]);
      });

      it('is a plain approval if they equal the arguments of the call', async () => {
        const { asked, ran, judged } = await play(way, guard, [{ approved: true, input: { amount: 1, to: 'bob' } }]);
        expect([asked, ran]).to.deep.equal([[shown], [shown]]);
        if (way.inline) expect(JSON.stringify(judged[0]?.notes ?? [])).to.not.include('edited');
      });

      it('approves that call only, with any scope to remember', async () => {
        const answers: Said[] = [{ ...edits, remember: 'session' }, { approved: false }];
        const { asked, ran } = await play(way, guard, answers, [], [shown, edit]);
        expect(asked).to.deep.equal([shown, edit]);
        expect(ran).to.deep.equal([edit]);
      });

      if (way.inline)
        it('also answers the same prompt of the next approver', async () => {
          const second = (askBy: Asker, inbox: Inbox) => permission({ name: 'second', ask: ['pay'], askBy }, { inbox });
          let next: Hook | undefined;
          const first: Guard = (askBy, inbox) => {
            next = second(askBy, inbox);
            return guard(askBy, inbox);
          };
          const { asked, ran } = await play(way, first, [edits, yes], () => [next as Hook]);
          expect([asked, ran]).to.deep.equal([[shown], [edit]]);
        });
    });

describe('an approval with edited arguments', () => {
  const [way] = Object.values(waysOfAsking) as [Way];

  it('answers all hooks that ask the same function', async () => {
    const asked: JsonObject[] = [];
    const ask = ({ input }: { readonly input: JsonObject }) => {
      asked.push(input);
      return asked.length === 1 ? { approved: true, input: edit } : true;
    };
    const more = [permission({ name: 'second', ask: ['pay'], askBy: ask })];
    const { ran } = await play(way, () => guards['dangerous-confirmation']?.(ask, createInbox()) as Hook, [], more);
    expect([asked, ran]).to.deep.equal([[shown], [edit]]);
  });

  it('is denied by a deny rule that matches the edit', async () => {
    const input = { ...edit, to: 'mallory' };
    const { ran, told } = await play(way, guards['permission'] as Guard, [{ approved: true, input }]);
    expect(ran).to.deep.equal([]);
    expect(told[0]).to.match(/mallory.* denies it/);
  });

  it('is accepted a limited number of times', async () => {
    const restless = defineHook({
      name: 'restless',
      approve: ({ toolCall: { input } }) => ({
        verdict: 'approved',
        input: { ...input, amount: Number(input['amount']) + 1 },
      }),
    });
    const { ran, told } = await play(way, () => restless, []);
    expect(ran).to.deep.equal([]);
    expect(told[0]).to.equal('denied: The call was denied by hook "restless": it was edited too many times');
  });

  it('must be a JSON object from any approver', async () => {
    for (const input of [[1], 'x', 7, null, new Date(), { at: () => 1 }]) {
      const wrong = defineHook({
        name: 'wrong',
        approve: () => ({ verdict: 'approved', input }) as unknown as Verdict,
      });
      const { ran, told } = await play(way, () => wrong, []);
      expect(ran).to.deep.equal([]);
      expect(told[0]).to.match(/denied.*"wrong"/);
    }
  });

  it('gets its own sealed values and runs with them', async () => {
    const got: unknown[] = [];
    const tool = defineTool({
      name: 'pay',
      description: 'pays',
      inputSchema: { type: 'object' },
      permission: 'write',
      execute: (input) => void got.push(input),
    });
    const sealing = defineHook({
      name: 'sealing',
      on: {
        preActing: (event, { seal }) =>
          modify(event, {
            toolCall: {
              ...event.toolCall,
              input: { ...event.toolCall.input, token: seal('token', 'assembled') as never },
            },
          }),
      },
    });
    const asked: JsonObject[] = [];
    const askBy = ({ input }: { readonly input: JsonObject }) => {
      asked.push(input);
      return { approved: true, input: { ...input, amount: 2 } };
    };
    const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: shown }] }, 'done']);
    const pipeline = createPipeline([sealing, permission({ ask: ['pay'], askBy })]);
    const agent = createAgent({ name: 'a', model, tools: [tool], pipeline });
    const { outcome } = await agent.call('go');
    expect([outcome, asked.length, got]).to.deep.equal(['completed', 1, [{ ...edit, token: 'assembled' }]]);
    expect(JSON.stringify(asked)).to.not.include('assembled');
  });

  it('is part of the snapshot if another approver suspends the edited call', async () => {
    const held = defineHook({
      name: 'held',
      priority: HookPriority.METRICS,
      approve: () => verdict.suspend('Really?'),
    });
    const tool = scriptedTool({ name: 'pay', permission: 'write', result: 'paid' });
    const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: shown }] }, 'done']);
    const answers: Answer[] = [{ approved: true, input: edit }, true];
    const pipeline = createPipeline([permission({ ask: ['pay'], askBy: () => answers.shift() ?? false }), held]);
    const agent = createAgent({ name: 'a', model, tools: [tool], pipeline });
    const { snapshot } = await agent.call('go', { sessionId: 's' });
    const [pending] = pendingCalls(snapshot as never);
    expect([pending?.toolCall.input, pending?.judged?.input]).to.deep.equal([shown, edit]);
    const given = { [pending?.key as string]: { approved: true } };
    await lastValueFrom(agent.resume(JSON.parse(JSON.stringify(snapshot)), given));
    expect(tool.calls.map(({ input }) => input)).to.deep.equal([edit]);
  });

  it('appears in the trace with the approver that received it', async () => {
    const steps: string[] = [];
    const pipeline = createPipeline(
      [permission({ ask: ['pay'], askBy: () => ({ approved: true, input: edit }) }), watcher(HookPriority.METRICS)],
      { trace: true },
    );
    pipeline.traces$.subscribe(({ event, steps: done }) => {
      if (event.type === 'preActing')
        steps.push(...done.map(({ hook, effect, reason }) => `${hook} ${effect} ${reason ?? ''}`));
    });
    const tool = scriptedTool({ name: 'pay', permission: 'write', result: 'paid' });
    const model = scriptedModel([{ toolCalls: [{ name: 'pay', input: shown }] }, 'done']);
    await createAgent({ name: 'a', model, tools: [tool], pipeline }).call('go');
    expect(steps).to.deep.equal([
      'permission passed approved when asked',
      `watcher-${HookPriority.METRICS} skipped an answer has edited the call`,
      'permission passed approved when asked',
      `watcher-${HookPriority.METRICS} passed `,
    ]);
  });
});
