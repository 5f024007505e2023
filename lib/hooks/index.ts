export type { Answer, AskFunction, Question } from './ask-function.ts';
export { askTerminal, createAskTerminal } from './ask-terminal.ts';
export type { AuditBreach, AuditVerdict } from './audit/audit-verdict.ts';
export { type AuditLogOptions, auditLog, auditLogOptionsSchema } from './audit-log.ts';
export { builtIns } from './built-ins.ts';
export { type Catalogue, type CatalogueEntry, createCatalogue, defineCatalogueEntry } from './catalogue.ts';
export type { DangerMatch } from './danger-finder.ts';
export {
  type DangerousConfirmationOptions,
  dangerousConfirmation,
  dangerousConfirmationOptionsSchema,
} from './dangerous-confirmation.ts';
export type { Terminal } from './open-terminal.ts';
export type { ScanPolicy, ScanSurface } from './scan-policies.ts';
export { type SecurityScanOptions, securityScan, securityScanOptionsSchema } from './security-scan.ts';
export { type VerifyAuditOptions, verifyAudit } from './verify-audit.ts';
