import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { warmHookline as hookline } from '../cli/warm-command.ts';

const folder = 'samples/hooks';
const files = readdirSync(join(__dirname, '../..', folder)).filter(
  (name) => name.endsWith('.yaml') && name !== 'permissions.yaml',
);

describe('samples/hooks', () => {
  for (const name of files)
    it(`${name} is a valid configuration`, async () => {
      const env = { ...process.env, MAIL_TOKEN: 'assembled', WEBHOOK_SECRET: 'assembled'.repeat(2) };
      const { code, stdout, stderr } = await hookline(['check', join(folder, name)], { env });
      expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    });
});
