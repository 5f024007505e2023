import { expect } from 'chai';
import type { HostEnd } from '../bed/run-host.ts';
import { made, SECRET, TIMEOUT_S } from './policy.ts';

/** A run of a host with the policy. */
export interface JudgedRun {
  readonly end: () => HostEnd;
  /** What the model was told about a call. */
  readonly told: (call: 'secret' | 'crashes' | 'waits' | 'afterKill' | 'killed') => string;
  /** Whether the daemon was alive when it was killed. */
  readonly wasAlive: () => boolean;
  readonly crashed: RegExp;
  readonly killed: RegExp;
}

/** What holds in each host, whatever it tells its model. */
export function holdsInEveryHost({ end, told, wasAlive, crashed, killed }: JudgedRun): void {
  it('runs a rewritten command', () => {
    expect(made(end(), 'rewritten', 'rewritten.new')).to.deep.equal([false, true]);
  });

  it('hides a secret in a result from the model', () => {
    expect(JSON.stringify([end().requests, end().asides])).to.not.include(SECRET);
    expect(told('secret')).to.include('REDACTED');
  });

  it('runs nothing if a hook ends its process, or never answers', () => {
    expect(made(end(), 'crashes', 'waits')).to.deep.equal([false, false]);
    expect(told('crashes')).to.match(crashed);
    expect(told('waits')).to.include(`longer than ${TIMEOUT_S}000 ms`);
  });

  it('denies by the rules after its daemon was killed between two calls', () => {
    expect([wasAlive(), ...made(end(), 'before-kill', 'denied-after-kill')]).to.deep.equal([true, true, false]);
    expect(told('afterKill')).to.include('Bash(touch denied*)');
  });

  it('runs nothing if the process that judges is killed during the call', () => {
    expect(made(end(), 'killed')).to.deep.equal([false]);
    expect(told('killed')).to.match(killed);
  });
}
