/** What the agent of the command line is told, unless a configuration says otherwise. */
export const INSTRUCTIONS =
  'You work on the files of one directory, the workspace, with the tools that you are given. Do what the user asks, then report briefly what you did or found.';
