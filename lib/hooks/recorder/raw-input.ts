import { defer, type Observable, tap } from 'rxjs';
import { toErrorInfo } from '../../events/parts/error-info.ts';
import type { HookDefinition, Wrappers } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createLineBatch } from './line-batch.ts';
import { RAW_VERSION, type RawLine } from './raw-format.ts';
import type { RecordingFile } from './recording-files.ts';

/** Omits the fields that every line has. */
type Line = RawLine extends infer L ? (L extends RawLine ? Omit<L, 'run' | 'time'> : never) : never;

/** Writes what a run and its sub-agents receive. */
export interface RawInput {
  write(line: Line, context: HookContext): void;
  /** Returns the position of the next model request of a run, from 0. */
  nextRequest(runId: string): number;
  /** Whether the run has sent no model request yet. */
  isNew(runId: string): boolean;
  /** Writes what was added. */
  flush(): void;
  end(runId: string): void;
}

/** Starts a file of raw input. A file that cannot be completed is removed, because a replay of it would be wrong. */
export function createRawInput(file: RecordingFile, maxBytes: number, { run, log }: HookContext): RawInput {
  const requests = new Map<string, number>();
  let open = true;
  const batch = createLineBatch(file, () => {});
  batch.add({ format: 'hookline-raw-input', version: RAW_VERSION, run });
  batch.flush();

  function attempt(work: () => void): void {
    if (!open) return;
    try {
      if (batch.bytes >= maxBytes) throw new Error(`it exceeds ${maxBytes} bytes (maxBytes)`);
      work();
    } catch (err) {
      open = false;
      file.remove();
      log.error({ err, file: file.path }, 'raw input could not be recorded; its file was removed');
    }
  }

  return {
    write: (line, context) =>
      attempt(() => batch.add({ run: context.run.runId, time: context.scheduler.now(), ...line })),
    flush: () => attempt(batch.flush),
    nextRequest(runId) {
      const request = requests.get(runId) ?? 0;
      requests.set(runId, request + 1);
      return request;
    },
    isNew: (runId) => !requests.has(runId),
    end: (runId) => void requests.delete(runId),
  };
}

/**
 * The handlers that capture raw input. They must run before all others and inside all other wrappers. They change nothing.
 */
export function captureRawInput(
  inputOf: (context: HookContext) => RawInput | undefined,
): Pick<HookDefinition, 'on' | 'around'> {
  const own = (context: HookContext) => (context.dryRun ? undefined : inputOf(context));
  const reasoning: Wrappers['reasoning'] = (_, next, context) => {
    const input = own(context);
    if (!input) return next();
    return defer(() => {
      const request = input.nextRequest(context.run.runId);
      input.write({ raw: 'request', request }, context);
      return next().pipe(
        tap({
          next: (chunk) => input.write({ raw: 'chunk', request, chunk }, context),
          error: (thrown) => input.write({ raw: 'answered', request, error: toErrorInfo(thrown) }, context),
          complete: () => input.write({ raw: 'answered', request }, context),
        }),
      );
    });
  };
  const acting: Wrappers['acting'] = ({ toolCall: { id: toolCallId } }, next, context) => {
    const input = own(context);
    if (!input) return next();
    return defer((): Observable<never> => {
      input.write({ raw: 'call', toolCallId }, context);
      return next().pipe(
        tap({
          next: (item) => input.write({ raw: 'output', toolCallId, item }, context),
          error: (thrown) => input.write({ raw: 'returned', toolCallId, error: toErrorInfo(thrown) }, context),
          complete: () => input.write({ raw: 'returned', toolCallId }, context),
        }),
      ) as Observable<never>;
    });
  };
  return {
    on: {
      preCall: ({ messages }, context) => own(context)?.write({ raw: 'input', messages: [...messages] }, context),
      preReasoning({ attempt, messages }, context) {
        const input = own(context);
        if (attempt === 1 && input?.isNew(context.run.runId))
          input.write({ raw: 'conversation', messages: [...messages] }, context);
      },
    },
    around: { reasoning, acting },
  };
}
