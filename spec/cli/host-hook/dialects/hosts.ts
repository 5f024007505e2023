import { fakeClaude } from './fake-claude.ts';
import { fakeCodex } from './fake-codex.ts';
import type { FakeHost } from './fake-host.ts';

/** Every host with a dialect. */
export const hosts: readonly FakeHost[] = [fakeClaude, fakeCodex];
