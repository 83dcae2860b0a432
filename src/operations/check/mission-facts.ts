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

/** The mission artifacts in a folder. */
interface Holding {
  readonly byMission: ReadonlyMap<string, readonly Artifact[]>
  /** Invalid ones without a mission id, which may belong to any mission. */
  readonly unclaimed: readonly Artifact[]
}

/**
 * Finds the other artifacts of a document's mission, below the nearest folder upwards that holds the mission's
 * envelope, else an envelope without a mission id; without either, in the document's own folder.
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
    missing: `no ${name} of mission ${id} found in ${where}`,
    hint: 'add it to the folder of the mission envelope or below',
  }))
  const artifacts = hasEnvelope(all)
    ? { value: all.filter(a => !isSame(a, subject)) }
    : shared.envelope
  return { ...shared, artifacts }
}

function missionOf(value: unknown): string | undefined {
  return missionIdIn((value as Fields | undefined)?.mission_id)
}

/** Tells whether an artifact of the index is the checked document itself. */
function isSame(artifact: Artifact, { source, value }: Subject): boolean {
  // An unreadable artifact has no fields to compare.
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
      listings: sources.listings,
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
  const fault = { missing: `${path} has errors`, hint: `run waybill check ${path}` }
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

/** Fields of every artifact; a file without any of them only shares some keys. */
const BEGINNING = ['schema_name', 'schema_version', 'mission_id']

function isArtifact(contract: string, value: unknown): boolean {
  return ARTIFACTS.has(contract) && BEGINNING.some(key => Object.hasOwn(value as Fields, key))
}
