import { expect } from 'chai';
import { kiro } from '../../../../lib/cli/host-hook/dialects/kiro/kiro.ts';

describe('the dialect of Kiro', () => {
  const input = { command: 'ls' };

  for (const [hook_event_name, kind] of [
    ['preToolUse', 'call'],
    ['PreToolUse', 'call'],
    ['PostToolUse', 'other'],
    ['Stop', 'other'],
  ] as const) {
    it(`reads ${hook_event_name}`, () => {
      const event = { session_id: 's', hook_event_name, cwd: '/w', tool_name: 'execute_bash', tool_input: input };
      expect(kiro.read(event).kind).to.equal(kind);
    });
  }
});
