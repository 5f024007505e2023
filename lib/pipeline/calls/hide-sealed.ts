import { defer, identity, type MonoTypeOperatorFunction, Observable } from 'rxjs';
import { textOf } from '../../errors/describe-thrown.ts';
import { cleanError, cleanLogged } from '../../events/values/clean-logged.ts';
import { encodedForms } from '../../events/values/encoded-forms.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { mapTexts } from '../../events/values/map-texts.ts';
import type { RunChild } from '../define/hook-context.ts';
import type { ToolItem } from '../define/tool.ts';
import type { LogMethod, ParentLogger } from '../logger.ts';
import { leaves } from './prepare-call.ts';
import type { Sealed } from './vault.ts';

/** Shorter values occur by chance. */
const SHORTEST = 6;

/** A hidden text and its replacement. */
interface Hidden {
  readonly text: string;
  readonly shown: string;
}

/** Replaces each sealed value in the output of a tool with its label. */
export interface HideSealed {
  /** For streamed chunks (at any split), results and errors. */
  readonly shown: MonoTypeOperatorFunction<ToolItem>;
  /** For prompts of sub-agents, because events and models contain them. */
  readonly handedOn: (run: RunChild) => RunChild;
  /** For log lines. */
  readonly logged: (log: ParentLogger) => ParentLogger;
}

const nothing: HideSealed = { shown: identity, handedOn: identity, logged: identity };

/** Replaces each value in all its forms: plain, in JSON, URL-encoded, in base64 and in hexadecimal digits. */
export function hideSealed(sealed: Sealed): HideSealed {
  const hidden = hiddenIn(sealed);
  if (hidden.length === 0) return nothing;
  const clean = (text: string): string => hidden.reduce((left, { text, shown }) => left.replaceAll(text, shown), text);
  return {
    shown: withoutHidden(hidden, clean),
    handedOn: (run) => (agent, input, options) =>
      defer(() => {
        const { metadata } = options ?? {};
        const others = metadata ? { ...options, metadata: mapTexts(metadata, clean) as JsonObject } : options;
        return run(agent, mapTexts(input as JsonValue, clean) as typeof input, others);
      }),
    logged: (log) => logWithout(log, clean),
  };
}

function withoutHidden(hidden: readonly Hidden[], clean: (text: string) => string): MonoTypeOperatorFunction<ToolItem> {
  return (items$) =>
    new Observable((subscriber) => {
      /** The end of the received text that may begin a sealed value. */
      let held = '';
      const send = (text: string): void => {
        if (text !== '') subscriber.next(text);
      };
      return items$.subscribe({
        next(item) {
          if (typeof item !== 'string') {
            subscriber.next(mapTexts(item as unknown as JsonValue, clean) as unknown as ToolItem);
            return;
          }
          const text = clean(held + item);
          const rest = beginningIn(text, hidden);
          held = text.slice(rest);
          send(text.slice(0, rest));
        },
        error(thrown) {
          send(held);
          subscriber.error(cleanError(thrown, clean));
        },
        complete() {
          send(held);
          subscriber.complete();
        },
      });
    });
}

function hiddenIn(sealed: Sealed): Hidden[] {
  const all = [...sealed.values()].flatMap(({ placeholder, value }) => {
    const shown = `[${String(placeholder['$sealed'])}]`;
    const forms = leaves(value).flatMap((leaf) => {
      const raw = JSON.parse(`"${leaf}"`) as string;
      return encodedForms(raw, leaf);
    });
    return [...new Set(forms)].map((text) => ({ text, shown }));
  });
  // Longest first, because one text may contain another.
  return all.filter(({ text }) => text.length >= SHORTEST).sort((a, b) => b.text.length - a.text.length);
}

/** Returns the index in `text` from which the rest may begin a hidden text. */
function beginningIn(text: string, hidden: readonly Hidden[]): number {
  const longest = hidden[0]?.text.length ?? 0;
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const first = text[at];
    if (hidden.some((one) => one.text[0] === first && one.text.startsWith(text.slice(at)))) return at;
  }
  return text.length;
}

function logWithout(log: ParentLogger, clean: (text: string) => string): ParentLogger {
  const method =
    (write: LogMethod): LogMethod =>
    (fields, message) =>
      write(cleanLogged(fields, clean), message === undefined ? undefined : clean(textOf(message)));
  const [debug, info, warn, error] = [log.debug, log.info, log.warn, log.error].map(method) as LogMethod[];
  const child = (bindings: object) => logWithout(log.child(cleanLogged(bindings, clean)), clean);
  return { debug, info, warn, error, child } as ParentLogger;
}
