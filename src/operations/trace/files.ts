import { pipelineOf } from '../../mission/index.ts'
import type { MissionSnapshot } from '../../store/index.ts'
import { openFiles, rootOfWorktree } from '../../workspace/index.ts'
import type { MissionStoryParts } from './mission-output.ts'

type Fields = Readonly<Record<string, unknown>>

/** The repository root and the origin of its log. */
interface Here {
  readonly root: string
  readonly origin: string | null
}

/** Returns the files that pipeline agents wrote according to their results, and whether they are unchanged. */
export function filesOf(
  { artifacts, outputs }: MissionSnapshot,
  { root, origin }: Here,
): MissionStoryParts['files'] {
  const envelope = artifacts.find(({ name }) => name === 'mission_envelope')?.payload
  const pipeline = envelope && pipelineOf(envelope)
  // Only pipeline missions verify the files in results.
  if (!pipeline) return []
  const isOurs = pipeline.installation === undefined || pipeline.installation === origin
  const place = isOurs ? rootOfWorktree(pipeline.worktree, root) : undefined
  const files = place === undefined ? undefined : openFiles(place)
  const stateOf = (path: string, digest: string) => {
    if (!files) return 'elsewhere'
    const now = files.sha256(path)
    return now === undefined ? 'gone' : now === digest ? 'as-written' : 'changed'
  }
  const by = new Map(outputs.map(({ name, id, task }) => [`${name} ${id}`, task]))
  return artifacts.flatMap(({ name, id, payload }) =>
    Object.entries(name === 'worker_result' ? statedIn(payload) : {}).flatMap(([what, file]) => {
      const { path, sha256: digest } = (file ?? {}) as Fields
      const task = by.get(`${name} ${id}`)
      if (typeof path !== 'string' || typeof digest !== 'string' || task === undefined) return []
      const contract = what === 'session_context' ? 'session-context' : null
      return [{ path, contract, digest, task, state: stateOf(path, digest) } as const]
    }),
  )
}

/** Returns the files of a result; empty when erased. */
function statedIn(payload: Fields | null): Fields {
  const { files } = (payload?.structured_output ?? {}) as Fields
  return typeof files === 'object' && files !== null ? (files as Fields) : {}
}
