/** What the front sends the process that runs the hooks. */
export type ToWorker =
  /** An event of the host: `id` is answered, without one nobody waits. */
  | { readonly id?: number; readonly event: string }
  /** Nobody waits for that answer any more. */
  | { readonly cancel: number }
  /** Close the hooks and end. */
  | { readonly end: true };

/** What that process says. */
export type FromWorker =
  | { readonly ready: true }
  /** Sent while the thread is free. */
  | { readonly beat: true }
  /** The hooks run for this event now; `yielded` once the thread was given back. */
  | { readonly id: number; readonly stage: 'running' | 'yielded' }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string }
  /** An error that nobody waited for: nothing under way counts as judged. */
  | { readonly stray: string }
  /** Files that the hooks were made from, with their states; `failed` if some could not be made. */
  | { readonly files: readonly (readonly [file: string, state: string])[]; readonly failed: boolean };

/** How often a worker says that its thread is free, in milliseconds. */
export const BEAT_MS = 200;
