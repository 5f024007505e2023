import type { SettledEvent } from '../../events/hook-event.ts';
import type { Fifo } from '../flow/fifo.ts';

/** What waits for one observing hook of one run. */
export interface ObserverQueue {
  busy: boolean;
  /** Whether it is being worked off: an observer that is done at once comes back from within. */
  draining: boolean;
  chunks: number;
  dropped: number;
  readonly waiting: Fifo<SettledEvent>;
}
