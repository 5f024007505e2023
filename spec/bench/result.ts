/** What one step or chunk allocates. */
export interface Allocations {
  readonly promises: number;
  readonly kilobytes: number;
}

/** One ratio that was measured, and what it has to keep. */
export interface BenchResult {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
  /** What both allocate whose ratio this is. */
  readonly allocations?: { readonly measured: Allocations; readonly against: Allocations };
}

/** Whether a result keeps its target. */
export function keeps({ value, least, most }: BenchResult): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** The head of the table of results. */
export const TABLE_HEAD = ['| what | measured | target | | promises | kB |', '| --- | --- | --- | --- | --- | --- |'];

/** The row of a result. A step with hooks is followed by one without. */
export function toRow(result: BenchResult): string {
  const { name, unit, value, least, most, allocations } = result;
  const target = least !== undefined ? `at least ${least}` : most !== undefined ? `at most ${most}` : '';
  const verdict = target === '' ? '' : keeps(result) ? 'kept' : '**missed**';
  const both = (key: keyof Allocations, digits: number): string =>
    allocations
      ? `${allocations.measured[key].toFixed(digits)}, without ${allocations.against[key].toFixed(digits)}`
      : '';
  return `| ${name} | ${value.toFixed(2)} ${unit} | ${target} | ${verdict} | ${both('promises', 1)} | ${both('kilobytes', 1)} |`;
}
