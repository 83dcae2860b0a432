import { join, posix } from 'node:path'
import {
  checkDocument,
  counted,
  type Diagnostic,
  type Fact,
  type Files,
  type Found,
  recognise,
} from '../../contract/index.ts'
import { contractsIn, type Lock, loadContract, type Manifest } from '../../contracts/index.ts'
import { decode, formatOf, MOST_BYTES, readDocuments } from '../../document/index.ts'
import {
  CONFIG_FILE,
  type Config,
  type HashedFile,
  lookAt,
  openFiles,
  readOwnFile,
  sha256,
  versionOf,
} from '../../workspace/index.ts'
import { openPromptFiles } from '../lock/prompts.ts'
import { finding } from './finding.ts'

const NAMES = { manifest: 'prompt-manifest.json', lock: 'prompt-lock.json' } as const

/** A file that governs handoffs: its value, and the digest of the very bytes that the value was read from. */
export interface Governing<T> extends Found<T> {
  /** Hex SHA-256. */
  readonly sha256: string
}

/** Why there is no such file that could govern anything, and whether none is there, or one that stands outside. */
export interface NotGoverning {
  readonly missing: string
  readonly absent?: true
  readonly leadsOut?: true
}

/** The manifest, the lock and the files of a repository, as facts for the rules of handoffs. */
export interface GovernanceFiles {
  readonly manifest: Governing<Manifest> | NotGoverning
  readonly lock: Governing<Lock> | NotGoverning
  readonly files: Files
}

/**
 * Opens what governs the handoffs of a repository; called for each handoff, it reads again only what has changed.
 *
 * Manifest and lock are the configured ones, or stand at the root: never beside a handoff, whose sender could have
 * brought them along.
 */
export function openGovernanceFiles(root: string, config: Config): () => Promise<GovernanceFiles> {
  const manifest = remembered<Manifest>('manifest', root, config)
  const lock = remembered<Lock>('lock', root, config)
  const prompts = new Map<string, HashedFile>()
  return async () => ({
    manifest: await manifest(),
    lock: await lock(),
    // Each file is hashed once for a handoff, so that rules and evidence speak of the same bytes.
    files: openPromptFiles(root, prompts),
  })
}

/** Those governanceFiles as the facts that rules ask for. */
export function factsOf({ manifest, lock, files }: GovernanceFiles): Record<string, Fact> {
  return {
    manifest: 'missing' in manifest ? manifest : { value: manifest },
    lock: 'missing' in lock ? lock : { value: lock },
    files: { value: files },
  }
}

/** What is said where manifest or lock are not there to judge by: it alone, for all else follows from it. */
export function notGoverned({ manifest, lock }: GovernanceFiles): Diagnostic[] {
  const gone = 'missing' in manifest ? manifest : lock
  if (!('missing' in gone)) return []
  return gone.leadsOut
    ? [
        finding(
          'gateway/governed-from-outside',
          gone.missing,
          'find out who put it there, and put a file of this repository in its place',
        ),
      ]
    : [
        finding(
          'gateway/not-governed',
          gone.missing,
          'nothing is sent or received without a manifest and its lock',
        ),
      ]
}

type Kind = keyof typeof NAMES

function remembered<T>(
  kind: Kind,
  root: string,
  config: Config,
): () => Promise<Governing<T> | NotGoverning> {
  const path = config.agents?.[kind] ?? usualPlace(kind, config)
  let known: { version: string; value: Promise<Governing<T> | NotGoverning> } | undefined
  return async () => {
    const version = versionOf(join(root, path))
    if (known && known.version === version) return known.value
    const value = load<T>(kind, root, path)
    // Those who come while it is read get the same; only what governs is remembered for longer.
    const reading = version === undefined ? undefined : { version, value }
    known = reading
    const forget = () => {
      if (known === reading) known = undefined
    }
    value.then(read => 'missing' in read && forget(), forget)
    return value
  }
}

/** The manifest stands at the root, its lock beside it. */
function usualPlace(kind: Kind, { agents }: Config): string {
  const manifest = agents?.manifest ?? NAMES.manifest
  return kind === 'manifest' ? manifest : posix.join(posix.dirname(manifest), NAMES.lock)
}

async function load<T>(
  kind: Kind,
  root: string,
  path: string,
): Promise<Governing<T> | NotGoverning> {
  const { kindOf } = openFiles(root)
  // The configuration says where the others are, and who is trusted.
  for (const one of [CONFIG_FILE, path]) {
    if (kindOf(one) === 'outside')
      return { missing: `${one} leads out of the repository`, leadsOut: true }
  }
  const is = kindOf(path)
  if (is !== 'file') return noFile(path, root)
  const bytes = readBytes(join(root, path))
  if (!bytes) return { missing: `${path} cannot be read` }
  const { text, faults } = decode(bytes)
  const { documents } = await readDocuments(text, formatOf(path, text), faults)
  const [document] = documents
  const found = document && recognise(document.value, path, contractsIn(document.format), 'walk')
  if (!document || found?.contract.name !== `prompt-${kind}`) {
    return { missing: `${path} is no prompt-${kind}` }
  }
  const { accepted, diagnostics } = checkDocument(
    document,
    found,
    await loadContract(found.contract),
    { now: 0, structureOnly: true },
  )
  if (accepted) return { path, value: found.value as T, sha256: sha256(bytes) }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return { missing: `${path} is itself faulty (${counted(errors, 'error')})` }
}

function noFile(path: string, root: string): NotGoverning {
  let stats: ReturnType<typeof lookAt>
  try {
    stats = lookAt(join(root, path), path)
  } catch (error) {
    return { missing: (error as Error).message }
  }
  if (stats?.isDirectory()) return { missing: `${path} is a folder` }
  if (stats?.isSymbolicLink()) return { missing: `${path} is a link that leads to no file` }
  if (stats) return { missing: `${path} is no regular file` }
  return {
    missing: `${path} does not exist; waybill.yaml says under agents: where it is`,
    absent: true,
  }
}

function readBytes(file: string): Uint8Array | undefined {
  try {
    return readOwnFile(file, MOST_BYTES)
  } catch {
    return undefined
  }
}
