/** A change of one line of the source that some spec has to notice. */
export interface Mutation {
  /** Below `lib`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Spec files or folders below `spec`, of which one has to fail. */
  readonly specs: readonly string[];
}
