import { expect } from 'chai';
import { concat, finalize, NEVER, of, range, Subject, throwError } from 'rxjs';
import { map } from 'rxjs/operators';
import { sseBody } from '../../../lib/chat/http/sse-body.ts';

const textOf = (body: ReadableStream<Uint8Array>) => new Response(body).text();

describe('sseBody', () => {
  it('contains the sent events, in order', async () => {
    expect(await textOf(sseBody(of('a\n\n', 'b\n\n')))).to.equal('a\n\nb\n\n');
  });

  it('sends an event at once if nothing follows', async () => {
    const reader = sseBody(concat(of('a\n\n'), NEVER)).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).to.equal('a\n\n');
    await reader.cancel();
  });

  it('releases its source when the client disconnects', async () => {
    let left = false;
    const reader = sseBody(NEVER.pipe(finalize(() => (left = true)))).getReader();
    await reader.cancel();
    expect(left).to.equal(true);
  });

  it('disconnects a client that reads nothing, and buffers a limited amount for it', async () => {
    const frames$ = new Subject<string>();
    const body = sseBody(frames$, { maxLag: 10_000 });
    let sent = 0;
    while (frames$.observed && sent < 1_000_000) {
      frames$.next('x'.repeat(100));
      sent += 100;
      if (sent % 1_000 === 0) await Promise.resolve();
    }
    expect(sent).to.be.within(10_000, 12_000);
    const issue = await textOf(body).catch((thrown: Error) => thrown.message);
    expect(issue).to.include('does not read');
  });

  it('excludes the events before the client connected from its limit', async () => {
    let replaying = true;
    const frames$ = new Subject<string>();
    const body = sseBody(concat(range(0, 200).pipe(map(() => 'x'.repeat(100))), frames$), {
      maxLag: 10_000,
      replaying: () => replaying,
    });
    replaying = false;
    frames$.next('y'.repeat(9_000));
    expect(frames$.observed).to.equal(true);
    frames$.next('y'.repeat(9_000));
    expect(frames$.observed).to.equal(false);
    await body.cancel().catch(() => undefined);
  });

  it('allows any length for a client that keeps up', async () => {
    const body = sseBody(range(0, 90).pipe(map(() => 'x'.repeat(100))), { maxLag: 10_000 });
    expect((await textOf(body)).length).to.equal(9_000);
  });

  it('sends keep-alive comments', async () => {
    const reader = sseBody(NEVER, { heartbeatMs: 1 }).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).to.match(/^: /);
    await reader.cancel();
  });

  it('ends if its source fails', async () => {
    const issue = await textOf(sseBody(throwError(() => new Error('gone')))).catch((thrown: Error) => thrown.message);
    expect(issue).to.equal('gone');
  });
});
