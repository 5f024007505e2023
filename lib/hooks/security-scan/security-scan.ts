import { z } from 'zod';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { Rule } from '../../redaction/compile/rule.ts';
import type { Redactor, TokenVault } from '../../redaction/redactor.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { scanHook } from '../scanning/scan-hook.ts';
import type { ScanTerms } from '../scanning/scan-note.ts';
import { laxerPolicies, scanPolicies } from '../scanning/scan-policies.ts';
import { restoreTokens } from './restore-tokens.ts';
import { scanRedactor } from './scan-redactor.ts';

const names = z.array(z.string().min(1));
const having = <T>(what: string, ...members: readonly (keyof T & string)[]) =>
  z.custom<T>(
    (value) => members.every((member) => typeof (value as Record<string, unknown> | null)?.[member] === 'function'),
    `must be ${what}`,
  );

/** The options of `securityScan` with their defaults. */
export const securityScanOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('security-scan').describe('Name of the hook.'),
    policies: scanPolicies
      .prefault({})
      .describe('What is done about secrets on each surface: off, report, redact, block.'),
    rules: names
      .optional()
      .describe(
        'Ids and categories ("credential", "personal") of the rules to use. Default: those that are on by default.',
      ),
    without: names.default([]).describe('Ids and categories of rules to leave out.'),
    extraRules: z
      .array(z.custom<Rule>((value) => typeof (value as Rule | null)?.id === 'string', 'must be a rule, with an id'))
      .default([])
      .describe('Further rules.')
      .meta({ local: true }),
    known: z
      .array(z.strictObject({ label: z.string().min(1), value: z.string().min(6).meta({ secret: true }) }))
      .default([])
      .describe('Values that are secrets whatever they look like.'),
    environment: names
      .default([])
      .describe('Names of environment variables whose values are secrets.')
      .meta({ local: true }),
    mode: z
      .enum(['marker', 'numbered', 'mask', 'hash', 'format', 'token'])
      .default('marker')
      .describe('What takes the place of a secret.'),
    key: z
      .string()
      .min(1)
      .optional()
      .describe('For the modes hash and format: the same key gives the same replacement.')
      .meta({ secret: true }),
    vault: having<TokenVault>('a vault, with tokenFor and valueOf', 'tokenFor', 'valueOf')
      .optional()
      .describe(
        'For the mode token: keeps values and gives them back. Its tokens should be one word, or stand in brackets.',
      ),
    restore: names
      .default(['*'])
      .describe('The tools that get the value behind a token of the vault, by name or glob; all others get the token.'),
    redactor: having<Redactor>('a redactor', 'redact', 'stream')
      .optional()
      .describe('A redactor to use in place of the one that rules, known values, mode, key and vault make.'),
  })
  .refine(({ mode, vault, redactor }) => mode !== 'token' || vault !== undefined || redactor !== undefined, {
    path: ['vault'],
    message: 'must be given for the mode token',
  });

/** The options of `securityScan` as they are given; all may be left out. */
export type SecurityScanOptions = z.input<typeof securityScanOptionsSchema>;

type Scan = z.output<typeof securityScanOptionsSchema>;

/** Whether other options find less, or do less about it. Rules, modes and the rest cannot be compared: any change of them might. */
function weakensScan(
  { policies: was, known: knew, name: _, ...before }: Scan,
  { policies: now, known, name: __, ...after }: Scan,
): boolean {
  if (laxerPolicies(was, now) || JSON.stringify(before) !== JSON.stringify(after)) return true;
  return knew.some(({ value }) => !known.some((one) => one.value === value));
}

/** After all that rewrites, since what comes in later would not be looked at; before what logs. */
const PRIORITY = HookPriority.LOGGING - 100;

const terms: ScanTerms = {
  things: 'secrets',
  codes: { report: 'secret-reported', redact: 'secret-redacted', block: 'secret-blocked' },
};

/**
 * Finds secrets in prompts, context, answers, thinking, arguments, results and progress, and reports, redacts or blocks them, each surface by
 * its policy. Streams are scanned as they come: only what may still become a secret is held back. What was found is told in notes, by rule.
 *
 * What a tool or a model throws is redacted by the policy of results or of text, before it becomes an error event. Unless all policies are `off`
 * or `report`, texts that no hook can change are redacted too: reasons, prompts, notes and errors of other hooks, names of tools that there are
 * not, and the trace. Not covered: the log, items that a step streams and that are no items, and objects that an error carries beside its texts
 * and causes.
 */
export function securityScan(options: SecurityScanOptions = {}): Hook {
  const parsed = parseHookOptions('security-scan', securityScanOptionsSchema, options);
  const { name, policies, vault } = parsed;
  const restores = createMatcher(parsed.restore);
  return scanHook({
    name,
    description: 'Finds secrets and reports, redacts or blocks them.',
    priority: PRIORITY,
    redactor: scanRedactor(parsed),
    policies,
    terms,
    restore(toolCall, { seal }) {
      if (!vault || !restores(toolCall.name)) return toolCall;
      const input = restoreTokens(toolCall.input, vault, seal);
      return input === toolCall.input ? toolCall : { ...toolCall, input };
    },
  });
}

/** The catalogue entry of `securityScan`. */
export const securityScanEntry = defineCatalogueEntry({
  name: 'security-scan',
  description: 'Finds secrets in what is said, called and given back, and reports, redacts or blocks them.',
  events: eventTypes.filter((type) => type !== 'error'),
  optionsSchema: securityScanOptionsSchema,
  example: { policies: { toolInput: 'block' } },
  weakens: weakensScan,
  create: securityScan,
});
