import { expect } from 'chai';
import { z } from 'zod';
import { budget } from '../../lib/hooks/budget/budget.ts';
import { dangerousConfirmation } from '../../lib/hooks/dangerous-confirmation/dangerous-confirmation.ts';
import { parseHookOptions } from '../../lib/hooks/parse-hook-options.ts';

describe('parseHookOptions', () => {
  it('suggests the option that an unknown one misspells, else names all options', () => {
    const schema = z.strictObject({ warnAt: z.number().optional(), finishAt: z.number().optional() });
    expect(() => parseHookOptions('x', schema, { warnat: 1 })).to.throw(
      /\(options\): Unrecognized key: "warnat"\. Did you mean "warnAt"\?$/,
    );
    expect(() => parseHookOptions('x', schema, { other: 1 })).to.throw(/"other"\. There are: warnAt, finishAt\.$/);
    expect(() => dangerousConfirmation({ ask: 'terminal' } as never)).to.throw(
      /Unrecognized key: "ask"\. There are: .*askBy/,
    );
  });

  it('suggests no option for an unknown field of a nested object', () => {
    expect(() => budget({ limits: [{ of: 'calls', per: 'run', mx: 1 }] } as never)).to.throw(
      /limits\.0: Unrecognized key: "mx"$/m,
    );
  });
});
