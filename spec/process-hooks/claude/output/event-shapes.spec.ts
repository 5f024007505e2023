import { expect } from 'chai';
import * as fc from 'fast-check';
import { verdict } from 'hookline';
import { specificShapes, topShape } from '../../../../lib/process-hooks/claude/output/event-shapes.ts';
import { readJson } from '../../../../lib/process-hooks/claude/output/read-json.ts';
import { claudeEvents } from '../../../../lib/process-hooks/claude/settings/event-names.ts';
import { createScene, on, say, specific } from '../scene.ts';

const scene = createScene('claude-shapes');
const confirm = () => verdict.allow();

describe('output of Claude Code hooks per event', () => {
  it('decides PermissionRequest only by decision.behavior', async () => {
    const asks = specific('PreToolUse', { permissionDecision: 'ask' });
    const answer = (output: object) =>
      scene.play(on({ PreToolUse: asks, PermissionRequest: specific('PermissionRequest', output) }), {
        confirm: () => ({ verdict: 'denied', reason: 'by the host' }),
      });
    const ignored = await answer({ permissionDecision: 'allow' });
    expect([ignored.acted?.outcome, ignored.codes]).to.deep.equal(['denied', ['no-permission-here']]);
    expect(ignored.diagnostics[0]?.message).to.match(/"decision"/);
    const allowed = await answer({ decision: { behavior: 'allow' } });
    expect([allowed.acted?.outcome, allowed.codes]).to.deep.equal(['executed', []]);
  });

  it('does not decide PreToolUse by decision.behavior, and reports it', async () => {
    const output = specific('PreToolUse', { decision: { behavior: 'deny', message: 'no' } });
    const { acted, codes, diagnostics } = await scene.play(on({ PreToolUse: output }), { confirm });
    expect([acted?.outcome, codes]).to.deep.equal(['executed', ['no-permission-here']]);
    expect(diagnostics[0]?.message).to.match(/permissionDecision/);
  });

  for (const more of [
    { decision: 'block' },
    { decision: { behavior: 'perhaps' } },
    { updatedToolOutput: 5, initialUserMessage: [] },
    { metrics: { runs: 1 }, worktreePath: null },
  ])
    it(`applies a deny next to ${JSON.stringify(more)}, which is reported`, async () => {
      const output = { permissionDecision: 'deny', permissionDecisionReason: 'no', ...more };
      const { acted, codes, diagnostics } = await scene.play(on({ PreToolUse: specific('PreToolUse', output) }));
      expect(acted?.outcome).to.equal('denied');
      expect(codes).to.not.include('bad-json');
      const words = diagnostics.map(({ message }) => message).join(' ');
      for (const name of Object.keys(more)) expect(words).to.include(name === 'decision' ? '"decision"' : name);
    });

  it('applies a denial, but not an allow, next to an invalid field of its event', async () => {
    const withBadInput = (permissionDecision: string) =>
      scene.play(on({ PreToolUse: specific('PreToolUse', { permissionDecision, updatedInput: 'ls' }) }));
    expect((await withBadInput('deny')).acted?.outcome).to.equal('denied');
    expect((await withBadInput('ask')).acted?.outcome).to.equal('denied');
    const allowed = await withBadInput('allow');
    expect([allowed.acted?.outcome, allowed.codes]).to.deep.equal(['executed', ['bad-json']]);
    const output = {
      PreToolUse: {
        command: specific('PreToolUse', { permissionDecision: 'allow', updatedInput: 'ls' }),
        onFailure: 'block',
      },
    };
    expect((await scene.play(on(output))).acted?.outcome).to.equal('denied');
  });

  for (const output of [
    { permissionDecision: 'deny' },
    { hookSpecificOutput: { hookEventName: 'pretooluse', permissionDecision: 'deny' } },
    { hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'ask' } },
    { hookSpecificOutput: { hookEventName: 'PreToolUse', decision: { behavior: 'deny' } } },
  ])
    it(`lets the call run after ${JSON.stringify(output)} at PreToolUse only if failures do`, async () => {
      const handler = (onFailure: string) => on({ PreToolUse: { command: say(output), onFailure } });
      expect((await scene.play(handler('continue'))).acted?.outcome).to.equal('executed');
      const { acted, diagnostics } = await scene.play(handler('block'));
      expect(acted?.outcome).to.equal('denied');
      expect(diagnostics.at(-1)?.message).to.equal(
        'printed a denial in a place that PreToolUse does not read; onFailure is block, so that counts as exit 2.',
      );
    });

  for (const [output, code, named] of [
    [{ metrics: {}, terminalSequence: 'x' }, 'unknown-member', /"metrics", "terminalSequence"/],
    [{ stopReason: 'x' }, 'stop-reason-alone', /"continue": false/],
    [{ continue: true, updatedInput: {} }, 'misplaced', /"updatedInput"/],
  ] as const)
    it(`reports ${JSON.stringify(output)}`, async () => {
      const { acted, codes, diagnostics } = await scene.play(on({ PreToolUse: say(output) }));
      expect([acted?.outcome, codes]).to.deep.equal(['executed', [code]]);
      expect(diagnostics[0]?.message).to.match(named);
    });

  it('reports echoed input once, and applies an added decision', async () => {
    const echoed = await scene.play(on({ PreToolUse: 'cat' }));
    expect([echoed.acted?.outcome, echoed.codes]).to.deep.equal(['executed', ['echoed-input']]);
    const added = await scene.play(
      on({
        PreToolUse: `node -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>console.log(JSON.stringify({...JSON.parse(s),decision:"block",reason:"no"})))'`,
      }),
    );
    expect([added.acted?.outcome, added.codes]).to.deep.equal(['denied', ['echoed-input']]);
  });

  it('denies for any deny of PreToolUse, with any other output', () => {
    const foreign = [...new Set(Object.values(specificShapes).flatMap(Object.keys))].filter(
      (name) => name !== 'permissionDecision',
    );
    const members = fc.dictionary(fc.constantFrom(...foreign, 'new', 'metrics'), fc.jsonValue());
    const tops = fc.dictionary(fc.constantFrom(...Object.keys(topShape), 'new'), fc.jsonValue());
    fc.assert(
      fc.property(members, tops, (inside, top) => {
        const value = {
          ...top,
          hookSpecificOutput: { ...inside, hookEventName: 'PreToolUse', permissionDecision: 'deny' },
        };
        const outcome = readJson(value, { event: 'PreToolUse', hook: 'h', diagnose: () => {} });
        expect([outcome.permission, outcome.invalid]).to.deep.equal(['deny', undefined]);
      }),
    );
  });

  it('reads or reports every field at every event', () => {
    const names = [...new Set(Object.values(specificShapes).flatMap(Object.keys))];
    for (const event of claudeEvents)
      for (const name of names) {
        const messages: string[] = [];
        const value =
          name === 'decision'
            ? { behavior: 'deny' }
            : name === 'permissionDecision'
              ? 'deny'
              : name === 'updatedInput'
                ? {}
                : 'x';
        const diagnose = ({ message }: { message: string }) => void messages.push(message);
        const { invalid: _, ...effects } = readJson(
          { hookSpecificOutput: { hookEventName: event, [name]: value } },
          { event, hook: 'h', diagnose },
        );
        const read = Object.keys(effects).length > 0;
        expect([event, name, read, messages.length]).to.deep.equal([
          event,
          name,
          name in specificShapes[event],
          read ? 0 : 1,
        ]);
      }
  });
});
