/** Something about the house that can be counted, and how much of it there may be. */
export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly most?: number;
}

export const keeps = ({ value, most }: Measure): boolean => most === undefined || value <= most;
