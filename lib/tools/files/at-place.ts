import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { Workspace } from '../workspace.ts';
import { enter, type Place, type Way } from './enter.ts';
import { tellFileErrors } from './tell-file-errors.ts';

/** What `action` comes to at `path`, whose folder is held open meanwhile; what the system says against the path is told to the model. */
export function atPlace(
  workspace: Workspace,
  path: string,
  { signal, ...way }: Way & { readonly signal: AbortSignal },
  action: (place: Place) => Promise<ToolResult>,
): Promise<ToolResult> {
  return tellFileErrors(path, async () => {
    signal.throwIfAborted();
    const place = await enter(workspace, path, way);
    try {
      return await action(place);
    } finally {
      await place.folder.close();
    }
  });
}
