import { isChunk } from '../../events/chunk-text.ts';
import type { HookEvent, SettledEvent } from '../../events/hook-event.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { createCleanChunks } from '../text/clean-chunks.ts';
import { approvalRecords } from './approval-records.ts';
import type { AuditDetail, AuditRecord } from './audit-record.ts';
import { type AuditText, createAuditText } from './audit-text.ts';
import { createToolCallAudit } from './audit-tool-calls.ts';

type Fields = AuditRecord['fields'];

/** Creates a function that returns the records of a settled event in order: its notes, its decision, the event itself. */
export function createAuditRecords(detail: AuditDetail): (event: SettledEvent) => AuditRecord[] {
  const toolCalls = createToolCallAudit(detail);
  const chunks = createCleanChunks(detail.redactor);
  const texts = new WeakMap<RunInfo, AuditText>();

  function textOf(run: RunInfo): AuditText {
    const text = texts.get(run) ?? createAuditText(detail.redactor, run);
    texts.set(run, text);
    return text;
  }

  function recordOf(event: SettledEvent, reason: string | undefined, text: AuditText): AuditRecord | undefined {
    const { short, bounded } = text;
    switch (event.type) {
      case 'preCall': {
        const { depth, resumedFrom } = event.run;
        return { name: 'call_start', fields: { messages: event.messages.length, depth, resumed_from: resumedFrom } };
      }
      case 'postReasoning': {
        const { purpose, usage, finishReason } = event;
        const tools = bounded(toolCallsOf(event.message).map(({ name }) => name));
        return { name: 'reasoning_end', fields: { purpose, finish_reason: finishReason, usage, tool_calls: tools } };
      }
      case 'preActing':
        return toolCalls.begin(event, reason, text);
      case 'postActing':
        return toolCalls.end(event, text);
      case 'postCall': {
        toolCalls.endRun(event.run.runId);
        chunks.endRun(event.run.runId);
        const { outcome, usage } = event;
        const fields = { outcome, reason: short(event.reason), usage };
        return { name: 'call_end', fields, failed: outcome === 'failed' };
      }
      case 'error': {
        if (event.phase === 'acting') toolCalls.fail(event);
        const { phase, source, hook, error } = event;
        const what = { error_type: short(error.name), error_code: short(error.code), error: short(error.message) };
        return {
          name: 'error',
          fields: { phase, source, hook, ...what, cause: short(error.cause?.message) },
          failed: true,
        };
      }
      case 'reasoningChunk': {
        if (!detail.chunks) return undefined;
        const { part, block, attempt, last } = event;
        return { name: 'reasoning_chunk', fields: { part, block, attempt, last, delta: short(chunks.textOf(event)) } };
      }
      case 'actingChunk': {
        if (!detail.chunks) return undefined;
        const { attempt, last } = event;
        return { name: 'acting_chunk', fields: { attempt, last, content: short(chunks.textOf(event)) } };
      }
      case 'preReasoning':
        return undefined;
    }
  }

  return (event) => {
    // Most events are chunks, which have no records.
    if (isChunk(event) && !detail.chunks && !event.decision && !event.notes) return [];
    const text = textOf(event.run);
    const decision = decisionOf(event, detail, text);
    const reason = decision?.['reason'] as string | undefined;
    const candidates = [
      ...approvalRecords(event, text),
      ...notesOf(event, text),
      decision && { name: 'decision', fields: decision },
      recordOf(event, reason, text),
    ];
    const records = candidates.filter((record) => record !== undefined);
    // Object.assign takes half as long as a spread of both.
    return records.map((record) => ({ ...record, fields: Object.assign(aboutOf(event, text), record.fields) }));
  };
}

function aboutOf(event: SettledEvent, { short }: AuditText): Fields {
  const { run, iteration, seq, time } = event;
  const call = 'toolCall' in event ? event.toolCall : undefined;
  return {
    timestamp: new Date(time).toISOString(),
    session_id: run.sessionId,
    user_id: run.userId,
    run_id: run.runId,
    parent_run_id: run.parentRunId,
    agent: run.agent,
    iteration,
    seq,
    tool_call_id: call?.id ?? ('toolCallId' in event ? event.toolCallId : undefined),
    tool: short(call?.name),
  };
}

function notesOf({ type, notes = [] }: HookEvent, { short, bounded }: AuditText): AuditRecord[] {
  return notes.map(({ by, code, message, data }) => ({
    name: 'note',
    fields: { event: type, by, code, message: short(message), data: data === undefined ? undefined : bounded(data) },
  }));
}

function decisionOf({ type, decision }: HookEvent, { args }: AuditDetail, { short }: AuditText): Fields | undefined {
  if (!decision) return undefined;
  const { action, by } = decision;
  // An approval prompt quotes the arguments, so it is omitted with them.
  const prompt = action === 'suspend' && args ? decision.prompt : undefined;
  const reason = short('reason' in decision ? decision.reason : prompt);
  const asked_by = action === 'suspend' ? decision.asks?.map((ask) => ask.by) : undefined;
  return {
    event: type,
    action,
    by,
    asked_by,
    reason,
    rollback: 'rollback' in decision ? decision.rollback : undefined,
  };
}
