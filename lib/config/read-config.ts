import type { ConfigFile, DialectName, Findings, Reader } from './dialects/dialect.ts';
import { readClaude } from './dialects/read-claude.ts';
import { readJarvis } from './dialects/read-jarvis.ts';
import { readNative } from './dialects/read-native.ts';
import { readPicoClaw } from './dialects/read-picoclaw.ts';
import { recognise } from './dialects/recognise.ts';
import type { Source } from './source/source.ts';

const readers: Readonly<Record<DialectName, Reader>> = {
  hookline: readNative,
  picoclaw: readPicoClaw,
  jarvis: readJarvis,
  claude: readClaude,
};

/** Reads a source in the dialect detected from its shape. Returns `undefined` if the source could not be parsed. */
export function readConfig(source: Source, findings: Findings): ConfigFile | undefined {
  if (source.value === undefined) return undefined;
  return readers[recognise(source.value as object)](source, findings);
}
