import { filter, lastValueFrom, map, of } from 'rxjs';
import type { EventOf } from '../../../events/hook-event.ts';
import { textOf, userMessage } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { LoopRun } from '../../../loops/loop-run.ts';
import { RunAborted } from '../../../loops/run-aborted.ts';
import type { MomentOf } from './claude-input.ts';
import type { ClaudeAnswer } from './claude-tool-use.ts';

/** UserPromptSubmit: preCall. Messages that hooks add become additional context. A changed prompt is blocked, because it cannot be replaced. */
export async function submitPrompt(run: LoopRun, { prompt }: MomentOf<'UserPromptSubmit'>): Promise<ClaudeAnswer> {
  const block = (reason: string): JsonObject => ({ decision: 'block', reason });
  const asked = userMessage(prompt);
  try {
    const { messages, answer } = await run.begin([asked]);
    if (answer) return block(`A hook responded instead of the model: ${textOf(answer)}`);
    const at = messages.findIndex(
      ({ role, parts }) => role === 'user' && JSON.stringify(parts) === JSON.stringify(asked.parts),
    );
    if (at < 0)
      return block(
        `A hook changed the prompt, which Claude Code does not support. Send this prompt instead: ${textOf(messages.findLast(({ role }) => role === 'user'))}`,
      );
    const further = messages.filter((_, index) => index !== at).map(textOf);
    if (further.length === 0) return undefined;
    return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: further.join('\n\n') } };
  } catch (thrown) {
    if (thrown instanceof RunAborted) return block(thrown.decision.reason);
    throw thrown;
  }
}

/** Stop: postReasoning of the model's last message. A retry makes Claude Code continue, but only once. */
export async function stopTurn(
  { run }: LoopRun,
  { stop_hook_active: again = false, last_assistant_message: lastMessage = '' }: MomentOf<'Stop' | 'SubagentStop'>,
): Promise<ClaudeAnswer> {
  const model = () => of({ type: 'text' as const, delta: lastMessage });
  const decisions$ = run.reason({ messages: [] }, model).pipe(
    filter((event) => event.type === 'postReasoning' || event.decision?.action === 'abort'),
    map(({ decision }) => decision as EventOf<'postReasoning'>['decision']),
  );
  const decision = await lastValueFrom(decisions$, { defaultValue: undefined });
  if (decision?.action === 'abort') return { continue: false, stopReason: decision.reason };
  if (run.fatal !== undefined) throw run.fatal;
  if (decision?.action !== 'retry' || again) return undefined;
  const reasons = (decision.messages ?? []).map(textOf).filter((text) => text !== '');
  return { decision: 'block', reason: reasons.join('\n\n') || `hook "${decision.by}" requires a better answer` };
}
