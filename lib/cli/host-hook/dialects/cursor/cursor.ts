import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostAnswer } from '../../host-answer.ts';
import type { HostMoment, Verdict } from '../../judge/host-moment.ts';
import { answerText, oneLine, refuseWith } from '../answer-text.ts';
import type { Dialect } from '../dialect.ts';
import { readCursor } from './read.ts';

/**
 * The hooks of Cursor (cursor.com, "Hooks"). Every answer is JSON with exit code 0: exit code 2 would lose the message, and Cursor reports an empty answer
 * as an error.
 */
export const cursor: Dialect = {
  host: 'cursor',
  title: 'Cursor',
  read: readCursor,
  write,
  refuse: refuseWith(denied, (event) => answerText(pass(event?.['hook_event_name']))),
};

function write(moment: HostMoment, { refused, asked, input, output, context, again }: Verdict): HostAnswer {
  switch (moment.kind) {
    case 'call':
      if (refused !== undefined) return denial(moment.event, refused);
      if (asked !== undefined) return answerText({ permission: 'ask', ...messages(asked) });
      return answerText({ permission: 'allow', ...(input && { updated_input: input }) });
    case 'prompt':
      return refused === undefined ? answerText({ continue: true }) : denial(moment.event, refused);
    case 'result':
      return answerText({
        ...(output && { updated_mcp_tool_output: output.value as JsonObject }),
        ...(context !== undefined && { additional_context: context }),
      });
    case 'stop':
      return answerText(again === undefined ? {} : { followup_message: again });
    default:
      return answerText(pass(moment.event));
  }
}

/** Events whose answer has a permission. */
const PERMITTED = /^(?:before(?:ShellExecution|MCPExecution|ReadFile|TabFileRead)|preToolUse|subagentStart)$/;

const messages = (reason: string): JsonObject => ({ user_message: oneLine(reason), agent_message: oneLine(reason) });

function pass(event: unknown): JsonObject {
  if (event === 'beforeSubmitPrompt') return { continue: true };
  return PERMITTED.test(String(event)) ? { permission: 'allow' } : {};
}

/** Returns a denial. An unknown event gets all of its forms. */
function denial(event: unknown, reason: string): HostAnswer {
  if (event === 'beforeSubmitPrompt') return answerText({ continue: false, user_message: oneLine(reason) });
  return answerText({ permission: 'deny', ...messages(reason) });
}

function denied(event: JsonObject | undefined, reason: string) {
  const name = event?.['hook_event_name'];
  if (PERMITTED.test(String(name)) || name === 'beforeSubmitPrompt') return denial(name, reason);
  // The result of another tool than one of MCP cannot be withheld.
  if (name === 'postToolUse')
    return answerText({ updated_mcp_tool_output: { withheld: reason }, additional_context: reason });
  return OBSERVED.test(String(name)) ? answerText({}) : { code: 2, stdout: '' };
}

/** Events after which nothing can be denied. */
const OBSERVED = /^(?:after|stop|subagentStop|session|preCompact|workspaceOpen|postToolUseFailure)/;
