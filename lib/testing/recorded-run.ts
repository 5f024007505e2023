import { HooklineError } from '../errors.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { textOf, thinkingOf, toolCallsOf } from '../events/parts/messages.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import { readRecording } from '../hooks/recorder/read-recording.ts';
import { defineTool, type Tool } from '../pipeline/define/tool.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { checkableSchema } from '../schemas/checkable-schema.ts';
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
 * Reads a recording of the hook `recorder`, or a log of a run store. A last line truncated by a crash is ignored. Any other issue of the file is `INPUT_INVALID` with its
 * line.
 */
export function recordedRun(file: string): RecordedRun {
  const { head, reports, lost } = readRecording(file);
  const { run } = head;
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

/** Returns the model's answer or failure. It does not repeat a response of a hook. */
function turnOf(event: SettledEvent): ScriptTurn[] {
  if (event.type === 'error') {
    if (event.phase !== 'reasoning' || event.source !== 'model') return [];
    return [{ error: { message: event.error.message, name: event.error.name } }];
  }
  if (event.type !== 'postReasoning' || event.finishReason === 'responded') return [];
  const { message, usage } = event;
  const thinking = thinkingOf(message);
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
      inputSchema: checkableSchema(inputSchema),
      jsonSchema: inputSchema,
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
