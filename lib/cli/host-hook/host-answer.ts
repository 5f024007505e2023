/** Answer of a command hook to its host. */
export interface HostAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
