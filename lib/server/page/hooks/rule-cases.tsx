import { useEffect, useState } from 'preact/hooks';
import type { HookInForce } from '../../config/config-schemas.ts';
import type { PolicyCases } from '../../config/policy-cases.ts';
import { Text } from '../ui/text.tsx';
import { may } from '../wire/activity.ts';
import { callApi } from '../wire/call-api.ts';

type Case = PolicyCases['cases'][number];

/** Loads the cases of the policy. Undefined without the right to see them, or if the server has none. */
export function useCases(): PolicyCases | undefined {
  const [cases, setCases] = useState<PolicyCases | undefined>();
  const mayRead = may('configure');
  useEffect(() => {
    if (!mayRead) return;
    void callApi<PolicyCases>('GET', '/api/hooks/cases').then(({ ok, body }) => ok && setCases(body));
  }, [mayRead]);
  return cases && (cases.cases.length > 0 || cases.error !== undefined) ? cases : undefined;
}

/** The cases that reach a hook: by rule, if it has rules. */
export function HookCases({
  hook: { name, rules },
  of: { cases, error },
}: {
  readonly hook: HookInForce;
  readonly of: PolicyCases;
}) {
  const own = cases.flatMap((one) => {
    const reasons = one.reached.flatMap(({ hook, reason = '' }) => (hook === name ? [reason] : []));
    return reasons.length > 0 ? [{ one, reasons }] : [];
  });
  if (error !== undefined)
    return (
      <p class="notice error">
        The cases cannot be run: <Text of={error} />
      </p>
    );
  if (!rules) return own.length === 0 ? null : <CaseList label="Cases of this hook" of={own.map(({ one }) => one)} />;
  return (
    <ul class="rule-cases" aria-label="Rules and their cases">
      {rules.map(({ text, file, line }) => {
        const reaching = own.filter(({ reasons }) => reasons.some((reason) => namesRule(reason, text)));
        return (
          <li key={`${file} ${line} ${text}`}>
            <Text in="code" of={text} /> <Text in="span" class="faint" of={`${file}:${line}`} />
            {reaching.length === 0 ? (
              <p class="faint">No case reaches this rule.</p>
            ) : (
              <CaseList label={`Cases of ${text}`} of={reaching.map(({ one }) => one)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function CaseList({ label, of }: { readonly label: string; readonly of: readonly Case[] }) {
  return (
    <ul class="cases" aria-label={label}>
      {of.map(({ name, file, line, about, ok, problems, action }) => (
        <li key={`${file} ${line}`}>
          <span class={ok ? 'case-passed' : 'case-failed'}>{ok ? 'passed' : 'failed'}</span> <Text of={name} />{' '}
          <Text in="span" class="faint" of={`${action} · ${about} · ${file}:${line}`} />
          {problems.map((problem) => (
            <Text key={problem} in="p" class="case-failed" of={problem} />
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Returns whether a reason names a rule, or is the reason that a deny rule states. */
export function namesRule(reason: string, text: string): boolean {
  if (reason.includes(`the rule ${text} `)) return true;
  if (/the rules .* (?:require approval|allow it together)/.test(reason) && reason.includes(` ${text} `)) return true;
  const stated = text.startsWith('{') ? (JSON.parse(text) as { reason?: string }).reason : undefined;
  return stated !== undefined && reason === `${stated}.`;
}
