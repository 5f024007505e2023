import { nativeSchema } from '../native-schema.ts';
import { prune } from '../prune.ts';
import { schemaFaults } from '../schema-faults.ts';
import type { Reader } from './dialect.ts';

/** Hookline's own format. */
export const readNative: Reader = (source, { faults }) => {
  faults.push(...schemaFaults(source, nativeSchema, source.value));
  const config = prune(nativeSchema, source.value) ?? {};
  return { source, dialect: 'hookline', config, toSource: (path) => path };
};
