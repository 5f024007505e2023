import { map } from 'rxjs';
import { answerSafely } from '../../chat/answer-safely.ts';
import { type ChatOptions, chatOptionsSchema } from '../../chat/chat-options.ts';
import { createChat } from '../../chat/create-chat.ts';
import { isRefusal, refusalResponse, refuse } from '../../chat/refusal.ts';
import { sseBody } from '../../chat/sse-body.ts';
import { parseOptions } from '../../errors/parse-options.ts';
import { consoleLogger } from '../../pipeline/logger.ts';
import { readInput } from './read-input.ts';
import { type AgUiOptions, agUiOptions, mappingOptions, mapWith } from './to-ag-ui.ts';

/** Options of `agUiHandler`. */
export interface AgUiHandlerOptions
  extends ChatOptions,
    Pick<AgUiOptions, 'thinking' | 'toolOutput' | 'hooks' | 'inbox' | 'errorText'> {}

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };

/**
 * Serves an agent to clients of AG-UI 1.0. Each POST of a `RunAgentInput` is answered with the events of a run. With `resume`, or with results of
 * the client's tools, the suspended run resumes. Otherwise, a new run starts. Throws `OPTIONS_INVALID` for invalid options. An invalid request gets
 * a 4xx response with `{ error: { code, message } }`.
 */
export function agUiHandler(options: AgUiHandlerOptions): (request: Request) => Promise<Response> {
  const { thinking, toolOutput, hooks, inbox, errorText } = parseOptions(
    'agUiHandler()',
    chatOptionsSchema.extend(agUiOptions),
    options,
  );
  const chat = createChat(options);
  const { log = consoleLogger } = options;
  return answerSafely(log, async (request) => {
    if (request.method !== 'POST')
      return refusalResponse(refuse(405, 'METHOD', 'Send a POST request with a RunAgentInput.'));
    const caller = await chat.identify(request);
    if (caller instanceof Response) return caller;
    const read = await chat.read(request);
    if ('refusal' in read) return refusalResponse(read.refusal);
    const input = readInput(read.json);
    if (isRefusal(input)) return refusalResponse(input);
    const run = await chat.open(caller, input.request);
    if (isRefusal(run)) return refusalResponse(run);
    const { runId, messages, request: posted } = input;
    const failed = `The run failed (${run.id}).`;
    const shown = mappingOptions({
      ...{
        threadId: posted.threadId,
        runId,
        messages,
        thinking,
        toolOutput,
        hooks,
        ...(inbox && { inbox }),
      },
      errorText(event) {
        try {
          return errorText?.(event) ?? failed;
        } catch (err) {
          log.error({ err, id: run.id }, 'errorText(event) failed');
          return failed;
        }
      },
    });
    const events$ = run.events$.pipe(
      mapWith({ ...shown, broken: failed, waiting: run.waiting, clientTools: run.clientTools, named: run.named }),
    );
    const frames$ = events$.pipe(map((event) => `data: ${JSON.stringify(event)}\n\n`));
    return new Response(sseBody(frames$, { replaying: run.replaying }), { headers: HEADERS });
  });
}
