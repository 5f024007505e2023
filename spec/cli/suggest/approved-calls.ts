import { scriptedModel, scriptedTool } from 'hookline/testing';
import { lastValueFrom } from 'rxjs';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import { pendingCalls } from '../../../lib/agent/suspend/snapshot.ts';
import { withApprovals } from '../../../lib/chat/take-answers.ts';
import { canonicalJson } from '../../../lib/events/values/canonical-json.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';
import { sha256Hex } from '../../../lib/hashes/sha256.ts';
import { createInbox } from '../../../lib/hooks/asking/inbox.ts';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { permission } from '../../../lib/hooks/permission/permission.ts';
import type { PermissionOptions } from '../../../lib/hooks/permission/permission-options.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import type { Tool } from '../../../lib/pipeline/define/tool.ts';

/** A call that a person answers in the inbox. */
export interface AnsweredCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Default: ann. Without a person, the call needs no answer. */
  readonly by?: string | undefined;
  readonly action?: 'approve' | 'deny';
  readonly edited?: JsonObject;
  readonly remember?: 'session' | 'always';
  readonly session?: string;
}

/** Runs calls with an audit log, and answers them in the inbox. */
export async function auditOf(
  file: string,
  calls: readonly AnsweredCall[],
  { audit = {}, rules = {} }: { readonly audit?: object; readonly rules?: PermissionOptions } = {},
): Promise<void> {
  const inbox = createInbox();
  const hooks = [permission({ askBy: 'inbox', ...rules }, { inbox }), auditLog({ file, ...audit })];
  const pipeline = createPipeline(hooks);
  let answer: AnsweredCall | undefined;
  inbox.changes$.subscribe((change) => {
    if (change.type !== 'waiting' || !answer) return;
    const { id, hash } = change.call;
    const { by = 'ann', action = 'approve', edited, remember } = answer;
    const more = { ...(edited && { input: edited }), ...(remember && { remember }) };
    queueMicrotask(() => inbox.answer(id, { action, by, hash, ...more }));
  });
  for (const [at, call] of calls.entries()) {
    answer = call;
    const { tool: name, input, session = `session-${at}` } = call;
    const tool: Tool = {
      ...{ name, description: 'A tool.', permission: 'external' as const, inputSchema: { type: 'object' } },
      execute: () => 'done',
    };
    const run = pipeline.start({ agent: 'worker', sessionId: session });
    await lastValueFrom(run.act({ id: 'call-1', name, input }, [tool]));
    run.cancel('done');
  }
  await pipeline.flush();
}

/** The same call many times. */
export const often = (count: number, call: AnsweredCall): readonly AnsweredCall[] =>
  Array.from({ length: count }, () => call);

export const callHash = (call: object): string => sha256Hex(canonicalJson(call as JsonObject));

/** Runs that suspend for a command and are resumed with an approval, as a server does. */
export async function auditOfResumed(
  file: string,
  count: number,
  command: string,
  hashOf: (call: object) => string,
): Promise<void> {
  const pipeline = createPipeline([permission({ askBy: 'suspend' }), auditLog({ file })]);
  const tool = scriptedTool({ name: 'run_command', permission: 'write' });
  for (let at = 0; at < count; at += 1) {
    const call = { id: `call-${at}`, name: 'run_command', input: { command } };
    const model = scriptedModel([{ toolCalls: [call] }, { text: 'done' }]);
    const agent = createAgent({ name: 'worker', model, tools: [tool], pipeline });
    const { snapshot } = await agent.call('go', { sessionId: `resumed-${command}-${at}` });
    const approval = {
      id: 'a',
      toolCallId: call.id,
      tool: call.name,
      action: 'approve',
      by: 'eve',
      hash: hashOf(call),
    };
    const [key = ''] = pendingCalls(snapshot as JsonObject).map((pending) => pending.key);
    const answers = { [key]: { approved: true } as const };
    await lastValueFrom(agent.resume(withApprovals(snapshot as JsonObject, [approval]), answers));
  }
  await pipeline.flush();
}
