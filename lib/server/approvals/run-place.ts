import { z } from 'zod';
import { refuse } from '../http/refuse.ts';

/** Schema of the workspace and configuration files of a run. */
export const runPlaceSchema = z.strictObject({
  workspace: z.string().describe('Directory that the tools work in.'),
  configuration: z.array(z.string()).describe('Configuration files, later ones win.'),
});

/** The workspace of a run, and the files of its hooks. */
export type RunPlace = z.infer<typeof runPlaceSchema>;

/** Whether a run belongs to a workspace other than this server's. A run without a workspace, such as one of a program, may be resumed anywhere. */
export function isElsewhere(run: RunPlace | undefined, here: RunPlace | undefined): boolean {
  return run !== undefined && here !== undefined && run.workspace !== here.workspace;
}

/** Rejects (409) an answer to a run of another workspace. The run would continue with the hooks and files of this workspace. */
export function refuseElsewhere(run: RunPlace | undefined, here: RunPlace | undefined): void {
  if (!isElsewhere(run, here)) return;
  const what = `The run belongs to the workspace ${JSON.stringify(run?.workspace)}, but this server uses ${JSON.stringify(here?.workspace)}.`;
  throw refuse(409, `${what} Start a server for that workspace and answer there.`);
}
