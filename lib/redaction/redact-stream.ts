import { Observable, type OperatorFunction } from 'rxjs';
import type { Redactor, StreamOptions } from './redactor.ts';

/**
 * Redacts secrets in a stream of text. It emits only final text, and the rest at completion. If a stream fails, the held text is dropped or becomes a marker
 * before the error is passed on. An unsubscribed stream is not flushed. It keeps no findings: `onFinding` receives those of all subscribers.
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
