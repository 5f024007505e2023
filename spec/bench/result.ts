/** One ratio that was measured, and what it has to keep. */
export interface BenchResult {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
}

/** Whether a result keeps its target. */
export function keeps({ value, least, most }: BenchResult): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}
