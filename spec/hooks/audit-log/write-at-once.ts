import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditLogOptions } from '../../../lib/hooks/audit-log/audit-log.ts';

const root = join(__dirname, '../../..');

/** Lets `writers` processes write `count` records each to one file concurrently. */
export async function writeAtOnce(
  file: string,
  writers: number,
  count: number,
  options: AuditLogOptions,
): Promise<void> {
  const node = ['-C', 'hookline:source', '-r', 'ts-node/register', join(__dirname, 'writer.child.ts')];
  const codes = await Promise.all(
    Array.from({ length: writers }, async (_, index) => {
      const args = [file, String(index * count), String(count), JSON.stringify(options)];
      const child = spawn(process.execPath, [...node, ...args], { cwd: root, stdio: 'inherit' });
      return (await once(child, 'close'))[0];
    }),
  );
  expect(codes).to.deep.equal(codes.map(() => 0));
}
