import { join, posix, relative, sep } from 'node:path'
import type { Fact, Fields } from '../../contract/index.ts'
import {
  type Artifact,
  artifactsOf,
  hasEnvelope,
  missionIdIn,
  NO_MISSION,
  sharedFacts,
} from '../../contracts/index.ts'
import { walk } from '../../workspace/index.ts'
import { type FactSources, remember, type Subject } from './fact-sources.ts'
import { readSiblings } from './sibling.ts'

interface MissionFacts {
  readonly envelope: Fact
  readonly graphs: Fact
  readonly policies: Fact
  readonly artifacts: Fact
}

/** What a folder holds of missions. */
interface Holding {
  readonly byMission: ReadonlyMap<string, readonly Artifact[]>
  /** The faulty ones that do not say of which mission they are: of any mission here, for all that is known. */
  readonly unclaimed: readonly Artifact[]
}

/**
 * The other artifacts of a document's mission: those below the nearest folder, from its own upwards, that directly
 * holds the mission's envelope, or else one that does not say whose it is; without any, those of its own folder.
 */
export async function findMission(subject: Subject, sources: FactSources): Promise<MissionFacts> {
  const id = missionOf(subject.value)
  if (id === undefined) return NO_MISSION
  const own = posix.dirname(subject.source.path)
  const above = await envelopeFolder(id, own, sources)
  const folder = above ?? own
  const reach = above === undefined ? 'shallow' : 'deep'
  const { byMission, unclaimed } = await artifactsIn(folder, reach, sources)
  return factsOf(artifactsOf(byMission.get(id) ?? [], unclaimed), subject, id, folder)
}

async function envelopeFolder(
  id: string,
  own: string,
  sources: FactSources,
): Promise<string | undefined> {
  let doubtful: string | undefined
  for (let folder = own; ; folder = posix.dirname(folder)) {
    const { byMission, unclaimed } = await artifactsIn(folder, 'shallow', sources)
    if (hasEnvelope(byMission.get(id))) return folder
    if (hasEnvelope(unclaimed)) doubtful ??= folder
    if (folder === '.' || folder === '/' || folder.startsWith('..')) return doubtful
  }
}

function factsOf(
  all: readonly Artifact[],
  subject: Subject,
  id: string,
  folder: string,
): MissionFacts {
  const where = folder === '.' ? 'the root' : folder
  const shared = sharedFacts(all, name => ({
    missing: `no ${name} of mission ${id} was found in ${where}`,
    hint: 'add it: a mission is looked for in the folder of its envelope and below',
  }))
  const artifacts = hasEnvelope(all)
    ? { value: all.filter(a => !isSame(a, subject)) }
    : shared.envelope
  return { ...shared, artifacts }
}

function missionOf(value: unknown): string | undefined {
  return missionIdIn((value as Fields | undefined)?.mission_id)
}

/** The artifact that is being checked is in the folder's index too, read a second time: ids and times tell it. */
function isSame(artifact: Artifact, { source, value }: Subject): boolean {
  // Of what could not be read, no part is known; no rule asks for it as its own document.
  if (artifact.path !== source.path || Object.keys(artifact.value).length === 0) return false
  const fields = value as Fields
  return Object.entries(artifact.value).every(
    ([key, part]) => (typeof part === 'object' && part !== null) || part === fields[key],
  )
}

function artifactsIn(
  folder: string,
  reach: 'shallow' | 'deep',
  sources: FactSources,
): Promise<Holding> {
  return remember(sources, `mission folder ${reach} ${folder}`, async () => {
    const byMission = new Map<string, Artifact[]>()
    const unclaimed: Artifact[] = []
    const { files } = walk(join(sources.root, folder), sources.root, {
      ignore: sources.config.ignore,
      reach,
    })
    for (const file of files) {
      const path = relative(sources.root, file).split(sep).join('/')
      for (const { artifact, mission } of await artifactsOfFile(path, sources.root)) {
        const artifacts = mission === undefined ? unclaimed : (byMission.get(mission) ?? [])
        artifacts.push(artifact)
        if (mission !== undefined) byMission.set(mission, artifacts)
      }
    }
    return { byMission, unclaimed }
  })
}

async function artifactsOfFile(path: string, root: string) {
  const { siblings, faulty } = await readSiblings(root, path, { wants: isArtifact, byKeys: true })
  const fault = { missing: `${path} is itself faulty`, hint: `see waybill check ${path}` }
  const found = [
    ...siblings.map(({ value, contract }) => ({ value, contract, garbled: false })),
    ...faulty.map(({ value, contract, garbled }) => ({ value, contract, garbled, fault })),
  ]
  return found.map(({ value, contract, garbled, ...more }) => {
    const schema_name = contract.replaceAll('-', '_')
    const fields = garbled ? {} : (value as Fields)
    const artifact: Artifact = { schema_name, path, value: fields, ...more }
    return { artifact, mission: missionOf(value) }
  })
}

const ARTIFACTS = new Set([
  'mission-envelope',
  'mission-task-graph',
  'prompt-package',
  'research-artifact',
  'librarian-pass',
  'worker-result',
  'aggregation-packet',
  'review-packet',
  'policy-decision',
  'writeback-proposal',
])

/** What artifacts begin with; a file that has none of it only happens to have the same keys. */
const BEGINNING = ['schema_name', 'schema_version', 'mission_id']

function isArtifact(contract: string, value: unknown): boolean {
  return ARTIFACTS.has(contract) && BEGINNING.some(key => Object.hasOwn(value as Fields, key))
}
