import { expect } from 'chai';
import { createAgent, createPipeline, type Hook, type Message, type Tool, textOf } from 'hookline';
import { type UiMessageStreamHandlerOptions, uiMessageStreamHandler } from 'hookline/ai-sdk-ui';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { silentLogger } from '../../../lib/pipeline/logger.ts';

const API = 'http://127.0.0.1/api/chat';
export const hi = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
export const body = (more: object = {}) => ({ id: 't', messages: [hi], trigger: 'submit-message', ...more });
export const looks = { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] };

interface Parts extends Omit<Partial<UiMessageStreamHandlerOptions>, 'hooks'> {
  readonly turns?: Parameters<typeof scriptedModel>[0];
  readonly hooks?: readonly Hook[];
  readonly tools?: readonly Tool[];
  /** The option `hooks` of the handler. */
  readonly hookFacts?: boolean;
}

const cold = () => scriptedTool({ name: 'weather', result: '18 °C' });

/** A handler with functions to post to it and to send requests. */
export function scene({ turns = ['hello'], hooks = [], tools = [cold()], hookFacts = false, ...options }: Parts = {}) {
  const model = scriptedModel(turns);
  const agent = createAgent({ name: 'guide', model, tools, pipeline: createPipeline(hooks, { log: silentLogger }) });
  const handler = uiMessageStreamHandler({
    agent,
    identify: ({ headers }) => (headers.has('x-user') ? { userId: headers.get('x-user') as string } : undefined),
    log: silentLogger,
    hooks: hookFacts,
    ...options,
  });
  const ask = (path: string, init: RequestInit & { user?: string } = {}) => {
    const { user = 'ann', headers, ...rest } = init;
    const own = { ...(user && { 'x-user': user }), 'content-type': 'application/json', ...headers };
    return handler(new Request(`${API}${path}`, { ...rest, headers: own }));
  };
  const post = (given: unknown, more: RequestInit & { user?: string } = {}) =>
    ask('', { method: 'POST', body: typeof given === 'string' ? given : JSON.stringify(given), ...more });
  return { ask, post, model };
}

/** The frames of a stream. */
export async function framesOf(response: Response): Promise<readonly string[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length));
}

/** The status, code and message of a rejection. */
export async function refusalOf(response: Response): Promise<readonly [number, string, string]> {
  expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
  return [response.status, response.headers.get('hookline-error') ?? '', await response.text()];
}

export const said = (messages: readonly Message[] = []) =>
  messages.map((message) => `${message.role}: ${textOf(message)}`);
