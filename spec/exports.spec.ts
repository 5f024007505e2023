import { expect } from 'chai';
import * as hookline from 'hookline';
import * as agUi from 'hookline/ag-ui';
import * as aiSdk from 'hookline/ai-sdk';
import * as aiSdkUi from 'hookline/ai-sdk-ui';
import * as config from 'hookline/config';
import * as fileTranscript from 'hookline/file-transcript';
import * as gitleaks from 'hookline/gitleaks';
import * as hooks from 'hookline/hooks';
import * as longTermMemoryHook from 'hookline/hooks/long-term-memory';
import * as ragHook from 'hookline/hooks/rag';
import * as langchain from 'hookline/langchain';
import * as loops from 'hookline/loops';
import * as mastra from 'hookline/mastra';
import * as mcp from 'hookline/mcp';
import * as nats from 'hookline/nats';
import * as offline from 'hookline/offline';
import * as openaiAgents from 'hookline/openai-agents';
import * as otelHook from 'hookline/otel';
import * as packageJson from 'hookline/package.json';
import * as processHooks from 'hookline/process-hooks';
import * as redaction from 'hookline/redaction';
import * as replay from 'hookline/replay';
import * as server from 'hookline/server';
import * as strands from 'hookline/strands';
import * as testing from 'hookline/testing';
import * as tools from 'hookline/tools';

/** Every runtime name of each entry point. Adding one is a promise, and removing one a breaking change. */
const entries: Record<string, { readonly module: object; readonly names: readonly string[] }> = {
  hookline: {
    module: hookline,
    names: [
      'EVENT_FORMAT_VERSION',
      'HookPriority',
      'HooklineError',
      'SNAPSHOT_VERSION',
      'abort',
      'accumulate',
      'actingChunkSchema',
      'actingOutcomeSchema',
      'addUsage',
      'agentTool',
      'answerSchema',
      'assistantMessage',
      'callOutcomeSchema',
      'createAgent',
      'createPipeline',
      'decisionStrictness',
      'defineHook',
      'defineState',
      'defineTool',
      'deny',
      'describeTool',
      'errorCodes',
      'errorEventSchema',
      'errorInfoSchema',
      'errorResult',
      'eventRules',
      'eventTypes',
      'finish',
      'finishReasonSchema',
      'holdBack',
      'hookEventSchema',
      'isHook',
      'jsonObjectSchema',
      'jsonValueSchema',
      'memoryTranscript',
      'messagePartSchema',
      'messageSchema',
      'modelChunkSchema',
      'modelOptionsSchema',
      'modelRequestSchema',
      'modify',
      'noteSchema',
      'pendingCallSchema',
      'openSnapshot',
      'pendingCalls',
      'permissionSchema',
      'postActingSchema',
      'postCallSchema',
      'postReasoningSchema',
      'preActingSchema',
      'preCallSchema',
      'preReasoningSchema',
      'reasoningChunkSchema',
      'respond',
      'retry',
      'runInfoSchema',
      'signSnapshot',
      'snapshotSchema',
      'systemMessage',
      'textMessage',
      'textOf',
      'toAsyncIterable',
      'toErrorInfo',
      'toJson',
      'toMessage',
      'toolCallSchema',
      'toolCallsOf',
      'toolChoiceSchema',
      'toolDescriptionSchema',
      'toolResult',
      'toolResultSchema',
      'usageSchema',
      'userMessage',
      'verdict',
    ],
  },
  'hookline/testing': {
    module: testing,
    names: [
      'anEvent',
      'bareContract',
      'describeEvent',
      'hookContract',
      'kindContract',
      'loopContract',
      'marbles',
      'recordedRun',
      'recordedSpec',
      'recorder',
      'scriptSchema',
      'scriptedModel',
      'scriptedTool',
      'toolCall',
      'transcriptStoreContract',
    ],
  },
  'hookline/tools': {
    module: tools,
    names: [
      'deleteFileTool',
      'listFilesTool',
      'readFileTool',
      'runCommandTool',
      'searchTextTool',
      'workspaceTools',
      'writeFileTool',
    ],
  },
  'hookline/hooks': {
    module: hooks,
    names: [
      'askTerminal',
      'auditLog',
      'auditLogOptionsSchema',
      'autoContext',
      'autoContextOptionsSchema',
      'budget',
      'budgetOptionsSchema',
      'builtIns',
      'createAskTerminal',
      'createInbox',
      'createCatalogue',
      'dangerousConfirmation',
      'dangerousConfirmationOptionsSchema',
      'defineCatalogueEntry',
      'fileStateStore',
      'judge',
      'judgeOptionsSchema',
      'loopGuard',
      'loopGuardOptionsSchema',
      'memoryStateStore',
      'modelFallback',
      'modelFallbackOptionsSchema',
      'modelRetry',
      'modelRetryOptionsSchema',
      'monitor',
      'monitorOptionsSchema',
      'permission',
      'permissionOptionsSchema',
      'planHint',
      'planHintOptionsSchema',
      'promptHint',
      'promptHintOptionsSchema',
      'rateLimit',
      'rateLimitOptionsSchema',
      'recorderOptionsSchema',
      'requirePart',
      'runRecorder',
      'securityScan',
      'securityScanOptionsSchema',
      'skills',
      'skillsOptionsSchema',
      'stateStoreContract',
      'streaming',
      'streamingOptionsSchema',
      'structuredOutput',
      'structuredOutputOptionsSchema',
      'timing',
      'timingOptionsSchema',
      'todo',
      'todoOptionsSchema',
      'toolCache',
      'toolCacheOptionsSchema',
      'toolParams',
      'toolParamsOptionsSchema',
      'toolResultLimit',
      'toolResultLimitOptionsSchema',
      'toolRetry',
      'toolRetryOptionsSchema',
      'toolSelection',
      'toolSelectionOptionsSchema',
      'toolTimeLimit',
      'toolTimeLimitOptionsSchema',
      'verifyAudit',
      'webhook',
      'webhookOptionsSchema',
      'wordFilter',
      'wordFilterOptionsSchema',
    ],
  },
  'hookline/hooks/long-term-memory': {
    module: longTermMemoryHook,
    names: ['longTermMemory', 'longTermMemoryOptionsSchema'],
  },
  'hookline/hooks/rag': { module: ragHook, names: ['rag', 'ragOptionsSchema'] },
  'hookline/otel': { module: otelHook, names: ['otel', 'otelOptionsSchema'] },
  'hookline/nats': { module: nats, names: ['natsBackplane', 'natsOptionsSchema'] },
  'hookline/redaction': {
    module: redaction,
    names: [
      'compileRules',
      'createRedactor',
      'createSecretMemory',
      'credentialRules',
      'ownRules',
      'personalRules',
      'redactStream',
      'rulesNamed',
    ],
  },
  'hookline/loops': {
    module: loops,
    names: [
      'RunAborted',
      'pendingCallRecordSchema',
      'pendingCallStore',
      'memoryPendingCallStore',
      'judgeCall',
      'lifetimeFrom',
      'openPendingCall',
      'rawResult',
      'signPendingCall',
      'startLoopRun',
    ],
  },
  'hookline/ai-sdk': { module: aiSdk, names: ['RunAborted', 'aiSdkModel', 'forCall', 'withHooks'] },
  'hookline/langchain': { module: langchain, names: ['RunAborted', 'hookedAgent', 'hookline'] },
  'hookline/openai-agents': { module: openaiAgents, names: ['RunAborted', 'withHooks'] },
  'hookline/strands': { module: strands, names: ['RunAborted', 'hookline'] },
  'hookline/mastra': { module: mastra, names: ['RunAborted', 'forCall', 'hookedMastra'] },
  'hookline/mcp': { module: mcp, names: ['createMcpProxy', 'mcpTools'] },
  'hookline/ag-ui': { module: agUi, names: ['agUiHandler', 'toAgUi'] },
  'hookline/ai-sdk-ui': { module: aiSdkUi, names: ['toUiMessageStream', 'uiMessageStreamHandler'] },
  'hookline/offline': { module: offline, names: ['offlineModel'] },
  'hookline/gitleaks': { module: gitleaks, names: ['loadGitleaksRules'] },
  'hookline/config': {
    module: config,
    names: [
      'configError',
      'configJsonSchema',
      'createHookConfigs',
      'createLiveHooks',
      'explainCall',
      'explainConfigured',
      'issuesOf',
      'fileStore',
      'memoryStore',
      'storeContract',
      'hookEntrySchema',
      'hookKinds',
      'loadConfig',
      'loadConfigAndKinds',
      'loadKinds',
      'MAX_ISSUES',
      'nativeSchema',
      'reloadOnChange',
      'formatIssue',
      'formatIssues',
      'formatPath',
      'watchFiles',
    ],
  },
  'hookline/server': {
    module: server,
    names: [
      'agentPorts',
      'createReportedRuns',
      'createRuns',
      'createServer',
      'createTokens',
      'defineRoute',
      'demand',
      'fileRunStore',
      'fileSessions',
      'firstToken',
      'joinFleet',
      'listen',
      'memoryRunStore',
      'openRecordings',
      'pageToken',
      'recordingRoutes',
      'replayRoutes',
      'caseRoutes',
      'questionRoutes',
      'reportRoutes',
      'rights',
      'routeGroup',
      'runRoutes',
      'runStoreContract',
    ],
  },
  'hookline/process-hooks': {
    module: processHooks,
    names: [
      'claudeHooks',
      'claudeHooksOptionsSchema',
      'processHook',
      'processHookOptionsSchema',
      'protocolSchema',
      'workspaceToolTable',
    ],
  },
  'hookline/replay': { module: replay, names: ['backtest', 'isLooser', 'replay'] },
  'hookline/file-transcript': { module: fileTranscript, names: ['fileTranscript'] },
};

describe('the public names', () => {
  for (const [entry, { module, names }] of Object.entries(entries)) {
    it(`exports exactly its list from ${entry}`, () => {
      expect(Object.keys(module).filter((name) => name !== 'default' && name !== '__esModule')).to.have.members(names);
    });
  }

  it('lists each entry point of package.json', () => {
    const { exports } = packageJson;
    const subpaths = Object.keys(exports).filter((path) => path !== './package.json');
    expect(subpaths.map((path) => path.replace('.', 'hookline'))).to.have.members(Object.keys(entries));
  });

  it('exports one error class from all subpaths and the main entry', () => {
    const issue = (make: () => unknown): unknown => {
      try {
        return make();
      } catch (thrown) {
        return thrown;
      }
    };
    expect(issue(() => testing.scriptedModel(7 as never))).to.be.instanceOf(hookline.HooklineError);
    expect(issue(() => fileTranscript.fileTranscript(''))).to.be.instanceOf(hookline.HooklineError);
    expect(issue(() => tools.workspaceTools(7 as never))).to.be.instanceOf(hookline.HooklineError);
  });
});
