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
const having = <T>(what: string, ...fields: readonly (keyof T & string)[]) =>
  z.custom<T>(
    (value) => fields.every((field) => typeof (value as Record<string, unknown> | null)?.[field] === 'function'),
    `must be ${what}`,
  );

/** The options of `securityScan` with their defaults. */
export const securityScanOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('security-scan').describe('Name of the hook.'),
    policies: scanPolicies.prefault({}).describe('Action for secrets on each surface: off, report, redact or block.'),
    rules: names
      .optional()
      .describe(
        'Rules to use, by ID or category ("credential", "personal") (default: all rules that are enabled by default).',
      ),
    without: names.default([]).describe('Rules to exclude, by ID or category.'),
    extraRules: z
      .array(z.custom<Rule>((value) => typeof (value as Rule | null)?.id === 'string', 'must be a rule with an ID'))
      .default([])
      .describe('Additional rules.')
      .meta({ local: true }),
    known: z
      .array(z.strictObject({ label: z.string().min(1), value: z.string().min(6).meta({ secret: true }) }))
      .default([])
      .describe('Known secret values.'),
    environment: names.default([]).describe('Environment variables that contain secrets.').meta({ local: true }),
    mode: z
      .enum(['marker', 'numbered', 'mask', 'hash', 'format', 'token'])
      .default('marker')
      .describe('Replacement of a secret.'),
    key: z
      .string()
      .min(1)
      .optional()
      .describe('Key for the modes hash and format. The same key creates the same replacement.')
      .meta({ secret: true }),
    vault: having<TokenVault>('a vault, with tokenFor and valueOf', 'tokenFor', 'valueOf')
      .optional()
      .describe(
        'Vault for the mode token, which stores values and returns them. A token should be one word, or be in brackets.',
      ),
    restore: names
      .default(['*'])
      .describe('Tools that receive the value of a token, by name or glob. All other tools receive the token.'),
    redactor: having<Redactor>('a redactor', 'redact', 'stream')
      .optional()
      .describe('Redactor that replaces the one from rules, known, mode, key and vault.'),
  })
  .refine(({ mode, vault, redactor }) => mode !== 'token' || vault !== undefined || redactor !== undefined, {
    path: ['vault'],
    message: 'is required for the mode token',
  });

/** The options of `securityScan` before defaults; all are optional. */
export type SecurityScanOptions = z.input<typeof securityScanOptionsSchema>;

type Scan = z.output<typeof securityScanOptionsSchema>;

/** Returns whether other options find less, or are laxer. Rules, modes and other options cannot be compared, so any change counts. */
function weakensScan(
  { policies: was, known: knownBefore, name: _, ...before }: Scan,
  { policies: now, known, name: __, ...after }: Scan,
): boolean {
  if (laxerPolicies(was, now) || JSON.stringify(before) !== JSON.stringify(after)) return true;
  return knownBefore.some(({ value }) => !known.some((one) => one.value === value));
}

/** After all rewriting hooks, so that later text is scanned; before logging hooks. */
const PRIORITY = HookPriority.LOGGING - 100;

const terms: ScanTerms = {
  things: 'secrets',
  codes: { report: 'secret-reported', redact: 'secret-redacted', block: 'secret-blocked' },
};

/**
 * Finds secrets in prompts, context, answers, thinking, arguments, results and progress. It reports, redacts or blocks them, by the
 * policy of each surface. Streams are scanned as they arrive: only text that may still become a secret is held back. Notes list the
 * findings by rule.
 *
 * Errors of a tool or a model are redacted by the policy of results or of text, before they become an error event. Unless all policies
 * are `off` or `report`, texts that no hook can change are redacted, too: reasons, prompts, notes and errors of other hooks, names of
 * unknown tools, and the trace. Not covered: the log, streamed items of an unknown type, and objects of an error other than its texts and
 * causes.
 *
 * - Parallel calls: Each text is scanned on its own. A value that was found in the run is redacted in all of them.
 * - Sub-agents: Their texts are scanned, too.
 * - Retry: Each attempt is scanned.
 * - Suspend and resume: Texts are scanned after the resume as before.
 * - Cost: One pass over each text and chunk. No model request.
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

/** @internal The catalogue entry of `securityScan`. */
export const securityScanEntry = defineCatalogueEntry({
  name: 'security-scan',
  description: 'Finds secrets in prompts, answers, calls and results, and reports, redacts or blocks them.',
  events: eventTypes.filter((type) => type !== 'error'),
  optionsSchema: securityScanOptionsSchema,
  example: { policies: { toolInput: 'block' } },
  weakens: weakensScan,
  create: securityScan,
});
