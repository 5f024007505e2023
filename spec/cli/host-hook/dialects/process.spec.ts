import { expect } from 'chai';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { folder, hookline } from '../../hookline.ts';
import { hosts } from './hosts.ts';

const HOOKS = `
const { defineHook, verdict } = require('hookline');
module.exports = [defineHook({
  name: 'guard',
  priority: 1,
  timeoutMs: 600000,
  async approve({ toolCall }) {
    const text = JSON.stringify(toolCall);
    if (text.includes('prints')) { require('node:fs').writeSync(1, 'noise\\n{"permission":"allow"}\\n'); console.log('{}'); }
    if (text.includes('crashes')) process.exit(0);
    if (text.includes('waits')) await new Promise(() => setTimeout(() => {}, 600000));
    return verdict.deny('not this');
  },
})];
`;
const at = folder({ 'hooks.cjs': HOOKS, 'broken.yaml': 'hooks: { a: { type: nope } }\n' });
/** The process and the worker are the same for all hosts. contract.spec.ts has the refusals of each. */
const EACH = process.env['HOOKLINE_SOAK']
  ? ['a hook that ends its process', 'a call of 20 MB', 'a broken configuration', 'two events at once']
  : ['a hook that ends its process'];
/** Those of Codex that hook.spec.ts has for Claude Code: nothing in them depends on the dialect but the refusal. */
const AGAIN = process.env['HOOKLINE_SOAK']
  ? []
  : ['a hook that never answers', 'a missing configuration', 'a broken configuration', 'garbage', 'nothing'];
const big = 'x'.repeat(20_000_000);

for (const host of hosts) {
  const { dialect } = host;
  const call = (command: string) => host.call({ does: 'shell', command }) as JsonObject;
  const run = (input: string, ...more: readonly string[]) =>
    hookline(['hook', '--as', dialect.host, '--hooks', './hooks.cjs', ...more], { cwd: at, input });
  // The workspace of a fake event does not exist.
  const here = (event: JsonObject) => JSON.stringify(event).replaceAll('/w/shop', at);

  describe(`hookline hook --as ${dialect.host}, as a process`, () => {
    it('never lets a call pass that could not be evaluated', async () => {
      const cases: readonly (readonly [what: string, input: string, more?: readonly string[]])[] = [
        ['a denied call', here(call('ls'))],
        ['a hook that prints an answer', here(call('prints'))],
        ['a hook that ends its process', here(call('crashes'))],
        ['a hook that never answers', here(call('waits')), ['--timeout', '2']],
        ['a call of 20 MB', here(call(big))],
        ['a broken configuration', here(call('ls')), ['--config', 'broken.yaml']],
        ['a missing configuration', here(call('ls')), ['--config', 'nope.yaml']],
        ['an unknown option', here(call('ls')), ['--nope']],
        ['garbage', '\u0000\ufffd{{{'],
        ['two events at once', `${here(call('ls'))}\n${here(call('ls'))}`],
        ['a cut event', here(call('ls')).slice(0, -5)],
        ['nothing', ''],
      ];
      // Codex has the most ways to continue. The others share all that does not depend on the dialect.
      const isWanted = (what: string) => (dialect.host === 'codex' ? !AGAIN.includes(what) : EACH.includes(what));
      const some = cases.filter(([what]) => isWanted(what));
      // Four at a time: each starts two processes.
      for (let first = 0; first < some.length; first += 4)
        await Promise.all(
          some.slice(first, first + 4).map(async ([what, input, more = []]) => {
            const answer = await run(input, ...more);
            const outcome = host.obey(call('ls'), { ...answer, code: answer.code ?? 1 });
            expect(
              outcome.does,
              `${what}: ${answer.code} ${answer.stdout.slice(0, 300)} ${answer.stderr.slice(0, 300)}`,
            ).to.equal('refuse');
            expect(answer.stdout, what).to.not.contain('noise');
          }),
        );
    });
  });
}
