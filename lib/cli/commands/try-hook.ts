import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import { claudeEvents } from '../../process-hooks/claude/settings/event-names.ts';
import { interceptNames } from '../../process-hooks/picoclaw/options.ts';
import { choice } from '../options/choice.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { Tried } from '../try-hook/tried.ts';
import { tryClaude } from '../try-hook/try-claude.ts';
import { hooklineEvents, tryHookline } from '../try-hook/try-hookline.ts';
import { tryPicoclaw } from '../try-hook/try-picoclaw.ts';

const protocols = ['picoclaw', 'hookline', 'claude'] as const;

interface Flags {
  readonly protocol: (typeof protocols)[number];
  readonly event: string;
  readonly input?: string;
}

const HELP = `
Events of picoclaw: ${interceptNames.join(', ')}
Events of hookline (protocol 2): those of picoclaw, and reasoning_chunks, acting_chunks
Events of claude: ${claudeEvents.join(', ')}

Exit codes: 0 the hook answered, 1 it failed, 2 bad usage.

Examples:
  hookline try-hook --protocol claude --event PreToolUse -- ./guard.sh
  hookline try-hook --protocol picoclaw --event before_tool -- python3 plugin.py
  hookline try-hook --protocol hookline --event reasoning_chunks -- node mask-word.mjs
`;

/** `hookline try-hook`: runs a hook of another host once and explains its output. */
export function tryHook(command: Command): void {
  command
    .requiredOption('--protocol <protocol>', `protocol of the hook (${protocols.join(', ')})`, choice(protocols))
    .requiredOption('--event <name>', 'event to send to the hook')
    .option('--input <file>', 'file with a JSON object; its fields replace those of the sample input')
    .argument('<command...>', 'command that starts the hook, after --')
    .addHelpText('after', HELP)
    .action(async (command: readonly string[], { protocol, event, input }: Flags) => {
      // An orderly exit ends the processes that the hook started. A signal alone would leave them running.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => process.exit(128 + constants.signals[signal]));
      const own = input === undefined ? {} : readInput(input);
      const tried = await tries[protocol](command, event, own);
      process.stdout.write(harmlessText(toText(tried)));
      process.exitCode = tried.failure === undefined ? 0 : 1;
    });
}

const tries: Record<Flags['protocol'], (command: readonly string[], event: string, input: object) => Promise<Tried>> = {
  picoclaw: (command, event, input) => tryPicoclaw(command, known(event, interceptNames, 'picoclaw'), input),
  hookline: (command, event, input) => tryHookline(command, known(event, hooklineEvents, 'hookline'), input),
  claude: (command, event, input) => tryClaude(command, known(event, claudeEvents, 'claude'), input),
};

function known<T extends string>(event: string, events: readonly T[], protocol: string): T {
  try {
    return choice(events)(event);
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new HooklineError('INPUT_INVALID', `--event: ${protocol} has no event "${event}". ${why}`);
  }
}

function readInput(file: string): object {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new HooklineError('INPUT_INVALID', `--input: cannot read "${file}": ${why}`);
  }
  if (isObject(value)) return value;
  throw new HooklineError('INPUT_INVALID', `--input "${file}" does not contain a JSON object.`);
}

function toText({ sent, received, asked, stderr, meaning, diagnostics, ms, failure }: Tried): string {
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`), ''];
  return [
    ...part(
      'sent',
      sent.map((one) => JSON.stringify(one)),
    ),
    ...part('received', received),
    ...part('asked the host', asked),
    ...part('standard error', stderr),
    ...part('means', meaning),
    ...part('but', diagnostics),
    ...(failure === undefined ? [] : [`failed: ${failure}`]),
    `took: ${ms.toFixed(1)} ms`,
    '',
  ].join('\n');
}
