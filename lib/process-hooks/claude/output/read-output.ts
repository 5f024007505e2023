import type { Diagnose } from '../diagnostic.ts';
import type { ClaudeEvent } from '../settings/event-names.ts';
import { type ClaudeOutput, type Outcome, outputSchema } from './output.ts';

/** What a handler left when it ended by itself. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the reading of an output needs to know. */
export interface OutputContext {
  readonly event: ClaudeEvent;
  /** The command or address, for diagnostics. */
  readonly hook: string;
  readonly diagnose: Diagnose;
}

/** Plain text on standard output is context at these events only. */
const TEXT_IS_CONTEXT: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['UserPromptSubmit', 'SessionStart']);
/** Exit 2 means nothing at these, nor does `"decision": "block"`. */
const CANNOT_BLOCK: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([
  'PermissionRequest',
  'Notification',
  'SessionStart',
  'SessionEnd',
  'StopFailure',
]);

/** Nothing is left to be stopped at these. */
const CANNOT_STOP: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>(['Notification', 'SessionEnd', 'StopFailure']);
/** Nobody would read a context at these. */
const NO_CONTEXT: ReadonlySet<ClaudeEvent> = new Set<ClaudeEvent>([...CANNOT_STOP, 'PermissionRequest']);
/** Members that scripts print at the top and that belong into `hookSpecificOutput`, or into no output of this host. */
const MISPLACED = ['permissionDecision', 'permissionDecisionReason', 'permission', 'updatedInput', 'additionalContext'];

/** Reads exit code and output by the rules of Claude Code (facts 1.5); every output without effect is diagnosed. */
export function readOutput({ code, stdout, stderr }: Printed, context: OutputContext): Outcome {
  const { event, hook, diagnose } = context;
  const tell = (kind: string, message: string) => diagnose({ code: kind, event, hook, message });
  const text = stdout.trim();
  const parsed = text.startsWith('{') ? parse(text) : undefined;
  if (announcesAsync(text))
    tell(
      'async-printed',
      'printed "async": true, which has no effect here: it was waited for. Set "async": true beside its command in the settings.',
    );
  const json = parsed && 'output' in parsed ? parsed.output : undefined;
  if (parsed && 'fault' in parsed) tell('bad-json', parsed.fault);
  const outcome: Outcome = json ? meaning(json, context) : parsed && 'fault' in parsed ? { invalid: parsed.fault } : {};

  if (code === 2) {
    if (CANNOT_BLOCK.has(event)) {
      tell('cannot-block', `exited with 2, which has no effect at ${event}.`);
      return outcome;
    }
    const { permission, ...rest } = outcome;
    if (permission === 'allow') tell('allow-and-exit-2', 'printed an allow and exited with 2; the exit code counts.');
    const said = outcome.block ?? (permission === 'deny' ? outcome.reason : undefined);
    return { ...rest, block: said ?? (stderr.trim() || 'The hook gave no reason.') };
  }
  if (code !== 0 && !json) {
    const hint = code === 1 ? ' To block, exit with 2.' : '';
    tell('exit-code', `exited with ${code}, which decides nothing: the action goes on.${hint}${first(stderr)}`);
    return outcome;
  }
  if (json || text === '') {
    if (stderr.trim().startsWith('{'))
      tell('json-on-stderr', 'printed JSON on standard error; it is read from standard output only.');
    return outcome;
  }
  // JSON that does not fit is a fault of the hook; what is no JSON is text (facts 1.5).
  if (parsed && 'misfit' in parsed) return outcome;
  if (TEXT_IS_CONTEXT.has(event)) return { ...outcome, context: text };
  tell(
    'text-ignored',
    `printed text, which has no effect at ${event}; print JSON, or exit with 2 and say why on standard error.`,
  );
  return outcome;
}

function parse(text: string): { readonly output: ClaudeOutput } | { readonly fault: string; readonly misfit?: true } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return {
      fault: `printed something that begins like JSON and is none (${(thrown as Error).message}); it is taken for text.`,
    };
  }
  const output = outputSchema.safeParse(value);
  if (output.success) return { output: output.data };
  const faults = output.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return { fault: `printed JSON that does not fit, so it decides nothing: ${faults}.`, misfit: true };
}

/** In whole, or in a first line behind which the script goes on to print (facts 1.5). */
function announcesAsync(text: string): boolean {
  if (!text.startsWith('{')) return false;
  return [text, text.split('\n', 1)[0] as string].some((part) => {
    try {
      return (JSON.parse(part) as { readonly async?: unknown }).async === true;
    } catch {
      return false;
    }
  });
}

function meaning(output: ClaudeOutput, context: OutputContext): Outcome {
  const { event, hook, diagnose } = context;
  const tell = (kind: string, message: string) => diagnose({ code: kind, event, hook, message });
  const said = output.hookSpecificOutput;
  const specific = said?.hookEventName === event ? said : undefined;
  if (said && !specific)
    tell('foreign-event', `printed hookSpecificOutput for ${said.hookEventName}; at ${event} it has no effect.`);
  tellMisplaced(output, said !== undefined, tell);
  const wantsBlock = output.decision === 'block';
  const blocks = wantsBlock && !CANNOT_BLOCK.has(event) ? (output.reason ?? 'The hook gave no reason.') : undefined;
  if (wantsBlock && blocks === undefined)
    tell('cannot-block', `said "decision": "block", which has no effect at ${event}.`);
  if (output.decision === 'approve' && event !== 'PreToolUse')
    tell('no-permission-here', `said "decision": "approve", which has no effect at ${event}.`);
  const stops = output.continue === false;
  if (stops && CANNOT_STOP.has(event)) tell('cannot-stop', `said "continue": false, which has no effect at ${event}.`);
  const behavior = specific?.decision;
  const permission =
    behavior?.behavior ?? (specific?.permissionDecision === 'defer' ? 'ask' : specific?.permissionDecision);
  if (permission !== undefined && event !== 'PreToolUse' && event !== 'PermissionRequest')
    tell('no-permission-here', `gave a permission decision, which has no effect at ${event}.`);
  const legacy = output.decision === 'approve' && event === 'PreToolUse' ? 'allow' : undefined;
  const reason = behavior?.message ?? specific?.permissionDecisionReason ?? output.reason;
  const replaced =
    specific && ('updatedToolOutput' in specific ? specific.updatedToolOutput : specific.updatedMCPToolOutput);
  if (replaced !== undefined && event !== 'PostToolUse')
    tell('no-output-here', `gave updatedToolOutput, which has no effect at ${event}.`);
  const updatedInput = behavior?.updatedInput ?? specific?.updatedInput;
  if (updatedInput !== undefined && event !== 'PreToolUse' && event !== 'PermissionRequest')
    tell('no-input-here', `gave updatedInput, which has no effect at ${event}.`);
  if (behavior?.interrupt)
    tell('no-interrupt', 'asked for an interrupt, which is not done here; say "continue": false to end the run.');
  if (specific?.additionalContext && NO_CONTEXT.has(event))
    tell('no-context-here', `gave additionalContext, which has no effect at ${event}.`);
  const decided = permission ?? legacy;
  return {
    ...(blocks !== undefined && { block: blocks }),
    ...(decided !== undefined && { permission: decided }),
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(specific?.additionalContext && !NO_CONTEXT.has(event) && { context: specific.additionalContext }),
    ...(replaced !== undefined && { updatedOutput: { value: replaced } }),
    ...(specific?.initialUserMessage && { initialUserMessage: specific.initialUserMessage }),
    ...(stops && !CANNOT_STOP.has(event) && { stop: output.stopReason ?? 'A hook stopped the run.' }),
    ...(output.systemMessage && { systemMessage: output.systemMessage }),
  };
}

/** Members that say something to no host of this format, where they stand. */
function tellMisplaced(
  output: ClaudeOutput,
  hasSpecific: boolean,
  tell: (kind: string, message: string) => void,
): void {
  const misplaced = MISPLACED.filter((member) => member in output);
  if (misplaced.length > 0) {
    const names = misplaced.map((name) => `"${name}"`).join(', ');
    const place = 'put them into "hookSpecificOutput", beside "hookEventName"';
    tell('misplaced', `printed ${names} at the top of its JSON, where they have no effect; ${place}.`);
  }
  const decides = output.decision !== undefined || output.continue === false || hasSpecific;
  if (output.reason !== undefined && !decides && misplaced.length === 0)
    tell(
      'reason-alone',
      'printed a reason without a decision, which has no effect; say "decision": "block" beside it.',
    );
}

function first(stderr: string): string {
  const line = stderr.trim().split('\n')[0] ?? '';
  return line === '' ? '' : ` It said: ${line.slice(0, 200)}`;
}
