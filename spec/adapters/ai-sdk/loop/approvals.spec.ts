import type * as ai from 'ai';
import { expect } from 'chai';
import { type HookDefinition, modify, verdict } from '../../../../lib/index.ts';
import { pendingCallStore } from '../../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../../lib/store/state/memory-state-store.ts';
import { calls, hooked, look, modelOf, says, stopWhen } from './scene.ts';

describe('an approval with the AI SDK', () => {
  const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Really?') };
  const safe: HookDefinition = {
    name: 'safe',
    on: {
      preActing: (event) =>
        modify(event, { toolCall: { ...event.toolCall, input: { at: `/safe/${event.toolCall.input['at']}` } } }),
    },
  };
  const prompt = [{ role: 'user' as const, content: 'go' }];

  async function asked(options: object, ran: unknown[]) {
    const { generateText } = hooked([safe, asks], options);
    const first = await generateText({
      model: modelOf(calls('look', { at: 'x' })),
      tools: look((input) => ran.push(input)),
      messages: prompt,
    });
    const request = first.content.find(({ type }) => type === 'tool-approval-request') as { approvalId: string };
    const answer = {
      role: 'tool' as const,
      content: [{ type: 'tool-approval-response' as const, approvalId: request.approvalId, approved: true }],
    };
    return [...prompt, ...first.response.messages, answer] as ai.ModelMessage[];
  }

  it('runs the judged call, also in another process with a store', async () => {
    const ran: unknown[] = [];
    const store = memoryStateStore();
    const messages = await asked({ pendingCalls: pendingCallStore(store) }, ran);
    const { generateText } = hooked([safe, asks], { pendingCalls: pendingCallStore(store) });
    const tools = look((input) => ran.push(input));
    await generateText({ model: modelOf(says('done')), tools, stopWhen, messages });
    expect(ran).to.deep.equal([{ at: '/safe/x' }]);
    // The second time the stored call is gone, and the approval was for the call that the SDK had shown.
    await generateText({ model: modelOf(says('done')), tools, stopWhen, messages });
    expect(ran).to.have.length(1);
  });

  it('runs an edited input after judging it again', async () => {
    const ran: unknown[] = [];
    const store = memoryStateStore();
    const messages = await asked({ pendingCalls: pendingCallStore(store) }, ran);
    const { generateText } = hooked([asks], { pendingCalls: pendingCallStore(store) });
    const hookline = { answers: { c1: { approved: true, input: { at: '/edited' } } } };
    await generateText({
      model: modelOf(says('done')),
      tools: look((input) => ran.push(input)),
      stopWhen,
      messages,
      hookline,
    } as never);
    expect(ran).to.deep.equal([{ at: '/edited' }]);
  });
});
