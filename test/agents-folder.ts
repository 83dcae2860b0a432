import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTestFolder, type TestFolder } from './test-folder.ts'

type Fields = Record<string, unknown>

/** A manifest as tests change it. */
export interface DraftManifest extends Fields {
  domains: Record<string, Fields>
  archetypes: Record<string, Fields>
  orchestrators: Record<string, Fields>
}

/** A repository with agents: two domains, an archetype of both and an orchestrator, unless more are asked for. */
export interface AgentsFolder extends TestFolder {
  readManifest(): DraftManifest
  writeManifest(change: (manifest: DraftManifest) => void): void
  lockText(): string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  lock(): any
}

const MANIFEST = 'agents/prompt-manifest.json'
const LOCK = 'agents/prompt-lock.json'

/** An agent of a manifest under an id. */
export function agentFields(id: string, folder: string): Fields {
  return { name: id, file: `${folder}/${id}.md`, canonical_id: id, version: '1.0.0' }
}

/** The ids of the domains of a repository with so many of them. */
export function domainIds(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `domain-${String(i + 1).padStart(5, '0')}`)
}

/** Makes such a repository in a folder of its own. */
export function openAgentsFolder(domains = 2): AgentsFolder {
  const folder = openTestFolder()
  const read = (path: string) => readFileSync(join(folder.root, path), 'utf8')
  const manifest: DraftManifest = {
    version: '2.0.0',
    generated: '2026-02-10T09:00:00Z',
    description: 'Agents of a test.',
    taxonomy: 'none',
    domains: Object.fromEntries(
      domainIds(domains).map(id => [id, { ...agentFields(id, 'domains'), scope: 'A part.' }]),
    ),
    archetypes: {
      'archetype-both': {
        ...agentFields('archetype-both', 'archetypes'),
        composition: { 'domain-00001': 60, 'domain-00002': 40 },
        purpose: 'Both.',
      },
    },
    orchestrators: {
      'orchestrator-desk': { ...agentFields('orchestrator-desk', 'desk'), scope: 'All.' },
    },
    governance: {},
  }
  folder.write('waybill.yaml', `agents: { manifest: ${MANIFEST}, lock: ${LOCK} }\n`)
  folder.write(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
  for (const section of [manifest.domains, manifest.archetypes, manifest.orchestrators])
    for (const [id, { file }] of Object.entries(section))
      folder.write(`agents/${file}`, `You are ${id}.\n`)
  const readManifest = (): DraftManifest => JSON.parse(read(MANIFEST))
  return {
    ...folder,
    readManifest,
    writeManifest: change => {
      const draft = readManifest()
      change(draft)
      folder.write(MANIFEST, `${JSON.stringify(draft, null, 2)}\n`)
    },
    lockText: () => read(LOCK),
    lock: () => JSON.parse(read(LOCK)),
  }
}
