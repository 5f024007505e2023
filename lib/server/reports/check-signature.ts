import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '../http/refuse.ts';

/** Maximum difference between the clocks of sender and receiver, in seconds. */
const TOLERANCE_S = 300;

/** Rejects (401) a request that is not signed with the secret (Standard Webhooks, HMAC-SHA256), or whose signature is older than five minutes. */
export function checkSignature({ headers }: Request, text: string, secret: string): void {
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  );
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest();
  const isSigned = signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return one.startsWith('v1,') && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  if (!isSigned)
    throw refuse(
      401,
      'The signature of the request is missing or wrong. Use the same secret in the hook `webhook` and in `server.reports`.',
    );
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_S) return;
  throw refuse(
    401,
    `The signature of the request is older than ${TOLERANCE_S / 60} minutes. Check the clocks of both machines.`,
  );
}
