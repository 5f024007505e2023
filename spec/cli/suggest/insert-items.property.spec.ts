import { expect } from 'chai';
import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { insertItems, isReadable } from '../../../lib/cli/suggest/insert-items.ts';
import { caseOf, ruleOf } from '../../../lib/cli/suggest/proposed-texts.ts';
import type { LoggedCall } from '../../../lib/cli/suggest/read-audit.ts';
import type { JsonObject } from '../../../lib/events/values/json-value.ts';

const RUNS = process.env['HOOKLINE_SOAK'] ? 5_000 : 300;
const seed = process.env['HOOKLINE_SEED'] === undefined ? {} : { seed: Number(process.env['HOOKLINE_SEED']) };

const hard = fc.constantFrom(
  '${HOME}',
  '$${X}',
  '# no',
  ': ',
  '- ',
  '\u202e',
  '\r\n',
  'yes',
  '~',
  '\\',
  '"',
  "'",
  '*&!|>%@`',
  '\u2028',
);
const text = fc.oneof(
  fc.string(),
  hard,
  fc.tuple(hard, fc.string(), hard).map((parts) => parts.join('')),
);
const input = fc.dictionary(text, fc.oneof(text, fc.jsonValue()), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;
const tool = fc.oneof(
  fc.stringMatching(/^[A-Za-z][\w.:/-]{0,12}$/),
  fc.constantFrom('yes', 'null', 'mcp__a__b', 'a:b'),
);

const callOf = ([name, given]: readonly [string, JsonObject]): LoggedCall => ({
  ...{ tool: name, input: given, permission: 'write', approvals: 10, approvedBy: new Set(), lastApproval: '' },
  ...{ agents: new Set(), denials: 0, lastDenial: '' },
});

/** A policy with this list, in one of the layouts that people write. */
const policies = fc
  .record({
    allow: fc.option(fc.array(fc.oneof(text, fc.constant({ tool: 'a', words: ['b'] })), { maxLength: 3 }), {
      nil: undefined,
    }),
    deny: fc.array(text, { minLength: 1, maxLength: 2 }),
    layout: fc.constantFrom('block', 'flow', 'inner', 'json'),
    indent: fc.constantFrom(2, 4),
    tail: fc.constantFrom('', '# the end\n', 'model: offline\n'),
  })
  .map(({ allow, deny, layout, indent, tail }) => {
    const options = { ...(allow && { allow }), deny };
    const content = { hooks: { gate: { type: 'permission', options } } };
    if (layout === 'json') return { file: 'p.json', text: `${JSON.stringify(content, null, 2)}\n` };
    if (layout === 'flow')
      return {
        file: 'p.yaml',
        text: `${JSON.stringify(content).replace(/^\{"hooks":(.*)\}$/s, 'hooks: $1')}\n${tail}`,
      };
    const body = stringify(layout === 'inner' ? {} : content, { indent });
    const head =
      layout === 'inner' ? `hooks:\n  gate:\n    type: permission\n    options: ${JSON.stringify(options)}\n` : body;
    return { file: 'p.yaml', text: `# a policy\n${head}${tail}` };
  });

describe('items inserted into a policy', () => {
  it('are read as their values, and the rest stays as it is', () => {
    fc.assert(
      fc.property(
        policies,
        fc.array(fc.tuple(tool, input).map(callOf), { minLength: 1, maxLength: 3 }),
        ({ file, text }, calls) => {
          const items = calls.map(ruleOf).filter(isReadable);
          // It compares the values itself.
          const made = insertItems(file, text, ['hooks', 'gate', 'options', 'allow'], items);
          const kept = new Set(made.split('\n'));
          const lost = text.split('\n').filter((line) => !kept.has(line));
          // A list on one line is extended there; JSON adds a comma.
          expect(lost.length, made).to.be.at.most(file === 'p.json' ? 2 : 1);
        },
      ),
      { numRuns: RUNS, ...seed },
    );
  });

  it('can be written for nearly every call', () => {
    let [readable, all] = [0, 0];
    fc.assert(
      fc.property(fc.tuple(tool, input).map(callOf), (call) => {
        all += 1;
        if (isReadable(ruleOf(call)) && isReadable(caseOf(call))) readable += 1;
      }),
      { numRuns: RUNS, ...seed },
    );
    expect(readable / all).to.be.greaterThan(0.9);
  });
});
