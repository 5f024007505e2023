import { hookWords, powershellLine, sayingLine, shellLine } from '../command-line.ts';
import { hostTimeout, type InstallFlags } from '../host-writer.ts';
import { listWriter } from '../list-writer.ts';

/** `settings.json` of Gemini CLI, with its events of the model, because only they show what the model is asked and answers. */
export const geminiWriter = listWriter({
  host: 'gemini',
  user: 'settings.json',
  project: '.gemini/settings.json',
  call: 'BeforeTool',
  comments: true,
  byHand: [
    'Trust the folder in Gemini CLI: in a folder that is not trusted, no hooks run, not even those of the user.',
  ],
  hooks(flags) {
    const hooked = (denies: boolean) => ({ hooks: [handler(flags, denies && !flags.failOpen)] });
    return {
      SessionStart: hooked(false),
      BeforeAgent: hooked(true),
      BeforeModel: hooked(true),
      AfterModel: hooked(true),
      BeforeTool: hooked(true),
      AfterTool: hooked(true),
      // Denying every answer would continue the agent forever.
      AfterAgent: hooked(false),
    };
  },
});

function handler(flags: InstallFlags, denies: boolean) {
  const words = hookWords(flags);
  const windows = process.platform === 'win32';
  const line = windows ? powershellLine(words, denies) : denies ? sayingLine(words) : shellLine(words);
  return { type: 'command', name: 'hookline', command: line, timeout: hostTimeout(flags) * 1_000 };
}
