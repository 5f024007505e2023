import type { Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents-core';
import { setTracingDisabled, Usage } from '@openai/agents-core';

setTracingDisabled(true);

export interface Turn {
  readonly chunks?: readonly string[];
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: object;
    readonly namespace?: string;
  }[];
  /** Items before all others. */
  readonly items?: readonly object[];
  readonly error?: Error;
}

/** A model that follows a script, also in raw events like those of providers, and records its requests. */
export interface ScriptedAgentsModel extends Model {
  readonly requests: readonly ModelRequest[];
}

export function scriptedAgentsModel(turns: readonly Turn[]): ScriptedAgentsModel {
  const requests: ModelRequest[] = [];
  const next = (request: ModelRequest): Turn => {
    requests.push(request);
    const turn = turns[requests.length - 1];
    if (!turn) throw new Error(`asked ${requests.length} times, ${turns.length} answers`);
    if (turn.error) throw turn.error;
    return turn;
  };
  return {
    requests,
    async getResponse(request) {
      const turn = next(request);
      return { ...answer(turn), providerData: { raw: outputOf(turn) } } as ModelResponse;
    },
    async *getStreamedResponse(request) {
      const turn = next(request);
      yield { type: 'response_started' };
      for (const delta of turn.chunks ?? []) {
        yield { type: 'model', event: { type: 'response.output_text.delta', delta } };
        yield { type: 'output_text_delta', delta };
      }
      yield { type: 'model', event: { type: 'response.completed', response: { output: outputOf(turn) } } };
      const { usage, output } = answer(turn);
      const response = { id: `response-${requests.length}`, usage: JSON.parse(JSON.stringify(usage)), output };
      yield { type: 'response_done', response, providerData: { raw: outputOf(turn) } } as unknown as StreamEvent;
    },
  };
}

function answer(turn: Turn): { usage: Usage; output: object[] } {
  return { usage: new Usage({ requests: 1, inputTokens: 3, outputTokens: 2, totalTokens: 5 }), output: outputOf(turn) };
}

function outputOf({ chunks, calls = [], items = [] }: Turn): object[] {
  const text = chunks?.join('');
  const content = [{ type: 'output_text', text }];
  return [
    ...items,
    ...(text === undefined ? [] : [{ type: 'message', role: 'assistant', status: 'completed', content }]),
    ...calls.map(({ id, name, input, namespace }) => ({
      type: 'function_call',
      callId: id,
      name,
      status: 'completed',
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(input),
      providerData: { id: `fc-${id}` },
    })),
  ];
}
