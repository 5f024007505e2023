import { relative, resolve } from 'node:path';
import { shortJson } from '../terminal/short-json.ts';
import { unifiedDiff } from '../terminal/unified-diff.ts';
import type { AuditReading, LoggedCall } from './read-audit.ts';
import type { Suggestion } from './suggest-rules.ts';

/** Returns a suggestion as lines of text: comments, and a diff that `git apply` accepts. */
export function suggestionLines(
  { calls, refused, ...made }: Suggestion,
  reading: AuditReading,
  min: number,
): readonly string[] {
  const { hidden, withoutArguments, edited } = reading.notCounted;
  const notes = [
    ...calls.map((call) => `${described(call)}: approved ${times(call.approvals)} by ${byWhom(call)}`),
    ...refused.map(({ call, why }) => `no rule for ${described(call)}, approved ${times(call.approvals)}: ${why}`),
    ...(hidden > 0
      ? [`${hidden} approved calls do not count: their arguments are redacted, sealed, cut or contain a secret`]
      : []),
    ...(withoutArguments > 0
      ? [`${withoutArguments} approved calls do not count: the log has no arguments (args: false)`]
      : []),
    ...(edited > 0 ? [`${edited} approved calls do not count: the approver edited their arguments`] : []),
    ...reading.cut.map((place) => `${place}: this last line is truncated, and ignored`),
    ...(calls.length === 0 ? [`no call has a new rule; a call needs ${min} approvals by people, and no denial`] : []),
  ];
  return [...notes.map((note) => `# ${note}`), ...diffOf(made)];
}

export function suggestionData({ policy, calls, refused, ...made }: Suggestion, reading: AuditReading): object {
  return {
    policy,
    proposed: calls.map(factsOf),
    refused: refused.map(({ call, why }) => ({ ...factsOf(call), why })),
    notCounted: reading.notCounted,
    cut: reading.cut,
    diff: diffOf(made)
      .map((line) => `${line}\n`)
      .join(''),
  };
}

function diffOf({ rules, cases }: Pick<Suggestion, 'rules' | 'cases'>): readonly string[] {
  return [rules, cases].flatMap(({ file, before, after }) =>
    after === '' ? [] : unifiedDiff(shownPath(file), before, after),
  );
}

/** `git apply` takes paths below the working directory. */
function shownPath(file: string): string {
  const below = relative(process.cwd(), resolve(file));
  return (below.startsWith('..') ? file : below).replaceAll('\\', '/');
}

function factsOf({ tool, input, permission, approvals, approvedBy, agents, lastApproval }: LoggedCall): object {
  return { tool, input, permission, approvals, approvedBy: [...approvedBy], agents: [...agents], lastApproval };
}

const described = ({ tool, input }: LoggedCall): string => `${tool} ${shortJson(input, 200)}`;

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function byWhom({ approvedBy, agents, lastApproval }: LoggedCall): string {
  const names = [...approvedBy].slice(0, 5).join(', ');
  const people = approvedBy.size === 1 ? `one user only, ${names}` : `${approvedBy.size} users, ${names}`;
  return `${people}; agent ${[...agents].slice(0, 5).join(', ')}; last at ${lastApproval}`;
}
