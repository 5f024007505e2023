import { expect } from 'chai';
import type { SettledEvent } from '../../../../lib/events/hook-event.ts';
import { compareRuns } from '../../../../lib/replay/compare-runs.ts';
import { createRunModel } from '../../../../lib/server/page/model/run-model.ts';
import { pairedRows } from '../../../../lib/server/page/replay/paired-rows.ts';

const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 };
const call = (name: string) => ({
  type: 'preActing',
  toolCall: { id: name, name, input: {} },
  permission: 'read',
  description: '',
});
const asked = { type: 'preReasoning', purpose: 'step', attempt: 1, messages: [], tools: [], options: {} };
const end = { type: 'postCall', outcome: 'completed' };

/** Compares runs with these events. The sequence numbers of the replay are others. */
function rowsOf(recorded: readonly object[], replayed: readonly object[]) {
  const settled = (events: readonly object[], from: number) =>
    events.map(
      (event, at) => ({ run, time: at, iteration: 0, ...event, seq: from + 2 * at }) as unknown as SettledEvent,
    );
  const [a, b] = [settled(recorded, 0), settled(replayed, 1)];
  const reports = (events: readonly SettledEvent[]) => events.map((event) => ({ event, steps: [] }));
  const models = [a, b].map((events) => {
    const model = createRunModel();
    for (const event of events) model.append(event);
    return model;
  });
  const rows = pairedRows({
    recorded: models[0]!,
    replayed: models[1]!,
    differences: compareRuns(reports(a), reports(b)),
  });
  return rows.map((row) => {
    if (row === 'parting') return '---';
    const mark = row.difference ? '!' : row.isCompared ? '=' : '?';
    return `${row.recorded}${mark}${row.replayed}`;
  });
}

describe('the rows of a replay', () => {
  it('pair the events of both runs', () => {
    expect(rowsOf([asked, call('a'), end], [asked, call('a'), end])).to.deep.equal(['0=0', '1=1', '2=2']);
  });

  it('mark each difference, and the point after the first', () => {
    expect(rowsOf([call('a'), asked, call('b'), end], [call('c'), asked, call('d'), end])).to.deep.equal([
      ...['0!0', '---', '1=1', '2!2', '3=3'],
    ]);
  });

  it('compare nothing after events of different types', () => {
    expect(rowsOf([asked, call('a'), asked, end], [asked, asked, call('a')])).to.deep.equal([
      ...['0=0', '1!1', '---', '2?2', '3?-1'],
    ]);
  });

  it('mark the first event that only one of the runs has', () => {
    expect(rowsOf([asked, end], [asked])).to.deep.equal(['0=0', '1!-1', '---']);
    expect(rowsOf([asked], [asked, end])).to.deep.equal(['0=0', '-1!1', '---']);
  });
});
