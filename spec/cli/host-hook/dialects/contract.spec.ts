import { expect } from 'chai';
import { dialectNames } from '../../../../lib/cli/host-hook/dialects/dialect-names.ts';
import { refuseEvent } from '../../../../lib/cli/host-hook/dialects/refuse-event.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import {
  abort,
  deny,
  type EventOf,
  type HookDefinition,
  modify,
  respond,
  retry,
  userMessage,
  verdict,
} from '../../../../lib/index.ts';
import { type Action, type FakeHost, outcomeOf } from './fake-host.ts';
import { hosts } from './hosts.ts';

const actions: readonly Action[] = [
  { does: 'shell', command: 'npm test' },
  { does: 'read', path: 'docs/a.md' },
  { does: 'write', path: 'docs/a.md', content: 'one\ntwo' },
  { does: 'fetch', url: 'https://example.com/a' },
  { does: 'mcp', server: 'github', tool: 'create_issue', input: { title: 'x' } },
];
const shell = actions[0] as Action;
const denies: HookDefinition = { name: 'h', approve: () => verdict.deny('too risky') };
const asks: HookDefinition = { name: 'h', approve: () => verdict.suspend('is it fine?') };
const rewritten = (event: EventOf<'preActing'>, input: JsonObject) =>
  modify(event, { toolCall: { ...event.toolCall, input } });
const rewrites: HookDefinition = {
  name: 'h',
  on: {
    preActing: (event) => rewritten(event, { ...(event.toolCall.input as JsonObject), command: 'npm test -- -b' }),
  },
};
const redacts: HookDefinition = {
  name: 'h',
  on: { postActing: (event) => modify(event, { result: { content: 'clean', isError: false } }) },
};
const hint: HookDefinition = {
  name: 'h',
  on: { preCall: (event) => modify(event, { messages: [...event.messages, userMessage('Be brief.')] }) },
};

/** Events of a host that have a denial, with the parts of an answer that must not let them pass. */
function* deniable(host: FakeHost): Iterable<readonly [string, JsonObject]> {
  for (const action of actions) {
    const event = host.call(action);
    if (event) yield [`a call that does ${action.does}`, event];
  }
  const prompt = host.prompt('Go!');
  if (prompt) yield ['a prompt', prompt];
}

it('has a fake host for every dialect', () => {
  expect(hosts.map(({ dialect }) => dialect.host)).to.have.members([...dialectNames]);
});

for (const host of hosts) {
  const { dialect, cannot } = host;
  const call = host.call(shell) as JsonObject;

  describe(`the dialect of ${dialect.title}`, () => {
    for (const [what, event] of deniable(host)) {
      it(`lets ${what} pass with a valid answer`, async () => {
        const { answer, ...outcome } = await outcomeOf(host, event, []);
        expect([outcome.does, outcome.input, outcome.ended]).to.deep.equal(['run', undefined, undefined]);
        expect(answer.code).to.equal(0);
        expect(answer.stderr).to.equal('');
      });

      it(`denies ${what} that could not be evaluated`, () => {
        const answer = refuseEvent(dialect.host, JSON.stringify(event), 'it broke', false);
        expect(host.obey(event, answer).does).to.equal('refuse');
        expect(answer.stderr).to.contain('it broke');
        const open = refuseEvent(dialect.host, JSON.stringify(event), 'it broke', true);
        expect(host.obey(event, open).does).to.equal('run');
      });
    }

    for (const action of actions) {
      const event = host.call(action);
      if (!event) continue;
      it(`denies a call that does ${action.does}, with the reason`, async () => {
        const outcome = await outcomeOf(host, event, [denies]);
        expect(outcome.does).to.equal('refuse');
        expect(outcome.reason).to.contain('too risky');
      });
    }

    for (const [what, hook] of [
      ['responds', { name: 'h', on: { preActing: (event) => respond(event, 'mine') } }],
      ['denies in a handler', { name: 'h', on: { preActing: (event) => deny(event, 'no') } }],
      ['denies without a reason', { name: 'h', on: { preActing: (event) => deny(event, ' ') } }],
      ['aborts', { name: 'h', on: { preActing: (event) => abort(event, 'enough') } }],
      ['aborts without a reason', { name: 'h', on: { preActing: (event) => abort(event, ' ') } }],
      [
        'renames the call',
        { name: 'h', on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, name: 'x' } }) } },
      ],
      [
        'seals a value',
        {
          name: 'h',
          on: { preActing: (event, { seal }) => rewritten(event, { command: seal('token', 'swordfish') }) },
        },
      ],
      ['removes the command', { name: 'h', on: { preActing: (event) => rewritten(event, {}) } }],
    ] as readonly (readonly [string, HookDefinition])[]) {
      it(`does not run a call if a hook ${what}`, async () => {
        const outcome = await outcomeOf(host, call, [hook]);
        expect(outcome.does).to.not.equal('run');
        expect(JSON.stringify(outcome)).to.not.contain('swordfish');
      });
    }

    it('asks the user, or denies with a reason', async () => {
      const outcome = await outcomeOf(host, call, [asks]);
      expect(outcome.does).to.equal(cannot.includes('ask') ? 'refuse' : 'ask');
      expect(outcome.reason).to.contain('is it fine?');
      expect((await outcomeOf(host, call, [asks], 'deny')).does).to.equal('refuse');
    });

    it('runs a changed call as hooks changed it, or not at all', async () => {
      const outcome = await outcomeOf(host, call, [rewrites]);
      if (outcome.does === 'refuse') expect(cannot).to.include('rewrite');
      else expect(JSON.stringify(outcome.input)).to.contain('npm test -- -b');
    });

    it('replaces a result, or reports that the host cannot', async () => {
      const event = host.result(shell, 'secret');
      const outcome = event && (await outcomeOf(host, event, [redacts]));
      expect(outcome?.output).to.equal(cannot.includes('replace') ? undefined : 'clean');
    });

    it('withholds a result that could not be evaluated', () => {
      const event = host.result(shell, 'secret');
      if (!event || cannot.includes('replace')) return;
      const outcome = host.obey(event, refuseEvent(dialect.host, JSON.stringify(event), 'it broke', false));
      expect(outcome.output).to.be.a('string').and.contain('it broke');
    });

    it('blocks a prompt that a hook changed or denied', async () => {
      const event = host.prompt('My key is 4711.');
      if (!event) return;
      const clean: HookDefinition = {
        name: 'h',
        on: { preCall: (asked) => modify(asked, { messages: [userMessage('My key is ****.')] }) },
      };
      const aborts: HookDefinition = { name: 'h', on: { preCall: (asked) => abort(asked, 'not now') } };
      for (const [hook, reason] of [
        [clean, '****'],
        [aborts, 'not now'],
      ] as const) {
        const outcome = await outcomeOf(host, event, [hook]);
        expect(outcome.does).to.equal('refuse');
        expect(outcome.reason).to.contain(reason);
        expect(outcome.reason).to.not.contain('4711');
      }
    });

    it('adds context to a prompt', async () => {
      const event = host.prompt('Go!');
      if (!event) return;
      const outcome = await outcomeOf(host, event, [hint]);
      expect(outcome.does).to.equal('run');
      expect(outcome.context).to.equal(cannot.includes('context') ? undefined : 'Be brief.');
    });

    it('continues a turn once if a hook requires a better answer', async () => {
      const event = host.stop('Done.');
      if (!event || cannot.includes('again')) return;
      const better: HookDefinition = {
        name: 'h',
        on: { postReasoning: (asked) => retry(asked, [userMessage('Run the tests.')]) },
      };
      expect((await outcomeOf(host, event, [better])).again).to.contain('Run the tests.');
      const second = host.stop('Done.', true) as JsonObject;
      expect((await outcomeOf(host, second, [better])).again).to.equal(undefined);
      expect(host.obey(second, refuseEvent(dialect.host, JSON.stringify(second), 'it broke', false)).again).to.equal(
        undefined,
      );
    });

    for (const [what, text] of [
      ['text that is not JSON', 'hello'],
      ['an empty event', ''],
      ['a list', '[]'],
      ['an object without an event', '{}'],
      ['a cut event', JSON.stringify(call).slice(0, -10)],
    ] as const) {
      it(`denies ${what}`, () => {
        const answer = refuseEvent(dialect.host, text, 'it is invalid', false);
        // The host has sent the call: without an event, its answer must deny any.
        expect(host.obey(call, answer).does).to.equal('refuse');
      });
    }

    for (const name of Object.keys(call)) {
      it(`does not run a call without "${name}" that hooks would deny`, async () => {
        const { [name]: _, ...event } = call;
        const outcome = await outcomeOf(host, event, [denies]).catch((thrown: Error) =>
          host.obey(call, refuseEvent(dialect.host, JSON.stringify(event), thrown.message, false)),
        );
        expect(outcome.does).to.equal('refuse');
      });
    }
  });
}
