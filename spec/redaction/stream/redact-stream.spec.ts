import { expect } from 'chai';
import { Subject } from 'rxjs';
import { createRedactor, redactStream } from '../../../lib/redaction/index.ts';

describe('redactStream', () => {
  const redactor = createRedactor([{ id: 'r', pattern: /\bkey-[a-z]{6}\b/ }]);
  const watch = () => {
    const source = new Subject<string>();
    const seen: string[] = [];
    const subscription = source.pipe(redactStream(redactor)).subscribe({
      next: (text) => seen.push(text),
      error: (issue: Error) => seen.push(`! ${issue.message}`),
      complete: () => seen.push('|'),
    });
    return { source, seen, subscription };
  };

  it('emits final text, and the rest at completion', () => {
    const { source, seen } = watch();
    for (const part of ['a ke', 'y-abc', 'def b', ' key-abcdef']) source.next(part);
    source.complete();
    expect(seen.join('')).to.equal('a [REDACTED:r] b [REDACTED:r]|');
    expect(seen).not.to.include('');
    expect(seen[0]).to.equal('a ');
  });

  it('hides the tail if the source fails', () => {
    const { source, seen } = watch();
    source.next('a key-ab');
    source.error(new Error('cut'));
    expect(seen).to.deep.equal(['a ', '[REDACTED:unfinished]', '! cut']);
  });

  it('emits nothing after unsubscription', () => {
    const { source, seen, subscription } = watch();
    source.next('a key-ab');
    subscription.unsubscribe();
    expect(source.observed).to.equal(false);
    expect(seen).to.deep.equal(['a ']);
  });

  it('creates a scanner for each subscriber', () => {
    const { source, seen } = watch();
    const other = watch();
    source.next('key-abc');
    other.source.next('def');
    source.next('def');
    source.complete();
    other.source.complete();
    expect(seen.join('')).to.equal('[REDACTED:r]|');
    expect(other.seen.join('')).to.equal('def|');
  });
});
