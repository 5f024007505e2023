import type { DialectName } from '../dialects/dialect-names.ts';
import type { HostWriter } from './host-writer.ts';
import { claudeWriter } from './hosts/claude.ts';
import { codexWriter } from './hosts/codex.ts';
import { copilotWriter } from './hosts/copilot.ts';
import { cursorWriter } from './hosts/cursor.ts';
import { geminiWriter } from './hosts/gemini.ts';
import { kiroWriter } from './hosts/kiro.ts';
import { opencodeWriter } from './hosts/opencode.ts';
import { windsurfWriter } from './hosts/windsurf.ts';

export const writers: Readonly<Record<DialectName, HostWriter>> = {
  claude: claudeWriter,
  codex: codexWriter,
  cursor: cursorWriter,
  gemini: geminiWriter,
  copilot: copilotWriter,
  opencode: opencodeWriter,
  windsurf: windsurfWriter,
  kiro: kiroWriter,
};
