import { checkScript } from '../process-hooks/claude/check-script.ts';
import type { ClaudeEvent } from '../process-hooks/claude/event-names.ts';
import { foldOutcomes } from '../process-hooks/claude/fold-outcomes.ts';
import type { Outcome } from '../process-hooks/claude/output.ts';
import { readOutput } from '../process-hooks/claude/read-output.ts';
import { runCommand } from '../process-hooks/claude/run-command.ts';
import type { CommandHandler } from '../process-hooks/claude/settings.ts';
import type { Tried } from './tried.ts';

const TIMEOUT_MS = 60_000;
const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' };

/** What each event is told of besides what all are. */
const samples: { readonly [E in ClaudeEvent]: object } = {
  SessionStart: { source: 'startup' },
  UserPromptSubmit: { prompt: 'Hello.' },
  PreToolUse: bash,
  PermissionRequest: bash,
  PostToolUse: { ...bash, tool_response: { stdout: 'a.txt', stderr: '', interrupted: false, isImage: false } },
  PostToolUseFailure: { ...bash, error: 'exit code 1', is_interrupt: false },
  Stop: { stop_hook_active: false, last_assistant_message: 'Done.' },
  SubagentStop: { stop_hook_active: false, last_assistant_message: 'Done.', agent_id: 'agent-1', agent_type: 'a' },
  StopFailure: { error: 'unknown' },
  SessionEnd: { reason: 'other' },
};

/** Runs a command hook once. `input` overrides members of the sample that it is given on standard input. */
export async function tryClaude(words: readonly string[], event: ClaudeEvent, input: object): Promise<Tried> {
  const cwd = process.cwd();
  const env = { CLAUDE_PROJECT_DIR: cwd };
  const sent = {
    session_id: 'try-hook',
    transcript_path: '/dev/null',
    cwd,
    hook_event_name: event,
    permission_mode: 'default',
    ...samples[event],
    ...input,
  };
  const [command = '', ...args] = words;
  // One word is a line for the shell, as in a settings file.
  const handler: CommandHandler = { type: 'command', command, ...(args.length > 0 && { args }) };
  const diagnostics: string[] = [];
  const missing = checkScript(handler, cwd, env);
  if (missing !== undefined) diagnostics.push(`${missing}.`);
  const began = process.hrtime.bigint();
  const place = { cwd, env, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
  const printed = await runCommand(handler, JSON.stringify(sent), place);
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  if ('failure' in printed)
    return { sent: [sent], received: [], stderr: [], meaning: [], diagnostics, ms, failure: printed.failure };
  const hook = words.join(' ');
  const outcome = readOutput(printed, { event, hook, diagnose: ({ message }) => diagnostics.push(message) });
  const received = [`exit code ${printed.code}`, ...lines(printed.stdout)];
  return {
    sent: [sent],
    received,
    stderr: lines(printed.stderr),
    meaning: meaningOf(outcome),
    diagnostics,
    ms,
    failure: undefined,
  };
}

function meaningOf(outcome: Outcome): string[] {
  const { stop, block, permission, reason, contexts, updatedInput, updatedOutput } = foldOutcomes([outcome]);
  const meaning = [
    ...(stop === undefined ? [] : [`stops the run: ${stop}`]),
    ...(block === undefined ? [] : [`blocks: ${block}`]),
    ...(permission === undefined || block !== undefined
      ? []
      : [`says ${permission}${reason === undefined ? '' : `: ${reason}`}`]),
    ...(updatedInput === undefined ? [] : [`changes tool_input to ${JSON.stringify(updatedInput)}`]),
    ...(updatedOutput === undefined ? [] : [`changes the tool's output to ${JSON.stringify(updatedOutput.value)}`]),
    ...contexts.map((text) => `adds for the model: ${text}`),
  ];
  return meaning.length > 0 ? meaning : ['lets it go on as it is'];
}

function lines(text: string): string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}
