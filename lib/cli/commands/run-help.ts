/** What `hookline run --help` says below the options. */
export const RUN_HELP = `
Models:
  offline                    no language model: a few rules that understand "list the files in lib",
                             "read README.md", "search for x in lib", "run npm --version" and the like
  script:<file>              a JSON array of model turns, each an object of text, chunks, thinking,
                             toolCalls ([{ "name", "input" }]), usage and error, all of them optional
  openai-compatible:<model>  any server with OpenAI's chat API; needs @ai-sdk/openai-compatible

Hooks:
  audit-log and dangerous-confirmation are always there. The audit is a file in your state folder
  ($XDG_STATE_HOME or ~/.local/state); where exactly is said on stderr. A module of --hooks may lie
  anywhere and import 'hookline'; a .ts module needs ts-node. --hooks security-scan keeps secrets out
  of answers, results and the transcript.

Approval:
  ask   every question is asked on the terminal; where there is none, the run ends suspended
  yes   every question is answered with yes
  no    every question is answered with no
  Left out, it is ask where stdout or stderr is a terminal, no elsewhere. A run that a hook suspends
  is resumed with the answer at once, as a run of its own.

Exit codes:
  0  completed, responded or finished    1  failed
  2  bad usage or bad input file         3  aborted by a hook
  4  suspended: nobody could be asked    5  exhausted: --max-iterations is reached
  130, 143, 129  cancelled by Ctrl-C, SIGTERM, a closed terminal (a second signal exits at once)
  141            cancelled because nobody reads the output any more

Examples:
  hookline run "list the files in . and read README.md"
  hookline run "delete notes.txt" --approve yes --workspace /tmp/demo
  hookline run "read README.md" --hooks ./my-hook.ts --json | jq .type
  git diff | hookline run --model openai-compatible:qwen3 --base-url http://localhost:11434/v1
`;
