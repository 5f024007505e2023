import { z } from 'zod';
import { refuse } from '../http/refuse.ts';

/** Where runs of a server work, and what it was configured with. */
export const runPlaceSchema = z.strictObject({
  workspace: z.string().describe('The folder that its tools work in.'),
  configuration: z.array(z.string()).describe('The files of its hooks, the later one over the earlier.'),
});

/** Where a run belongs: the workspace of its server, and the files of its hooks. */
export type RunPlace = z.infer<typeof runPlaceSchema>;

/** Whether a run belongs to another workspace than that of this server. What names none, as those of programs, may be resumed anywhere. */
export function isElsewhere(run: RunPlace | undefined, here: RunPlace | undefined): boolean {
  return run !== undefined && here !== undefined && run.workspace !== here.workspace;
}

/** Refuses (409) an answer to a run of another workspace: it would go on here, under the hooks and with the files of this one. */
export function refuseElsewhere(run: RunPlace | undefined, here: RunPlace | undefined): void {
  if (!isElsewhere(run, here)) return;
  const what = `The run belongs to the workspace ${JSON.stringify(run?.workspace)}, and this server works on ${JSON.stringify(here?.workspace)}.`;
  throw refuse(409, `${what} Start a server for that workspace, and answer there.`);
}
