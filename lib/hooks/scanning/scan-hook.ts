import { catchError, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { rewritten } from '../../pipeline/run/step-failure.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { scanOfActing, scanOfReasoning } from './block-scans.ts';
import { cleanError } from './clean-error.ts';
import { guardedRedactor } from './guarded-redactor.ts';
import { scanChunks } from './scan-chunks.ts';
import { scanGates } from './scan-gates.ts';
import { createScanMemory, type ScanMemory } from './scan-memory.ts';
import { hitsOf, rulesOf, type ScanTerms, scanNotes } from './scan-note.ts';
import {
  byConfidence,
  hasPolicy,
  leftBy,
  type PolicyByConfidence,
  type ScanPolicies,
  type ScanSurface,
} from './scan-policies.ts';
import { createWholeScanner } from './whole-scanner.ts';

/** The redactor and the policies of a scanning hook. */
export interface Scanning {
  readonly name: string;
  readonly description: string;
  readonly priority: number;
  readonly redactor: Redactor;
  readonly policies: ScanPolicies;
  readonly terms: ScanTerms;
  /** Changes a clean call before it is judged. Default: no change. */
  restore?(toolCall: ToolCall, context: HookContext): ToolCall;
}

const keepsIn = (policy: PolicyByConfidence): boolean => hasPolicy(policy, 'redact', 'block');

/** Creates a hook that passes all text through a redactor, complete or streamed, with a policy per surface. */
export function scanHook({ name, description, priority, terms, ...scanning }: Scanning): Hook {
  const policies = mapPolicies(scanning.policies);
  const redactor = guardedRedactor(scanning.redactor);
  const memoryOf = createScanMemory(terms);
  const { on, approve } = scanGates(
    createWholeScanner(redactor, policies, terms),
    memoryOf,
    scanning.restore ?? ((toolCall) => toolCall),
  );
  return defineHook({
    name,
    description,
    priority,
    on,
    approve,
    ...(Object.values(policies).some(keepsIn) && {
      redact: (text: string, run?: RunInfo) => redactor.redact(text, run && { memory: memoryOf(run).secrets }).text,
    }),
    around: {
      ...(keepsIn(policies.text) && {
        reasoning: (_, next, { run }) => next().pipe(scanErrors('text', policies.text, redactor, memoryOf(run))),
      }),
      ...(keepsIn(policies.toolResult) && {
        acting: (_, next, { run }) =>
          next().pipe(scanErrors('toolResult', policies.toolResult, redactor, memoryOf(run))),
      }),
    },
    through: {
      reasoningChunk: (chunks$, { run }) =>
        chunks$.pipe(scanChunks((first) => scanOfReasoning(first, redactor, policies, memoryOf(run)))),
      actingChunk: (chunks$, { run }) =>
        chunks$.pipe(scanChunks((first) => scanOfActing(first, redactor, policies, memoryOf(run)))),
    },
  });
}

function mapPolicies({ prompt, context, text, thinking, toolInput, toolResult, toolProgress }: ScanPolicies) {
  return {
    prompt: byConfidence(prompt),
    context: byConfidence(context),
    text: byConfidence(text),
    thinking: byConfidence(thinking),
    toolInput: byConfidence(toolInput),
    toolResult: byConfidence(toolResult),
    toolProgress: byConfidence(toolProgress),
  };
}

/** Redacts the errors of a step before they are thrown, because an error event cannot be changed. The next gate event reports the findings. */
function scanErrors<T>(
  surface: ScanSurface,
  policy: PolicyByConfidence,
  redactor: Redactor,
  { terms, late, secrets }: ScanMemory,
): MonoTypeOperatorFunction<T> {
  return catchError((thrown: unknown) => {
    const { error, findings } = cleanError(redactor, thrown, { leave: leftBy(policy), memory: secrets });
    const hits = hitsOf(terms, surface, policy, findings);
    late.push(...scanNotes(hits));
    if (!error) return throwError(() => thrown);
    const stops = hits.filter((hit) => hit.policy === 'block');
    if (stops.length === 0) return throwError(() => rewritten(error, thrown));
    const message = `The error is withheld, because it contains ${terms.things} (${rulesOf(stops)}).`;
    const gone = { value: undefined, configurable: true, writable: true };
    Object.defineProperties(error, { message: { ...gone, value: message }, stack: gone, cause: gone });
    return throwError(() => rewritten(error, thrown));
  });
}
