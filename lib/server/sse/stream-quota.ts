import { refuse } from '../http/refuse.ts';

/** Counts open streams, in total and per user. */
export interface StreamQuota {
  /**
   * Counts a new stream. Returns a function that ends the count, once. Rejects the stream if the total limit (503) or the limit of the user (429) is
   * reached.
   */
  take(user: string): () => void;
}

const LATER = { 'retry-after': '5' };

export function streamQuota(inAll: number, perUser: number): StreamQuota {
  const open = new Map<string, number>();
  let all = 0;
  return {
    take(user) {
      const own = open.get(user) ?? 0;
      if (all >= inAll)
        throw refuse(
          503,
          `The server has ${all} open streams, which is the limit. Close one, or try again later.`,
          LATER,
        );
      if (own >= perUser) throw refuse(429, `You have ${own} open streams, which is the limit. Close one.`, LATER);
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
