/** An escape: what stands for what, and where. */
interface Step {
  readonly at: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

/** Where the characters of a decoded text stand in the text as it came. */
export interface PlaceMap {
  /** Takes the next escape: `length` characters at `at` stand for what was between `from` and `to`. */
  add(step: Step): void;
  /** Where the character at a place begins, and where it ends. */
  startOf(at: number): number;
  endOf(at: number): number;
  /** Forgets what stands before a place. */
  forget(at: number): void;
}

const MANY = 64;

/** A map of two texts that are the same so far. */
export function createPlaceMap(): PlaceMap {
  let steps: Step[] = [];

  /** The number of steps up to a place. */
  const count = (at: number): number => {
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle]!.at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const place = (at: number, end: boolean): number => {
    const step = steps[count(at) - 1];
    if (!step) return end ? at + 1 : at;
    const behind = at - step.at - step.length;
    if (behind >= 0) return step.to + behind + (end ? 1 : 0);
    return end ? step.to : step.from;
  };

  return {
    add: (step) => void steps.push(step),
    startOf: (at) => place(at, false),
    endOf: (at) => place(at, true),
    forget(at) {
      const gone = count(at) - 1;
      if (gone > MANY) steps = steps.slice(gone);
    },
  };
}
