/** What a command hook gives its host. */
export interface HostAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
