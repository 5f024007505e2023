import { HooklineError } from '../../errors.ts';
import { type Permission, permissionSchema } from '../../events/parts/tool-description.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { isObject } from '../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { sha256Hex } from '../../hashes/sha256.ts';
import { scanJson } from '../../hooks/scanning/scan-json.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import { parseLine } from '../../store/lines/json-line.ts';
import { streamLines } from '../../store/lines/read-lines.ts';

/** A call of an audit log that needed approval or was denied: all calls of the tool with this input. */
export interface LoggedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly permission: Permission | undefined;
  /** Calls that a person approved as they ran. */
  approvals: number;
  readonly approvedBy: Set<string>;
  /** The place of the last approval, as `file:line`. */
  lastApproval: string;
  readonly agents: Set<string>;
  denials: number;
  lastDenial: string;
}

/** What an audit log shows about approvals. */
export interface AuditReading {
  readonly calls: readonly LoggedCall[];
  /** Tools with a denied call whose arguments are not recorded, and its place. */
  readonly deniedUnseen: ReadonlyMap<string, string>;
  /** Approved calls that do not count, because the call that a person saw is not known. */
  readonly notCounted: { readonly hidden: number; readonly withoutArguments: number; readonly edited: number };
  /** The place of a truncated last line. */
  readonly cut: readonly string[];
}

interface GivenAnswer {
  readonly by: string;
  /** The hash of the call that the person saw. Undefined if the answer was given in the run of the call, as it waited. */
  readonly hash: string | undefined;
  readonly edited: boolean;
}

interface LoggedRun {
  readonly parent: string | undefined;
  readonly answers: Map<string, GivenAnswer[]>;
  /** Calls that a hook stopped. Their end follows. */
  readonly stopped: Set<string>;
  /** Two hooks may write to one file. */
  readonly counted: Set<string>;
}

/** Records are smaller. */
const LONGEST = 16 * 1_024 * 1_024;
/** Levels of sub-agents. A corrupt log may name runs in a circle. */
const DEEPEST = 100;

/** Reads audit logs in order, a line at a time. Throws `INPUT_INVALID` with the line if one is not JSON, or if there are no records. */
export async function readAudit(files: readonly string[]): Promise<AuditReading> {
  const calls = new Map<string, LoggedCall>();
  const runs = new Map<string, LoggedRun>();
  const deniedUnseen = new Map<string, string>();
  const notCounted = { hidden: 0, withoutArguments: 0, edited: 0 };
  const cut: string[] = [];
  let records = 0;

  for (const file of files) {
    for await (const line of linesOf(file)) {
      const place = `${file}:${line.number}`;
      if (line.bytes.length === 0) continue;
      const record = parseLine(line, () => undefined);
      if (isObject(record)) take(record as JsonObject, place);
      else if (line.whole) throw invalid(`${place}: this line is not a JSON object. Repair or remove it.`);
      else cut.push(place);
    }
  }
  if (records === 0) {
    const message = `${files.join(', ')}: there are no records of runs. Pass the file of an audit-log hook.`;
    throw invalid(message);
  }
  return { calls: [...calls.values()], deniedUnseen, notCounted, cut };

  function take(record: JsonObject, place: string): void {
    const { msg, run_id: id } = record;
    if (typeof msg !== 'string' || typeof id !== 'string') return;
    records += 1;
    if (msg === 'call_end') {
      runs.delete(id);
      return;
    }
    const run = runs.get(id) ?? newRun(textOf(record['parent_run_id']));
    runs.set(id, run);
    const call = textOf(record['tool_call_id']);
    if (call === undefined) return;
    if (msg === 'note') takeNote(run, call, record);
    else if (msg === 'approval' && record['action'] === 'approve' && record['expired'] !== true)
      addAnswer(run, call, textOf(record['answered_by']), { ...record, hash: record['hash'] ?? '' });
    else if (msg === 'decision' && record['event'] === 'preActing' && /^(?:deny|abort)$/.test(String(record['action'])))
      run.stopped.add(call);
    else if (msg === 'tool_call_start') start(run, call, record, place);
    else if (msg === 'tool_call_suspended') seenCall(record);
    else if (msg.startsWith('tool_call_') && (run.stopped.delete(call) || msg === 'tool_call_denied')) {
      // A later step may use the id again.
      run.answers.delete(call);
      deny(record, place);
    }
  }

  /** An approver notes who answered while the run waited. */
  function takeNote(run: LoggedRun, call: string, { event, code, data }: JsonObject): void {
    if (event !== 'preActing' || code !== 'answered' || !isObject(data)) return;
    if (data['action'] === 'approve') addAnswer(run, call, textOf(data['by']), data as JsonObject);
  }

  function start(run: LoggedRun, call: string, record: JsonObject, place: string): void {
    const answers = answersFor(run, call);
    if (answers.length === 0 || run.counted.has(call)) return;
    run.counted.add(call);
    if (answers.some(({ edited }) => edited)) {
      notCounted.edited += 1;
      return;
    }
    if (!isObject(record['args'])) {
      notCounted.withoutArguments += 1;
      return;
    }
    const seen = seenCall(record);
    const shown = seen && sha256Hex(canonicalJson({ id: call, name: seen.tool, input: seen.input }));
    if (!seen || answers.some(({ hash }) => hash !== undefined && hash !== shown)) {
      notCounted.hidden += 1;
      return;
    }
    seen.approvals += 1;
    seen.lastApproval = place;
    for (const { by } of answers) seen.approvedBy.add(by);
    const agent = textOf(record['agent']);
    if (agent !== undefined) seen.agents.add(agent);
  }

  function deny(record: JsonObject, place: string): void {
    const tool = textOf(record['tool']);
    const seen = seenCall(record);
    if (seen) {
      seen.denials += 1;
      seen.lastDenial = place;
    } else if (tool !== undefined && !isObject(record['args'])) deniedUnseen.set(tool, place);
  }

  /** Returns the call of a record, or undefined if its arguments are not recorded as they were. */
  function seenCall({ tool, args, permission }: JsonObject): LoggedCall | undefined {
    if (typeof tool !== 'string' || !isObject(args)) return undefined;
    const input = args as JsonObject;
    const key = sha256Hex(canonicalJson({ tool, input }));
    const known = calls.get(key);
    if (known) return known;
    if (!isWholeInput(tool, input)) return undefined;
    const parsed = permissionSchema.safeParse(permission);
    const made: LoggedCall = {
      ...{ tool, input, permission: parsed.data, approvals: 0, approvedBy: new Set<string>(), lastApproval: '' },
      ...{ agents: new Set<string>(), denials: 0, lastDenial: '' },
    };
    calls.set(key, made);
    return made;
  }

  /**
   * Returns the answers to a call. A resumed parent run has those to calls of its sub-agents. Their ids may be those of its own calls, so an answer
   * from there needs a hash.
   */
  function answersFor(run: LoggedRun, call: string): readonly GivenAnswer[] {
    let at: LoggedRun | undefined = run;
    for (let depth = 0; at && depth < DEEPEST; depth += 1) {
      const given = at.answers.get(call)?.filter(({ hash }) => at === run || hash !== undefined) ?? [];
      if (given.length > 0) return given;
      at = at.parent === undefined ? undefined : runs.get(at.parent);
    }
    return [];
  }
}

function newRun(parent: string | undefined): LoggedRun {
  return { parent, answers: new Map(), stopped: new Set(), counted: new Set() };
}

function addAnswer(run: LoggedRun, call: string, by: string | undefined, given: JsonObject): void {
  if (by === undefined || by === '') return;
  const answer = { by, hash: textOf(given['hash']), edited: given['edited'] === true };
  run.answers.set(call, [...(run.answers.get(call) ?? []), answer]);
}

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

async function* linesOf(file: string): ReturnType<typeof streamLines> {
  try {
    yield* streamLines(file, LONGEST);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw invalid(
      `Cannot read the audit log "${file}": ${code === 'ENOENT' ? 'there is no such file' : message}.`,
      cause,
    );
  }
}

function invalid(message: string, cause?: unknown): HooklineError {
  return new HooklineError('INPUT_INVALID', message, { cause });
}

/** Notices of omitted parts, sealed values, and masks. A call that contains such a text itself is not whole either. */
const REPLACED = /… \[\d+ (?:characters|more) omitted\]|"\$sealed":|\*{3}|•{3}|\[REDACTED/;

/** Returns whether an input of a log is the input of the call: nothing is omitted or redacted. An input with a secret is not, either. */
function isWholeInput(tool: string, input: JsonObject): boolean {
  if (REPLACED.test(JSON.stringify(input))) return false;
  return scanJson(usualRedactor(), { tool, input }).findings.length === 0;
}
