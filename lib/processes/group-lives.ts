import { readdir, readFile } from 'node:fs/promises';
import { signalGroup } from './signal-group.ts';

/** Whether a process of the group still runs. One that only waits to be reaped does not, where the system can tell. */
export async function groupLives(group: number): Promise<boolean> {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  // An orphan is reaped by process 1, which in containers may be slow to do it, or never does.
  const entries = await readdir('/proc').catch(() => undefined);
  if (!entries) return true;
  for (const entry of entries) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '');
    // "id (name) state parent group ...", and the name may hold anything.
    const [state, , groupOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(groupOf) === group && state !== 'Z' && state !== 'X') return true;
  }
  return false;
}
