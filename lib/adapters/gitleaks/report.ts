/** Where what is wrong with a file, or worth knowing, is gathered. */
export interface Report {
  /** Nothing is loaded, and this is said. */
  fault(text: string): void;
  /** All is loaded, but this is said. */
  notice(text: string): void;
}
