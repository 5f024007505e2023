import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostAnswer } from '../../host-answer.ts';
import type { HostMoment, Verdict } from '../../judge/host-moment.ts';
import { answerText, oneLine, specificTo } from '../answer-text.ts';
import { shapedLike } from './shaped-like.ts';

/**
 * Writes a verdict for Claude Code. A denial is JSON, and also exit code 2 with the reason on standard error if that code denies the event. Nothing
 * written to standard output can undo that code (Claude Code's reference of hooks, "Exit code 2 behavior per event").
 */
export function writeClaude(moment: HostMoment, verdict: Verdict): HostAnswer {
  if (moment.kind === 'other') return { code: 1, stdout: '', stderr: noPart(moment.event) };
  const answer = { ...endOf(verdict), ...answerOf(moment, verdict) };
  if (Object.keys(answer).length === 0) return { code: 0, stdout: '', stderr: '' };
  const reason = exitReason(moment, verdict);
  return { ...answerText(answer), ...(reason !== undefined && { code: 2, stderr: `${oneLine(reason)}\n` }) };
}

/** Reports the event and does not deny it, because the effect of a denial is unknown. */
function noPart(event: string): string {
  return `hookline does not evaluate the event ${event}. Remove it from the settings; hookline hook --as claude --install prints the supported events.\n`;
}

const endOf = ({ ended }: Verdict): JsonObject => (ended === undefined ? {} : { continue: false, stopReason: ended });

/**
 * Returns the reason of a denial that is also exit code 2. For other answers, that code would show an output, prompt the user, or continue a session
 * that must end.
 */
function exitReason({ event }: HostMoment, { refused, again }: Verdict): string | undefined {
  return event === 'PreToolUse' || event === 'UserPromptSubmit' ? refused : again;
}

function answerOf(moment: HostMoment, { refused, asked, input, output, context, again }: Verdict): JsonObject {
  const specific = (fields: JsonObject) => specificTo(moment, fields);
  const added = context === undefined ? {} : specific({ additionalContext: context });
  switch (moment.kind) {
    case 'call':
      if (refused !== undefined && moment.event === 'PermissionRequest')
        return specific({ decision: { behavior: 'deny', message: refused } });
      if (refused !== undefined) return specific({ permissionDecision: 'deny', permissionDecisionReason: refused });
      if (asked === undefined) return {};
      return specific({
        permissionDecision: 'ask',
        permissionDecisionReason: asked,
        ...(input && { updatedInput: input }),
      });
    case 'result':
      if (!output) return added;
      return specific({ updatedToolOutput: shapedLike(moment.value, output.value) });
    case 'prompt':
      return refused === undefined ? added : { decision: 'block', reason: refused };
    default:
      return again === undefined ? {} : { decision: 'block', reason: again };
  }
}
