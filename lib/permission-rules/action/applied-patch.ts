/** A change of a file by a patch: a file that moves has two, `leave` at its old path and `arrive` at the new one. */
export interface PatchedFile {
  readonly path: string;
  readonly does: 'add' | 'update' | 'delete' | 'leave' | 'arrive';
}

/** The files of an apply-patch text. */
export interface AppliedPatch {
  readonly files: readonly PatchedFile[];
  /** Why other files may be changed, too. */
  readonly unreadable?: string;
}

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
/** A here-document around a patch, as `apply_patch` accepts it. */
const WRAPPED = /^<<(?:EOF|'EOF'|"EOF")\r?\n(.*\n)EOF$/s;
const HEADER = /^\*\*\* (?:(Add|Delete|Update) File|Move to):(.*)$/;
const DOES: Readonly<Record<string, PatchedFile['does']>> = {
  Add: 'add',
  Update: 'update',
  Delete: 'delete',
  Move: 'arrive',
};
/** The beginning of any header, wherever a shell may write it. */
const ANY_HEADER = /\*\*\*\s*(?:(?:Add|Delete|Update)\s+File|Move\s+to)\s*:/g;
/** A patch in a here-document whose text the shell does not change. */
const QUOTED = /<<-?[ \t]{0,40}(['"])\w{1,64}\1[^\n]{0,200}\n[ \t]{0,40}\*\*\* Begin Patch/;
/** Texts that a shell may replace with headers. */
const EXPANDED = /[$`\\]/;

/** Returns the files of a patch of the tool `apply_patch`. */
export function readPatch(text: string): AppliedPatch {
  const trimmed = text.trim();
  const patch = WRAPPED.exec(trimmed)?.[1] ?? trimmed;
  const { files, isMarked } = filesIn(patch);
  if (files.length === 0) return { files, unreadable: 'its patch names no file' };
  if (files.some(({ path }) => path === '')) return { files, unreadable: 'its patch has a header without a path' };
  return isMarked ? { files } : { files, unreadable: `its patch has no line ${JSON.stringify(END)}` };
}

/** Returns the files of the patches in a shell line; `undefined` if it contains none. */
export function readPatchInShell(line: string): AppliedPatch | undefined {
  if (!line.includes(BEGIN)) return undefined;
  const patch = line.slice(line.indexOf(BEGIN));
  const { files, isMarked } = filesIn(patch);
  const headers = patch.match(ANY_HEADER)?.length ?? 0;
  const isChanged = EXPANDED.test(patch) && !QUOTED.test(line);
  const isWhole = isMarked && files.length > 0 && headers <= files.length && !isChanged;
  return isWhole ? { files } : { files, unreadable: 'a patch in its command cannot be read' };
}

/** Returns the files that header lines name. A line that begins with `+` or `-` is content, even before a header. */
function filesIn(patch: string): { readonly files: readonly PatchedFile[]; readonly isMarked: boolean } {
  const files: PatchedFile[] = [];
  let isMarked = false;
  for (const line of patch.split(/\r\n|[\r\n]/)) {
    const trimmed = line.trim();
    if (trimmed === END) isMarked = true;
    const [header, kind, rest = ''] = /^[+-]/.test(line) ? [] : (HEADER.exec(trimmed) ?? []);
    if (header === undefined) continue;
    const path = rest.trim();
    if (kind === undefined) {
      // The file above moves here.
      const from = files.pop();
      if (from) files.push({ ...from, does: 'leave' });
    }
    files.push({ path, does: DOES[kind ?? 'Move'] as PatchedFile['does'] });
  }
  return { files, isMarked };
}
