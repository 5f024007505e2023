import { Observable } from 'rxjs';
import { chunkText, withText } from '../../events/chunk-text.ts';
import { abort } from '../../events/decisions/abort.ts';
import { finish } from '../../events/decisions/finish.ts';
import type { NoteInput } from '../../events/decisions/note.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { Finding, RedactionStream, StreamOptions } from '../../redaction/redactor.ts';
import { scanFailure } from './scan-failure.ts';
import { rulesOf, scanNotes } from './scan-note.ts';
import type { ScanPolicy, ScanSurface } from './scan-policies.ts';

/** The scan of one block of chunks. */
export interface BlockScan {
  readonly surface: ScanSurface;
  readonly policy: ScanPolicy;
  /** Opens the scanner of the block. */
  stream(options: StreamOptions): RedactionStream;
  /** Without notes: the event that follows the block tells of the same. */
  readonly quiet?: boolean;
  /** Told what leaves, piece by piece. */
  left(text: string): void;
  /** Told at the end of the block whether it left as it came, and of a note that no chunk is left for. */
  over(changed: boolean, late: NoteInput | undefined): void;
  /** Told the rules of what must not go on. */
  blocked(rules: string): void;
}

/**
 * Sends the chunks of a block through the scanner that `open` gives for its first one. Where they are cut short, nothing that is held back is
 * let out raw: a cancelled stream drops it, a finished one says what may be said. Where the scanner throws, the stream fails.
 */
export function scanChunks<C extends ChunkEvent>(
  chunks$: Observable<C>,
  open: (first: C) => BlockScan | undefined,
): Observable<C> {
  return new Observable<C>((subscriber) => {
    let scan: BlockScan | undefined;
    let stream: RedactionStream | undefined;
    let latest: C | undefined;
    /** What has been found and not been told. */
    let untold: Finding[] = [];
    let cut = false;
    let changed = false;

    function begin(first: C): void {
      scan = open(first);
      const quiet = scan?.quiet;
      stream = scan?.stream({ onFinding: (finding) => void (quiet || untold.push(finding)) });
    }

    function noteOf({ surface, policy }: BlockScan): NoteInput | undefined {
      if (untold.length === 0) return undefined;
      const findings = untold;
      untold = [];
      return scanNotes([{ surface, policy, findings }])[0];
    }

    function send(scan: BlockScan, chunk: C, text: string): void {
      if (text !== chunkText(chunk)) changed = true;
      if (text !== '') scan.left(text);
      const found = scan.policy === 'block' && untold.length > 0;
      // A note needs a chunk that has text; until then it waits.
      const note = found || text === '' ? undefined : noteOf(scan);
      if (found) stop(scan, chunk, text);
      else if (note || text !== chunkText(chunk)) subscriber.next(withText(chunk, text, note));
      else subscriber.next(chunk);
    }

    function stop(scan: BlockScan, chunk: C, text: string): void {
      const rules = rulesOf([{ findings: untold }]);
      scan.blocked(rules);
      if (chunk.type === 'actingChunk') {
        subscriber.next(finish<ChunkEvent>(withText(chunk, text, noteOf(scan))) as C);
      } else {
        if (text !== '') subscriber.next(withText(chunk, text));
        subscriber.next(abort<ChunkEvent>(withText(chunk, '', noteOf(scan)), `${scan.surface}: ${rules}`) as C);
      }
    }

    function flush(scan: BlockScan, stream: RedactionStream, { notes: _, decision: __, ...last }: C): void {
      const rest = cut ? stream.abort() : stream.end();
      // What is only reported has left already.
      if (scan.policy !== 'report') send(scan, withText(last as C, ''), rest);
      scan.over(changed, noteOf(scan));
    }

    /** RxJS would report what a callback throws to the process, and have the stream go on. */
    function closed(act: () => void): void {
      if (subscriber.closed) return;
      try {
        act();
      } catch {
        subscriber.error(scanFailure());
      }
    }

    return chunks$.subscribe({
      next: (chunk) =>
        closed(() => {
          if (!scan) begin(chunk);
          if (!scan || !stream) return subscriber.next(chunk);
          latest = chunk;
          if (chunk.decision?.action === 'finish') cut = true;
          const text = stream.write(chunkText(chunk));
          send(scan, chunk, scan.policy === 'report' ? chunkText(chunk) : text);
        }),
      error: (thrown) => subscriber.error(thrown),
      complete: () =>
        closed(() => {
          if (scan && stream && latest) flush(scan, stream, latest);
          subscriber.complete();
        }),
    });
  });
}
