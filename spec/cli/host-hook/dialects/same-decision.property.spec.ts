import fc from 'fast-check';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { permission } from '../../../../lib/hooks/index.ts';
import { type Action, type FakeHost, outcomeOf } from './fake-host.ts';
import { hosts } from './hosts.ts';

const path = fc.constantFrom('docs/a.md', 'docs/b/c.md', 'src/a.ts', '.env', 'a b.txt', '/etc/passwd', '../up');
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    does: fc.constant('shell' as const),
    command: fc.constantFrom(
      'npm test',
      'rm -rf docs',
      'git push && ls',
      'echo a > docs/a.md',
      'curl http://a.example',
    ),
  }),
  fc.record({ does: fc.constant('read' as const), path }),
  fc.record({ does: fc.constant('write' as const), path, content: fc.constantFrom('x', 'one\ntwo', '*** End Patch') }),
  fc.record({ does: fc.constant('fetch' as const), url: fc.constantFrom('https://a.example/x', 'http://b.example') }),
  fc.record({
    does: fc.constant('mcp' as const),
    server: fc.constantFrom('github', 'files'),
    tool: fc.constantFrom('list', 'delete_all'),
    input: fc.constantFrom<JsonObject>({}, { path: 'docs/a.md' }),
  }),
);
const rule = fc.oneof(
  fc.constantFrom('Bash', 'Bash(npm:*)', 'Bash(rm:*)', 'Bash(git push:*)', 'Read(docs/**)', 'Read(.env)', 'Read'),
  fc.constantFrom('Edit', 'Edit(docs/**)', 'Edit(src/**)', 'WebFetch(domain:a.example)', 'WebFetch'),
  fc.constantFrom('mcp__github__*', 'mcp__files__list', 'mcp__files'),
  fc.constantFrom<object>({ family: ['write'] }, { path: 'docs/**' }, { host: 'a.example' }, { command: 'rm:*' }),
);
const rules = fc.array(rule, { maxLength: 3 });
const policy = fc.record({
  deny: rules,
  ask: rules,
  allow: rules,
  default: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
});

/** The strictest decision of a host. One that cannot ask denies. */
async function decided(host: FakeHost, event: JsonObject, options: object): Promise<'run' | 'ask' | 'refuse'> {
  return (await outcomeOf(host, event, [permission(options as never, { workspace: '/w/shop' })])).does;
}

describe('a policy and an action', () => {
  it('decide the same in the events of every host', async () => {
    await fc.assert(
      fc.asyncProperty(policy, action, async (options, does) => {
        const decisions = new Map<string, string>();
        for (const host of hosts) {
          const event = host.call(does);
          if (event) decisions.set(host.dialect.host, await decided(host, event, options));
        }
        const wanted = decisions.get('claude');
        for (const [name, decision] of decisions) {
          const may = wanted === 'ask' ? ['ask', 'refuse'] : [wanted];
          if (!may.includes(decision)) throw new Error(`claude: ${wanted}, ${name}: ${decision}`);
        }
      }),
      { numRuns: process.env['HOOKLINE_SOAK'] ? 5_000 : 80 },
    );
  });
});
