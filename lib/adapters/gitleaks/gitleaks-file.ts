import { z } from 'zod';

const text = (example: string) => z.string({ error: `must be a string, such as ${example}` });
const texts = (example: string) =>
  z.array(text(example), { error: `must be a list of strings, such as [${example}]` }).optional();
const list = <S extends z.ZodType>(item: S, name: string) =>
  z.array(item, { error: `must be a list of tables; start each with [[${name}]]` }).optional();

const allowlistSchema = z.object({
  description: text('"test data"').optional(),
  condition: z.enum(['AND', 'OR', '&&', '||', 'and', 'or'], { error: 'must be "AND" or "OR"' }).optional(),
  commits: texts('"1a2b3c4"'),
  paths: texts("'''^docs/'''"),
  regexTarget: z.enum(['secret', 'match', 'line', ''], { error: 'must be "match" or "line", or omitted' }).optional(),
  regexes: texts("'''^example'''"),
  stopwords: texts('"example"'),
  targetRules: texts('"a-rule"'),
});
const tableOr = (name: string) => ({ error: `must be a table; start it with [${name}]` });

const ruleSchema = z.object({
  id: text('"acme-token"').min(1, { error: 'must not be empty' }),
  description: text('"Acme token"').optional(),
  regex: text("'''acme_[0-9a-f]{32}'''").optional(),
  path: text("'''\\.env$'''").optional(),
  entropy: z.number({ error: 'must be a number of bits per character, such as 3.5' }).min(0).max(16).optional(),
  secretGroup: z
    .int({ error: 'must be a whole number: the regex group that contains the secret' })
    .min(0, { error: 'must not be negative' })
    .optional(),
  keywords: texts('"acme"'),
  tags: texts('"token"'),
  skipReport: z.boolean({ error: 'must be true or false' }).optional(),
  required: z.array(z.unknown()).optional(),
  allowlist: z.object(allowlistSchema.shape, tableOr('rules.allowlist')).optional(),
  allowlists: list(allowlistSchema, 'rules.allowlists'),
});

/** Schema of a gitleaks file. Unknown fields are left out and reported. */
export const gitleaksFileSchema = z.object({
  title: z.unknown().optional(),
  description: z.unknown().optional(),
  minVersion: z.unknown().optional(),
  extend: z
    .object(
      {
        path: text('"base.toml"').optional(),
        url: text('"https://.."').optional(),
        useDefault: z.boolean({ error: 'must be true or false' }).optional(),
        disabledRules: texts('"a-rule"'),
      },
      tableOr('extend'),
    )
    .optional(),
  allowlist: z.object(allowlistSchema.shape, tableOr('allowlist')).optional(),
  allowlists: list(allowlistSchema, 'allowlists'),
  rules: list(ruleSchema, 'rules'),
});

export type GitleaksFile = z.output<typeof gitleaksFileSchema>;
export type GitleaksRule = z.output<typeof ruleSchema>;
export type GitleaksAllowlist = z.output<typeof allowlistSchema>;

/** The known field names of a file, a rule, an allowlist and `extend`. */
export const knownNames = {
  file: Object.keys(gitleaksFileSchema.shape),
  rule: Object.keys(ruleSchema.shape),
  allowlist: Object.keys(allowlistSchema.shape),
  extend: ['path', 'url', 'useDefault', 'disabledRules'],
} as const;
