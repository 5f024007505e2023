import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dialectOf } from '../../../../lib/cli/host-hook/dialects/dialects.ts';
import { readEventOf } from '../../../../lib/cli/host-hook/dialects/read-event-of.ts';

const fixtures = join(__dirname, '../../../hosts/fixtures');

/** What hooks see of the calls that real hosts sent. */
const SEEN: Readonly<Record<string, string>> = {
  'codex/PreToolUse-Bash': 'run_command command',
  'codex/PreToolUse-apply_patch': 'apply_patch command',
  'codex/PreToolUse-mcp__files__touch': 'mcp__files__touch path',
  'gemini/BeforeTool-mcp_files_touch': 'mcp__files__touch path',
  'gemini/BeforeTool-read_file': 'read_file path',
  'gemini/BeforeTool-replace': 'Edit file_path instruction new_string old_string',
  'gemini/BeforeTool-run_shell_command': 'run_command command',
  'gemini/BeforeTool-write_file': 'write_file content path',
};

describe('an event that a real host sent', () => {
  for (const host of ['codex', 'gemini'] as const) {
    for (const file of readdirSync(join(fixtures, host))) {
      const name = `${host}/${file.replace('.json', '')}`;
      it(`is read: ${name}`, () => {
        const moment = readEventOf(dialectOf(host), readFileSync(join(fixtures, host, file), 'utf8'));
        expect(moment.event).to.equal(file.replace('.json', '').split('-')[0]);
        if (moment.kind !== 'call') return;
        const { name: tool, input } = moment.use.call;
        expect([tool, ...Object.keys(input as object).sort()].join(' ')).to.equal(SEEN[name]);
      });
    }
  }
});
