/** Messages from the front to the process that runs the hooks. */
export type ToWorker =
  /** An event of the host. `id` is answered; without an id, the front does not wait. */
  | { readonly id?: number; readonly event: string }
  /** The answer is no longer needed. */
  | { readonly cancel: number }
  /** Close the hooks and exit. */
  | { readonly end: true };

/** Messages from that process. */
export type FromWorker =
  | { readonly ready: true }
  /** Sent while the event loop is free. */
  | { readonly beat: true }
  /** The hooks run for this event now. `yielded` after they returned to the event loop. */
  | { readonly id: number; readonly stage: 'running' | 'yielded' }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string }
  /** An unhandled error. No pending event counts as evaluated. */
  | { readonly stray: string }
  /** Files of the hooks, with their states. `failed` is true if some hooks could not be created. */
  | { readonly files: readonly (readonly [file: string, state: string])[]; readonly failed: boolean };

/** How often a worker reports that its event loop is free, in milliseconds. */
export const BEAT_MS = 200;
