import { expect } from 'chai';
import { readEventOf } from '../../../../lib/cli/host-hook/dialects/read-event-of.ts';
import { refuseEvent } from '../../../../lib/cli/host-hook/dialects/refuse-event.ts';
import { senderOf } from '../../../../lib/cli/host-hook/dialects/told-apart.ts';
import type { JsonObject } from '../../../../lib/events/values/json-value.ts';
import { hosts } from './hosts.ts';

const shell = { does: 'shell', command: 'ls' } as const;

describe('the sender of an event', () => {
  for (const host of hosts) {
    const { dialect } = host;
    const events = [host.call(shell), host.result(shell, 'x'), host.prompt('Go!'), host.stop('Done.')].filter(
      (event) => event !== undefined,
    );

    it(`is ${dialect.title} by its marks`, () => {
      for (const event of events)
        expect(senderOf(event)?.host).to.equal(dialect.host === 'claude' ? undefined : dialect.host);
    });

    for (const other of hosts.filter((one) => one !== host && dialect.host !== 'claude')) {
      it(`${dialect.title} is refused in its own dialect with --as ${other.dialect.host}`, () => {
        const event = host.call(shell) as JsonObject;
        let why = '';
        try {
          readEventOf(other.dialect, JSON.stringify(event));
        } catch (thrown) {
          why = (thrown as Error).message;
        }
        expect(why).to.contain(dialect.title).and.contain(`--as ${dialect.host}`);
        const answer = refuseEvent(other.dialect.host, JSON.stringify(event), why, false);
        expect(host.obey(event, answer).does).to.equal('refuse');
      });
    }
  }

  for (const [title, event] of [
    ['Antigravity', { toolCall: { name: 'run_command', args: {} }, conversationId: 'c', stepIdx: 1 }],
    ['Cline', { hookName: 'PreToolUse', clineVersion: '4', taskId: 't' }],
    ['Grok CLI', { toolInput: {}, sessionId: 's', toolName: 'x' }],
    ['VS Code', { sessionId: 's', hookEventName: 'PreToolUse', tool_name: 'run_in_terminal', tool_input: {} }],
  ] as readonly (readonly [string, JsonObject])[]) {
    it(`is ${title}, which has no dialect`, () => {
      for (const { dialect } of hosts)
        expect(() => readEventOf(dialect, JSON.stringify(event)))
          .to.throw(`${title} sent this event`)
          .with.property('code', 'INPUT_INVALID');
    });
  }

  it('of a stored event of Claude Code is unknown, so no flag refuses it by its marks', () => {
    expect(senderOf({ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} })).to.equal(
      undefined,
    );
  });
});
