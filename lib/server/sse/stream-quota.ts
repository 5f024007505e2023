import { refuse } from '../http/refuse.ts';

/** Streams that are open, of all users and of each. */
export interface StreamQuota {
  /** Counts one more; gives what counts it off, once. Refused where there are too many of all (503) or of that user (429). */
  take(user: string): () => void;
}

const LATER = { 'retry-after': '5' };

export function streamQuota(inAll: number, perUser: number): StreamQuota {
  const open = new Map<string, number>();
  let all = 0;
  return {
    take(user) {
      const own = open.get(user) ?? 0;
      if (all >= inAll) throw refuse(503, `There are ${all} streams; more are not allowed at a time.`, LATER);
      if (own >= perUser) throw refuse(429, `You have ${own} streams; more are not allowed at a time.`, LATER);
      all += 1;
      open.set(user, own + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        all -= 1;
        const left = (open.get(user) ?? 1) - 1;
        if (left === 0) open.delete(user);
        else open.set(user, left);
      };
    },
  };
}
