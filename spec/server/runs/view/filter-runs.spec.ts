import { expect } from 'chai';
import type { RunView } from '../../../../lib/server/runs/run-view.ts';
import { readFilter } from '../../../../lib/server/runs/view/filter-runs.ts';

const view: RunView = {
  runId: 'r1',
  user: 'ada',
  sessionId: 'invoices',
  agent: 'coder',
  title: 'Pay the invoice',
  state: 'ended',
  outcome: 'failed',
  startedAt: '2026-02-03T10:00:00.000Z',
  tools: ['read_file', 'pay'],
  decidedBy: ['guard'],
  usage: { inputTokens: 900, outputTokens: 100 },
  cost: { amount: 0.5, currency: 'USD' },
};
const texts = ['pay the invoice\ni will pay it\nexit code 7: no funds\n'];

/** Whether a filter matches the run; else its issue. */
function read(filter: string, of: RunView = view): boolean | string {
  const made = readFilter(filter);
  return 'issue' in made ? made.issue : made.matches({ view: of, texts });
}

describe('a filter of runs', () => {
  it('matches words and quoted texts of listed fields and of all stored texts', () => {
    for (const yes of ['', 'INVOICE', 'funds will', '"exit code 7"', '"will pay it" coder', 'r1', '"will pay'])
      expect(read(yes), yes).to.equal(true);
    for (const no of ['"pay code"', 'funds lunch', '10:30']) expect(read(no), no).to.equal(false);
  });

  it('matches conditions on fields, times and sums', () => {
    for (const yes of [
      'tool:pay',
      'tool:"read_file"',
      'user:ADA',
      'agent:cod session:inv by:guard outcome:failed',
      'after:2026-02-01 before:2026-03-01',
      'after:2026-02-03T10:00:00Z',
      'cost>0.4 cost<0.6',
      'tokens>999',
    ])
      expect(read(yes), yes).to.equal(true);
    for (const no of ['tool:deploy', 'user:bob', 'after:2026-02-04', 'before:2026-02-03', 'cost>0.5', 'tokens<1000'])
      expect(read(no), no).to.equal(false);
    const { cost: _, usage: __, ...bare } = view;
    for (const no of ['cost<9', 'tokens<9', 'cost>0']) expect(read(no, bare), no).to.equal(false);
  });

  it('matches an active run with a pending call as waiting', () => {
    const asks: RunView = { ...view, state: 'running', waiting: [{ id: 'a', tool: 'pay' }] };
    expect(['state:waiting', 'state:running'].map((filter) => read(filter, asks))).to.deep.equal([true, true]);
    expect(read('state:waiting', { ...view, state: 'suspended' })).to.equal(true);
    expect(read('state:waiting')).to.equal(false);
  });

  it('names the valid conditions for an unknown one, and the expected value for a wrong one', () => {
    const names = 'agent:, session:, model:, outcome:, state:, by:, tool:, user:, after:, before:, cost>, tokens>';
    expect(read('price:5')).to.equal(
      `There is no filter "price:". Use ${names} (also with <). Quote text that contains ":", such as "price:5".`,
    );
    expect(read('cost:5')).to.match(/^There is no filter "cost:"/);
    expect(read('constructor:x')).to.match(/^There is no filter "constructor:"/);
    expect(read('after:soon')).to.equal('The filter after: needs a date such as 2026-01-31, not "soon".');
    expect(read('cost>much')).to.equal('The filter cost> needs a number, not "much".');
    expect(read('"https://a.test"')).to.equal(false);
  });
});
