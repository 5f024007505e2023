import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type ConfigIssue, issueAt } from '../../config/issues/config-issue.ts';
import { schemaIssues } from '../../config/issues/schema-issues.ts';
import { readSource } from '../../config/source/read-source.ts';
import type { Place } from '../../config/source/source.ts';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { dialectNames } from '../host-hook/dialects/dialect-names.ts';

const text = z.string().min(1);

/** What a case may expect. `abort` ends the run; `respond` answers instead of the tool or model. */
export const caseActions = ['allow', 'ask', 'deny', 'respond', 'abort'] as const;

const expectedCallSchema = z.strictObject({
  tool: text,
  action: z.enum(caseActions).optional().describe('Default: allow.'),
  by: text.optional(),
  rule: text.optional(),
  reason: text.optional(),
});

const expectedSchema = z.strictObject({
  action: z.enum(caseActions).optional().describe('Default: allow.'),
  by: text.optional().describe('The hook that decides.'),
  rule: text.optional().describe('The permission rule that decides, as written in the policy.'),
  reason: text.optional().describe('A part of the reason.'),
  input: jsonObjectSchema.optional().describe('Of a call: the input that the tool receives.'),
  text: z.string().optional().describe('Of a prompt or result: the text after all hooks.'),
  calls: z
    .array(expectedCallSchema)
    .optional()
    .describe('Of a run: the calls that are not as recorded, in their order.'),
});

const calledSchema = { tool: text, input: jsonObjectSchema.default({}), permission: permissionSchema.optional() };

const caseSchema = z
  .strictObject({
    name: text.optional(),
    call: z.strictObject(calledSchema).optional().describe('A tool call.'),
    prompt: z.string().optional().describe('A prompt of the user.'),
    result: z
      .strictObject({ ...calledSchema, content: z.string() })
      .optional()
      .describe('The result of a tool.'),
    run: text.optional().describe('A recorded run, a file relative to this one.'),
    host: z.enum(dialectNames).optional().describe('A coding agent. The case is decided as by hookline hook --as.'),
    agent: text.optional(),
    user: text.optional(),
    session: text.optional(),
    expect: z.union([z.enum([...caseActions, 'unchanged']), expectedSchema]).optional(),
  })
  .refine(
    ({ call, prompt, result, run }) => [call, prompt, result, run].filter((one) => one !== undefined).length === 1,
    {
      message: 'needs exactly one of call, prompt, result and run.',
    },
  )
  .refine(({ run, expect }) => run !== undefined || expect !== undefined, {
    path: ['expect'],
    message: 'is missing.',
  })
  .refine(({ run, expect }) => (run === undefined ? !isOfRun(expect) : expect === undefined || isOfRun(expect)), {
    path: ['expect'],
    message: 'of a run is unchanged, or has calls and nothing else; other cases have neither.',
  })
  .refine(({ run, host, agent, user, session }) => run === undefined || !(host ?? agent ?? user ?? session), {
    path: ['run'],
    message: 'has its own agent, user and session; remove host, agent, user and session.',
  })
  .refine(({ host, agent }) => host === undefined || agent === undefined, {
    path: ['agent'],
    message: 'has no effect with host, which names the agent; remove one of them.',
  })
  .refine(({ host, call, result }) => host === undefined || (call ?? result)?.permission === undefined, {
    path: ['host'],
    message: 'decides the permission of its tools; remove permission.',
  });

function isOfRun(expect: string | Expected | undefined): boolean {
  if (typeof expect !== 'object') return expect === 'unchanged';
  return expect.calls !== undefined && Object.keys(expect).length === 1;
}

const caseFileSchema = z.strictObject({
  policy: z
    .union([text, z.array(text).min(1)])
    .optional()
    .describe('Configuration files, relative to this file. Default: the file with the same name.'),
  cases: z.array(caseSchema).min(1),
});

/** What a case expects. A run without `calls` is as recorded. */
export type Expected = z.output<typeof expectedSchema>;
/** What a case expects of a call of a run. */
export type ExpectedCall = z.output<typeof expectedCallSchema>;

/** A case with its location. */
export interface PolicyCase extends Omit<z.output<typeof caseSchema>, 'expect' | 'name'>, Place {
  readonly name: string;
  readonly expect: Expected;
}

/** A file of cases, and the configuration files of its policy. */
export interface CaseFile {
  readonly file: string;
  readonly policy: readonly string[];
  readonly cases: readonly PolicyCase[];
}

const SUFFIX = /\.cases(?=\.(?:ya?ml|jsonc?)$)/i;

/** Returns whether a file has cases, by its name. */
export const isCaseFile = (name: string): boolean => SUFFIX.test(name);

/** Reads a file of cases. Problems are added to `issues`; the result is then `undefined`. */
export function readCaseFile(file: string, issues: ConfigIssue[]): CaseFile | undefined {
  const before = issues.length;
  const source = readSource(file, issues);
  if (issues.length > before) return undefined;
  issues.push(...schemaIssues(source, caseFileSchema, source.value));
  if (issues.length > before) return undefined;
  const { policy, cases } = caseFileSchema.parse(source.value);
  const folder = dirname(resolve(file));
  const named = policy === undefined ? undefined : [policy].flat().map((path) => resolve(folder, path));
  const files = named ?? [policyBeside(file)].flatMap((found) => found ?? []);
  if (files.length === 0) {
    const message = 'is missing, and there is no policy beside the file with the same name. Name it.';
    issues.push(issueAt(source, ['policy'], message));
    return undefined;
  }
  return {
    file,
    policy: files,
    cases: cases.map(({ name, expect, ...rest }, index) => ({
      ...rest,
      ...source.placeOf(['cases', index]),
      name: name ?? `case ${index + 1}`,
      expect: expectedOf(expect),
    })),
  };
}

function expectedOf(expect: z.output<typeof caseSchema>['expect']): Expected {
  if (typeof expect === 'object') return expect;
  return expect === undefined || expect === 'unchanged' ? {} : { action: expect };
}

function policyBeside(file: string): string | undefined {
  const stem = file.replace(SUFFIX, '').replace(/\.[^.]+$/, '');
  const names = ['.yaml', '.yml', '.json', '.jsonc'].map((extension) => `${stem}${extension}`);
  return names.map((name) => resolve(name)).find((name) => existsSync(name));
}
