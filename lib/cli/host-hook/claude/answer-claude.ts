import type { JsonValue } from '../../../events/values/json-value.ts';
import type { LoopRun, LoopRunOptions } from '../../../loops/loop-run.ts';
import { startLoopRun } from '../../../loops/start-loop-run.ts';
import type { Pipeline } from '../../../pipeline/create-pipeline.ts';
import type { Run, RunOptions } from '../../../pipeline/run/run.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { ClaudeMoment } from './claude-input.ts';
import { type ClaudeAnswer, judgeToolUse, passToolResult } from './claude-tool-use.ts';
import { stopTurn, submitPrompt } from './claude-turn.ts';

/** Options of an answer. */
type AnswerOptions = Pick<LoopRunOptions, 'userId' | 'signal'> & Pick<HostHookFlags, 'ask'> & Pick<RunOptions, 'state'>;

/** Passes an event of Claude Code through the hooks. Returns the answer and its run. */
export async function answerClaude(
  pipeline: Pipeline,
  moment: ClaudeMoment,
  { ask, ...options }: AnswerOptions = {},
): Promise<{ readonly answer: ClaudeAnswer; readonly run: Run }> {
  const { session_id: sessionId, agent_id } = moment;
  const run = startLoopRun(pipeline, {
    agent: agent_id === undefined ? 'claude' : 'claude-subagent',
    sessionId,
    ...options,
  });
  return { answer: await answerIn(run, moment, ask), run: run.run };
}

async function answerIn(run: LoopRun, moment: ClaudeMoment, ask: HostHookFlags['ask']): Promise<ClaudeAnswer> {
  switch (moment.hook_event_name) {
    case 'PreToolUse':
      return judgeToolUse(run.run, moment, ask);
    case 'PermissionRequest':
      // The user is being asked.
      return permission(await judgeToolUse(run.run, { ...moment, hook_event_name: 'PreToolUse' }, 'ask'));
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return passToolResult(run.run, moment);
    case 'UserPromptSubmit':
      return submitPrompt(run, moment);
    case 'Stop':
    case 'SubagentStop':
      return stopTurn(run, moment);
    case 'SessionStart':
      // The hooks are loaded, so their issues are reported at the start of the session.
      return undefined;
  }
}

/** The host ignores exit code 2 for this event, so a denial must be JSON. Only the user can allow the call, and only the original one. */
function permission(answer: ClaudeAnswer): ClaudeAnswer {
  const { hookSpecificOutput, ...ends } = answer ?? {};
  const specific = (hookSpecificOutput ?? {}) as Readonly<Record<string, JsonValue>>;
  const denied = specific['permissionDecision'] === 'deny';
  if (!denied && specific['updatedInput'] === undefined) return undefined;
  const message = denied
    ? specific['permissionDecisionReason']
    : 'A hook changed the call, which this event does not support.';
  const decision = { behavior: 'deny', message: message ?? 'A hook denied the call.' };
  return { ...ends, hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}
