import { type Command, InvalidArgumentError, Option } from 'commander';
import { answerHost, answerPicoclaw, type HostHookFlags } from '../host-hook/answer-host.ts';
import { claudeInstall, picoclawInstall } from '../host-hook/install.ts';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { append } from '../options/append.ts';
import { choice } from '../options/choice.ts';
import { presetOption } from '../presets/preset.ts';

const hosts = ['claude', 'picoclaw'] as const;

/** Seconds: below what each host waits for a hook. */
const usualTimeout = { claude: 25, picoclaw: 4 } as const;

interface Flags extends Omit<HostHookFlags, 'timeout'> {
  readonly timeout?: number;
  readonly as: (typeof hosts)[number];
  readonly install?: boolean;
}

const HELP = `
claude: a command hook of Claude Code, and of hosts that read its settings. One event comes on
standard input, its answer goes to standard output, everything else to standard error.
What goes wrong refuses: exit code 2 with the reason, where the host lets hooks refuse; the output
of a tool is withheld (exit code 0); a session that a hook has kept from stopping stops (1).
picoclaw: a process hook of PicoClaw, of all its generations. It answers until its input ends;
what could not be judged is denied.

Exit codes: 0 answered, 2 not judged and so refused, 1 not judged with --fail-open.

Examples:
  hookline hook --as claude --config hookline.yaml --install
  hookline hook --as claude --config hookline.yaml < event.json
`;

/** `hookline hook`: the hooks of a configuration as a hook of another host. */
export function hook(command: Command): void {
  command
    .addOption(
      new Option('--as <host>', `whose hook it is (${hosts.join(', ')})`)
        .argParser(choice(hosts))
        .makeOptionMandatory(),
    )
    .option('--config <file>', 'a configuration (repeatable; the later one wins)', append, [])
    .option('--hooks <module>', 'a module of hooks, as for run (repeatable)', append, [])
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .option(
      '--timeout <seconds>',
      'how long an answer may take; the host must wait longer (default: 25, picoclaw 4)',
      seconds,
    )
    .option('--fail-open', 'let things go on where nothing could be judged')
    .option('--install', 'print what to put where, and what the host cannot do')
    .addHelpText('after', HELP)
    .action(async ({ install = false, timeout, ...given }: Flags) => {
      const flags = { ...given, timeout: timeout ?? usualTimeout[given.as] };
      if (install) {
        const words = commandOf({ ...given, ...(timeout !== undefined && { timeout }) });
        process.stdout.write(
          given.as === 'claude'
            ? claudeInstall(words.map(quoted).join(' '), flags.timeout, given.failOpen ?? false)
            : picoclawInstall(words),
        );
        return;
      }
      const write = process.stdout.write.bind(process.stdout);
      // A module of hooks may print: the host reads nothing but the answer.
      process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
      let refuse: (thrown: unknown) => void = () => {};
      const stray = new Promise<never>((_, reject) => {
        refuse = reject;
      });
      stray.catch(() => {});
      const hear = (thrown: unknown): void => {
        process.stderr.write(`hookline: an error that nobody waits for: ${String(thrown)}\n`);
        refuse(thrown);
      };
      process.on('uncaughtException', hear);
      process.on('unhandledRejection', hear);
      if (given.as === 'picoclaw') await answerPicoclaw(flags, write);
      else process.exitCode = await answerHost(flags, readAll, write, stray);
    });
}

/** As much as the largest file that a tool writes; what is larger cannot be judged. */
const MOST_CHARS = 64 * 1024 * 1024;

async function readAll(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.length > MOST_CHARS) throw new Error(`the event is larger than ${MOST_CHARS} characters.`);
  }
  return text;
}

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= 600) return value;
  throw new InvalidArgumentError('It must be a number of seconds above 0, at most 600.');
}

const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function commandOf({ as, config, hooks, preset, allowWeaker, timeout, failOpen }: Flags): string[] {
  return [
    ...['npx', 'hookline', 'hook', '--as', as],
    ...config.flatMap((file) => ['--config', file]),
    ...hooks.flatMap((module) => ['--hooks', module]),
    ...(preset ? ['--preset', preset] : []),
    ...(allowWeaker ? ['--allow-weaker'] : []),
    ...(timeout === undefined ? [] : ['--timeout', String(timeout)]),
    ...(failOpen ? ['--fail-open'] : []),
  ];
}
