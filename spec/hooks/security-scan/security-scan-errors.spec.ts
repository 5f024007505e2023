import { expect } from 'chai';
import { pino } from 'pino';
import { catchError, of, throwError } from 'rxjs';
import { z } from 'zod';
import { createAgent } from '../../../lib/agent/create-agent.ts';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { auditLog } from '../../../lib/hooks/audit-log/audit-log.ts';
import { type SecurityScanOptions, securityScan } from '../../../lib/hooks/security-scan/security-scan.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook } from '../../../lib/pipeline/define/hook.ts';
import type { Model } from '../../../lib/pipeline/define/model.ts';
import { defineTool } from '../../../lib/pipeline/define/tool.ts';
import { scriptedModel } from '../../../lib/testing/scripts/scripted-model.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

class LoginError extends Error {
  override readonly name = 'LoginError';
  readonly status = 401;
  readonly stderr = `denied ${SECRET}`;
}
const loginFailed = () =>
  new LoginError(`login failed: ${SECRET}`, { cause: new Error(`with ${SECRET}`, { cause: `raw ${SECRET}` }) });

async function play(thrown: unknown, options: SecurityScanOptions = {}, hooks: readonly Hook[] = [], model?: Model) {
  const env = defineTool({
    name: 'env',
    description: 'Fails.',
    inputSchema: z.looseObject({}),
    execute: () => throwError(() => thrown),
  });
  const pipeline = createPipeline([securityScan({ redactor: standInRedactor, ...options }), ...hooks]);
  const calling = scriptedModel([{ toolCalls: [{ name: 'env', input: {} }] }, { text: 'done' }]);
  const agent = createAgent({ name: 'agent', model: model ?? calling, tools: [env], pipeline });
  const shown: SettledEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    agent.run('go').subscribe({ next: (event) => void shown.push(event), error: reject, complete: resolve });
  });
  const find = <T extends SettledEvent['type']>(type: T) =>
    shown.find((event) => event.type === type) as (SettledEvent & { type: T }) | undefined;
  return { shown, error: find('error'), post: find('postActing') };
}

describe('securityScan with errors', () => {
  it('redacts the error of a tool before its error event, with the tool as source', async () => {
    const { shown, error, post } = await play(loginFailed());
    expect(JSON.stringify(shown)).to.not.include('xy12');
    expect(error).to.include({ source: 'tool', phase: 'acting' }).and.to.not.have.property('hook');
    expect(error?.error).to.include({ name: 'LoginError', message: `login failed: ${MARKER}` });
    expect(error?.error.stack).to.include(`login failed: ${MARKER}`);
    expect(error?.error.cause).to.include({ message: `with ${MARKER}` });
    expect(error?.error.cause?.cause).to.include({ message: `raw ${MARKER}` });
    expect(post?.result.content).to.equal(`Tool "env" failed: login failed: ${MARKER}`);
    expect(post?.notes?.map(({ code, message }) => `${code} ${message}`)).to.deep.equal([
      'secret-redacted toolResult: key (4 found)',
    ]);
  });

  it('redacts the error of a model, with the model as source', async () => {
    for (const thrown of [loginFailed(), `key ${SECRET}`, { key: SECRET }]) {
      const { shown, error } = await play(undefined, {}, [], () => throwError(() => thrown));
      expect(JSON.stringify(shown)).to.include(MARKER).and.not.include('xy12');
      expect(error?.source).to.equal('model');
      expect(shown.at(-1)).to.include({ type: 'postCall', outcome: 'failed' });
    }
  });

  it('passes outer wrappers an error of the same class, or the same clean object', async () => {
    const seen: unknown[] = [];
    const outer = defineHook({
      name: 'outer',
      around: {
        acting: (_, next) =>
          next().pipe(
            catchError((thrown) => {
              seen.push(thrown);
              return of('fallback');
            }),
          ),
      },
    });
    const clean = new LoginError('no');
    Object.defineProperty(clean, 'stderr', { value: 'denied' });
    await play(clean, {}, [outer]);
    expect(seen[0]).to.equal(clean);
    const { shown } = await play(loginFailed(), {}, [outer]);
    expect(seen[1])
      .to.be.an.instanceOf(LoginError)
      .and.to.include({ status: 401, stderr: `denied ${MARKER}` });
    expect(shown.find(({ type }) => type === 'error')).to.equal(undefined);
  });

  it('withholds the error if results are blocked, and keeps it on report or off', async () => {
    const blocked = await play(loginFailed(), { policies: { toolResult: 'block' } });
    const message = 'The error is withheld, because it contains secrets (key).';
    expect(blocked.error?.error).to.deep.equal({ name: 'LoginError', message });
    expect(blocked.post?.result.content).to.equal(`Tool "env" failed: ${message}`);
    for (const policy of ['report', 'off'] as const) {
      const policies = { context: policy, text: policy, thinking: policy, toolResult: policy, toolProgress: policy };
      const { error } = await play(loginFailed(), { policies });
      expect(error?.error.message).to.include(SECRET);
    }
  });

  it('terminates for a circular chain of causes', async () => {
    const round = new Error(`round ${SECRET}`);
    round.cause = round;
    expect(JSON.stringify((await play(round)).shown)).to.not.include('xy12');
  });

  for (const place of ['preActing', 'postActing', 'preReasoning'] as const) {
    it(`redacts the error of another hook in its error event and the audit log: ${place}`, async () => {
      const lines: string[] = [];
      const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
      const thrower = defineHook({
        name: 'thrower',
        on: {
          [place]: () => {
            throw loginFailed();
          },
        },
      });
      const { shown } = await play('late', {}, [thrower, auditLog({ logger, redact: standInRedactor })]);
      const error = shown.find((event) => event.type === 'error' && event.source === 'hook');
      expect(JSON.stringify(error)).to.include(`login failed: ${MARKER}`).and.not.include(SECRET);
      const told = lines
        .map((line) => JSON.parse(line))
        .filter(({ msg, source }) => msg === 'error' && source === 'hook');
      expect(told[0]).to.include({ hook: 'thrower', error_code: 'HOOK_FAILED', cause: `login failed: ${MARKER}` });
      expect(lines.join('')).to.not.include('xy12');
    });
  }
});
