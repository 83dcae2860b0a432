import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { init, lock } from '../src/operations/index.ts'
import type { App } from '../src/operations/operation.ts'
import { sha256 } from '../src/workspace/index.ts'
import { openTestFolder, type TestFolder } from './test-folder.ts'

/** A Git repository with agents, their prompts, a lock and keys, for the time of a test. */
export interface GovernedRepository extends TestFolder {
  /** Commits everything. */
  commit(): void
  git(...args: readonly string[]): string
}

/** An agent of each type, and domains that may and may not hand to each other. */
export const MANIFEST = {
  version: '1.0.0',
  generated: '2026-02-10T09:00:00Z',
  description: 'The agents of a small product team.',
  taxonomy: 'Three domains, an archetype, an orchestrator.',
  domains: {
    'domain-02-analysis': domain('domain-02-analysis', 'Analysis', 'Statistics and research data.'),
    'domain-05-product': {
      ...domain('domain-05-product', 'Product', 'Hypotheses and features of a product.'),
      collaboration: {
        hands_to: ['domain-02-analysis'],
        out_of_scope: [{ topic: 'architecture review', redirect: 'archetype-product-thinker' }],
      },
    },
    'domain-06-technical': domain('domain-06-technical', 'Technical', 'Architecture and code.'),
  },
  archetypes: {
    'archetype-product-thinker': {
      name: 'Product thinker',
      file: 'prompts/archetype-product-thinker.md',
      canonical_id: 'archetype-product-thinker',
      version: '1.0.0',
      composition: { 'domain-05-product': 60, 'domain-06-technical': 40 },
      purpose: 'Joins product and technical views.',
    },
  },
  orchestrators: {
    'orchestrator-desk': domain('orchestrator-desk', 'Desk', 'Passes work on between agents.'),
  },
  governance: { owner: 'team-prompts' },
}

function domain(id: string, name: string, scope: string) {
  return { name, file: `prompts/${id}.md`, canonical_id: id, version: '1.0.0', scope }
}

const AGENTS = [
  ...Object.keys(MANIFEST.domains),
  ...Object.keys(MANIFEST.archetypes),
  ...Object.keys(MANIFEST.orchestrators),
]

/** The files of a repository with agents and a lock, in which the prompt of one agent is not the locked one. */
export function governedFiles(changed: string): Readonly<Record<string, string>> {
  const prompts = AGENTS.map(id => [`prompts/${id}.md`, `You are ${id}.\n`] as const)
  const entries = AGENTS.map(id => {
    const text = id === changed ? 'other words' : `You are ${id}.\n`
    const type = id.split('-')[0]
    return [id, { file: `prompts/${id}.md`, hash: sha256(text), type, version: '1.0.0' }]
  })
  const lock = {
    version: '1.0.0',
    lockfileVersion: 1,
    generated: MANIFEST.generated,
    algorithm: 'SHA-256',
    prompts: Object.fromEntries(entries),
    integrity: { total_prompts: AGENTS.length, domains: 3, archetypes: 1 },
  }
  return {
    'prompt-manifest.json': JSON.stringify(MANIFEST),
    'prompt-lock.json': JSON.stringify(lock),
    ...Object.fromEntries(prompts),
  }
}

/** The least that a draft has to say. */
export function draftOf(from: string, to: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    source_agent: { agent_id: from },
    target_agent: { agent_id: to },
    context: {
      request: {
        type: 'analysis',
        description: 'Validate the hypothesis with what users said',
        input_data: { hypothesis: 'Users want feature X' },
        constraints: ['Say how sure you are'],
        expected_output: 'A recommendation',
      },
    },
    ...more,
  }
}

/** Makes a repository whose agents are locked and have keys; `config` is added to its configuration. */
export async function openGovernedRepository(config = ''): Promise<GovernedRepository> {
  const repository = governed(openTestFolder())
  repository.git('init', '-q', '-b', 'main')
  if (config !== '') repository.write('waybill.yaml', config)
  repository.write('prompt-manifest.json', `${JSON.stringify(MANIFEST, null, 2)}\n`)
  for (const id of AGENTS) repository.write(`prompts/${id}.md`, `You are ${id}.\n`)
  await lock.run({}, repository.app())
  await init.run({}, repository.app())
  repository.commit()
  return repository
}

/** Clones a repository into another installation: it has a gateway and a log of its own, and no private key of any agent. */
export async function cloneGoverned(origin: GovernedRepository): Promise<GovernedRepository> {
  const root = mkdtempSync(join(tmpdir(), 'waybill-clone-'))
  origin.git('clone', '-q', origin.root, root)
  const remove = () => rmSync(root, { recursive: true, force: true })
  const write = (path: string, text: string | Uint8Array) => writeFileSync(join(root, path), text)
  const clone = governed({ ...origin, root, remove, write })
  await init.run({}, clone.app())
  clone.commit()
  return clone
}

function governed(folder: TestFolder): GovernedRepository {
  const git = (...args: readonly string[]) =>
    execFileSync('env', [...IDENTITY, 'git', ...args], {
      cwd: folder.root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  return {
    ...folder,
    // What is received has to be fresh, so the clock is the real one.
    app: (more?: Partial<App>) =>
      folder.app({
        now: Date.now(),
        clock: () => Date.now(),
        root: folder.root,
        cwd: folder.root,
        ...more,
      }),
    git,
    commit: () => {
      git('add', '-A')
      git('commit', '-q', '--allow-empty', '-m', 'x')
    },
  }
}

const IDENTITY = [
  'GIT_AUTHOR_NAME=Ada',
  'GIT_AUTHOR_EMAIL=ada@example.org',
  'GIT_COMMITTER_NAME=Ada',
  'GIT_COMMITTER_EMAIL=ada@example.org',
  'GIT_CONFIG_GLOBAL=/dev/null',
]
