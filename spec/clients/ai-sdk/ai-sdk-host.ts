import * as ai5latest from 'ai5latest';
import { withHooks } from '../../../lib/adapters/ai-sdk/index.ts';
import { type PendingCallStore, pendingCallStore } from '../../../lib/loops/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { LoopHost, LoopOutcome, LoopScene, LoopTool } from '../../../lib/testing/index.ts';
import { type Client, clients } from '../ai-sdk-ui/clients.ts';
import { type ScriptedLanguageModel, scriptedLanguageModel } from './scripted-language-model.ts';

const specifications = { 5: 'v2', 6: 'v3', 7: 'v4' } as const;
type Sdk = Client['sdk'];
interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** Version 5.0.0 has no tools with progress. */
const versions: readonly Client[] = [
  { name: 'ai 5.0.277', version: 5, sdk: ai5latest as unknown as Sdk },
  ...clients.filter(({ version }) => version > 5),
];

/** The AI SDK in each version as a host of the contract. */
export const hosts: readonly LoopHost[] = versions.map((client) => ({
  name: client.name,
  asks: client.version > 5,
  cannot: {
    'preReasoning: model is changed': "the model is the host's own",
    'postCall: message is changed': 'the SDK has its result by then',
  },
  run: (scene) => aiSdkScene(client, scene),
}));

function aiSdkScene({ sdk, version }: Client, scene: LoopScene): Promise<LoopOutcome> {
  const model = scriptedLanguageModel(specifications[version], scene.turns);
  const pendingCalls = pendingCallStore(memoryStateStore());
  const hooked = withHooks(sdk as never, scene.pipeline, settingsOf(scene, pendingCalls)) as unknown as Sdk;
  const tools = Object.fromEntries(scene.tools.map((tool) => [tool.name, hostTool(sdk, tool)]));
  const go = async (messages: readonly Message[]): Promise<LoopOutcome> => {
    const options = { model, messages, tools, stopWhen: sdk.stepCountIs(5), onError: () => {} } as never;
    const told = scene.streamed ? await streamed(hooked, options) : await whole(hooked, options);
    return outcome(model, messages, told, go);
  };
  return go([{ role: 'user', content: scene.question }]);
}

function settingsOf({ agent, who, buffer = false }: LoopScene, pendingCalls: PendingCallStore) {
  return { agent, pendingCalls, buffer, ...who };
}

function hostTool(sdk: Sdk, { description, inputSchema, progress = [], execute }: LoopTool): object {
  return {
    description,
    inputSchema: sdk.jsonSchema(inputSchema as never),
    async *execute(input: never) {
      const value = execute(input);
      yield* progress;
      yield value;
    },
  };
}

interface Told {
  readonly screen: string;
  readonly messages: readonly Message[];
  readonly error?: unknown;
}

async function whole({ generateText }: Sdk, options: never): Promise<Told> {
  try {
    const result = await generateText(options);
    const { content, text, steps } = result;
    const screen = JSON.stringify([content, text, steps.map((step) => step.content)]);
    return { screen, messages: await messagesOf(result) };
  } catch (error) {
    return { screen: '', messages: [], error };
  }
}

async function streamed({ streamText }: Sdk, options: never): Promise<Told> {
  let screen = '';
  let error: unknown;
  const signal = new Promise((resolve) => setTimeout(resolve, 5_000, 'late'));
  const result = streamText({
    ...(options as object),
    onAbort: (event: { reason?: unknown }) => (error ??= event.reason),
  } as never);
  const read = async () => {
    for await (const part of result.fullStream) {
      screen += `${JSON.stringify(part)}\n`;
      const { type, error: thrown } = part as { type: string; error?: unknown };
      if (type === 'error') error ??= thrown;
      // Before 6.0.326 the part gives no reason.
      if (type === 'abort') error ??= { code: 'RUN_ABORTED' };
    }
  };
  await Promise.race([read(), signal.then(() => Promise.reject(new Error('the stream did not end')))]).catch(
    (thrown) => {
      error ??= thrown;
    },
  );
  try {
    const messages = await messagesOf(result);
    return { screen: joined(screen), messages, ...(error !== undefined && { error }) };
  } catch (thrown) {
    return { screen, messages: [], error: error ?? thrown };
  }
}

/** The messages of all steps. Since version 7 the response has only those of the last step. */
async function messagesOf(result: {
  readonly response: Messages | PromiseLike<Messages>;
  readonly responseMessages?: Messages['messages'] | PromiseLike<Messages['messages']>;
}): Promise<readonly Message[]> {
  return (await result.responseMessages) ?? (await result.response).messages;
}

interface Messages {
  readonly messages: readonly Message[];
}

/** Joins streamed text. */
function joined(screen: string): string {
  const texts = screen.split('\n').flatMap((line) => {
    const part = line && JSON.parse(line);
    return part.type === 'text-delta' ? [part.text ?? part.delta] : [];
  });
  return screen + texts.join('');
}

function outcome(
  model: ScriptedLanguageModel,
  asked: readonly Message[],
  { screen, messages, error }: Told,
  go: (messages: readonly Message[]) => Promise<LoopOutcome>,
): LoopOutcome {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const answered = new Set(
    parts.flatMap(({ type, approvalId }) => (type === 'tool-approval-response' ? [approvalId] : [])),
  );
  const approvals = parts.filter(
    ({ type, approvalId }) => type === 'tool-approval-request' && !answered.has(approvalId),
  );
  const resume = (approved: boolean) => {
    const content = approvals.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved }));
    return go([...asked, ...messages, { role: 'tool', content }]);
  };
  return {
    screen,
    prompts: model.prompts.map((prompt) => JSON.stringify(prompt)),
    requests: model.requests,
    stored: JSON.stringify(messages),
    ...(error !== undefined && { error }),
    ...(approvals.length > 0 && { waits: true, resume }),
  };
}
