/** What an approver says of a frozen call. */
export type Verdict =
  | { readonly verdict: 'approved' }
  | { readonly verdict: 'denied'; readonly reason: string }
  | { readonly verdict: 'suspended'; readonly prompt: string };

const ALLOWED: Verdict = Object.freeze({ verdict: 'approved' });

/** What an approver may say. */
export const verdict = {
  /** The call may run, as far as this approver is concerned. */
  allow: (): Verdict => ALLOWED,
  /** The call must not run; the model is told `reason`. */
  deny: (reason: string): Verdict => ({ verdict: 'denied', reason }),
  /** Somebody must be asked first: the run is suspended with `prompt` and a snapshot to resume from. */
  suspend: (prompt: string): Verdict => ({ verdict: 'suspended', prompt }),
} as const;
