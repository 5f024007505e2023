import type { Wire } from './fake-model.ts';

/** One command for one event of a host. */
export interface HookCommand {
  event: string;
  command: string;
  /** Seconds after which the host gives the command up (default: 40). */
  timeout?: number;
}

/** What the settings of a host are made of. */
export interface HostSettings {
  home: string;
  work: string;
  port: number;
  hooks: readonly HookCommand[];
  /** The command line that starts the host. */
  program: readonly string[];
  variant: Variant;
}

export interface Variant {
  /** Codex: the flag that skips the review of hooks, the review through its app server, or neither (default: `flag`). */
  trust?: 'flag' | 'reviewed' | 'none';
  /** Codex: the shape of its tools (default: `exec_command`). */
  tools?: 'exec_command' | 'code-mode' | 'apply_patch';
  /** opencode: more of its configuration. */
  configuration?: Record<string, unknown>;
  /** The servers of MCP, by name: the command line of each. */
  mcp?: Record<string, readonly string[]>;
}

/** One coding host: its wire, the settings it reads, and the command line of a run without a terminal. */
export interface Host {
  wire: Wire;
  /** Writes the settings; returns arguments for the command line. */
  configure(settings: HostSettings): Promise<readonly string[]> | readonly string[];
  arguments(prompt: string): readonly string[];
  environment(settings: HostSettings): Record<string, string>;
}
