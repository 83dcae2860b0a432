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

/** A file that governs handoffs: its value, and the digest of the bytes it was parsed from. */
export interface Governing<T> extends Found<T> {
  /** Hex SHA-256. */
  readonly sha256: string
}

/** Why a governing file is unavailable, and whether its path leads outside of the repository. */
export interface NotGoverning {
  readonly missing: string
  readonly absent?: true
  readonly leadsOut?: true
}

/** The manifest, lockfile and files of a repository, as facts for handoff rules. */
export interface GovernanceFiles {
  readonly manifest: Governing<Manifest> | NotGoverning
  readonly lock: Governing<Lock> | NotGoverning
  readonly files: Files
}

/**
 * Opens the files that govern a repository's handoffs; each call reads again only what changed.
 *
 * Manifest and lockfile are the configured ones or those at the root, never files next to a handoff: its sender could
 * have supplied them.
 */
export function openGovernanceFiles(root: string, config: Config): () => Promise<GovernanceFiles> {
  const manifest = remembered<Manifest>('manifest', root, config)
  const lock = remembered<Lock>('lock', root, config)
  const prompts = new Map<string, HashedFile>()
  return async () => ({
    manifest: await manifest(),
    lock: await lock(),
    // Hash each file once per handoff, so that rules and evidence use the same bytes.
    files: openPromptFiles(root, prompts),
  })
}

/** Returns the governing files as facts for rules. */
export function factsOf({ manifest, lock, files }: GovernanceFiles): Record<string, Fact> {
  return {
    manifest: 'missing' in manifest ? manifest : { value: manifest },
    lock: 'missing' in lock ? lock : { value: lock },
    files: { value: files },
  }
}

/** The only diagnostic when manifest or lockfile is unavailable: all other checks depend on them. */
export function notGoverned({ manifest, lock }: GovernanceFiles): Diagnostic[] {
  const gone = 'missing' in manifest ? manifest : lock
  if (!('missing' in gone)) return []
  return gone.leadsOut
    ? [
        finding(
          'gateway/governed-from-outside',
          gone.missing,
          'find out who added it, and replace it with a file in this repository',
        ),
      ]
    : [
        finding(
          'gateway/not-governed',
          gone.missing,
          'sending and receiving need a manifest and its lockfile',
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
    // Concurrent callers share one read; only governing files are cached for longer.
    const reading = version === undefined ? undefined : { version, value }
    known = reading
    const forget = () => {
      if (known === reading) known = undefined
    }
    value.then(read => 'missing' in read && forget(), forget)
    return value
  }
}

/** The default paths: manifest and lockfile at the root. */
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
  // The configuration names the other files and the trusted keys.
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
    return { missing: `${path} is not a prompt-${kind}` }
  }
  const { accepted, diagnostics } = checkDocument(
    document,
    found,
    await loadContract(found.contract),
    { now: 0, structureOnly: true },
  )
  if (accepted) return { path, value: found.value as T, sha256: sha256(bytes) }
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return { missing: `${path} is invalid (${counted(errors, 'error')})` }
}

function noFile(path: string, root: string): NotGoverning {
  let stats: ReturnType<typeof lookAt>
  try {
    stats = lookAt(join(root, path), path)
  } catch (error) {
    return { missing: (error as Error).message }
  }
  if (stats?.isDirectory()) return { missing: `${path} is a folder` }
  if (stats?.isSymbolicLink()) return { missing: `${path} is a broken link` }
  if (stats) return { missing: `${path} is not a regular file` }
  return {
    missing: `${path} does not exist; set its path under agents: in waybill.yaml`,
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
