import type { Rule } from '../compile/rule.ts';
import { formatRules } from './format-rules.ts';
import { ai } from './formats/ai.ts';
import { business } from './formats/business.ts';
import { ci } from './formats/ci.ts';
import { cloud } from './formats/cloud.ts';
import { databases } from './formats/databases.ts';
import { messaging } from './formats/messaging.ts';
import { observability } from './formats/observability.ts';
import { payments } from './formats/payments.ts';
import { sourceHosting } from './formats/source-hosting.ts';
import { hashRules } from './hash-rules.ts';
import { assignmentRules } from './passwords/assignment-rules.ts';
import { commandRules } from './passwords/command-rules.ts';
import { envRules } from './passwords/env-rules.ts';
import { listRules } from './passwords/list-rules.ts';
import { proseRules } from './passwords/prose-rules.ts';
import { shellRules } from './passwords/shell-rules.ts';
import { pemRules } from './pem-rules.ts';
import { walletRules } from './wallet-rules.ts';
import { wireRules } from './wire-rules.ts';

/** Credentials that grant access. If two rules find the same secret, the first gives the name. */
export const credentialRules: readonly Rule[] = [
  ...pemRules,
  ...[sourceHosting, cloud, ai, payments, messaging, ci, databases, observability, business].flatMap(formatRules),
  ...walletRules,
  ...hashRules,
  ...wireRules,
  ...envRules,
  ...assignmentRules,
  ...listRules,
  ...commandRules,
  ...shellRules,
  ...proseRules,
];
