import { confidences } from '../confidence.ts';
import type { Finding } from '../redactor.ts';
import { nameOf, type Region } from './regions.ts';

/** Reports replaced regions and regions that were only reported, in text order. */
export interface FindingReports {
  /** Adds a replaced region. */
  add(region: Region): void;
  /** Reports all findings that are final once every secret before `frontier` is known. */
  reportUpTo(frontier: number): void;
}

/** Reports the findings of one stream to `onFinding`. A region without a rule is not a finding. */
export function createFindingReports(
  labels: readonly string[],
  aside: Region[],
  onFinding: (finding: Finding) => void,
): FindingReports {
  let replaced: Region[] = [];
  /** End of the last reported region that was replaced. */
  let hiddenTo = 0;

  const give = (region: Region): void => {
    const { level, start, end } = region;
    const rule = labels[nameOf(region)];
    if (rule !== undefined) onFinding({ rule, confidence: confidences[level] ?? 'format', start, end });
  };

  /** Reports the replaced regions that begin before `place`. */
  const giveBefore = (place: number): void => {
    let reported = 0;
    for (let next = replaced[0]; next && next.start < place; next = replaced[++reported]) {
      give(next);
      hiddenTo = next.end;
    }
    if (reported > 0) replaced = replaced.slice(reported);
  };

  return {
    add(region) {
      replaced.push(region);
    },
    reportUpTo(frontier) {
      for (let put = aside[0]; put && put.end <= frontier; put = aside[0]) {
        giveBefore(put.end);
        // Findings that overlap a removed secret are reported with it.
        if (hiddenTo <= put.start) give(put);
        aside.shift();
      }
      giveBefore(Math.min(frontier, aside[0]?.end ?? Infinity));
    },
  };
}
