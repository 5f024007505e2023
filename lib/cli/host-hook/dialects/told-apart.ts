import { HooklineError } from '../../../errors.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { type DialectName, isDialect } from './dialect-names.ts';

const GEMINI = /^(?:Before|After)(?:Tool|Agent|Model)$|^BeforeToolSelection$|^PreCompress$/;

/** A host, and the marks that no event of another host has. */
interface Marks {
  readonly host: string;
  readonly title: string;
  has(event: JsonObject, name: string): boolean;
}

/** In order: an event belongs to the first host whose marks it has. */
const marks: readonly Marks[] = [
  { host: 'cursor', title: 'Cursor', has: (event) => 'cursor_version' in event },
  { host: 'opencode', title: 'opencode', has: (event) => event['host'] === 'opencode' },
  { host: 'windsurf', title: 'Windsurf', has: (event) => 'agent_action_name' in event },
  { host: 'antigravity', title: 'Antigravity', has: (event) => 'toolCall' in event && 'conversationId' in event },
  { host: 'cline', title: 'Cline', has: (event) => 'hookName' in event && 'clineVersion' in event },
  { host: 'codex', title: 'Codex', has: (event) => 'turn_id' in event },
  { host: 'gemini', title: 'Gemini CLI', has: (_, name) => GEMINI.test(name) },
  {
    host: 'grok',
    title: 'Grok CLI',
    has: (event) => 'toolInput' in event && 'sessionId' in event && !('toolArgs' in event) && !('timestamp' in event),
  },
  { host: 'vscode', title: 'VS Code', has: (event) => 'hookEventName' in event && 'sessionId' in event },
  { host: 'copilot', title: 'Copilot', has: isCopilot },
  { host: 'kiro', title: 'Kiro', has: (event, name) => /^[a-z]/.test(name) && 'hook_event_name' in event },
];

/** Copilot names the fields of an event by its spelling: `sessionId` or `session_id`. */
function isCopilot(event: JsonObject, name: string): boolean {
  if ('sessionId' in event && 'timestamp' in event) return true;
  return /^[A-Z]/.test(name) && 'timestamp' in event && 'session_id' in event && !('transcript_path' in event);
}

/** Returns the host that sent an event; `undefined` if it has no mark. */
export function senderOf(event: JsonObject): Pick<Marks, 'host' | 'title'> | undefined {
  const name = event['hook_event_name'];
  return marks.find((one) => one.has(event, typeof name === 'string' ? name : ''));
}

/** Throws `INPUT_INVALID` if another host sent the event: its answer would be read by other rules. */
export function checkSender(event: JsonObject, host: DialectName): void {
  const sender = senderOf(event);
  if (!sender || sender.host === host) return;
  const help = isDialect(sender.host)
    ? `Use hookline hook --as ${sender.host} in the settings of ${sender.title}.`
    : 'hookline has no dialect for this host.';
  throw new HooklineError(
    'INPUT_INVALID',
    `${sender.title} sent this event, but the hook runs with --as ${host}. ${help}`,
  );
}
