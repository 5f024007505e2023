import { filter, lastValueFrom, map, of } from 'rxjs';
import type { EventOf } from '../../../events/hook-event.ts';
import { textOf, userMessage } from '../../../events/parts/messages.ts';
import type { LoopRun } from '../../../loops/loop-run.ts';
import { RunAborted } from '../../../loops/run-aborted.ts';
import type { PromptMoment, StopMoment, Verdict } from './host-moment.ts';

/** Passes a prompt to preCall. Messages that hooks add become additional context. A changed prompt is blocked, because hosts cannot replace it. */
export async function judgePrompt(run: LoopRun, host: string, { prompt, can }: PromptMoment): Promise<Verdict> {
  const asked = userMessage(prompt);
  try {
    const { messages, answer } = await run.begin([asked]);
    if (answer) return { refused: `A hook responded instead of the model: ${textOf(answer)}` };
    const at = messages.findIndex(
      ({ role, parts }) => role === 'user' && JSON.stringify(parts) === JSON.stringify(asked.parts),
    );
    if (at < 0)
      return {
        refused: `A hook changed the prompt, which ${host} does not support. Send this prompt instead: ${textOf(messages.findLast(({ role }) => role === 'user'))}`,
      };
    const further = messages.filter((_, index) => index !== at).map(textOf);
    if (further.length === 0) return {};
    return can.context ? { context: further.join('\n\n') } : { lost: 'messages added to the prompt' };
  } catch (thrown) {
    if (thrown instanceof RunAborted) return { refused: thrown.decision.reason };
    throw thrown;
  }
}

/** Passes the model's last message to postReasoning. A retry makes the host continue, but only once. */
export async function judgeStop({ run }: LoopRun, { again, text }: StopMoment): Promise<Verdict> {
  const model = () => of({ type: 'text' as const, delta: text });
  const decisions$ = run.reason({ messages: [] }, model).pipe(
    filter((event) => event.type === 'postReasoning' || event.decision?.action === 'abort'),
    map(({ decision }) => decision as EventOf<'postReasoning'>['decision']),
  );
  const decision = await lastValueFrom(decisions$, { defaultValue: undefined });
  if (decision?.action === 'abort') return { ended: decision.reason };
  if (run.fatal !== undefined) throw run.fatal;
  if (decision?.action !== 'retry' || again) return {};
  const reasons = (decision.messages ?? []).map(textOf).filter((one) => one !== '');
  return { again: reasons.join('\n\n') || `hook "${decision.by}" requires a better answer` };
}
