import '../../../server/check-peers.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { HTTPException } from 'hono/http-exception';
import { fileState } from '../../../config/live/file-state.ts';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { parseJsonObject } from '../../../events/values/parse-json.ts';
import { refusalHeaders, refuse } from '../../../server/http/refuse.ts';
import type { RequestInfo } from '../../../server/http/request-info.ts';
import { listen } from '../../../server/listen.ts';
import { checkHost } from '../../../server/security/check-host.ts';
import { checkMediaType } from '../../../server/security/check-media-type.ts';
import { checkFetchSite, checkOrigin } from '../../../server/security/check-origin.ts';
import { createFailedLogins } from '../../../server/security/failed-logins.ts';
import { readLimited } from '../../../server/security/limit-body.ts';
import { withSecurityHeaders } from '../../../server/security/security-headers.ts';
import { untilStopped } from '../../run/until-stopped.ts';
import { refuseOverHttp } from '../dialects/claude/refuse.ts';
import type { HostAnswer } from '../host-answer.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import { tokenIn } from '../token-in.ts';
import { createJudges } from '../worker/judges.ts';

/** Timeout for hooks to close, in milliseconds. */
const CLOSE_MS = 10_000;

/** Maximum size of an event, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Options of the server for `http` handlers. */
export interface HttpFlags extends HostHookFlags {
  readonly listen: { readonly host: string; readonly port: number };
}

/**
 * Answers `http` handlers of Claude Code until it is stopped. HTTP status codes do not deny there. Therefore events that could not be evaluated are
 * denied in JSON, and only invalid requests get an error status.
 */
export async function serveHttp(flags: HttpFlags, words: readonly string[]): Promise<void> {
  const { listen: where, tokenEnv, failOpen = false } = flags;
  const authenticate = checkToken(tokenEnv === undefined ? undefined : tokenIn(tokenEnv));
  const allowed = new Set<string>();
  const judges = createJudges({ words, timeoutMs: flags.timeout * 1000, stateOf: fileState });

  async function judge(request: Request): Promise<Response> {
    const { code, stdout, stderr } = await judged(request);
    process.stderr.write(stderr);
    // The output that the host would show for a command with exit code 1.
    const fallback = code === 1 && !failOpen ? JSON.stringify({ systemMessage: stderr }) : '{}';
    return new Response(stdout || fallback, { headers: { 'content-type': 'application/json' } });
  }

  async function judged(request: Request): Promise<HostAnswer> {
    let event = '';
    try {
      event = new TextDecoder('utf-8', { fatal: true }).decode(await readLimited(request, MOST_BYTES));
      return (await judges.ask(event, { signal: request.signal })) as HostAnswer;
    } catch (thrown) {
      return refuseOverHttp(parseJsonObject(event), messageOf(thrown), failOpen);
    }
  }

  async function answer(request: Request, { address = 'unknown' }: RequestInfo): Promise<Response> {
    try {
      checkHost(request, allowed);
      checkOrigin(request);
      checkFetchSite(request);
      checkMediaType(request);
      authenticate(request, address);
      const { pathname } = new URL(request.url);
      if (pathname !== '/') throw refuse(404, `There is no ${pathname}. Send events to /.`);
      if (request.method !== 'POST')
        throw refuse(405, `/ does not support ${request.method}. Use POST.`, { allow: 'POST' });
      return await judge(request);
    } catch (thrown) {
      if (!(thrown instanceof HTTPException)) throw thrown;
      const error = { code: `HTTP_${thrown.status}`, message: thrown.message };
      return Response.json({ error }, { status: thrown.status, headers: refusalHeaders(thrown) });
    }
  }

  const stopped = untilStopped();
  const server = {
    routes: [],
    allowHost: (host: string) => void allowed.add(host.toLowerCase()),
    fetch: async (request: Request, info: RequestInfo = {}) => withSecurityHeaders(await answer(request, info)),
  };
  const listening = await listen(server, { list: async () => [] }, where);
  process.stderr.write(`hookline listens for http handlers on ${listening.url}/\n`);
  await stopped;
  await listening.close();
  await judges.close(CLOSE_MS);
}

/** Rejects requests without the token (401) and addresses with too many wrong tokens (429). Without a configured token it checks nothing. */
function checkToken(token: string | undefined): (request: Request, address: string) => void {
  const failed = createFailedLogins();
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return ({ headers }, address) => {
    if (token === undefined) return;
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (timingSafeEqual(hashOf(given), hashOf(token))) return;
    const wait = failed.waitFor(address);
    if (wait > 0)
      throw refuse(429, `Too many invalid tokens; try again in ${wait} s.`, { 'retry-after': String(wait) });
    failed.add(address);
    throw refuse(401, 'The token is missing. Send the header Authorization: Bearer <token>.', {
      'www-authenticate': 'Bearer',
    });
  };
}
