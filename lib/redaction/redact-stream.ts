import { Observable, type OperatorFunction } from 'rxjs';
import type { Redactor, StreamOptions } from './redactor.ts';

/**
 * Takes secrets out of a stream of text. Gives only what is certain, the rest at completion. A stream that fails is cut: what it still held
 * is not shown, except as a marker, before the error is passed on; one that is left is not flushed at all. Keeps no findings: `onFinding`
 * is told of those of all subscribers.
 */
export function redactStream(redactor: Redactor, options: StreamOptions = {}): OperatorFunction<string, string> {
  const { onFinding = () => {} } = options;
  return (text$) =>
    new Observable((subscriber) => {
      const stream = redactor.stream({ onFinding });
      const give = (text: string) => {
        if (text !== '') subscriber.next(text);
      };
      return text$.subscribe({
        next: (text) => give(stream.write(text)),
        complete() {
          give(stream.end());
          subscriber.complete();
        },
        error(issue) {
          give(stream.abort());
          subscriber.error(issue);
        },
      });
    });
}
