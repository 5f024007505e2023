import { expect } from 'chai';
import { headOf, isLost, type RunHead } from '../../../lib/server/records/run-head.ts';

describe('the head of an active run', () => {
  const MINUTE = 60_000;
  const startedAt = new Date().toISOString();
  const active = () => headOf({ runId: 'r', sessionId: 's', agent: 'a', state: 'running', startedAt });
  const by = (server: Partial<RunHead['server']>) => ({ ...active(), server: { ...active().server, ...server } });
  const gone = 2 ** 30;

  it('is lost at once if its process has ended on this machine', () => {
    expect(isLost(active(), MINUTE)).to.equal(false);
    expect(isLost(by({ pid: gone }), MINUTE)).to.equal(true);
  });

  it('is lost after a minute if its process is out of sight, on another machine or in another container', () => {
    for (const server of [
      { pid: gone, host: 'elsewhere' },
      { pid: gone, namespace: 'pid:[1]' },
    ]) {
      expect(isLost(by(server), MINUTE)).to.equal(false);
      const at = new Date(Date.now() - 2 * MINUTE).toISOString();
      expect(isLost({ ...by(server), at }, MINUTE)).to.equal(true);
    }
  });
});
