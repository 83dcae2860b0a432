import { join, posix, relative, sep } from 'node:path'
import type { Fact, Fields } from '../../contract/index.ts'
import { type Artifact, sharedFacts, siblingsNamed } from '../../contracts/index.ts'
import { walk } from '../../workspace/index.ts'
import { type FactSources, remember, type Subject } from './fact-sources.ts'
import { readSiblings } from './sibling.ts'

interface MissionFacts {
  readonly envelope: Fact
  readonly graphs: Fact
  readonly policies: Fact
  readonly artifacts: Fact
}

/**
 * The other artifacts of a document's mission: those below the nearest folder, from its own upwards, that directly
 * holds the mission's envelope; without one, those of its own folder.
 */
export async function findMission(subject: Subject, sources: FactSources): Promise<MissionFacts> {
  const id = missionOf(subject.value)
  if (id === undefined) return none('the document names no mission')
  const own = posix.dirname(subject.source.path)
  for (let folder = own; ; folder = posix.dirname(folder)) {
    const here = (await artifactsIn(folder, 'shallow', sources)).get(id) ?? []
    if (siblingsNamed(here, 'mission_envelope').length > 0) {
      const below = (await artifactsIn(folder, 'deep', sources)).get(id) ?? []
      return factsOf(below, subject, id, folder)
    }
    if (folder === '.' || folder === '/' || folder.startsWith('..')) break
  }
  return factsOf((await artifactsIn(own, 'shallow', sources)).get(id) ?? [], subject, id, own)
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
  const isFound = siblingsNamed(all, 'mission_envelope').length > 0
  const artifacts = isFound ? { value: all.filter(a => !isSame(a, subject)) } : shared.envelope
  return { ...shared, artifacts }
}

/** The mission that a value names; the letters of an id may be large or small. */
function missionOf(value: unknown): string | undefined {
  const id = (value as Fields | undefined)?.mission_id
  return typeof id === 'string' ? id.toLowerCase() : undefined
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
): Promise<Map<string, Artifact[]>> {
  return remember(sources, `mission folder ${reach} ${folder}`, async () => {
    const missions = new Map<string, Artifact[]>()
    const { files } = walk(join(sources.root, folder), sources.root, {
      ignore: sources.config.ignore,
      reach,
    })
    for (const file of files) {
      const path = relative(sources.root, file).split(sep).join('/')
      const { siblings, faulty } = await readSiblings(sources.root, path, isArtifact)
      const fault = { missing: `${path} is itself faulty`, hint: `see waybill check ${path}` }
      const found = [
        ...siblings.map(({ value, contract }) => ({ value, contract, garbled: false })),
        ...faulty.map(({ value, contract, garbled }) => ({ value, contract, garbled, fault })),
      ]
      for (const { value, contract, garbled, ...more } of found) {
        const id = missionOf(value) ?? ''
        const artifacts = missions.get(id) ?? []
        const fields = garbled ? {} : (value as Fields)
        const schema_name = contract.replaceAll('-', '_')
        artifacts.push({ schema_name, path, value: fields, ...more })
        missions.set(id, artifacts)
      }
    }
    return missions
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

function isArtifact(contract: string): boolean {
  return ARTIFACTS.has(contract)
}

function none(why: string): MissionFacts {
  const missing = { missing: why }
  return { envelope: missing, graphs: missing, policies: missing, artifacts: { value: [] } }
}
