import { basename } from 'node:path';
import type { SettledEvent } from '../../events/hook-event.ts';
import { isPrompt, textOf } from '../../events/parts/messages.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { DECLINED } from '../../pipeline/define/hook.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import { markerHead } from '../../redaction/show/marker.ts';
import { readReplayable } from '../../replay/read-run.ts';
import { keyOf } from '../../replay/recorded-effects.ts';
import { beforeHooks } from '../../replay/undo-steps.ts';
import { type VerdictAction, verdictsOf } from '../../replay/verdicts.ts';
import type { PolicyCase } from './case-file.ts';

/** A decision of a recorded run, and the case that repeats it. */
export interface RecordedCase extends Pick<PolicyCase, 'call' | 'prompt' | 'result' | 'agent' | 'user'> {
  readonly name: string;
  /** Where it is recorded. */
  readonly place: string;
  readonly action: VerdictAction;
  /** The input that the tool received, or the text after all hooks. */
  readonly after: string;
  /** Part of the judged value is not in the recording. */
  readonly isPartly: boolean;
}

/** Returns the decisions of a recording: about calls, and about prompts and results that hooks changed or stopped. Throws `INPUT_INVALID` if it cannot be read. */
export function recordedCases(file: string): readonly RecordedCase[] {
  return readReplayable(file).scripts.flatMap(({ reports, run }) => {
    const verdicts = verdictsOf(reports);
    return reports.flatMap((report): RecordedCase[] => {
      const verdict = verdicts.get(keyOf(report.event));
      const { event, exact } = beforeHooks(report.event, report.steps);
      const judged = judgedIn(event);
      if (!verdict || !judged || verdict.seq !== report.event.seq) return [];
      const action = isDeclined(report) ? 'ask' : verdict.action;
      const after = report.event.type === 'preCall' ? promptOf(report.event) : verdict.value;
      if (!judged.call && action === 'allow' && after === (judged.prompt ?? judged.result?.content)) return [];
      const what = judged.call?.tool ?? (judged.result ? `result of ${judged.result.tool}` : 'prompt');
      const place = `${basename(file)}, event ${verdict.seq}`;
      return [
        {
          ...{ ...judged, name: `${action} ${what} (${place})`, place, action, after },
          ...{ agent: run.agent, user: run.userId },
          isPartly: !exact || canonicalJson(judged as JsonValue).includes(markerHead),
        },
      ];
    });
  });
}

type Judged = Pick<PolicyCase, 'call' | 'prompt' | 'result'>;

function judgedIn(event: SettledEvent): Judged | undefined {
  if (event.type === 'preCall') return { prompt: promptOf(event) };
  if (event.type !== 'preActing' && event.type !== 'postActing') return undefined;
  const { name: tool, input } = event.toolCall;
  if (event.type === 'preActing') return { call: { tool, input: input as JsonObject, permission: event.permission } };
  return { result: { tool, input: input as JsonObject, content: event.result.content } };
}

function promptOf({ messages }: Extract<SettledEvent, { type: 'preCall' }>): string {
  return textOf(messages.findLast(isPrompt));
}

/** A person declined the call, so the hooks asked about it. */
function isDeclined({ steps }: TraceReport): boolean {
  return steps.some(({ stage, reason }) => stage === 'approve' && reason === DECLINED);
}
