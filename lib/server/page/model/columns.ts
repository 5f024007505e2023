/** A growing list of numbers, as compact as a typed array. */
export interface Column {
  readonly values: Float64Array | Int32Array | Uint8Array | Uint16Array;
  readonly length: number;
  push(value: number): void;
  at(index: number): number;
}

const KINDS = { f64: Float64Array, i32: Int32Array, u16: Uint16Array, u8: Uint8Array } as const;

/** Creates an empty column of a kind of numbers. */
export function column(kind: keyof typeof KINDS): Column {
  let values = new KINDS[kind](64);
  let length = 0;
  return {
    get values() {
      return values;
    },
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = new KINDS[kind](length * 2);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    at: (index) => values[index] ?? 0,
  };
}

/** Returns the first place in an ascending list whose value is not below `value`. */
export function firstFrom(length: number, valueAt: (index: number) => number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
