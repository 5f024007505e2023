import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { Workspace } from '../workspace.ts';
import { describeFileErrors } from './describe-file-errors.ts';
import { enter, type Place, type Way } from './enter.ts';

/** Runs `action` at `path` while its folder is open. A system error about the path becomes a result for the model. */
export function atPlace(
  workspace: Workspace,
  path: string,
  { signal, ...way }: Way & { readonly signal: AbortSignal },
  action: (place: Place) => Promise<ToolResult>,
): Promise<ToolResult> {
  return describeFileErrors(path, async () => {
    signal.throwIfAborted();
    const place = await enter(workspace, path, way);
    try {
      return await action(place);
    } finally {
      await place.folder.close();
    }
  });
}
