import { join } from 'node:path';
import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { withApprovals } from '../../../lib/chat/take-answers.ts';
import { readAudit } from '../../../lib/cli/suggest/read-audit.ts';
import { createInbox } from '../../../lib/hooks/asking/inbox.ts';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import {
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  type Hook,
  HookPriority,
  type JsonObject,
  pendingCalls,
  verdict,
} from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';
import { folder } from '../hookline.ts';
import { callHash } from './approved-calls.ts';

const ask = { id: 'call_0', name: 'ask_helper', input: { prompt: 'clean up' } };
const remove = { id: 'call_0', name: 'bash', input: { command: 'rm -rf build' } };

/** An agent and its sub-agent. Both models name their first call `call_0`. */
function pair(hooks: readonly Hook[]) {
  const pipeline = createPipeline(hooks);
  const helper = createAgent({
    name: 'helper',
    model: scriptedModel([{ toolCalls: [remove] }, { text: 'done' }]),
    tools: [scriptedTool({ name: 'bash', permission: 'write' })],
  });
  const agent = createAgent({
    name: 'lead',
    model: scriptedModel([{ toolCalls: [ask] }, { text: 'done' }]),
    tools: [agentTool(helper, { name: 'ask_helper', description: 'Asks the helper.' })],
    pipeline,
  });
  return { agent, pipeline };
}

/** The approved calls of a log, as tool and user. */
async function approvedIn(file: string): Promise<readonly string[]> {
  const { calls } = await readAudit([file]);
  return calls
    .filter(({ approvals }) => approvals > 0)
    .map(({ tool, approvals, approvedBy }) => `${tool}: ${approvals} by ${[...approvedBy].join()}`);
}

describe('calls of sub-agents in an audit log', () => {
  it('do not count for an answer to a call of the parent that has the same id', async () => {
    const file = join(folder({}), 'audit.jsonl');
    const inbox = createInbox();
    inbox.changes$.subscribe((change) => {
      if (change.type !== 'waiting') return;
      const { id, hash } = change.call;
      queueMicrotask(() => inbox.answer(id, { action: 'approve', by: 'ann', hash }));
    });
    const rules = permission({ ask: ['ask_helper'], default: 'allow', askBy: 'inbox' }, { inbox });
    const { agent, pipeline } = pair([rules, auditLog({ file })]);
    expect((await agent.call('go')).outcome).to.equal('completed');
    await pipeline.flush();
    expect(await approvedIn(file)).to.deep.equal(['ask_helper: 1 by ann']);
  });

  it('do not count for an answer to an earlier call with the same id, which another hook denied', async () => {
    const file = join(folder({}), 'audit.jsonl');
    const inbox = createInbox();
    inbox.changes$.subscribe((change) => {
      if (change.type !== 'waiting') return;
      const { id, hash } = change.call;
      queueMicrotask(() => inbox.answer(id, { action: 'approve', by: 'ann', hash }));
    });
    const rules = permission(
      { ask: [{ tool: 'bash', input: { command: 'rm*' } }], default: 'allow', askBy: 'inbox' },
      { inbox },
    );
    const deny = defineHook({
      name: 'later',
      priority: HookPriority.METRICS,
      approve: ({ toolCall }) => (/rm/.test(String(toolCall.input['command'])) ? verdict.deny('no') : verdict.allow()),
    });
    const pipeline = createPipeline([rules, deny, auditLog({ file })]);
    const agent = createAgent({
      name: 'lead',
      model: scriptedModel([
        { toolCalls: [remove] },
        { toolCalls: [{ ...remove, input: { command: 'ls' } }] },
        { text: 'done' },
      ]),
      tools: [scriptedTool({ name: 'bash', permission: 'write' })],
      pipeline,
    });
    expect((await agent.call('go')).outcome).to.equal('completed');
    await pipeline.flush();
    expect(await approvedIn(file)).to.deep.equal([]);
  });

  for (const [what, hash, counted] of [
    ['count if the resumed parent has an answer with their hash', callHash(remove), ['bash: 1 by eve']],
    ['do not count if the answer of the resumed parent has another hash', 'f'.repeat(64), []],
    ['do not count if the answer of the resumed parent has no hash', undefined, []],
  ] as const)
    it(what, async () => {
      const file = join(folder({}), 'audit.jsonl');
      const rules = permission({ ask: ['bash'], default: 'allow', askBy: 'suspend' });
      const { agent, pipeline } = pair([rules, auditLog({ file })]);
      const { snapshot } = await agent.call('go', { sessionId: 's' });
      const given = {
        id: 'a',
        toolCallId: 'call_0',
        tool: 'bash',
        action: 'approve',
        by: 'eve',
        ...(hash && { hash }),
      };
      const [key = ''] = pendingCalls(snapshot as JsonObject).map((pending) => pending.key);
      const resumed$ = agent.resume(withApprovals(snapshot as JsonObject, [given]), { [key]: { approved: true } });
      expect(await lastValueFrom(resumed$)).to.include({ outcome: 'completed' });
      await pipeline.flush();
      expect(await approvedIn(file)).to.deep.equal(counted);
    });
});
