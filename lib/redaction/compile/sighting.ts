/** A match and its surroundings. */
export interface Sighting {
  readonly secret: string;
  readonly match: string;
  /** From the beginning of the line, or 256 characters before the match, to the end of the match. */
  readonly line: string;
}
