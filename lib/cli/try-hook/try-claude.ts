import type { JsonObject } from '../../events/values/json-value.ts';
import { claudeHooksOptionsSchema } from '../../process-hooks/claude/claude-options.ts';
import type { NotEnded } from '../../process-hooks/claude/handlers/run-command.ts';
import { type Moment, runHandlers } from '../../process-hooks/claude/handlers/run-handlers.ts';
import { foldOutcomes } from '../../process-hooks/claude/output/fold-outcomes.ts';
import type { Outcome } from '../../process-hooks/claude/output/output.ts';
import type { Printed } from '../../process-hooks/claude/output/read-output.ts';
import type { ClaudeEvent } from '../../process-hooks/claude/settings/event-names.ts';
import type { CommandHandler } from '../../process-hooks/claude/settings/settings.ts';
import type { Tried } from './tried.ts';
import { unknownFields } from './unknown-fields.ts';

const TIMEOUT_MS = 60_000;
const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' };

/** Sample fields of each event, in addition to the common fields. */
const samples: { readonly [E in ClaudeEvent]: object } = {
  SessionStart: { source: 'startup' },
  UserPromptSubmit: { prompt: 'Hello.' },
  PreToolUse: bash,
  PermissionRequest: bash,
  Notification: { message: 'May Bash run?', notification_type: 'permission_prompt' },
  PostToolUse: { ...bash, tool_response: { stdout: 'a.txt', stderr: '', interrupted: false, isImage: false } },
  PostToolUseFailure: { ...bash, error: 'exit code 1', is_interrupt: false },
  Stop: { stop_hook_active: false, last_assistant_message: 'Done.' },
  SubagentStart: { agent_id: 'agent-1', agent_type: 'a' },
  SubagentStop: { stop_hook_active: false, last_assistant_message: 'Done.', agent_id: 'agent-1', agent_type: 'a' },
  StopFailure: { error: 'unknown' },
  SessionEnd: { reason: 'other' },
  ConfigChange: { source: 'project_settings', file_path: '/tmp/settings.json' },
};

/** Optional fields of all events, and of some. */
const ALWAYS = ['prompt_id', 'agent_id', 'agent_type', 'effort'];
const optional: { readonly [E in ClaudeEvent]?: readonly string[] } = {
  SessionStart: [
    ...['model', 'session_title', 'seconds_since_last_response', 'context_tokens'],
    ...['prompt_cache_likely_expired', 'estimated_cache_write_usd'],
  ],
  UserPromptSubmit: ['source', 'session_title'],
  PreToolUse: ['mcp_server'],
  PermissionRequest: ['permission_suggestions', 'mcp_server'],
  Notification: ['title'],
  PostToolUse: ['duration_ms'],
  PostToolUseFailure: ['duration_ms'],
  Stop: ['background_tasks', 'session_crons'],
  SubagentStop: ['background_tasks', 'session_crons', 'agent_transcript_path'],
  StopFailure: ['error_details', 'last_assistant_message'],
};

/** Runs a command hook once. `input` overrides fields of the sample on standard input. */
export async function tryClaude(words: readonly string[], event: ClaudeEvent, input: object): Promise<Tried> {
  const cwd = process.cwd();
  const env = { CLAUDE_PROJECT_DIR: cwd };
  const sample = {
    session_id: 'try-hook',
    transcript_path: '/dev/null',
    cwd,
    hook_event_name: event,
    permission_mode: 'default',
    ...samples[event],
  };
  const sent = { ...sample, ...input };
  const [command = '', ...args] = words;
  // A single word is a shell command line, as in a settings file.
  const handler: CommandHandler = { type: 'command', command, ...(args.length > 0 && { args }) };
  const known = [...Object.keys(sample), ...(optional[event] ?? []), ...ALWAYS];
  const diagnostics = unknownFields(event, input, known);
  let printed: Printed | NotEnded | undefined;
  let failure: string | undefined;
  const moment: Moment = {
    event,
    field: '',
    input: sent as JsonObject,
    cwd,
    env,
    signal: new AbortController().signal,
    onPrinted: (what) => {
      printed = what;
    },
  };
  const began = process.hrtime.bigint();
  const settings = claudeHooksOptionsSchema.parse({ timeoutMs: TIMEOUT_MS });
  const outcomes = await runHandlers(
    [{ handler, matches: () => true, applies: () => true }],
    moment,
    settings,
    ({ code, message }) => {
      if (code === 'handler-failed' || code === 'maybe-missing') failure = message;
      else diagnostics.push(message);
    },
  );
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  const ended = printed !== undefined && 'code' in printed ? printed : undefined;
  return {
    sent: [sent],
    received: ended ? [`exit code ${ended.code}`, ...lines(ended.stdout)] : [],
    asked: [],
    stderr: ended ? lines(ended.stderr) : [],
    meaning: failure === undefined || ended?.code === 2 ? meaningOf(outcomes) : [],
    diagnostics,
    ms,
    failure,
  };
}

function meaningOf(outcomes: readonly Outcome[]): string[] {
  const { stop, block, permission, reason, contexts, messages, updatedInput, updatedOutput } = foldOutcomes(outcomes);
  const meaning = [
    ...(stop === undefined ? [] : [`stops the run: ${stop}`]),
    ...(block === undefined ? [] : [`blocks: ${block}`]),
    ...(permission === undefined || block !== undefined
      ? []
      : [`decides ${permission}${reason === undefined ? '' : `: ${reason}`}`]),
    ...(updatedInput === undefined ? [] : [`changes tool_input to ${JSON.stringify(updatedInput)}`]),
    ...(updatedOutput === undefined ? [] : [`changes the tool's output to ${JSON.stringify(updatedOutput.value)}`]),
    ...contexts.map((text) => `adds context for the model: ${text}`),
    ...messages.map((text) => `shows the user: ${text}`),
  ];
  return meaning.length > 0 ? meaning : ['changes nothing'];
}

function lines(text: string): string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}
