import type { ActingError } from '../../events/error-event.ts';
import type { EventOf, SettledEvent } from '../../events/hook-event.ts';
import type { ErrorInfo } from '../../events/parts/error-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { ActingOutcome } from '../../events/post-acting.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { toolAction } from '../../permission-rules/action/tool-action.ts';
import type { AuditDetail, AuditRecord } from './audit-record.ts';
import type { AuditText } from './audit-text.ts';

/** Facts about a call that its postActing does not contain. */
interface KnownOfCall {
  readonly hook?: string | undefined;
  readonly reason?: string | undefined;
  readonly error?: ErrorInfo;
}

const RESULT_CHARACTERS = 16_384;
const finished: readonly ActingOutcome[] = ['executed', 'responded'];

/** Creates the records of tool calls. Keeps each call from its decision or error to its postActing, at most to the end of its run. */
export function createToolCallAudit(detail: AuditDetail) {
  const runs = new Map<string, Map<string, KnownOfCall>>();

  function remember({ run, toolCall }: SettledEvent<EventOf<'preActing'> | ActingError>, known: KnownOfCall): void {
    const calls = runs.get(run.runId) ?? new Map<string, KnownOfCall>();
    runs.set(run.runId, calls.set(toolCall.id, { ...calls.get(toolCall.id), ...known }));
  }

  function forget({ run, toolCall }: SettledEvent<EventOf<'postActing'>>): KnownOfCall {
    const calls = runs.get(run.runId);
    const known = calls?.get(toolCall.id);
    calls?.delete(toolCall.id);
    if (calls?.size === 0) runs.delete(run.runId);
    return known ?? {};
  }

  return {
    /** Returns a start record for a call that will run, and a record for a suspended one. The postActing records all others. */
    begin(
      event: SettledEvent<EventOf<'preActing'>>,
      reason: string | undefined,
      text: AuditText,
    ): AuditRecord | undefined {
      const { decision, permission } = event;
      const fields = { permission, ...actionOf(event.toolCall, text), args: argsOf(event.toolCall, text) };
      if (!decision) return { name: 'tool_call_start', fields };
      const hook = decision.by;
      if (decision.action === 'suspend') return { name: 'tool_call_suspended', fields: { ...fields, hook, reason } };
      remember(event, { hook, reason });
      return undefined;
    },

    fail(event: SettledEvent<ActingError>): void {
      remember(event, { error: event.error });
    },

    /** Returns exactly one record for each postActing. */
    end(event: SettledEvent<EventOf<'postActing'>>, text: AuditText): AuditRecord {
      const { short } = text;
      const { outcome, permission, durationMs, result } = event;
      const { hook, reason, error } = forget(event);
      const args = argsOf(event.toolCall, text);
      const what = actionOf(event.toolCall, text);
      const fields = { permission, ...what, outcome, success: false, hook, duration_ms: durationMs, args };
      if (finished.includes(outcome)) {
        return {
          name: 'tool_call_end',
          fields: { ...fields, success: !result.isError, ...resultOf(result.content, text) },
        };
      }
      const resultText = short(result.content);
      if (outcome !== 'failed')
        return { name: `tool_call_${outcome}`, fields: { ...fields, reason: reason ?? resultText } };
      // Without an error event, the call did not run: the tool is unknown, or its input is invalid.
      const failure = { error_type: short(error?.name) ?? 'InvalidCall', error: short(error?.message) ?? resultText };
      return { name: 'tool_call_error', failed: true, fields: { ...fields, ...failure } };
    },

    endRun(runId: string): void {
      runs.delete(runId);
    },
  };

  function argsOf({ input }: ToolCall, { bounded }: AuditText): JsonValue | undefined {
    return detail.args ? bounded(input) : undefined;
  }

  /** What the call does, in the same words for the tools of all agents. Paths are arguments. */
  function actionOf({ name, input }: ToolCall, { bounded }: AuditText): JsonObject {
    const { family, paths } = toolAction({ name, input });
    return { family, ...(detail.args && paths.length > 0 && { paths: bounded([...paths]) }) };
  }

  function resultOf(content: string, { short }: AuditText): JsonObject {
    if (detail.results === false) return {};
    return { result: short(content, detail.results === true ? RESULT_CHARACTERS : detail.results) };
  }
}
