import { expect } from 'chai';
import { z } from 'zod';
import { builtIns } from '../../lib/hooks/built-ins.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The options that are times, with the maximum of each. */
function times(): Record<string, number | undefined> {
  const found: Record<string, number | undefined> = {};
  const visit = (part: Schema, place: string): void => {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const { type, maximum } = member as Schema;
      if (type === 'number' && /ms$/i.test(name)) found[`${place}.${name}`] = maximum;
      visit(member as Schema, `${place}.${name}`);
    }
    if (part.items) visit(part.items as Schema, `${place}[]`);
    for (const other of [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])])
      visit(other as Schema, place);
  };
  for (const { name, optionsSchema } of builtIns)
    visit(z.toJSONSchema(optionsSchema, { io: 'input', unrepresentable: 'any' }), name);
  return found;
}

describe('the times of options', () => {
  it('are within the limit of a timer, except those without a timer', () => {
    const longer = Object.entries(times()).filter(([, longest]) => longest === undefined || longest >= 2 ** 31);
    expect(longer.map(([option]) => option).sort()).to.deep.equal([
      'budget.limits[].windowMs',
      'long-term-memory.maxAgeMs',
      'model-fallback.restMs',
      'otel.slowMs',
      'rag.refreshMs',
      'rate-limit.limits[].windowMs',
      'tool-cache.ttlMs',
    ]);
    expect(Object.keys(times())).to.have.length.above(20);
  });

  it('give the reason of their limit', () => {
    const entry = builtIns.find(({ name }) => name === 'rate-limit');
    const given = entry?.optionsSchema.safeParse({ limits: [{ max: 1, maxWaitMs: 40 * 24 * 3_600_000 }] });
    expect(given?.error?.issues).to.have.length(1);
    expect(given?.error?.issues[0]?.message).to.match(/at most 2147483647, .*timers cannot wait longer/);
  });
});
