import { catchError, type MonoTypeOperatorFunction, throwError } from 'rxjs';
import { rewritten } from '../../pipeline/run/step-failure.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { cleanError } from './clean-error.ts';
import type { ScanMemory } from './scan-memory.ts';
import { hitsOf, rulesOf, scanNotes } from './scan-note.ts';
import { leftBy, type PolicyByConfidence, type ScanSurface } from './scan-policies.ts';

/** Redacts the errors of a step before they are thrown, because an error event cannot be changed. The next gate event reports the findings. */
export function scanErrors<T>(
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
