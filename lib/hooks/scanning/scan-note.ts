import type { NoteInput } from '../../events/decisions/note.ts';
import type { Finding } from '../../redaction/redactor.ts';
import { type PolicyByConfidence, policyFor, type ScanPolicy, type ScanSurface } from './scan-policies.ts';

/** The wording of a scanning hook. */
export interface ScanTerms {
  /** In a sentence: `secrets`. */
  readonly things: string;
  /** Codes of notes. */
  readonly codes: Readonly<Record<Exclude<ScanPolicy, 'off'>, string>>;
}

/** The findings in one text of a surface, and the policy. */
export interface Hit {
  readonly terms: ScanTerms;
  readonly surface: ScanSurface;
  readonly policy: ScanPolicy;
  readonly findings: readonly Finding[];
}

/** A value without the secrets that its policies redact, and the findings. */
export interface Scanned<T> {
  readonly clean: T;
  readonly hits: readonly Hit[];
}

/** Groups the findings of one text by policy, the strictest first. Ignored findings are dropped. */
export function hitsOf(
  terms: ScanTerms,
  surface: ScanSurface,
  policies: PolicyByConfidence,
  findings: readonly Finding[],
): readonly Hit[] {
  if (findings.length === 0) return [];
  return (['block', 'redact', 'report'] as const).flatMap((policy) => {
    const those = findings.filter((finding) => policyFor(policies, finding) === policy);
    return those.length === 0 ? [] : [{ terms, surface, policy, findings: those }];
  });
}

const MAX_PLACES = 20;

/** Returns the unique ids of the rules with findings. */
export function rulesOf(hits: readonly Pick<Hit, 'findings'>[]): string {
  return [...new Set(hits.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].join(', ');
}

/** Returns one note for each surface and policy: rules and counts, and for a single text its first places. Never a value. */
export function scanNotes(hits: readonly Hit[]): readonly NoteInput[] {
  const kinds = new Map(hits.map((hit) => [`${hit.surface} ${hit.policy}`, hit]));
  return [...kinds.values()].map(({ surface, policy }) =>
    noteOf(hits.filter((hit) => hit.surface === surface && hit.policy === policy)),
  );
}

function noteOf(hits: readonly Hit[]): NoteInput {
  const { surface, policy, terms } = hits[0] as Hit;
  const findings = hits.flatMap((hit) => hit.findings);
  const counts: Record<string, number> = {};
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1;
  // In arguments, places would refer to single strings, of which there are many.
  const isSingle = hits.length === 1 && surface !== 'toolInput';
  const places = findings.slice(0, MAX_PLACES).map(({ rule, start, end }) => ({ rule, start, end }));
  return {
    code: policy === 'off' ? '' : terms.codes[policy],
    message: `${surface}: ${rulesOf(hits)} (${findings.length} found)`,
    data: { surface, policy, rules: counts, ...(isSingle && { places }) },
  };
}
