import { expect } from 'chai';
import * as fc from 'fast-check';
import { createScene, on, specific } from '../scene.ts';

const scene = createScene('claude-judge-call');

/** Denies commands with this letter. */
const guard = (letter: string) => `grep -q '"command":"[^"]*${letter}' && { echo "no ${letter}" >&2; exit 2; } || true`;

/** Replaces one letter by another. */
const rewriter = (from: string, to: string) =>
  `C=$(sed -n 's/.*"command":"\\([^"]*\\)".*/\\1/p' | tr ${from} ${to}); printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"%s"}}}' "$C"`;

const prefixing = (prefix: string) =>
  `C=$(sed -n 's/.*"command":"\\([^"]*\\)".*/\\1/p'); printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"${prefix}%s"}}}' "$C"`;

const play = (
  handlers: readonly (string | object)[],
  command: string,
  combine: 'sequential' | 'parallel' = 'sequential',
) => scene.play(on({ PreToolUse: handlers }), { combine, input: { command } });

describe('PreToolUse handlers', () => {
  for (const combine of ['sequential', 'parallel'] as const) {
    it(`evaluates the call that a later handler rewrote (${combine})`, async () => {
      const { acted, ran } = await play([guard('b'), rewriter('a', 'b')], 'a', combine);
      expect([acted?.outcome, ran]).to.deep.equal(['denied', []]);
      expect(acted?.result.content).to.match(/no b/);
    });

    it(`rewrites a call before a guard that would deny the original (${combine})`, async () => {
      const { acted, ran } = await play([rewriter('a', 'b'), 'cat > /dev/null'], 'a', combine);
      expect([acted?.outcome, ran]).to.deep.equal(['executed', [{ command: 'b' }]]);
    });

    it(`reports two handlers that keep rewriting each other (${combine})`, async () => {
      const { acted, ran, codes } = await play([prefixing('x'), prefixing('y')], 'a', combine);
      expect([acted?.outcome, ran, codes]).to.deep.equal(['denied', [], ['unsettled']]);
    });
  }

  it('runs each handler once without rewriting, and twice before a rewriter', async () => {
    const logged = (name: string) => `cat > /dev/null; echo ${name} >> log`;
    await play([logged('one'), logged('two')], 'a');
    expect(scene.read('log')).to.equal('one\ntwo\n');
    await play([logged('one'), rewriter('a', 'b'), logged('two')], 'a');
    expect(scene.read('log')).to.equal('one\ntwo\none\ntwo\none\n');
    await play([{ command: logged('late'), async: true }, rewriter('a', 'b')], 'a');
    expect(scene.read('log').replace(/^(one|two)\n/gm, '')).to.equal('late\n');
  });

  it('gives the model a repeated context once', async () => {
    const says = `cat > /dev/null; ${specific('PreToolUse', { additionalContext: 'Mind.' })}`;
    const { acted } = await play([says, rewriter('a', 'b')], 'a');
    expect(acted?.result.content).to.equal('ran 1\n\nMind.');
  });

  it('runs no call that a handler denies, in any order of guards and rewriters', async () => {
    const counts = { executed: 0, denied: 0, rewritten: 0 };
    const letter = fc.constantFrom('a', 'b', 'c');
    const part = fc.oneof(
      letter.map((one) => ({ guards: one, command: guard(one) })),
      fc.tuple(letter, letter).map(([from, to]) => ({ guards: undefined, command: rewriter(from, to) })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        letter,
        fc.constantFrom('sequential' as const, 'parallel' as const),
        async (parts, command, combine) => {
          const { acted, ran } = await play(
            parts.map((one) => one.command),
            command,
            combine,
          );
          const final = (ran[0] as { command: string } | undefined)?.command;
          counts[acted?.outcome as 'executed' | 'denied'] += 1;
          if (final !== undefined && final !== command) counts.rewritten += 1;
          for (const { guards } of parts)
            if (guards !== undefined && final !== undefined) expect(final).to.not.include(guards);
        },
      ),
      { numRuns: 40, seed: 7 },
    );
    expect(Math.min(counts.executed, counts.denied, counts.rewritten)).to.be.greaterThan(0);
  });
});
