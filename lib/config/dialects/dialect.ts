import type { ConfigIssue, ConfigNotice } from '../issues/config-issue.ts';
import type { NativeConfig } from '../native-schema.ts';
import type { ConfigPath, Source } from '../source/source.ts';

/** The format of a configuration. */
export type DialectName = 'hookline' | 'picoclaw' | 'jarvis' | 'claude';

/** A normalised configuration. */
export interface ConfigFile {
  readonly source: Source;
  readonly dialect: DialectName;
  readonly config: NativeConfig;
  /** Maps a path of `config` to its path in the source. */
  readonly toSource: (path: ConfigPath) => ConfigPath;
  /** Marks the hooks that a host enables by itself. Files cannot remove them without `weaker: true`. */
  readonly floor?: true;
}

/** The issues and notices found while reading. */
export interface Findings {
  readonly issues: ConfigIssue[];
  readonly notices: ConfigNotice[];
}

/** Reads a source of one dialect. Adds issues and notices to `findings`. */
export type Reader = (source: Source, findings: Findings) => ConfigFile;
