/** Why a rule cannot hold, and what to write instead. Caught where rules are compiled; never leaves the room. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault';
  readonly wayOut: string;

  constructor(reason: string, wayOut: string) {
    super(reason);
    this.wayOut = wayOut;
  }
}
