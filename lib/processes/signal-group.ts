/** Sends `signal` to all processes of the group (0 sends nothing); false when there is none. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // Somebody is there, but is another user's by now.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
