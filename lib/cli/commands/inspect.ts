import type { Command } from 'commander';
import { HooklineError } from '../../errors.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { inspectRecordings, type RecordingPage } from '../inspect/inspect-recordings.ts';
import { type ServeSettings, serveApi } from '../run/serve-api.ts';
import { serveOptions } from './serve.ts';

/** `hookline inspect`: opens the page of a server, or recorded runs on it. */
export function inspect(command: Command): void {
  serveOptions(command.argument('[recordings...]', 'recordings, exported runs, or directories of them'))
    .addHelpText('after', INSPECT_HELP)
    .action(async (recordings: readonly string[], settings: ServeSettings) => {
      process.exitCode =
        recordings.length > 0
          ? await inspectRecordings(recordings, recordingFlags(command, settings))
          : await serveApi(settings, { inspect: true });
    });
}

function recordingFlags(command: Command, { port, json, config, preset }: ServeSettings): RecordingPage {
  const known = ['port', 'json', 'config', 'preset'];
  const given = command.options
    .map((option) => [option.attributeName(), option.long] as const)
    .find(([name]) => command.getOptionValueSource(name) === 'cli' && !known.includes(name));
  if (given) throw new HooklineError('INPUT_INVALID', `${given[1]} has no effect on recordings. Remove it.`);
  const replays = config.length > 0 || preset !== undefined;
  return {
    ...withoutUndefined({ port, json }),
    ...(replays && { replayed: { config, ...(preset && { preset }) } }),
  };
}

/** Help text of `hookline inspect` below the options. */
const INSPECT_HELP = `
Without recordings, inspect starts hookline serve and prints the address of the web UI with a token. The token is revoked
when the server ends. With recordings, inspect starts a read-only web UI; only --port (default: a free port), --json,
--config and --preset apply. Directories are read again while the web UI is open: new recordings appear, and active runs
are followed. With --config or --preset, each recording is replayed with these hooks and shown beside its replay, as
hookline replay does: nothing is sent, no tool runs, and hooks of modules and programs do what they did then.

Examples:
  hookline inspect --config hookline.yaml
  hookline inspect recordings --config new.yaml
  hookline inspect ~/.local/state/hookline/app-1a2b3c4d/hooks/recordings
`;
