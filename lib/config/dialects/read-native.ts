import { schemaFaults } from '../faults/schema-faults.ts';
import { type NativeConfig, nativeSchema } from '../native-schema.ts';
import { prune } from '../prune.ts';
import type { Reader } from './dialect.ts';

/** Hookline's own format. */
export const readNative: Reader = (source, { faults }) => {
  const wrong = schemaFaults(source, nativeSchema, source.value);
  faults.push(...wrong);
  // What fits is as it stands: the schema fills nothing in.
  const config = wrong.length === 0 ? (source.value as NativeConfig) : (prune(nativeSchema, source.value) ?? {});
  return { source, dialect: 'hookline', config, toSource: (path) => path };
};
