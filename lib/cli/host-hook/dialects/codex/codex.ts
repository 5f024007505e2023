import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostAnswer } from '../../host-answer.ts';
import type { Effects, HostMoment, Verdict } from '../../judge/host-moment.ts';
import { answerText, oneLine, refusalText, refuseWith, specificTo } from '../answer-text.ts';
import { type ClaudeEventName, type ClaudeLike, isClaudeEvent, readClaudeEvent } from '../claude/read.ts';
import type { Dialect } from '../dialect.ts';
import { hostTool, type ToolMaps } from '../host-tool.ts';

const can: Readonly<Record<ClaudeEventName, Effects>> = {
  PreToolUse: { rewrite: 'silent' },
  // An allow would also lift the sandbox, so only denials are sent.
  PermissionRequest: { ask: 'always' },
  PostToolUse: { replace: true, context: true, end: true },
  PostToolUseFailure: {},
  UserPromptSubmit: { context: true },
  SessionStart: {},
  Stop: { end: true },
  SubagentStop: { end: true },
};

const tools: ToolMaps = {
  Bash: { as: 'run_command', permission: 'external', needs: ['command'] },
  apply_patch: { as: 'apply_patch', permission: 'write', needs: ['command'] },
  view_image: { as: 'read_file', permission: 'read', needs: ['path'] },
  spawn_agent: { as: 'Agent', permission: 'external' },
};

const like: ClaudeLike = {
  title: 'Codex',
  can,
  toolOf: (name, input) => hostTool(tools, name, input),
  others: ['PreCompact', 'PostCompact', 'SubagentStart', 'SessionEnd', 'Interrupt', 'StopFailure'],
};

/**
 * The command hooks of OpenAI Codex CLI, tried with 0.169.0. It rejects an answer with unknown fields, and then runs the call. Exit code 2 denies only
 * with a text on standard error; every other code, and a timeout, runs the call.
 */
export const codex: Dialect = {
  host: 'codex',
  title: like.title,
  read: (event) => readClaudeEvent(event, like),
  write,
  refuse: refuseWith(denied),
};

function write(moment: HostMoment, { refused, input, output, context, ended, again }: Verdict): HostAnswer {
  const specific = (fields: JsonObject) => specificTo(moment, fields);
  const added = context === undefined ? {} : specific({ additionalContext: context });
  switch (moment.kind) {
    case 'call':
      if (refused !== undefined) return refusalText(specific(denial(moment.event, refused)), refused);
      if (!input) return answerText({});
      return answerText(specific({ permissionDecision: 'allow', updatedInput: input }));
    case 'result':
      if (ended !== undefined) return answerText({ continue: false, stopReason: oneLine(output?.text ?? ended) });
      // The reason replaces the result.
      return answerText(output ? block(output.text) : added);
    case 'prompt':
      return refused === undefined ? answerText(added) : refusalText(block(refused), refused);
    case 'stop':
      if (ended !== undefined) return answerText({ continue: false, stopReason: oneLine(ended) });
      return answerText(again === undefined ? {} : block(again));
    default:
      return answerText({});
  }
}

const block = (reason: string): JsonObject => ({
  decision: 'block',
  reason: reason.trim() === '' ? '(empty)' : reason,
});

function denial(event: string, reason: string): JsonObject {
  if (event === 'PermissionRequest') return { decision: { behavior: 'deny', message: oneLine(reason) } };
  return { permissionDecision: 'deny', permissionDecisionReason: oneLine(reason) };
}

function denied(event: JsonObject | undefined, reason: string) {
  const name = event?.['hook_event_name'];
  if (!isClaudeEvent(name)) return { code: 2, stdout: '' };
  switch (name) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return refusalText(specificTo({ event: name }, denial(name, reason)), reason);
    case 'PostToolUse':
      return refusalText(block(`The output was withheld: ${reason}`), reason);
    case 'UserPromptSubmit':
      return refusalText(block(reason), reason);
    case 'Stop':
    case 'SubagentStop':
      // The session was already continued once, and would be continued forever.
      return answerText(event?.['stop_hook_active'] ? {} : block(reason));
    default:
      return answerText({ systemMessage: reason });
  }
}
