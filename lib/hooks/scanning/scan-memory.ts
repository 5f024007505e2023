import type { NoteInput } from '../../events/decisions/note.ts';
import type { Message } from '../../events/parts/message.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { createSecretMemory } from '../../redaction/memory/secret-memory.ts';
import type { SecretMemory } from '../../redaction/redactor.ts';
import type { ScanTerms } from './scan-note.ts';
import type { ScanSurface } from './scan-policies.ts';

/** What the scanner knows of a run, so that it neither looks nor tells twice. */
export interface ScanMemory {
  readonly terms: ScanTerms;
  /** Values that were found in this run: secrets wherever they come back. */
  readonly secrets: SecretMemory;
  /** Texts out of which something was taken: in `format` mode a second look would find it again. */
  readonly cleaned: Set<string>;
  /** What has been looked at since the model was asked last, and left as it was. */
  readonly seen: Map<ScanSurface, Set<string>>;
  /** Messages that have been told of. */
  readonly told: WeakSet<Message>;
  /** The rules that a call has broken, and those that its tool's output has, by call. */
  readonly denied: Map<string, string>;
  readonly withheld: Map<string, string>;
  /** Remarks on chunks that were gone already; the next event that comes whole takes them. */
  readonly late: NoteInput[];
}

/** Makes a function that gives the memory of a run; it is gone with the run. */
export function createScanMemory(terms: ScanTerms): (run: RunInfo) => ScanMemory {
  const runs = new WeakMap<RunInfo, ScanMemory>();
  return (run) => {
    const known = runs.get(run);
    if (known) return known;
    const made: ScanMemory = {
      terms,
      secrets: createSecretMemory(),
      cleaned: new Set(),
      seen: new Map(),
      told: new WeakSet(),
      denied: new Map(),
      withheld: new Map(),
      late: [],
    };
    runs.set(run, made);
    return made;
  };
}

/** Remembers a text that the scanner has let out. */
export function rememberText(memory: ScanMemory, surface: ScanSurface, text: string, changed: boolean): void {
  if (changed) return void memory.cleaned.add(text);
  const seen = memory.seen.get(surface) ?? new Set<string>();
  memory.seen.set(surface, seen.add(text));
}
