import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { HookAnswer } from '../bed/recorded-hook.ts';
import type { HostEnd } from '../bed/run-host.ts';
import type { Turn } from '../bed/turn.ts';

/** One answer of a hook to a call that makes a file, and the effects that show what the host did with it. */
export interface Case {
  title: string;
  event: string;
  answer: (file: string) => Omit<HookAnswer, 'event' | 'includes'>;
  /** Whether the call of the model ran. */
  runs: boolean;
  /** Ending of another file that the rewritten call makes. */
  instead?: string;
  /** What the next request to the model contains, or does not. */
  told?: RegExp;
  notTold?: RegExp;
}

const fileOf = (index: number) => `case-${String(index).padStart(2, '0')}.txt`;

/** All cases as one run of a host, because its start takes most of the time: a turn and an answer for each. */
export const casesRun = (cases: readonly Case[], call: (command: string) => Turn) => ({
  answers: cases.map(({ event, answer }, index) => ({ event, includes: fileOf(index), ...answer(fileOf(index)) })),
  turns: cases.map((_, index) => call(`touch ${fileOf(index)} && echo the output`)),
});

/** Defines one spec for each case of the run. `result` reads the newest result of a tool in a request to the model. */
export function judge(cases: readonly Case[], end: () => HostEnd, result: (request: unknown) => string): void {
  for (const [index, { title, runs, instead, told, notTold }] of cases.entries())
    it(title, () => {
      const { folder, requests } = end();
      const file = fileOf(index);
      expect(existsSync(join(folder, file)), 'the call ran').to.equal(runs);
      if (instead !== undefined) expect(existsSync(join(folder, file + instead)), 'the other call ran').to.equal(true);
      const text = result(requests[index + 1]?.body);
      if (told) expect(text).to.match(told);
      if (notTold) expect(text).not.to.match(notTold);
    });
}
