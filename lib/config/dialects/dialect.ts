import type { ConfigFault, ConfigNotice } from '../faults/fault.ts';
import type { NativeConfig } from '../native-schema.ts';
import type { ConfigPath, Source } from '../source/source.ts';

/** Whose format a configuration has. */
export type DialectName = 'hookline' | 'picoclaw' | 'jarvis' | 'claude';

/** A configuration, normalised. */
export interface ConfigFile {
  readonly source: Source;
  readonly dialect: DialectName;
  readonly config: NativeConfig;
  /** Where a part of `config` stands in the source. */
  readonly toSource: (path: ConfigPath) => ConfigPath;
  /** Hooks that a host puts on by itself: no file takes them away unless it says `weaker: true`. */
  readonly floor?: true;
}

/** What reading finds on its way. */
export interface Findings {
  readonly faults: ConfigFault[];
  readonly notices: ConfigNotice[];
}

/** Reads a source of one dialect; what is wrong with it goes to `findings`. */
export type Reader = (source: Source, findings: Findings) => ConfigFile;
