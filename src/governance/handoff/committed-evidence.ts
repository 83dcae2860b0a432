import { type Diagnostic, listed } from '../../contract/index.ts'
import {
  bytesOf,
  CONFIG_FILE,
  type Config,
  committedFiles,
  parseConfig,
  sha256,
} from '../../workspace/index.ts'
import type { GoverningEvidence } from '../entries/predicates.ts'
import { finding } from './finding.ts'
import type { GovernanceFiles } from './governance-files.ts'

/** The files that govern handoffs, and whether they match the commit. */
export interface CommittedEvidence {
  readonly configuration: GoverningEvidence | null
  readonly manifest: GoverningEvidence | null
  readonly lock: GoverningEvidence | null
  /** The committed configuration, where it differs from the one in use. */
  readonly committed: Config | undefined
}

/** Compares configuration, manifest and lockfile with the checked-out commit; calls Git once. */
export async function committedEvidence(
  root: string,
  config: Config,
  { manifest, lock }: Pick<GovernanceFiles, 'manifest' | 'lock'>,
): Promise<CommittedEvidence> {
  const bytes = bytesOf(config)
  const files = {
    configuration: bytes ? { path: CONFIG_FILE, sha256: sha256(bytes) } : null,
    manifest: 'missing' in manifest ? null : { path: manifest.path, sha256: manifest.sha256 },
    lock: 'missing' in lock ? null : { path: lock.path, sha256: lock.sha256 },
  }
  const paths = Object.values(files).flatMap(file => file?.path ?? [])
  const held = committedFiles(root, paths)
  const standing = (file: Pick<GoverningEvidence, 'path' | 'sha256'> | null) =>
    file && { ...file, committed: held ? isThat(file.sha256, held.get(file.path)) : null }
  const configuration = standing(files.configuration)
  const before = configuration?.committed === false ? held?.get(CONFIG_FILE) : undefined
  return {
    configuration,
    manifest: standing(files.manifest),
    lock: standing(files.lock),
    committed: before && (await believed(before)),
  }
}

/** The committed configuration, if the working copy differs. */
export async function committedConfig(root: string, config: Config): Promise<Config | undefined> {
  const bytes = bytesOf(config)
  const held = bytes && committedFiles(root, [CONFIG_FILE])?.get(CONFIG_FILE)
  return held && !isThat(sha256(bytes), held) ? believed(held) : undefined
}

/** Git may convert line ends on checkout. */
function isThat(digest: string, bytes: Uint8Array | undefined): boolean {
  if (!bytes) return false
  if (sha256(bytes) === digest) return true
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\n', '\r\n')
  return sha256(Buffer.from(text, 'latin1')) === digest
}

/** An invalid configuration lists no keys. */
async function believed(bytes: Uint8Array): Promise<Config> {
  try {
    return await parseConfig(bytes)
  } catch {
    return {}
  }
}

/** The warning about governing files that differ from the commit. */
export function uncommitted({ configuration, manifest, lock }: CommittedEvidence): Diagnostic[] {
  const changed = [configuration, manifest, lock].filter(file => file?.committed === false)
  if (changed.length === 0) return []
  const names = changed.flatMap(file => file?.path ?? [])
  const verb = names.length === 1 ? 'is' : 'are'
  const said = finding(
    'gateway/uncommitted',
    `${listed(names)} ${verb} not as committed, so this was checked against unreviewed content`,
    'review the changes with git diff and commit them',
  )
  return [{ ...said, severity: 'warning' }]
}
