import { confidences } from '../confidence.ts';
import type { Finding } from '../redactor.ts';
import type { Region } from './regions.ts';

/** Tells of what has been replaced and of what was put aside, in the order of the text. */
export interface Tellings {
  /** Takes a region that has been replaced. */
  add(region: Region): void;
  /** Tells of all that is certain when all secrets before `frontier` are known. */
  tell(frontier: number): void;
}

/** What is found in one stream, told to `onFinding`. A region of no rule is no finding. */
export function createTellings(
  labels: readonly string[],
  aside: Region[],
  onFinding: (finding: Finding) => void,
): Tellings {
  let replaced: Region[] = [];
  /** Where the last replaced region that has been told of ends. */
  let hiddenTo = 0;

  const give = ({ order, level, start, end }: Region): void => {
    const rule = labels[order];
    if (rule !== undefined) onFinding({ rule, confidence: confidences[level] ?? 'format', start, end });
  };

  /** Tells of what was replaced and begins before `place`. */
  const giveBefore = (place: number): void => {
    let told = 0;
    for (let next = replaced[0]; next && next.start < place; next = replaced[++told]) {
      give(next);
      hiddenTo = next.end;
    }
    if (told > 0) replaced = replaced.slice(told);
  };

  return {
    add(region) {
      replaced.push(region);
    },
    tell(frontier) {
      for (let put = aside[0]; put && put.end <= frontier; put = aside[0]) {
        giveBefore(put.end);
        // What overlaps a secret that is gone is told of with it.
        if (hiddenTo <= put.start) give(put);
        aside.shift();
      }
      giveBefore(Math.min(frontier, aside[0]?.end ?? Infinity));
    },
  };
}
