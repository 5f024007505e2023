import './check-peers.ts';

export type { RunPlace } from './approvals/run-place.ts';
export { type CaseDeps, caseRoutes } from './config/case-routes.ts';
export type { PolicyCases } from './config/policy-cases.ts';
export { createServer, type HooklineServer, type ServerOptions } from './create-server.ts';
export { type Fleet, type FleetParts, joinFleet } from './fleet/join-fleet.ts';
export type { ServerLink } from './fleet/server-link.ts';
export type { Problem } from './http/problem.ts';
export type { RequestInfo } from './http/request-info.ts';
export {
  defineRoute,
  type Route,
  type RouteCall,
  type RouteGroup,
  type RouteResponse,
  routeGroup,
} from './http/route.ts';
export { type Listening, type ListenOptions, listen } from './listen.ts';
export { type QuestionDeps, questionRoutes } from './questions/question-routes.ts';
export { type OpenRecording, openRecordings, type Recordings } from './recordings/open-recordings.ts';
export { recordingRoutes } from './recordings/recording-routes.ts';
export { type ReplayDeps, replayRoutes } from './recordings/replay-routes.ts';
export { type ReportDeps, reportRoutes } from './reports/report-routes.ts';
export { createReportedRuns, type ReportedRuns, type ReportOutcome } from './reports/reported-runs.ts';
export { type FileRunStoreOptions, fileRunStore } from './run-store/file-run-store.ts';
export { type MemoryRunStoreOptions, memoryRunStore } from './run-store/memory-run-store.ts';
export type { RunAddition, RunKey, RunLog, RunStore, StoredRun } from './run-store/run-store.ts';
export { type RunStoreReport, runStoreContract } from './run-store/run-store-contract.ts';
export { agentPorts } from './runs/agent-ports.ts';
export { createRuns } from './runs/create-runs.ts';
export type { RunOwner, RunPorts, RunRequest } from './runs/run-ports.ts';
export { runRoutes } from './runs/run-routes.ts';
export type { Runs, RunsOptions, StartRequest } from './runs/runs.ts';
export { type FileSessions, fileSessions } from './runs/take-over/file-sessions.ts';
export type { PriceTable } from './runs/view/run-prices.ts';
export { type Caller, demand, type Right, rights, type ServerEnv } from './security/caller.ts';
export type { LoginLimits } from './security/failed-logins.ts';
export { firstToken, pageToken } from './starter-tokens.ts';
export { createTokens, type TokenGrant, type TokenInfo, type Tokens } from './tokens.ts';
