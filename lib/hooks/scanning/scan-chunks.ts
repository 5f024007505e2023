import type { OperatorFunction } from 'rxjs';
import { chunkText, withText } from '../../events/chunk-text.ts';
import { abort } from '../../events/decisions/abort.ts';
import { finish } from '../../events/decisions/finish.ts';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import { rewriteChunks } from '../../pipeline/define/hold-back.ts';
import type { Finding, RedactionStream, StreamOptions } from '../../redaction/redactor.ts';
import { orScanFailure } from './scan-failure.ts';
import { hitsOf, rulesOf, type ScanTerms, scanNotes } from './scan-note.ts';
import { hasPolicy, leftBy, type PolicyByConfidence, policyFor, type ScanSurface } from './scan-policies.ts';

export interface BlockScan {
  readonly terms: ScanTerms;
  readonly surface: ScanSurface;
  readonly policy: PolicyByConfidence;
  /** Opens the scanner of the block. */
  stream(options: StreamOptions): RedactionStream;
  /** Adds no notes, because the event after the block reports the same findings. */
  readonly quiet?: boolean;
  /** Called with each forwarded text. */
  left(text: string): void;
  /** Called at the end of the block: whether it changed, and a note that has no chunk left. */
  over(changed: boolean, late: NoteInput | undefined): void;
  /** Called with the rules that blocked the text. */
  blocked(rules: string): void;
}

/**
 * Sends the chunks of a block through the scanner that `open` returns for the first chunk. Held-back text is never released raw: a cancelled stream
 * drops it, and a finished one releases only its clean part. If the scanner throws, the stream fails.
 */
export function scanChunks<C extends ChunkEvent>(open: (first: C) => BlockScan | undefined): OperatorFunction<C, C> {
  return rewriteChunks(() => {
    let scan: BlockScan | undefined;
    let stream: RedactionStream | undefined;
    let latest: C | undefined;
    /** Findings that are not reported yet. */
    let pending: Finding[] = [];
    /** Whether text may be redacted. Otherwise all text is forwarded unchanged. */
    let changes = false;
    let cut = false;
    let changed = false;

    function begin(first: C): void {
      scan = open(first);
      if (!scan) return;
      const { quiet, policy } = scan;
      const onFinding = (finding: Finding) =>
        void (quiet || policyFor(policy, finding) === 'off' || pending.push(finding));
      changes = hasPolicy(policy, 'redact', 'block');
      stream = scan.stream({ onFinding, leave: leftBy(policy) });
    }

    function noteOf({ terms, surface, policy }: BlockScan): NoteInput | undefined {
      if (pending.length === 0) return undefined;
      const findings = pending;
      pending = [];
      return scanNotes(hitsOf(terms, surface, policy, findings))[0];
    }

    /** Returns the replacement of `chunk` with the text `text`. */
    function send(scan: BlockScan, chunk: C, text: string): readonly C[] {
      if (text !== chunkText(chunk)) changed = true;
      if (text !== '') scan.left(text);
      if (pending.some(blocks(scan))) return stop(scan, chunk, text);
      // A note waits for a chunk with text.
      const note = text === '' ? undefined : noteOf(scan);
      return [note || text !== chunkText(chunk) ? withText(chunk, text, note) : chunk];
    }

    function stop(scan: BlockScan, chunk: C, text: string): readonly C[] {
      const rules = rulesOf([{ findings: pending.filter(blocks(scan)) }]);
      scan.blocked(rules);
      if (chunk.type === 'actingChunk') return [finish<ChunkEvent>(withText(chunk, text, noteOf(scan))) as C];
      const last = abort<ChunkEvent>(withText(chunk, '', noteOf(scan)), `${scan.surface}: ${rules}`) as C;
      return text === '' ? [last] : [withText(chunk, text), last];
    }

    function take(chunk: C): readonly C[] {
      if (!scan) begin(chunk);
      if (!scan || !stream) return [chunk];
      latest = chunk;
      if (chunk.decision?.action === 'finish') cut = true;
      const text = stream.write(chunkText(chunk));
      return send(scan, chunk, changes ? text : chunkText(chunk));
    }

    function rest(): readonly C[] {
      if (!scan || !stream || !latest) return [];
      const { notes: _, decision: __, ...last } = latest;
      const text = cut ? stream.abort() : stream.end();
      // Text that is only reported has been forwarded already.
      const chunks = changes && (text || pending.length > 0) ? send(scan, withText(last as C, ''), text) : [];
      scan.over(changed, noteOf(scan));
      return chunks;
    }

    return { take: (chunk) => orScanFailure(() => take(chunk)), rest: () => orScanFailure(rest) };
  });
}

const blocks =
  ({ policy }: BlockScan) =>
  (finding: Finding) =>
    policyFor(policy, finding) === 'block';
