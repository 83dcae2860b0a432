import { posix } from 'node:path'
import { counted, type Fact } from '../../contract/index.ts'
import { normalPath } from '../../contracts/index.ts'
import type { Config } from '../../workspace/index.ts'
import { type FactSources, remember, type Subject } from './fact-sources.ts'
import { readSiblings } from './sibling.ts'

const NAMES = { manifest: 'prompt-manifest.json', lock: 'prompt-lock.json' } as const
const KINDS = ['manifest', 'lock'] as const

/** Returns the usual name of a manifest or lock that the configuration names; undefined for other files. */
export function configuredName(path: string, { agents }: Config): string | undefined {
  for (const kind of KINDS) {
    const named = agents?.[kind]
    if (named !== undefined && normalPath(named) === path) return NAMES[kind]
  }
  return undefined
}

interface AgentFacts {
  readonly manifest: Fact
  /** The path of the manifest, also of a faulty one. */
  readonly manifestPath: Fact
  readonly lock: Fact
}

/** Finds the manifest and lockfile for a document: the configured ones, else the nearest by name, upwards. */
export function findAgents({ source }: Subject, sources: FactSources): Promise<AgentFacts> {
  const folder = posix.dirname(source.path)
  return remember(sources, `agents ${folder}`, async () => ({
    manifest: await find('manifest', folder, sources),
    manifestPath: placeOf('manifest', folder, sources),
    lock: await find('lock', folder, sources),
  }))
}

function placeOf(kind: keyof typeof NAMES, folder: string, sources: FactSources): Fact {
  const path = sources.config.agents?.[kind] ?? nearest(NAMES[kind], folder, sources)
  if (path !== undefined) return { value: path }
  return {
    missing: `no ${NAMES[kind]} found in this folder or above`,
    hint: `add one, or set agents.${kind} in waybill.yaml`,
  }
}

async function find(kind: keyof typeof NAMES, folder: string, sources: FactSources): Promise<Fact> {
  const place = placeOf(kind, folder, sources)
  if ('missing' in place) return place
  const path = String(place.value)
  return remember(sources, `agent file ${kind} ${path}`, () => load(kind, path, sources))
}

function nearest(name: string, folder: string, { files }: FactSources): string | undefined {
  for (let here = folder; ; here = posix.dirname(here)) {
    const path = posix.join(here, name)
    if (files.kindOf(path) === 'file') return path
    if (here === '.' || here === '/' || here.startsWith('..')) return undefined
  }
}

async function load(
  kind: keyof typeof NAMES,
  path: string,
  { root, files }: FactSources,
): Promise<Fact> {
  if (files.kindOf(path) !== 'file') {
    return {
      missing: `${path} does not exist`,
      hint: `add it, or fix agents.${kind} in waybill.yaml`,
    }
  }
  const contract = `prompt-${kind}`
  const { siblings, faulty } = await readSiblings(root, path, {
    wants: name => name === contract,
    name: NAMES[kind],
  })
  const [found] = siblings
  if (found) return { value: { path, value: found.value } }
  const errors = faulty[0]?.errors
  return {
    missing: errors ? `${path} has ${counted(errors, 'error')}` : `${path} is not a ${contract}`,
    hint: `run waybill check ${path}`,
  }
}
