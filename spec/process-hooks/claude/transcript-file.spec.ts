import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { userMessage } from 'hookline';
import { createScriptFiles } from '../../../lib/process-hooks/claude/transcript-file.ts';

describe('the files for scripts', () => {
  it('give each session a file of its own, also when their names look the same in a file name', () => {
    const files = createScriptFiles();
    try {
      const sessions = ['张三', '李四', '__', 'Team', 'team', `${'x'.repeat(120)}1`, `${'x'.repeat(120)}2`];
      const write = (session: string) => files.transcript(session, [userMessage(`of ${session}`)]);
      const paths = sessions.map(write);
      expect(new Set(paths.map((path) => path.toLowerCase())).size).to.equal(sessions.length);
      for (const [place, path] of paths.entries())
        expect(readFileSync(path, 'utf8')).to.include(`of ${sessions[place]}"`);
      expect(sessions.map(write)).to.deep.equal(paths);
      expect(basename(paths[3] ?? '')).to.equal('Team.jsonl');
    } finally {
      files.remove();
    }
  });

  it('leave nothing behind when they are removed', () => {
    const files = createScriptFiles();
    const path = files.transcript('s', []);
    expect(existsSync(path)).to.equal(true);
    files.remove();
    expect(existsSync(path)).to.equal(false);
  });
});
