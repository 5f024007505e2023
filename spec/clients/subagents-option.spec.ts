import { buildResumeArray } from '@ag-ui/client';
import { expect } from 'chai';
import { agUiHandler } from '../../lib/adapters/ag-ui/index.ts';
import { defineHook, verdict } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';
import { family } from '../agent/family.ts';
import { asks, runOf, type Served, serve } from './ag-ui/served.ts';
import { createHeadlessChat, lastParts, lastTexts, toolPart, until } from './ai-sdk-ui/chat.ts';
import { clients } from './ai-sdk-ui/clients.ts';
import { createHost, type Host } from './ai-sdk-ui/host.ts';

const asksRm = defineHook({
  name: 'asks-rm',
  approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.suspend('May I?') : verdict.allow()),
});

describe('the option subagents: none', () => {
  const open: (Served | Host)[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  for (const client of clients.filter(({ version }) => version > 5))
    it(`hides sub-agents from ${client.name}, except pending calls`, async () => {
      const { agent, rm } = family({ hooks: [asksRm] });
      const { version, sdk } = client;
      const host = await createHost({ agent, version, subagents: 'none' });
      open.push(host);
      const chat = createHeadlessChat(client, host.api, {
        sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses,
      });
      await chat.sendMessage({ text: 'hi' });
      const waiting = toolPart(chat, 'rm') as unknown as { state: string; approval: { id: string } };
      expect(waiting.state).to.equal('approval-requested');
      await chat.addToolApprovalResponse({ id: waiting.approval.id, approved: true });
      await until(() => chat.status === 'ready' && lastTexts(chat).includes('ok'), 'the run has ended');
      expect(lastTexts(chat)).to.deep.equal(['ok']);
      expect(toolPart(chat, 'rm')).to.include({ state: 'output-available', output: 'gone' });
      expect(toolPart(chat, 'helper')).to.include({ state: 'output-available', output: 'helped' });
      expect(lastParts(chat).some(({ type }) => type === 'data-subagent')).to.equal(false);
      expect(rm.calls).to.have.length(1);
    });

  it('hides sub-agents from HttpAgent, except pending calls', async () => {
    const { agent, rm } = family({ hooks: [asksRm] });
    const handler = agUiHandler({ agent, identify: () => ({ userId: 'ann' }), log: silentLogger, subagents: 'none' });
    const served = await serve(handler);
    open.push(served);
    const client = asks(served.url, 'hi');
    const first = await runOf(client);
    expect(first.types.some((type) => type.startsWith('SUBAGENT'))).to.equal(false);
    expect(client.pendingInterrupts.map(({ message }) => message?.split('\n')[0])).to.deep.equal(['May I?']);
    const id = client.pendingInterrupts[0]?.id ?? '';
    const resume = buildResumeArray(client.pendingInterrupts, {
      [id]: { status: 'resolved', payload: { approved: true } },
    } as never);
    await runOf(client, { resume });
    expect(
      client.messages.flatMap(({ role, content }) => (role === 'assistant' && content ? [content] : [])),
    ).to.deep.equal(['ok']);
    expect(JSON.stringify(client.messages)).to.not.include('subagentRunId');
    expect(rm.calls).to.have.length(1);
  });
});
