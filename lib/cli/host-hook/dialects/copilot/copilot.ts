import type { JsonObject } from '../../../../events/values/json-value.ts';
import type { HostAnswer } from '../../host-answer.ts';
import type { HostMoment, Verdict } from '../../judge/host-moment.ts';
import { answerText, oneLine, refusalText, refuseWith } from '../answer-text.ts';
import type { Dialect } from '../dialect.ts';
import { eventOf, readCopilot } from './read.ts';

/**
 * The hooks of GitHub Copilot CLI and of its cloud agent (docs.github.com, "Hooks configuration"). Reports disagree on what a failed hook does, so a denial
 * is JSON and exit code 2.
 */
export const copilot: Dialect = {
  host: 'copilot',
  title: 'Copilot',
  read: readCopilot,
  write,
  refuse: refuseWith(denied),
};

const denial = (reason: string): JsonObject => ({
  permissionDecision: 'deny',
  permissionDecisionReason: oneLine(reason),
});
const block = (reason: string): JsonObject => ({ decision: 'block', reason: oneLine(reason) });

function write(moment: HostMoment, { refused, asked, input, output, context, ended, again }: Verdict): HostAnswer {
  const changed = input ? { modifiedArgs: input } : {};
  switch (moment.kind) {
    case 'call':
      if (refused !== undefined && moment.can.ask === 'always')
        return refusalText(
          { behavior: 'deny', message: oneLine(refused), ...(ended !== undefined && { interrupt: true }) },
          refused,
        );
      if (refused !== undefined) return refusalText(denial(refused), refused);
      // An allow without a change would skip the prompt of the user.
      if (asked === undefined) return answerText(input ? { permissionDecision: 'allow', ...changed } : {});
      return answerText({ permissionDecision: 'ask', permissionDecisionReason: oneLine(asked), ...changed });
    case 'result':
      return answerText({
        ...(output && { modifiedResult: { resultType: 'success', textResultForLlm: output.text } }),
        ...(context !== undefined && { additionalContext: context }),
      });
    case 'prompt':
      return refused === undefined ? answerText({}) : refusalText(block(refused), refused);
    case 'stop':
      return answerText(again === undefined ? {} : block(again));
    default:
      return answerText({});
  }
}

function denied(event: JsonObject | undefined, reason: string): HostAnswer {
  switch (named(event)) {
    case 'posttooluse': {
      const text = `The output was withheld: ${reason}`;
      return answerText({ modifiedResult: { resultType: 'failure', textResultForLlm: text } });
    }
    case 'permissionrequest':
      return refusalText({ behavior: 'deny', message: oneLine(reason) }, reason);
    case 'userpromptsubmit':
    case 'userpromptsubmitted':
      return refusalText(block(reason), reason);
    case 'stop':
    case 'agentstop':
    case 'subagentstop':
      return answerText(event?.['stop_hook_active'] ? {} : block(reason));
    case 'sessionstart':
      return answerText({});
    default:
      return refusalText(denial(reason), reason);
  }
}

function named(event: JsonObject | undefined): string {
  try {
    return event ? eventOf(event).toLowerCase() : '';
  } catch {
    return '';
  }
}
