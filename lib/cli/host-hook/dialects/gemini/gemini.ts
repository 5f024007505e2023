import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostAnswer } from '../../host-answer.ts';
import type { HostMoment, Verdict } from '../../judge/host-moment.ts';
import { answerText, oneLine, refusalText, refuseWith, specificTo } from '../answer-text.ts';
import type { Dialect } from '../dialect.ts';
import { readGemini } from './read.ts';

/**
 * The hooks of Gemini CLI, tried with 0.61.0. It reads JSON at any exit code, so a denial is JSON with a decision; exit code 2 and standard error deny if
 * the JSON is lost.
 */
export const gemini: Dialect = {
  host: 'gemini',
  title: 'Gemini CLI',
  read: readGemini,
  write,
  refuse: refuseWith(denied),
};

const denial = (reason: string): JsonObject => ({ decision: 'deny', reason: oneLine(reason) });
const end = (reason: string): JsonObject => ({ continue: false, stopReason: oneLine(reason) });

function write(moment: HostMoment, verdict: Verdict): HostAnswer {
  const { refused, asked, input, output, context, ended, again } = verdict;
  const specific = (fields: JsonObject) => specificTo(moment, fields);
  const added = context === undefined ? {} : specific({ additionalContext: context });
  const ends = ended === undefined ? {} : end(ended);
  switch (moment.kind) {
    case 'call': {
      if (refused !== undefined) return refusalText({ ...ends, ...denial(refused) }, refused);
      // The input replaces the arguments, so it is whole.
      const changed = input ? specific({ tool_input: input }) : {};
      if (asked === undefined) return answerText(input ? { decision: 'allow', ...changed } : {});
      return answerText({ decision: 'ask', reason: oneLine(asked), systemMessage: oneLine(asked), ...changed });
    }
    case 'result':
      // The reason replaces the result.
      if (output)
        return answerText({ ...ends, decision: 'deny', reason: output.text.trim() === '' ? '(empty)' : output.text });
      return answerText({ ...ends, ...added });
    case 'prompt':
      return refused === undefined ? answerText(added) : refusalText(denial(refused), refused);
    case 'stop':
      return answerText({ ...ends, ...(again !== undefined && { decision: 'deny', reason: again }) });
    case 'request':
    case 'answer':
      return modelAnswer(moment, verdict);
    default:
      return answerText({});
  }
}

function modelAnswer(moment: HostMoment, { refused, request: changed, answer }: Verdict): HostAnswer {
  const specific = (fields: JsonObject) => specificTo(moment, fields);
  if (refused !== undefined) {
    // Without a response of the model, Gemini CLI would report an empty one.
    const canned = moment.kind === 'request' ? specific({ llm_response: responseOf(refused) }) : end(refused);
    return refusalText({ ...denial(refused), ...canned }, refused);
  }
  if (changed && moment.kind === 'request') {
    const { llm_request: request } = moment.raw as {
      readonly llm_request: { readonly messages: readonly JsonObject[] };
    };
    const kept = request.messages.map((message, at) => ({ ...message, content: changed.texts[at] ?? '' }));
    // Gemini CLI merges messages by their positions, so further ones are last. It does not send those of the role "system".
    const messages = [...kept, ...changed.added.map((content) => ({ role: 'user', content }))];
    return answerText(specific({ llm_request: { ...request, messages } }));
  }
  if (answer === undefined) return answerText({});
  const { llm_response: response } = moment.raw as {
    readonly llm_response: { readonly candidates: readonly JsonObject[] };
  };
  const [first = {}, ...rest] = response.candidates;
  const content = { ...(first['content'] as JsonObject | undefined), parts: [answer] };
  return answerText(specific({ llm_response: { ...response, candidates: [{ ...first, content }, ...rest] } }));
}

const responseOf = (text: string): JsonObject => ({
  candidates: [{ content: { role: 'model', parts: [oneLine(text)] }, finishReason: 'STOP' }],
});

function denied(event: JsonObject | undefined, reason: string): HostAnswer {
  switch (event?.['hook_event_name']) {
    case 'AfterTool':
      return answerText(denial(`The output was withheld: ${reason}`));
    case 'AfterAgent':
      // The agent already went on once, and would go on forever.
      return answerText(event['stop_hook_active'] ? {} : denial(reason));
    case 'SessionStart':
      return answerText({ systemMessage: reason });
    case 'BeforeModel': {
      const canned = specificTo({ event: 'BeforeModel' }, { llm_response: responseOf(reason) });
      return refusalText({ ...denial(reason), ...canned }, reason);
    }
    case 'AfterModel':
      // A denial alone shows the text, and runs the tool calls of the response.
      return refusalText({ ...denial(reason), ...end(reason) }, reason);
    default:
      return refusalText(denial(reason), reason);
  }
}
