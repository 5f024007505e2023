import { expect } from 'chai';
import { EMPTY, type Observable, throwError } from 'rxjs';
import type { RequestMoment } from '../../../lib/cli/host-hook/judge/host-moment.ts';
import { judgeRequest } from '../../../lib/cli/host-hook/judge/judge-model.ts';
import type { LoopRun } from '../../../lib/loops/loop-run.ts';

/** A run whose pipeline never calls the model. */
const runOf = (reasoning: Observable<never>, fatal?: Error): LoopRun =>
  ({ run: { reason: () => reasoning, fatal } }) as unknown as LoopRun;
const moment = { kind: 'request', messages: [{ role: 'user', text: 'hi' }] } as unknown as RequestMoment;

describe('a model request that no model answers', () => {
  it('is denied if the pipeline ends without a decision', async () => {
    const verdict = await judgeRequest(runOf(EMPTY), moment);
    expect(verdict).to.deep.equal({ refused: 'A hook did not let the model answer.' });
  });

  it('fails with the error of the run', async () => {
    const fatal = new Error('broken');
    for (const run of [runOf(EMPTY, fatal), runOf(throwError(() => fatal))])
      expect(await judgeRequest(run, moment).catch((thrown: unknown) => thrown)).to.equal(fatal);
  });
});
