import { builtIns } from '../../lib/hooks/built-ins.ts';
import { tempFolder } from '../temp-folder.ts';

/** Options of built-in hooks by name, from the example of each. */
export const neededOptions: Readonly<Record<string, object>> = {
  ...Object.fromEntries(builtIns.map(({ name, example = {} }) => [name, example])),
  rag: { folder: '.' },
  skills: { folders: ['samples/hooks/skills'] },
  recorder: { folder: tempFolder('recordings') },
};
