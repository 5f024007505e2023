/** What an approver says of a frozen call. */
export type Verdict =
  | { readonly verdict: 'approved' }
  | { readonly verdict: 'denied'; readonly reason: string }
  | { readonly verdict: 'suspended'; readonly prompt: string };

const APPROVED: Verdict = Object.freeze({ verdict: 'approved' });

/** The call may run, as far as this approver is concerned. */
export const approved = (): Verdict => APPROVED;

/** The call must not run; the model is told `reason`. */
export const denied = (reason: string): Verdict => ({ verdict: 'denied', reason });

/** Somebody must be asked first: the run is suspended with `prompt` and a snapshot to resume from. */
export const suspended = (prompt: string): Verdict => ({ verdict: 'suspended', prompt });
