/** An escape: the original text, its replacement and their places. */
interface Step {
  readonly at: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

/** Maps the characters of a decoded text to places in the original text. */
export interface PlaceMap {
  /** Adds the next escape: `length` characters at `at` replace the text between `from` and `to`. */
  add(step: Step): void;
  /** Returns the beginning of the character at a place; `endOf` returns its end. */
  startOf(at: number): number;
  endOf(at: number): number;
  /** Forgets the text before a place. */
  forget(at: number): void;
}

const MANY = 64;

/** Creates a map of two texts that are equal so far. */
export function createPlaceMap(): PlaceMap {
  let steps: Step[] = [];

  /** Returns the number of steps up to a place. */
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
