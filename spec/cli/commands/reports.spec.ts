import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { folder, root, start } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

const sample = (name: string) => readFileSync(join(root, 'samples/server', name), 'utf8');

describe('runs of other processes', () => {
  it('are reported by the hook webhook to hookline serve, with signatures', async () => {
    const at = folder({
      'server.yaml': sample('take-reports.yaml'),
      'report.yaml': sample('report.yaml'),
      'notes.txt': 'Buy milk.',
    });
    const env = { WEBHOOK_SECRET: 'a-secret-of-the-team' };
    const flags = ['serve', '--port', '0', '--state', 'state', '--json', '--config', 'server.yaml'];
    const server = start(flags, { cwd: at, env });
    try {
      let stderr = '';
      server.stderr?.on('data', (bytes) => {
        stderr += bytes;
      });
      const url = await new Promise<string>((resolve, reject) => {
        server.once('exit', () => reject(new Error(stderr)));
        createInterface({ input: server.stdout! }).on('line', (line) => {
          const { event, url } = JSON.parse(line);
          if (event === 'listening') resolve(url);
        });
      });
      const token = /hlk_[\w-]+/.exec(stderr)?.[0] ?? '';
      const reporting = { ...env, HOOKLINE_TOKEN: token, HOOKLINE_URL: url };
      const args = ['run', 'read notes.txt', '--config', 'report.yaml'];
      const ran = await hookline(args, { cwd: at, env: reporting });
      expect([ran.code, ran.stderr]).to.deep.equal([0, ran.stderr]);
      const wrong = { ...reporting, WEBHOOK_SECRET: 'another-secret-here' };
      const refused = await hookline(args, { cwd: at, env: wrong });
      expect(refused.stderr).to.include('the response was 401');
      const headers = { authorization: `Bearer ${token}` };
      const { runs } = (await (await fetch(`${url}/api/runs`, { headers })).json()) as { runs: { runId: string }[] };
      expect(runs).to.have.length(1);
      expect(runs[0]).to.include({ title: 'read notes.txt', outcome: 'completed', agent: 'hookline' });
      const events = await (await fetch(`${url}/api/runs/${runs[0]?.runId}/events`, { headers })).text();
      expect(events).to.include('Buy milk.').and.include('event: postCall');
    } finally {
      server.kill('SIGKILL');
    }
  });
});
