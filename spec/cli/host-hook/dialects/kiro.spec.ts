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

  for (const [about, operation, paths] of [
    ['a file', { mode: 'Line', path: '/w/a' }, ['/w/a']],
    ['images', { mode: 'Image', image_paths: ['/w/.env', '/w/b'] }, ['/w/.env', '/w/b']],
    ['both', { mode: 'Image', path: '/w/a', image_paths: ['/w/.env'] }, ['/w/a', '/w/.env']],
  ] as const)
    it(`reads the paths of ${about}`, () => {
      const tool_input = { operations: [operation] } as never;
      const moment = kiro.read({ hook_event_name: 'preToolUse', cwd: '/w', tool_name: 'fs_read', tool_input });
      expect(moment.kind === 'call' && moment.use.call.input).to.deep.equal({ paths });
    });

  it('refuses a read without any path', () => {
    for (const operations of [[], [{ mode: 'Line' }], [{ path: '/w/a' }, { image_paths: [] }], [{ path: 1 }]])
      expect(() =>
        kiro.read({
          hook_event_name: 'preToolUse',
          cwd: '/w',
          tool_name: 'fs_read',
          tool_input: { operations } as never,
        }),
      ).to.throw(/no text/);
  });
});
