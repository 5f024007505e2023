import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { recordingsIn } from '../replay/recordings-in.ts';
import { configuredHooks } from '../setup/configured-hooks.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import type { Expected, PolicyCase } from './case-file.ts';
import { problemsOf } from './compare.ts';
import { reaches } from './coverage.ts';
import { policyRules } from './covered-rule.ts';
import { type RecordedCase, recordedCases } from './recorded-cases.ts';
import { type CaseBed, caseBed, type Outcome, tryCase } from './try-case.ts';

/** Which cases to write, and where. Without `out`, they are printed. */
export interface WriteFlags {
  readonly from: readonly string[];
  readonly config: readonly string[];
  readonly out?: string | undefined;
}

/** Maximum examples of decisions that are no cases. */
const EXAMPLES = 5;

/**
 * Writes cases of recorded runs, one for each different decision: of a tool, by the same hook and rule. Each passes with the policy. What cannot be a case is
 * counted on standard error. Never overwrites a file. Throws `INPUT_INVALID`, and `CONFIG_INVALID` if the policy is invalid.
 */
export async function writeCases({ from, config, out }: WriteFlags): Promise<void> {
  checkFree(out);
  const live = await configuredHooks({ config, hooks: [] }, {});
  const lease = await live.lease();
  const cases = new Map<string, object>();
  const seen = new Set<string>();
  const otherwise: string[] = [];
  const unreadable: string[] = [];
  let redacted = 0;
  try {
    const bed = caseBed(lease);
    for (const file of recordingsIn(from)) for (const recorded of read(file)) await add(bed, recorded);
  } finally {
    lease.release();
    await live.close();
  }
  note(unreadable.length, 'recordings cannot be read', unreadable);
  note(redacted, 'decisions are no cases, because the recording has a placeholder or only a part of the value');
  note(otherwise.length, 'decisions are no cases, because the policy decides otherwise without the run', otherwise);
  if (cases.size === 0)
    throw new HooklineError('INPUT_INVALID', `${from.join(', ')}: no recorded decision can be a case.`);
  const folder = out === undefined ? '.' : dirname(out);
  const policy = config.map((file) => relative(resolve(folder), resolve(file)).replaceAll('\\', '/'));
  const text = yamlOf(policy, [...cases.values()]);
  if (out === undefined) process.stdout.write(text);
  else write(out, text);

  function read(file: string): readonly RecordedCase[] {
    try {
      return recordedCases(file);
    } catch (thrown) {
      unreadable.push(messageOf(thrown));
      return [];
    }
  }

  async function add(bed: CaseBed, recorded: RecordedCase): Promise<void> {
    const asked = askedOf(bed, recorded);
    const { name, place, action, after, isPartly } = recorded;
    const id = canonicalJson([asked, action, after] as unknown as JsonValue);
    if (seen.has(id)) return;
    seen.add(id);
    if (isPartly) {
      redacted += 1;
      return;
    }
    const outcome = await tryCase(bed, { ...asked, name, expect: {}, line: 0, column: 0 } as PolicyCase);
    const expect = expectedOf(bed, asked, outcome);
    const value = asked.call
      ? canonicalJson((outcome.input ?? asked.call.input) as JsonValue)
      : (outcome.text ?? asked.prompt ?? asked.result?.content);
    const stands = outcome.action === action && (action !== 'allow' || value === after);
    if (!stands || problemsOf({ ...asked, expect } as PolicyCase, outcome).length > 0) {
      otherwise.push(
        `${place}: recorded ${action}, now ${outcome.action}${outcome.by === undefined ? '' : ` by ${outcome.by}`}`,
      );
      return;
    }
    const tool = asked.call?.tool ?? asked.result?.tool;
    const decision = [
      asked.prompt === undefined,
      asked.result === undefined,
      tool,
      action,
      expect.by,
      expect.rule,
      value === after && outcome.input === undefined && outcome.text === undefined,
    ];
    const key = JSON.stringify(decision);
    if (!cases.has(key)) cases.set(key, { name, ...asked, expect });
  }
}

/** Returns the fields of a case. Defaults are left out. */
function askedOf({ lease, tools }: CaseBed, { call, prompt, result, agent, user }: RecordedCase) {
  const known = tools.find(({ name }) => name === call?.tool)?.permission ?? 'external';
  const own = lease.config.settings.agent?.name ?? 'hookline';
  const { permission, ...called } = call ?? {};
  return {
    ...(call && {
      call: { ...called, ...(permission !== known && { permission }) } as NonNullable<PolicyCase['call']>,
    }),
    ...(prompt !== undefined && { prompt }),
    ...(result && { result }),
    ...(agent !== own && { agent }),
    ...(user !== undefined && { user }),
  };
}

/** Returns the decision of the policy, with its hook and rule. */
function expectedOf({ lease }: CaseBed, { call }: ReturnType<typeof askedOf>, outcome: Outcome): Expected {
  const { action, by, input, text } = outcome;
  const rule = policyRules(lease).find((one) => !one.rule.startsWith('{') && reaches(outcome, one))?.rule;
  return {
    action: action === 'fail' ? 'allow' : action,
    ...withoutUndefined({ by, rule }),
    ...(call && input && { input }),
    ...(!call && text !== undefined && { text }),
  };
}

function checkFree(out: string | undefined): void {
  if (out === undefined) return;
  if (!/\.cases\.ya?ml$/i.test(out))
    throw new HooklineError('INPUT_INVALID', `--out ${JSON.stringify(out)}: name a file such as recorded.cases.yaml.`);
  if (existsSync(out)) throw taken(out);
}

function taken(out: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `--out ${JSON.stringify(out)}: the file exists. Name another one.`);
}

function write(out: string, text: string): void {
  try {
    writeFileSync(out, text, { flag: 'wx' });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') throw taken(out);
    throw new HooklineError('INPUT_INVALID', `--out ${JSON.stringify(out)} cannot be written: ${messageOf(thrown)}.`);
  }
}

function note(count: number, what: string, examples: readonly string[] = []): void {
  if (count === 0) return;
  for (const line of [`${count} ${what}`, ...examples.slice(0, EXAMPLES).map((one) => `  ${one}`)])
    process.stderr.write(`${harmlessText(line)}\n`);
}

/** Every value is JSON on one line, so no recorded text can become structure. */
function yamlOf(policy: readonly string[], cases: readonly object[]): string {
  const fields = (one: object) =>
    Object.entries(one).map(([key, value], at) => `${at === 0 ? '  - ' : '    '}${key}: ${yamlValue(value)}`);
  return [`policy: ${yamlValue(policy)}`, 'cases:', ...cases.flatMap(fields), ''].join('\n');
}

/** YAML has the escapes of JSON, but does not allow all characters of its strings. */
function yamlValue(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
