import { schemaFaults } from '../faults/schema-faults.ts';
import { type NativeConfig, nativeSchema } from '../native-schema.ts';
import { prune } from '../prune.ts';
import type { Reader } from './dialect.ts';
import { renewWords } from './old-words.ts';

/** Hookline's own format. */
export const readNative: Reader = (source, { faults, notices }) => {
  const { value, renewed, toSource } = renewWords(source.value);
  for (const { path, now } of renewed) {
    const message = `"failure" is the word of an earlier version; write ${now}.`;
    notices.push({ file: source.file, ...source.placeOf(path, 'key'), path, message });
  }
  const wrong = schemaFaults(source, nativeSchema, value, toSource);
  faults.push(...wrong);
  // What fits is as it stands: the schema fills nothing in.
  const config = wrong.length === 0 ? (value as NativeConfig) : (prune(nativeSchema, value) ?? {});
  return { source, dialect: 'hookline', config, toSource };
};
