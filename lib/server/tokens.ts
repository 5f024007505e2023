import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { findSchemaIssues } from '../config/issues/schema-issues.ts';
import type { DocumentStore } from '../store/documents/document-store.ts';
import { inputError } from './http/input-error.ts';
import { type Caller, rights } from './security/caller.ts';

const grantSchema = z.strictObject({
  user: z.string().trim().min(1).max(200),
  rights: z.array(z.enum(rights)),
  scopes: z.array(z.string().min(1).max(200)).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  name: z.string().trim().min(1).max(200).optional(),
  approvesFor: z.union([z.literal('*'), z.array(z.string().trim().min(1).max(200)).min(1).max(1_000)]).optional(),
});
const keptSchema = grantSchema.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/), issuedAt: z.iso.datetime() });

/**
 * Rights and owner of a token. `expiresAt` is an ISO 8601 time (default: never). `name` identifies the token in lists and audit logs.
 * `approvesFor` lists other users whose approvals the token may read and answer; `*` is all.
 */
export type TokenGrant = z.input<typeof grantSchema>;

/** A listed token, without its secret. */
export type TokenInfo = Omit<z.output<typeof keptSchema>, 'hash'> & { readonly id: string };

/** Bearer tokens. The store contains only their hashes. All methods may fail with `STORE_FAILED`. */
export interface Tokens {
  /** Issues a token and returns it. It cannot be read again. An invalid grant is `INPUT_INVALID`. */
  issue(grant: TokenGrant): Promise<string>;
  /** Returns the caller of a token, or undefined if the token is wrong, expired or revoked. */
  verify(token: string): Promise<Caller | undefined>;
  list(): Promise<readonly TokenInfo[]>;
  /** Revokes a token. Returns false if no token has this id. */
  revoke(id: string): Promise<boolean>;
}

const TOKEN = /^hlk_([0-9a-f]{16})([\w-]{43})$/;

/** Stores tokens under `['tokens', id]`. `now` returns milliseconds. */
export function createTokens(store: DocumentStore, now: () => number = Date.now): Tokens {
  async function read(id: string) {
    const stored = await store.read(['tokens', id]);
    const kept = keptSchema.safeParse(stored?.value);
    return kept.success ? kept.data : undefined;
  }

  return {
    async issue(given) {
      const [problem] = findSchemaIssues(grantSchema, given);
      if (problem) throw inputError([{ ...problem, file: 'the grant of a token', line: 1, column: 1 }]);
      const id = randomBytes(8).toString('hex');
      const secret = randomBytes(32).toString('base64url');
      const value = { ...grantSchema.parse(given), hash: hashOf(secret), issuedAt: new Date(now()).toISOString() };
      await store.write(['tokens', id], JSON.parse(JSON.stringify(value)), { ifRevision: 0 });
      return `hlk_${id}${secret}`;
    },
    async verify(token) {
      const [, id, secret] = TOKEN.exec(token) ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const kept = await read(id);
      // Always compares, so that the duration does not reveal which ids exist.
      const same = timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(kept?.hash ?? hashOf('')));
      if (!kept || !same || (kept.expiresAt !== undefined && Date.parse(kept.expiresAt) <= now())) return undefined;
      return {
        user: kept.user,
        rights: kept.rights,
        scopes: kept.scopes ?? [],
        token: kept.name ?? id,
        ...(kept.approvesFor && { approvesFor: kept.approvesFor }),
      };
    },
    async list() {
      const infos: TokenInfo[] = [];
      for (const [, id] of await store.list(['tokens'])) {
        const kept = id === undefined ? undefined : await read(id);
        if (!kept || id === undefined) continue;
        const { hash, ...info } = kept;
        infos.push({ id, ...info });
      }
      return infos.sort((a, b) => a.issuedAt.localeCompare(b.issuedAt));
    },
    revoke: (id) => store.remove(['tokens', id]),
  };
}

/** One round of SHA-256 is enough: the input has 256 random bits and cannot be guessed as a password can. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
