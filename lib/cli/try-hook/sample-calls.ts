import type { HookEvent } from '../../events/hook-event.ts';
import { afterLlmParams, takeAfterLlm } from '../../process-hooks/picoclaw/after-llm.ts';
import { afterToolParams, takeAfterTool } from '../../process-hooks/picoclaw/after-tool.ts';
import { takeApproval } from '../../process-hooks/picoclaw/approve-tool.ts';
import { beforeLlmParams, takeBeforeLlm } from '../../process-hooks/picoclaw/before-llm.ts';
import { takeBeforeTool, toolParams } from '../../process-hooks/picoclaw/before-tool.ts';
import type { Reading } from '../../process-hooks/picoclaw/dialect.ts';
import type { Intercept } from '../../process-hooks/picoclaw/options.ts';
import { anEvent } from '../../testing/an-event.ts';

/** A call of a process hook for a sample event, and the meaning of its reply. */
export interface SampleCall {
  readonly event: HookEvent;
  readonly params: object;
  /** Additional optional fields. */
  readonly optional: readonly string[];
  /** Describes the reply in words. `suspends` allows an approver to ask a user (protocol 2). */
  read(reply: unknown, reading: Reading, suspends: boolean): string[];
}

const bash = anEvent.preActing('bash', { command: 'ls' });
const tool = {
  name: 'bash',
  description: 'Runs a command.',
  inputSchema: { type: 'object' },
  permission: 'external',
} as const;

export const sampleCalls: { readonly [I in Intercept]: SampleCall } = {
  before_llm: of(anEvent.preReasoning({ model: 'a-model', tools: [tool] }), beforeLlmParams, takeBeforeLlm),
  after_llm: of(anEvent.postReasoning('Hello.'), (event) => afterLlmParams(event, 'a-model'), takeAfterLlm),
  before_tool: of(bash, (event) => toolParams(event, 'turn.tool.before'), takeBeforeTool, ['hook_result']),
  after_tool: of(anEvent.postActing('a.txt'), afterToolParams, takeAfterTool),
  approve_tool: {
    event: bash,
    params: JSON.parse(toolParams(bash, 'turn.tool.approve')),
    optional: ['hook_result'],
    read(reply, reading, suspends) {
      const verdict = takeApproval(reply, reading, suspends);
      if (verdict.verdict === 'approved') return ['approves the call'];
      if (verdict.verdict === 'suspended') return [`suspends the call: ${verdict.prompt}`];
      return [`does not approve the call: ${verdict.reason}`];
    },
  },
};

function of<E extends HookEvent>(
  event: E,
  params: (event: E) => string,
  take: (event: E, reply: unknown, reading: Reading) => E | undefined,
  optional: readonly string[] = [],
): SampleCall {
  return {
    event,
    params: JSON.parse(params(event)),
    optional,
    read: (reply, reading) => meaningOf(event, take(event, reply, reading)),
  };
}

/** Describes the hook's changes of an event. */
export function meaningOf(before: HookEvent, after: HookEvent | undefined): string[] {
  if (after === undefined || after === before) return ['changes nothing'];
  const changed = Object.keys(after).filter(
    (key) =>
      !['decision', 'notes'].includes(key) &&
      JSON.stringify(after[key as 'type']) !== JSON.stringify(before[key as 'type']),
  );
  const { decision } = after;
  const reason = decision && 'reason' in decision ? `: ${decision.reason}` : '';
  const given = decision && ('result' in decision ? `: ${decision.result.content}` : '');
  return [
    ...changed.map((key) => `changes ${key} to ${JSON.stringify(after[key as 'type'])}`),
    ...(decision ? [`decides ${decision.action}${reason}${given ?? ''}`] : []),
  ];
}
