// What the model says and calls in each scene, and which line of the audit tells of it.
import type { scriptedModel } from 'hookline/testing';

/** One hook at work. `sent` are the chunks of the model where they matter, `audit` how the message of the audit's line begins. */
export interface Scene {
  readonly hook: string;
  readonly title: string;
  readonly prompt: string;
  readonly turns: Parameters<typeof scriptedModel>[0];
  readonly sent?: readonly string[];
  readonly audit: string;
}

const login = ['Log in ', 'as admin. ', 'The password is corr', 'ect-horse-ba', 'ttery, ', 'and the port ', 'is 5432.'];

export const scenes: readonly Scene[] = [
  {
    hook: 'secrets',
    title: 'A secret is cut over three chunks. It vanishes from the answer.',
    prompt: 'How do I log in to the database?',
    turns: [{ chunks: login }],
    sent: login,
    audit: 'note',
  },
  {
    hook: 'spelling',
    title: 'The model misspells a file name. A hook rewrites the call.',
    prompt: 'What license is this?',
    turns: [
      { toolCalls: [{ name: 'read_file', input: { path: 'LICENCE' } }] },
      { chunks: ['It is ', 'the MIT ', 'license.'] },
    ],
    audit: 'note',
  },
  {
    hook: 'ask-first',
    title: 'A dangerous call waits for an answer.',
    prompt: 'Delete draft.txt.',
    turns: [
      { toolCalls: [{ name: 'delete_file', input: { path: 'draft.txt' } }] },
      { chunks: ['I did ', 'what you ', 'allowed.'] },
    ],
    audit: 'tool_call_',
  },
  {
    hook: 'no-force',
    title: 'A call that breaks a rule is refused, and the model is told why.',
    prompt: 'Deploy this, whatever it takes.',
    turns: [
      { toolCalls: [{ name: 'run_command', input: { command: './deploy.sh --force' } }] },
      { chunks: ['I may not ', 'deploy with force. ', 'Shall I ', 'try without?'] },
    ],
    audit: 'tool_call_denied',
  },
];
