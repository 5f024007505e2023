import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { EVENT_FORMAT_VERSION, type EventOf, hookEventSchema, type SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { textOf, toolCallsOf } from '../events/parts/messages.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import { RECORDING_VERSION, recordingHeadSchema, recordingLineSchema } from '../hooks/recorder/recording-format.ts';
import { defineTool, type Tool } from '../pipeline/define/tool.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { scriptError } from './scripts/script-error.ts';
import type { ScriptTurn } from './scripts/script-schema.ts';
import { type ScriptedModel, scriptedModel } from './scripts/scripted-model.ts';

/** A recording with the parts to replay it. */
export interface RecordedRun {
  /** The recorded run. */
  readonly run: RunInfo;
  /** Input of the run. */
  readonly input: readonly Message[];
  /** All its events with the effects of hooks, in the order of settling, including those of sub-agents. */
  readonly reports: readonly TraceReport[];
  /** Answers like the model of the run, after all hooks of that time. It has one position in its script, like `scriptedModel`. */
  readonly model: ScriptedModel;
  /** The tools that were offered to the model. Each returns the recorded result of the call with that id. Sub-agents do not run. */
  readonly tools: readonly Tool[];
  /** Number of missing events. */
  readonly lost: number;
  /** True if the recording contains the end of the run. */
  readonly complete: boolean;
}

/**
 * Reads a recording of the hook `recorder`. A last line truncated by a crash is ignored. Any other issue of the file is `INPUT_INVALID` with its
 * line.
 */
export function recordedRun(file: string): RecordedRun {
  const lines = linesOf(file);
  const issue = (line: number, why: string): HooklineError =>
    new HooklineError('INPUT_INVALID', `The recording "${file}" cannot be read: line ${line + 1} ${why}.`);
  const first = recordingHeadSchema.safeParse(lines[0]);
  if (!first.success) throw issue(0, 'is not the head of a recording; give a file that the hook recorder has written');
  const { run, version, events: format } = first.data;
  if (version !== RECORDING_VERSION || format !== EVENT_FORMAT_VERSION)
    throw issue(
      0,
      `has version ${version} with events of version ${format}; this Hookline reads ${RECORDING_VERSION} with ${EVENT_FORMAT_VERSION}`,
    );

  const reports: TraceReport[] = [];
  const asked = new Map<string, EventOf<'preReasoning'>>();
  let lost = 0;
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue;
    const parsed = recordingLineSchema.safeParse(line);
    if (!parsed.success) throw issue(at, `is not a line of a recording: ${z.prettifyError(parsed.error)}`);
    if ('lost' in parsed.data) {
      lost += parsed.data.lost;
      continue;
    }
    const { event, same, steps = [] } = parsed.data;
    const checked = hookEventSchema.safeParse(event);
    if (!checked.success) throw issue(at, `holds no event: ${z.prettifyError(checked.error)}`);
    let settled = checked.data as SettledEvent;
    if (settled.type === 'preReasoning') {
      const before = asked.get(settled.run.runId);
      const count = same?.messages ?? 0;
      if (count > (before?.messages.length ?? 0)) throw issue(at, 'goes on from a question that is not there');
      const messages = [...(before?.messages.slice(0, count) ?? []), ...settled.messages];
      settled = { ...settled, messages, ...(same?.tools && before && { tools: before.tools }) };
      asked.set(settled.run.runId, settled);
    }
    reports.push({ event: settled, steps });
  }

  const own = reports.map(({ event }) => event).filter((event) => event.run.runId === run.runId);
  return {
    run,
    input: own.flatMap((event) => (event.type === 'preCall' ? event.messages : [])),
    reports,
    model: scriptedModel(own.flatMap(turnOf)),
    tools: toolsOf(own),
    lost,
    complete: own.at(-1)?.type === 'postCall',
  };
}

/** Returns the lines as JSON. The last one may be truncated. */
function linesOf(file: string): readonly unknown[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new HooklineError('INPUT_INVALID', `The recording "${file}" cannot be read: ${messageOf(cause)}`, { cause });
  }
  const lines = text.split('\n');
  lines.pop();
  return lines.map((line, at) => {
    try {
      return JSON.parse(line);
    } catch (cause) {
      const message = `The recording "${file}" cannot be read: line ${at + 1} is not JSON.`;
      throw new HooklineError('INPUT_INVALID', message, { cause });
    }
  });
}

/** Returns the model's answer or failure. It does not repeat a response of a hook. */
function turnOf(event: SettledEvent): ScriptTurn[] {
  if (event.type === 'error') {
    if (event.phase !== 'reasoning' || event.source !== 'model') return [];
    return [{ error: { message: event.error.message, name: event.error.name } }];
  }
  if (event.type !== 'postReasoning' || event.finishReason === 'responded') return [];
  const { message, usage } = event;
  const thinking = message.parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
  const text = textOf(message);
  return [
    {
      ...(thinking !== '' && { thinking }),
      ...(text !== '' && { text }),
      toolCalls: [...toolCallsOf(message)],
      ...(usage && { usage }),
    },
  ];
}

function toolsOf(events: readonly SettledEvent[]): readonly Tool[] {
  const described = new Map(
    events.flatMap((event) =>
      event.type === 'preReasoning' ? event.tools.map((tool) => [tool.name, tool] as const) : [],
    ),
  );
  const ended = new Map(
    events.flatMap((event) => (event.type === 'postActing' ? [[event.toolCall.id, event] as const] : [])),
  );
  const failed = new Map(
    events.flatMap((event) =>
      event.type === 'error' && event.phase === 'acting' && event.source === 'tool'
        ? [[event.toolCall.id, scriptError({ message: event.error.message, name: event.error.name })] as const]
        : [],
    ),
  );
  return [...described.values()].map(({ name, description, inputSchema, permission }) =>
    defineTool({
      name,
      description,
      inputSchema,
      permission,
      execute(_, { toolCall: { id } }) {
        const found = ended.get(id);
        if (found?.outcome === 'failed') throw failed.get(id) ?? new Error(found.result.content);
        if (found?.outcome === 'executed' || found?.outcome === 'responded') return found.result;
        throw new HooklineError(
          'SCRIPT_EXHAUSTED',
          `The recording has no result of the call ${id} of ${name}${found ? `: it was ${found.outcome}` : ''}.`,
        );
      },
    }),
  );
}
