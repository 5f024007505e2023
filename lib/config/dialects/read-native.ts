import { schemaIssues } from '../issues/schema-issues.ts';
import { type NativeConfig, nativeSchema } from '../native-schema.ts';
import { prune } from '../prune.ts';
import type { Reader } from './dialect.ts';

/** Hookline's own format. */
export const readNative: Reader = (source, { issues }) => {
  const { value } = source;
  const wrong = schemaIssues(source, nativeSchema, value);
  issues.push(...wrong);
  // A valid value is used unchanged, because the schema has no defaults.
  const config = wrong.length === 0 ? (value as NativeConfig) : (prune(nativeSchema, value) ?? {});
  return { source, dialect: 'hookline', config, toSource: (path) => path };
};
