import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { createAgent } from 'hookline';
import { type ConfigChange, createLiveHooks, type LiveHooks, reloadOnChange } from 'hookline/config';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { written } from './read.ts';

const LASTS_MS = process.env['HOOKLINE_SOAK'] ? 60_000 : 2_000;
const EVERY_MS = 50;
const AT_ONCE = 50;
/** Generations that want the same process. */
const SHARE = 10;

/** Writes its generation into calls, and denies calls without the generation of the others. */
const MODULE = `const { defineHook, modify, verdict } = require('hookline');
module.exports = ({ as, n }) => defineHook({
  name: as,
  on: { preActing: async (event) => {
    await new Promise((resolve) => setTimeout(resolve, n % 3));
    return modify(event, { toolCall: { ...event.toolCall, input: { ...event.toolCall.input, [as]: n } } });
  } },
  approve: ({ toolCall: { input } }) => input.a === n && input.b === n ? verdict.allow() : verdict.deny('half a configuration'),
});`;
const PROGRAM = `const [log, share] = process.argv.slice(2);
  require('node:fs').appendFileSync(log, process.pid + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = method === 'hook.before_tool'
      ? { action: 'modify', call: { tool: params.tool, arguments: { ...params.arguments, share: Number(share) } } }
      : { ok: true, protocol_version: 1 };
    if (id) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a configuration that changes during runs', () => {
  it(`is complete in every run, loses no run or approver, leaves no process, for ${LASTS_MS / 1_000} s`, async function () {
    this.timeout(0);
    const at = written({ 'hook.js': MODULE, 'program.js': PROGRAM, pids: '' });
    const text = (n: number): string => {
      const module = (as: string) => ({ type: 'module', path: './hook.js', options: { as, n } });
      const command = [process.execPath, at('program.js'), at('pids'), String(Math.floor(n / SHARE))];
      const program = {
        type: 'process',
        onFailure: 'block',
        options: { command, intercept: ['before_tool'], profile: 'hookline' },
      };
      return JSON.stringify({ hooks: { a: module('a'), program, b: module('b') } });
    };
    let n = 1;
    writeFileSync(at('c.json'), text(n));
    const live = await createLiveHooks({ files: [at('c.json')] });
    const told: ConfigChange[] = [];
    live.changes$.subscribe((change) => told.push(change));
    const watching = reloadOnChange(live).subscribe();
    const until = Date.now() + LASTS_MS;
    const seen = new Set<number>();
    const goesOn = () => Date.now() < until || seen.size <= 3;
    let runs = 0;

    const rewrite = async (): Promise<void> => {
      while (goesOn()) {
        n += 1;
        const [half, rest] = [text(n).slice(0, 99), text(n).slice(99)];
        if (n % 3 === 0) {
          writeFileSync(at('c.new'), text(n));
          renameSync(at('c.new'), at('c.json'));
        } else if (n % 3 === 1) writeFileSync(at('c.json'), text(n));
        else {
          writeFileSync(at('c.json'), half);
          await live.reload();
          appendFileSync(at('c.json'), rest);
        }
        void live.reload();
        await pause(EVERY_MS);
      }
    };
    const lane = async (): Promise<void> => {
      while (goesOn()) {
        await run(live, seen);
        runs += 1;
      }
    };
    await Promise.all([rewrite(), ...Array.from({ length: AT_ONCE }, lane)]);
    watching.unsubscribe();
    await live.close();

    expect(runs).to.be.greaterThan(AT_ONCE);
    expect(seen.size, 'generations that runs have seen').to.be.greaterThan(3);
    expect(told.map(({ type }) => type)).to.include.members(['reloaded', 'refused']);
    const pids = readFileSync(at('pids'), 'utf8').trim().split('\n').map(Number);
    expect(pids.length, 'processes that there were').to.be.greaterThan(1);
    expect(pids.filter(isAlive), 'processes that are left').to.deep.equal([]);
  });
});

/** One run with two calls and a pause between them. */
async function run(live: LiveHooks, seen: Set<number>): Promise<void> {
  const lease = await live.lease();
  const tool = scriptedTool({ name: 'look', result: 'seen', delayMs: 20 });
  const call = (id: string) => ({ toolCalls: [{ id, name: 'look', input: {} }] });
  const model = scriptedModel([call('1'), call('2'), { text: 'done' }], { delayMs: 5 });
  const agent = createAgent({ name: 'a', model, tools: [tool], pipeline: lease.pipeline });
  const { outcome } = await agent.call('go');
  lease.release();
  expect(outcome).to.equal('completed');
  const inputs = tool.calls.map(({ input }) => input as { a: number; b: number; share: number });
  expect(inputs, 'calls that approvers have let pass').to.have.length(2);
  for (const { a, b, share } of inputs) {
    expect([b, share]).to.deep.equal([a, Math.floor(a / SHARE)]);
    expect(a, 'of one run').to.equal(inputs[0]!.a);
    seen.add(a);
  }
}
