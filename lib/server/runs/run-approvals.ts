import type { Answerer } from '../approvals/answerer-of.ts';
import { type Answering, unknownApproval } from '../approvals/answering.ts';
import type { Approval } from '../approvals/approval.ts';
import type { WaitingInside } from '../approvals/waiting-inside.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { Runs } from './runs.ts';

interface Parts {
  /** Pending calls of active runs. */
  readonly inside: Pick<WaitingInside, 'list' | 'find' | 'answer'>;
  /** Pending calls of suspended runs. */
  readonly answering: Pick<Answering, 'list' | 'find' | 'answer'>;
  readonly records: Pick<RunRecords, 'steps'>;
}

/** The pending calls of all runs. */
export function runApprovals({ inside, answering, records }: Parts): Pick<Runs, 'approvals' | 'approval' | 'answer'> {
  return {
    approvals: async (who: Answerer): Promise<readonly Approval[]> => [
      ...inside.list(who),
      ...(await answering.list(who)),
    ],
    async approval(who, id) {
      const approval = inside.find(who, id) ?? (await answering.find(who, id));
      if (!approval) throw unknownApproval(id);
      return { ...approval, events: await records.steps(approval) };
    },
    answer: async (who, id, body) => (await inside.answer(who, id, body)) ?? answering.answer(who, id, body),
  };
}
