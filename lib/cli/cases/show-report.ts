import { shortJson } from '../terminal/short-json.ts';
import type { CaseResult } from './compare.ts';
import type { CasesReport } from './run-cases.ts';

/** Returns the report as lines of text: each failed case with its place and what each hook did. */
export function reportLines({ results, coverage }: CasesReport, withCoverage: boolean): readonly string[] {
  const failed = results.filter(({ problems }) => problems.length > 0);
  return [
    ...failed.flatMap(failureLines),
    ...(withCoverage ? coverage.flatMap(coverageLines) : []),
    `${results.length} ${results.length === 1 ? 'case' : 'cases'}: ${results.length - failed.length} passed, ${failed.length} failed`,
  ];
}

function failureLines({ file, asked, problems, outcome }: CaseResult): readonly string[] {
  const { call, prompt, result, run, line, column, name, host } = asked;
  const what = call ? `call: ${call.tool} ${shortJson(call.input, 300)}` : undefined;
  const text = prompt === undefined ? undefined : `prompt: ${shortJson(prompt, 300)}`;
  const content = result ? `result of ${result.tool}: ${shortJson(result.content, 300)}` : undefined;
  // The problems of a run name the events and hooks.
  const steps = run === undefined ? (outcome.steps ?? []).filter(({ effect }) => effect !== 'skipped') : [];
  const width = Math.max(0, ...steps.map(({ hook }) => hook.length)) + 2;
  return [
    `${file}:${line}:${column} ${name}`,
    ...problems.map((problem) => `  ${problem}`),
    `  ${what ?? text ?? content ?? `run: ${run}`}${host === undefined ? '' : ` (host ${host})`}`,
    ...steps.map(({ hook, effect, decision, reason }) =>
      `  ${hook.padEnd(width)}${[effect, decision, reason].filter((one) => one !== undefined).join(' ')}`.trimEnd(),
    ),
    '',
  ];
}

function coverageLines({ policy, hooks, rules, shadowed }: CasesReport['coverage'][number]): readonly string[] {
  return [
    `coverage of ${policy.join(', ')}:`,
    ...rules.map(({ hook, list, rule }) => `  no case reaches the ${list} rule ${rule} of ${hook}`),
    ...shadowed.map(
      ({ hook, list, rule, by }) => `  the ${list} rule ${rule} of ${hook} never applies, because ${by} does`,
    ),
    ...hooks.map((hook) => `  ${hook} has no effect in any case`),
    ...(rules.length + shadowed.length + hooks.length === 0 ? ['  all rules and hooks'] : []),
    '',
  ];
}

export function reportData({ results, coverage }: CasesReport): object {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  return {
    ok: failed === 0,
    passed: results.length - failed,
    failed,
    cases: results.map(({ file, asked: { name, line, column }, problems, outcome: { steps: _, ...outcome }, ms }) => ({
      ...{ file, line, column, name, ok: problems.length === 0, problems, outcome },
      ms: Math.round(ms),
    })),
    coverage,
  };
}

/** Returns the report in the XML format of JUnit, which CI systems read. */
export function reportJUnit({ results }: CasesReport): string {
  const files = [...new Set(results.map(({ file }) => file))];
  const suites = files.map((file) => {
    const own = results.filter((result) => result.file === file);
    const failures = own.filter(({ problems }) => problems.length > 0).length;
    const cases = own.map(({ asked: { name, line }, problems, ms }) => {
      const attributes = `name="${xml(name)}" classname="${xml(file)}" file="${xml(file)}" line="${line}" time="${(ms / 1_000).toFixed(3)}"`;
      if (problems.length === 0) return `    <testcase ${attributes}/>`;
      return `    <testcase ${attributes}><failure message="${xml(problems[0] ?? '')}">${xml(problems.join('\n'))}</failure></testcase>`;
    });
    return [
      `  <testsuite name="${xml(file)}" tests="${own.length}" failures="${failures}">`,
      ...cases,
      '  </testsuite>',
    ];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites.flat(), '</testsuites>', ''].join('\n');
}

/** Escapes a text for XML, and removes characters that XML does not allow. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"'\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
