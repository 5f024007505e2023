import { NEVER, type Observable, type SchedulerLike } from 'rxjs';
import type { ToolCall } from '../events/parts/tool-call.ts';
import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import type { Model } from '../pipeline/define/model.ts';
import type { Tool, ToolItem } from '../pipeline/define/tool.ts';
import { checkableSchema } from '../schemas/checkable-schema.ts';
import type { RecordedScript } from './recorded-script.ts';
import { playOutput } from './timed-output.ts';

/** Answers from a recording, each item at its time. */
export interface RecordedAnswers {
  readonly model: Model;
  readonly tools: readonly Tool[];
  answer(toolCall: ToolCall): Observable<ToolItem>;
}

/** Creates the answers of a script. Without a scheduler, all output of an answer comes at once. `onEnd` is called when something is asked that the recording does not contain. It is never answered. */
export function recordedAnswers(
  script: RecordedScript,
  scheduler: SchedulerLike | undefined,
  onEnd: (missing: string) => void,
): RecordedAnswers {
  let asked = 0;
  const attempts = new Map<string, number>();
  const missing = (what: string): Observable<never> => {
    onEnd(what);
    return NEVER;
  };
  const answer = ({ id, name }: ToolCall): Observable<ToolItem> => {
    const attempt = attempts.get(id) ?? 0;
    attempts.set(id, attempt + 1);
    const output = script.outputs.get(id)?.[attempt];
    return output ? playOutput(output, scheduler) : missing(`a result of the call ${id} of ${name}`);
  };
  const model = () => {
    const output = script.answers[asked];
    asked += 1;
    return output ? playOutput(output, scheduler) : missing(`an answer to model request ${asked}`);
  };
  return {
    model: Object.assign(model, { modelId: script.modelId }) as Model,
    tools: script.tools.map(({ name, description, inputSchema, permission }) => ({
      ...{ name, description, permission },
      ...schemasOf(inputSchema),
      ...(script.parallel === 'all' && { parallel: true }),
      execute: (_, { toolCall }) => answer(toolCall),
    })),
    answer,
  };
}

/** The schemas of tools by their text. A backtest sees the same few tools in every recording, and preparing a schema is slow. */
const known = new Map<string, Pick<Tool, 'inputSchema'> & { readonly jsonSchema: JsonObject }>();
const MOST_KNOWN = 1_000;

function schemasOf(jsonSchema: JsonObject) {
  const text = JSON.stringify(jsonSchema);
  const found = known.get(text) ?? {
    jsonSchema,
    inputSchema: checkableSchema(withoutDefaults(jsonSchema) as JsonObject),
  };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

/** The recorded input is complete. A default that the tool did not apply must not change it. */
function withoutDefaults(schema: JsonValue): JsonValue {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutDefaults);
  const { default: _, ...rest } = schema as JsonObject;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutDefaults(value)]));
}
