import { expect } from 'chai';
import fc from 'fast-check';
import { replyLine } from '../../../../lib/cli/host-hook/picoclaw/reply-line.ts';

/** Answers of hooks, some longer than the limit. */
const told = fc.record({
  action: fc.constantFrom('modify', 'respond', 'deny_tool', 'abort_turn', 'hard_abort'),
  reason: fc.constantFrom('short', 'ä'.repeat(600_000)),
  result: fc.constantFrom(undefined, { for_llm: 'x'.repeat(1_100_000) }, { count: 1n }),
});
const asked = fc.record(
  {
    tool: fc.constantFrom('bash', 'b'.repeat(1_100_000)),
    meta: fc.constantFrom({ TurnID: 't' }, { more: 'm'.repeat(1_100_000) }),
    arguments: fc.constantFrom({}, { content: 'c'.repeat(1_100_000) }),
  },
  { requiredKeys: [] },
);

describe('a reply to PicoClaw', () => {
  it('is one line that PicoClaw can read, and keeps the strictness of a denial', () => {
    const seen = { whole: 0, refused: 0 };
    fc.assert(
      fc.property(told, asked, (result, params) => {
        const refuse = (why: string, kept: object) => ({ action: 'deny_tool', reason: why, ...kept });
        const line = replyLine(7, result as never, refuse, params as never);
        expect(line.indexOf('\n')).to.equal(line.length - 1);
        expect(Buffer.byteLength(line)).to.be.at.most(1_000_000);
        const { id, result: said } = JSON.parse(line);
        expect(id).to.equal(7);
        const fits = result.reason === 'short' && result.result === undefined;
        seen[fits ? 'whole' : 'refused'] += 1;
        const strict = result.action.endsWith('_abort') || result.action === 'abort_turn';
        expect(said.action).to.equal(fits || strict ? result.action : 'deny_tool');
        if (!fits) expect(said.reason).to.match(/it has \d+ bytes|not JSON/);
      }),
      { numRuns: 60 },
    );
    expect(Math.min(...Object.values(seen))).to.be.greaterThan(0);
  });
});
