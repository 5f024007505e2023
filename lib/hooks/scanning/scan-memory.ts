import type { NoteInput } from '../../events/decisions/note.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { SecretMemory } from '../../redaction/redactor.ts';
import { ownSecretsOf } from './run-secrets.ts';
import type { Scanned, ScanTerms } from './scan-note.ts';
import type { ScanSurface } from './scan-policies.ts';

/** The scanner's state of a run. It avoids repeated scans and notes. */
export interface ScanMemory {
  readonly terms: ScanTerms;
  /** Values found in this run. They are secrets wherever they occur again. */
  readonly secrets: SecretMemory;
  /** Redacted texts by surface, because policies differ by surface. In `format` mode, a second scan would find the replacements. */
  readonly cleaned: Map<ScanSurface, Set<string>>;
  /** Unchanged texts scanned since the last model request. */
  readonly seen: Map<ScanSurface, Set<string>>;
  /** The beginning of the last request that has no findings, and the number of known values when it was scanned. */
  clean: readonly Message[];
  cleanWith: number;
  /** The scanned messages of hooks. */
  injected: WeakMap<Message, Scanned<Message>>;
  /** Messages with reported findings. */
  readonly reported: WeakSet<Message>;
  /** The violated rules by call: of its arguments, and of its tool's output. */
  readonly denied: Map<string, string>;
  readonly withheld: Map<string, string>;
  /** Notes on chunks that were already sent. The next gate event takes them. */
  readonly late: NoteInput[];
}

/** Creates a function that returns the memory of a run. It is dropped with the run. */
export function createScanMemory(terms: ScanTerms): (run: RunInfo) => ScanMemory {
  const runs = new WeakMap<RunInfo, ScanMemory>();
  return (run) => {
    const known = runs.get(run);
    if (known) return known;
    const made: ScanMemory = {
      terms,
      secrets: ownSecretsOf(run, runs),
      cleaned: new Map(),
      seen: new Map(),
      clean: [],
      cleanWith: 0,
      injected: new WeakMap(),
      reported: new WeakSet(),
      denied: new Map(),
      withheld: new Map(),
      late: [],
    };
    runs.set(run, made);
    return made;
  };
}

/** Records a text that the scanner released. */
export function rememberText(memory: ScanMemory, surface: ScanSurface, text: string, changed: boolean): void {
  const texts = changed ? memory.cleaned : memory.seen;
  texts.set(surface, (texts.get(surface) ?? new Set()).add(text));
}
