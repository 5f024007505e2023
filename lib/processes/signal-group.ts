/** Sends `signal` to all processes of the group (0 sends nothing). Returns false if there is none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // The group exists, but now belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
