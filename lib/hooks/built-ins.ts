import { eventTypes } from '../events/decisions/event-rules.ts';
import { auditLog, auditLogOptionsSchema } from './audit-log/audit-log.ts';
import { budgetEntry } from './budget/budget-entry.ts';
import { type CatalogueEntry, defineCatalogueEntry } from './catalogue.ts';
import {
  dangerousConfirmation,
  dangerousConfirmationOptionsSchema,
} from './dangerous-confirmation/dangerous-confirmation.ts';
import { loopGuardEntry } from './loop-guard/loop-guard-entry.ts';
import { permissionEntry } from './permission/permission-entry.ts';
import { promptHintEntry } from './prompt-hint/prompt-hint.ts';
import { rateLimitEntry } from './rate-limit/rate-limit-entry.ts';
import { securityScan, securityScanOptionsSchema, weakensScan } from './security-scan/security-scan.ts';
import { structuredOutputEntry } from './structured-output/structured-output-entry.ts';
import { toolCacheEntry } from './tool-cache/tool-cache-entry.ts';
import { toolParamsEntry } from './tool-params/tool-params.ts';
import { toolResultLimitEntry } from './tool-result-limit/tool-result-limit.ts';
import { toolRetryEntry } from './tool-retry/tool-retry-entry.ts';
import { toolTimeLimitEntry } from './tool-time-limit/tool-time-limit.ts';

/** The catalogue entries of the hooks that come with Hookline. */
export const builtIns: readonly CatalogueEntry[] = Object.freeze([
  defineCatalogueEntry({
    name: 'audit-log',
    description: 'Records tool calls, decisions, errors and runs as JSON lines or in a pino logger.',
    events: eventTypes,
    approves: false,
    optionsSchema: auditLogOptionsSchema,
    example: { results: 2_000 },
    create: auditLog,
  }),
  budgetEntry,
  defineCatalogueEntry({
    name: 'dangerous-confirmation',
    description: 'Asks before a write or external tool does something dangerous.',
    events: ['preActing'],
    optionsSchema: dangerousConfirmationOptionsSchema,
    example: { patterns: ['deploy', 'drop table'] },
    weakens: (before, after) =>
      before.ask !== after.ask ||
      before.permissions.some((one) => !after.permissions.includes(one)) ||
      before.patterns.some((one) => !after.patterns.includes(one)),
    create: dangerousConfirmation,
  }),
  loopGuardEntry,
  permissionEntry,
  promptHintEntry,
  rateLimitEntry,
  defineCatalogueEntry({
    name: 'security-scan',
    description: 'Finds secrets in what is said, called and given back, and reports, redacts or blocks them.',
    events: eventTypes.filter((type) => type !== 'error'),
    optionsSchema: securityScanOptionsSchema,
    example: { policies: { toolInput: 'block' } },
    weakens: weakensScan,
    create: securityScan,
  }),
  structuredOutputEntry,
  toolCacheEntry,
  toolParamsEntry,
  toolResultLimitEntry,
  toolRetryEntry,
  toolTimeLimitEntry,
]);
