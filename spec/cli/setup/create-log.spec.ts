import { expect } from 'chai';
import { pino } from 'pino';
import { createLog } from '../../../lib/cli/setup/create-log.ts';

describe('createLog', () => {
  it('writes what pino writes, with the bindings of children, from its level on', () => {
    const lines: string[] = [];
    const log = createLog('warn', (line) => lines.push(line));
    const direct: string[] = [];
    const other = pino({ level: 'warn', base: null }, { write: (line) => void direct.push(line) });
    for (const to of [log, other]) {
      to.info({ a: 1 }, 'below');
      to.warn({ a: 1 }, 'fields');
      to.error('text');
      const child = to.child({ hook: 'guard' });
      child.debug('below');
      child.error({ err: new TypeError('x') }, 'failed');
      child.child({ deeper: true }).fatal('last');
    }
    const withoutTime = (line: string) => ({ ...JSON.parse(line), time: 0, err: JSON.parse(line).err?.message });
    expect(lines.map(withoutTime)).to.deep.equal(direct.map(withoutTime));
    expect(lines).to.have.lengthOf(4);
    expect([log.level, log.isLevelEnabled('info'), log.isLevelEnabled('error')]).to.deep.equal(['warn', false, true]);
  });

  it('escapes characters that a terminal interprets', () => {
    const lines: string[] = [];
    createLog('info', (line) => lines.push(line)).info({ name: 'a\u202eb' }, 'x');
    expect(lines[0]).to.include('a\\u202eb');
  });
});
