import { expect } from 'chai';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type HookDefinition, verdict } from '../../../lib/pipeline/define/hook.ts';
import type { Logger } from '../../../lib/pipeline/logger.ts';

/** The results of `context.mayRead` for these places in a run of the agent `main`, under one approver. */
function mayRead(approver: Partial<HookDefinition>, places: readonly string[], log: Partial<Logger> = {}): boolean[] {
  const said: boolean[] = [];
  const reader = defineHook({
    name: 'reader',
    on: { preCall: (_, context) => void said.push(...places.map((place) => context.mayRead(place))) },
  });
  const approve = () => verdict.allow();
  const quiet = { debug() {}, info() {}, warn() {}, error() {}, ...log };
  const pipeline = createPipeline([defineHook({ name: 'guard', approve, ...approver }), reader], { log: quiet });
  pipeline.start({ agent: 'main' }).begin([]).subscribe();
  return said;
}

describe('context.mayRead', () => {
  it('asks approvers with denies about the read of a path or an address', () => {
    const seen: unknown[] = [];
    const denies: HookDefinition['denies'] = (call) => {
      seen.push(call);
      return call.name === 'WebFetch';
    };
    expect(mayRead({ denies }, ['/a/b.txt', 'HTTPS://example.com/x', 'file:///a%20b'])).to.deep.equal([
      true,
      false,
      true,
    ]);
    expect(seen).to.deep.equal([
      { name: 'read_file', permission: 'read', input: { path: '/a/b.txt' } },
      { name: 'WebFetch', permission: 'read', input: { url: 'HTTPS://example.com/x' } },
      { name: 'read_file', permission: 'read', input: { path: '/a b' } },
    ]);
  });

  it('skips approvers that do not match the call or agent, and allows all without any', () => {
    const denies = () => true;
    expect(mayRead({ denies }, ['a'])).to.deep.equal([false]);
    expect(mayRead({ denies, match: { tools: ['read_*'] } }, ['a', 'http://a'])).to.deep.equal([false, true]);
    expect(mayRead({ denies, match: { permissions: ['write'] } }, ['a'])).to.deep.equal([true]);
    expect(mayRead({ denies, match: { agents: ['other'] } }, ['a'])).to.deep.equal([true]);
    expect(mayRead({}, ['a'])).to.deep.equal([true]);
  });

  it('treats an approver that fails or answers asynchronously as a denial, and logs it', () => {
    const lines: unknown[] = [];
    const log = { error: (_: unknown, message?: string) => void lines.push(message) };
    const late = (() => Promise.resolve(false)) as unknown as () => boolean;
    expect(mayRead({ denies: late }, ['a'], log)).to.deep.equal([false]);
    expect(mayRead({ denies: () => expect.fail('down') }, ['a'], log)).to.deep.equal([false]);
    expect(lines).to.deep.equal(Array(2).fill('a hook failed in denies, which counts as a denial'));
  });
});
