import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import type { Permission } from '../events/parts/tool-description.ts';
import type { ToolResult } from '../events/parts/tool-result.ts';
import { harmlessJson } from '../events/values/harmless-json.ts';
import { readRecording } from '../hooks/recorder/read-recording.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import { type RecordedScript, scriptsOf } from '../replay/recorded-script.ts';
import type { TimedOutput } from '../replay/timed-output.ts';
import { describeEvent } from './describe-event.ts';
import { type MarbleKit, marbles } from './marbles/marbles.ts';
import type { ScriptTurn } from './scripts/script-schema.ts';

type Output = ToolResult | { readonly error: { readonly name: string; readonly message: string } };

/** The script of a recorded run as JSON data. */
interface SpecData {
  readonly name: string;
  readonly instructions?: string;
  readonly input: readonly Message[];
  readonly turns: readonly ScriptTurn[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly permission: Permission;
    readonly outputs: readonly Output[];
  }[];
  readonly maxIterations: number;
}

/**
 * Returns the text of a spec that repeats a recorded run in virtual time: its model and tools follow a script, and its events are expected. It is
 * green without hooks. Add hooks, and read the difference. All recorded values are JSON data, redacted as in the recording. Throws `INPUT_INVALID` if
 * the recording cannot be read.
 */
export function recordedSpec(file: string): string {
  const [script] = scriptsOf(readRecording(file).reports);
  const data = dataOf(script as RecordedScript);
  const { name, instructions, input, turns, tools, maxIterations } = data;
  const events: SettledEvent[] = [];
  marbles(
    (kit) =>
      void agentOf(kit, data)
        .run(input)
        .subscribe((event) => events.push(event)),
  );
  const lines = [
    ...events.map((event) => `${event.time ?? 0} ${describeEvent(event)}`),
    `${events.at(-1)?.time ?? 0} |`,
  ];
  return `// A recorded run as a spec, made by \`hookline fixture\`. It needs a test runner with describe and it.
import { type Hook } from 'hookline';
import { marbles } from 'hookline/testing';

/** The hooks to test. Without hooks, the events are the recorded ones below. */
const hooks: Hook[] = [];

const input = ${code(input)};

/** The answers of the model. */
const turns = ${code(turns)};

describe('a recorded run', () => {
  it('has these events', () => {
    marbles(({ agent, tool, expectEvents }) => {
      const recorded = agent({
        name: ${code(name)},${instructions === undefined ? '' : `\n        instructions: ${code(instructions)},`}
        model: turns,
        hooks,
        maxIterations: ${code(maxIterations)},
        tools: [${tools.map((tool) => `\n          tool({ ${toolCode(tool)} }),`).join('')}
        ],
      });
      expectEvents(recorded.run(input as never)).toShow(${code(lines)});
    });
  });
});

type Output = object | { error: { name: string; message: string } };

/** Returns the outputs of a tool, one for each call. */
function outputs(all: Output[]) {
  let calls = 0;
  return () => {
    const output = all[calls++] ?? { error: { name: 'Error', message: 'The recording has no further result.' } };
    if (!('error' in output)) return output;
    throw Object.assign(new Error(output.error.message), { name: output.error.name });
  };
}
`;
}

function toolCode({ name, description, permission, outputs }: SpecData['tools'][number]): string {
  return `name: ${code(name)}, description: ${code(description)}, permission: ${code(permission)}, result: outputs(${code(outputs)})`;
}

/** JSON as code, without hidden characters, which could hide what the code says. A key `__proto__` would set the prototype. */
function code(value: unknown): string {
  return harmlessJson(JSON.stringify(value, undefined, 2)).replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');
}

function dataOf({
  run,
  instructions,
  history,
  input,
  answers,
  tools,
  outputs,
  maxIterations,
}: RecordedScript): SpecData {
  const turns = answers.map(turnOf);
  const calls = turns.flatMap(({ toolCalls = [] }) => toolCalls);
  return {
    name: run.agent,
    ...(instructions !== undefined && { instructions }),
    input: [...history, ...input],
    turns,
    tools: tools.map(({ name, description, permission }) => ({
      ...{ name, description, permission },
      outputs: calls.filter((call) => call.name === name).map(({ id }) => outputOf(outputs.get(id as string)?.at(-1))),
    })),
    maxIterations: Math.min(maxIterations, 1_000),
  };
}

function turnOf({ items, error }: TimedOutput<ModelChunk>): ScriptTurn {
  const chunks = items.map(({ item }) => item);
  const thinking = chunks.map((chunk) => (chunk.type === 'thinking' ? chunk.delta : '')).join('');
  const texts = chunks.flatMap((chunk) => (chunk.type === 'text' && chunk.delta !== '' ? [chunk.delta] : []));
  const toolCalls = chunks.flatMap((chunk) => (chunk.type === 'toolCall' ? [chunk.toolCall] : []));
  const finish = chunks.find((chunk) => chunk.type === 'finish');
  return {
    ...(thinking !== '' && { thinking }),
    ...(texts.length > 0 && { chunks: texts }),
    ...(toolCalls.length > 0 && { toolCalls: toolCalls.map(({ id, name, input }) => ({ id, name, input })) }),
    ...(finish?.type === 'finish' && finish.usage && { usage: finish.usage }),
    ...(error && { error: { name: error.name, message: error.message } }),
  };
}

/** A call that did not run has no result. */
function outputOf(
  output: RecordedScript['outputs'] extends ReadonlyMap<string, readonly (infer T)[]> ? T | undefined : never,
): Output {
  const result = output?.items.map(({ item }) => item).findLast((item) => typeof item !== 'string');
  if (result !== undefined && output?.error === undefined) return result as ToolResult;
  const { name, message } = output?.error ?? { name: 'Error', message: 'The recording has no result of this call.' };
  return { error: { name, message } };
}

function agentOf({ agent, tool }: MarbleKit, { turns, tools, ...options }: SpecData) {
  const made = tools.map(({ outputs, ...described }) => {
    let calls = 0;
    return tool({
      ...described,
      result() {
        const output = outputs[calls++] as Output;
        if (!('error' in output)) return output;
        throw Object.assign(new Error(output.error.message), { name: output.error.name });
      },
    });
  });
  const { name, instructions, maxIterations } = options;
  return agent({ name, model: turns, tools: made, maxIterations, ...(instructions !== undefined && { instructions }) });
}
