/**
 * Missions: task graphs and the agents that run them. `waybill.yaml` assigns an agent to each role, and a runner to
 * each agent: a program, a model, a remote agent or a person. A runner takes an assignment and returns an outcome; its
 * answer is hostile input until checked. Does not print, and does not parse text itself.
 */

export { answerAs } from './approvals/answer.ts'
export { decideProposal, examineProposal } from './approvals/decide.ts'
export { unfitSecrets } from './approvals/send.ts'
export { MISSION_CODES, WRITEBACK_CODES } from './codes.ts'
export { type Missions, readMissions } from './config.ts'
export { drawMission, missionGraph } from './graph/graph.ts'
export { openWorkerContext } from './open-worker-context.ts'
export { loadDurable } from './packages.ts'
export { isAway } from './patience.ts'
export {
  type Before,
  type Begun,
  type Judged,
  PIPELINE,
  type PipelineAttempt,
  type PipelineKeeper,
  type PipelineMissionOf,
  pipelineOf,
} from './pipelines/keeper.ts'
export { secretsIn } from './plan/secrets.ts'
export { type Prepared, prepareMission, type Wanted } from './prepare.ts'
export { exportMission } from './replay/bundle.ts'
export { bundledMission, LARGEST_BUNDLE } from './replay/bundle-reading.ts'
export { BUNDLE_CODES, REPLAY_CODES } from './replay/codes.ts'
export { examineImport, importMission } from './replay/import.ts'
export { replayMission } from './replay/replay.ts'
export {
  cancelMission,
  noMission,
  pauseMission,
  resumeMission,
  retryMission,
} from './run/control.ts'
export { submitMission } from './run/submit.ts'
export { LEASE } from './run/watch.ts'
export { startWorker, type Worker } from './run/worker.ts'
export type { Step } from './run/worker-context.ts'
export type { PipelineReason } from './runner.ts'
export { examineTemplates, faultsInTemplate } from './templates.ts'
