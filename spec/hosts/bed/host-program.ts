import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';

export type HostName = 'codex' | 'gemini' | 'opencode';

/** This machine has no program of the host, or cannot start it. */
export class HostNotStarted extends Error {}

const MODULES = join(__dirname, '../node_modules');
const platform = `${process.platform}-${process.arch}`;

const CODEX_TARGETS: Record<string, string> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

const PATHS: Record<HostName, string> = {
  codex: `@openai/codex-${platform}/vendor/${CODEX_TARGETS[platform]}/bin/codex`,
  gemini: '@google/gemini-cli/bundle/gemini.js',
  opencode: `opencode-${platform}-baseline/bin/opencode`,
};

/** The command line that starts the host. */
export function hostProgram(host: HostName): readonly string[] {
  const path = join(MODULES, PATHS[host]);
  if (!existsSync(path)) throw new HostNotStarted(`spec/hosts/node_modules has no ${host} for ${platform}`);
  return path.endsWith('.js') ? [process.execPath, path] : [path];
}

/** Leaves the specs of a suite pending, with a printed reason, if this machine cannot start their host. */
export async function orPending<T>(context: Context, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (thrown) {
    if (!(thrown instanceof HostNotStarted)) throw thrown;
    console.info(`    pending: ${thrown.message}`);
    return context.skip();
  }
}
