import { fakeClaude } from './fake-claude.ts';
import { fakeCodex } from './fake-codex.ts';
import { fakeCopilot } from './fake-copilot.ts';
import { fakeCursor } from './fake-cursor.ts';
import { fakeKiro, fakeWindsurf } from './fake-exit-code-hosts.ts';
import { fakeGemini } from './fake-gemini.ts';
import type { FakeHost } from './fake-host.ts';
import { fakeOpencode } from './fake-opencode.ts';

/** Every host with a dialect. */
export const hosts: readonly FakeHost[] = [
  fakeClaude,
  fakeCodex,
  fakeCursor,
  fakeGemini,
  fakeCopilot,
  fakeOpencode,
  fakeWindsurf,
  fakeKiro,
];
