import { hookWords } from '../command-line.ts';
import { hostTimeout } from '../host-writer.ts';
import { ownFileWriter } from '../own-file-writer.ts';

const COMMAND = /^const command = (\[.*\]);$/m;

/** A plugin of opencode, which has no hook commands. */
export const opencodeWriter = ownFileWriter({
  host: 'opencode',
  user: 'opencode/plugins/hookline.js',
  project: '.opencode/plugins/hookline.js',
  byHand: ['Start opencode again: it loads plugins only when it starts.'],
  text: (flags) => pluginText(hookWords(flags), hostTimeout(flags) * 1_000, flags.failOpen ?? false),
  commandOf(text) {
    const [, words] = COMMAND.exec(text) ?? [];
    return words === undefined ? undefined : (JSON.parse(words) as readonly string[]);
  },
});

/**
 * Returns the plugin file of opencode. It imports modules of Node only, because opencode continues without a plugin that fails to load. Everything after
 * that throws, which denies.
 */
const pluginText = (words: readonly string[], timeoutMs: number, failOpen: boolean): string =>
  `// Written by "hookline hook --as opencode --install --write", which also replaces it.
import { spawn } from 'node:child_process';

const command = ${JSON.stringify(words)};
const timeoutMs = ${timeoutMs};
const failOpen = ${failOpen};

function run(text, cwd) {
  return new Promise((resolve, reject) => {
    const [program, ...rest] = command;
    const child = spawn(program, rest, { cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let stdout = '';
    let stderr = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('hookline took longer than ' + timeoutMs + ' ms'));
    }, timeoutMs);
    child.on('error', (error) => reject(new Error('hookline did not start: ' + error.message)));
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.once('close', () => clearTimeout(timer));
    child.stdout.setEncoding('utf8').on('data', (part) => { stdout += part; });
    child.stderr.setEncoding('utf8').on('data', (part) => { stderr += part; });
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}

let servers = [];

async function answerTo(event, cwd) {
  const { code, signal, stdout, stderr } = await run(JSON.stringify({ host: 'opencode', cwd, servers, ...event }), cwd);
  const end = signal ? 'was killed by ' + signal : 'ended with exit code ' + code;
  let answer;
  try {
    answer = JSON.parse(stdout === '' && code === 0 ? '{}' : stdout);
  } catch {
    throw new Error(stderr.trim() || 'hookline ' + end + ' and gave no answer');
  }
  if (answer === null || typeof answer !== 'object') throw new Error('hookline gave an invalid answer');
  if (code !== 0 && answer.refused === undefined && !(failOpen && code === 1)) throw new Error(stderr.trim() || 'hookline ' + end);
  return answer;
}

async function ask(event, cwd) {
  let answer;
  try {
    answer = await answerTo(event, cwd);
  } catch (error) {
    if (!failOpen) throw error;
    return {};
  }
  if (answer.refused !== undefined) throw new Error(String(answer.refused));
  return answer;
}

const isText = (value) => typeof value === 'string';

/** Changes arguments in place: opencode ignores new ones. */
function assign(target, source) {
  for (const key of Object.keys(target)) if (!(key in source)) delete target[key];
  Object.assign(target, source);
}

/** opencode shows the user no message of an error that ends a prompt. */
function tell(client, { message }) {
  const text = ('hookline denied the prompt: ' + message).replace(/\\p{Cc}/gu, ' ');
  if (process.argv.includes('run')) process.stderr.write(text + '\\n');
  client?.tui?.showToast?.({ body: { title: 'hookline', message: text, variant: 'error' } })?.catch?.(() => {});
}

export const Hookline = async ({ directory, client }) => ({
  // The name of an MCP tool does not tell where the name of its server ends.
  config: async ({ mcp }) => {
    servers = Object.keys(mcp ?? {});
  },
  'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
    const { args } = await ask({ event: 'tool.execute.before', sessionID, callID, tool, args: output.args ?? {} }, directory);
    if (args) assign(output.args, args);
  },
  'tool.execute.after': async ({ tool, sessionID, callID, args = {} }, result) => {
    const given = isText(result.output) ? result.output : result.content ?? '';
    const { output } = await ask({ event: 'tool.execute.after', sessionID, callID, tool, args, output: given }, directory);
    if (output === undefined) return;
    const text = isText(output) ? output : JSON.stringify(output);
    if (isText(result.output)) result.output = text;
    else result.content = Array.isArray(output) ? output : [{ type: 'text', text }];
    // The user would see the old output there.
    if (isText(result.metadata?.output)) result.metadata.output = text;
  },
  'chat.message': async ({ sessionID }, { parts }) => {
    const prompt = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\\n');
    try {
      await ask({ event: 'chat.message', sessionID, prompt }, directory);
    } catch (error) {
      tell(client, error);
      throw error;
    }
  },
});
`;
