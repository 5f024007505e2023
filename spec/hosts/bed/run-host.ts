import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnGroup } from '../../../lib/processes/spawn-group.ts';
import { tempFolder } from '../../temp-folder.ts';
import { codex } from './codex.ts';
import { fakeModel, type ModelRequest } from './fake-model.ts';
import { gemini } from './gemini.ts';
import type { HookCommand, Host, Variant } from './host.ts';
import { type HostName, HostNotStarted, hostProgram } from './host-program.ts';
import { opencode } from './opencode.ts';
import { type HookAnswer, hookInputs } from './recorded-hook.ts';
import type { Turn, TurnOf } from './turn.ts';

const HOSTS: Record<HostName, Host> = { codex, gemini, opencode };
/** A busy machine needs more than 120 s for the longest run. */
const LIMIT_MS = 300_000;

export interface HostRun extends Variant {
  host: HostName;
  hooks?: readonly HookCommand[];
  /** What `recorded-hook.mjs` answers. */
  answers?: readonly HookAnswer[];
  turns: readonly (Turn | TurnOf)[];
  prompt?: string;
  /** Files of the work folder, by path. */
  files?: Record<string, string>;
}

export interface HostEnd {
  /** The work folder of the run. */
  folder: string;
  /** The folder with everything of the run: `home`, `work` and the log of the hook. */
  bed: string;
  requests: readonly ModelRequest[];
  asides: readonly ModelRequest[];
  /** Each input that `recorded-hook.mjs`, or a plugin, logged. */
  hookInputs: readonly Record<string, unknown>[];
  /** Codex exits with 0 whatever a hook did, so judge by effects. */
  exitCode: number | null;
  output: string;
}

/** Runs the real host in folders of its own against a fake model, and ends it with its process group. */
export async function runHost(run: HostRun): Promise<HostEnd> {
  const { host, hooks = [], answers = [], turns, prompt = 'go', files = {}, ...variant } = run;
  const program = hostProgram(host);
  const { wire, ...driver } = HOSTS[host];
  const bed = tempFolder(host);
  const [home, folder] = [join(bed, 'home'), join(bed, 'work')];
  for (const made of [home, folder]) mkdirSync(made);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  writeFileSync(join(bed, 'answers.json'), JSON.stringify(answers));
  const model = await fakeModel(wire, turns, bed);
  try {
    const settings = { home, work: folder, port: model.port, hooks, program, variant };
    const more = await driver.configure(settings);
    const [first = '', ...rest] = driver.arguments(prompt);
    const own = { PATH: process.env['PATH'], HOME: home, HOST_BED: bed, NO_COLOR: '1' };
    const started = performance.now();
    const group = spawnGroup([...program, first, ...more, ...rest], {
      cwd: folder,
      env: { ...own, ...driver.environment(settings) },
    });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      void group.stop(0);
    }, LIMIT_MS);
    const [exit, ...outputs] = await Promise.all([group.exited, ...group.outputs.map(text)]);
    clearTimeout(timer);
    await group.gone;
    if (late) throw new Error(`${host} took longer than ${LIMIT_MS} ms:\n${outputs.join('\n')}`);
    if (exit.failure) throw new HostNotStarted(`${host} does not start: ${exit.failure.message}`);
    console.info(
      `    ${host}: ${model.requests.length} requests in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
    return {
      folder,
      bed,
      requests: model.requests,
      asides: model.asides,
      hookInputs: hookInputs(bed),
      exitCode: exit.code,
      output: outputs.join('\n'),
    };
  } finally {
    model.close();
  }
}
