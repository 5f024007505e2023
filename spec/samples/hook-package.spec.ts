import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { root } from '../cli/hookline.ts';
import { warmHookline as hookline } from '../cli/warm-command.ts';
import { tempFolder } from '../temp-folder.ts';

const sample = join(root, 'samples/hook-package');

/** A folder with packages installed, as npm links a local one. */
function installed(...packages: readonly (readonly [name: string, from: string])[]): string {
  const folder = tempFolder('hook-package');
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, from] of packages) symlinkSync(from, join(folder, 'node_modules', name));
  return folder;
}

describe('the template of a package of hooks', () => {
  const packed = installed(
    ...['hookline', 'zod', 'rxjs'].map(
      (name) => [name, name === 'hookline' ? root : join(root, 'node_modules', name)] as const,
    ),
  );
  cpSync(sample, packed, { recursive: true });
  const project = installed(['hookline-office-hours', packed]);
  cpSync(join(sample, 'hookline.yaml'), join(project, 'hookline.yaml'));

  it('passes its own tests', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'index.test.js'], { cwd: packed });
    expect(stdout)
      .to.match(/^# pass 3$/m)
      .and.to.match(/^# fail 0$/m);
  });

  it('is known to a project that installs it', async () => {
    const listed = await hookline(['list', '--config', 'hookline.yaml', '--json'], { cwd: project });
    expect(JSON.parse(listed.stdout).hooks).to.deep.include.members([
      {
        name: 'work',
        type: 'office-hours',
        enabled: true,
        priority: 100,
        match: { permissions: ['write', 'external'] },
      },
    ]);
    const schema = await hookline(['schema', '--config', 'hookline.yaml'], { cwd: project });
    expect(schema.stdout).to.include('First hour (UTC).');
  });
});
