import { spelled } from '../contract/index.ts'
import type { Listed } from '../workspace/index.ts'
import { folderOf, foldersAbove, isWithin, nameOf, type Repository } from './repository-files.ts'
import { type Manifest, manifestOf, profileOfRulebook, RIVALS } from './repository-manifests.ts'
import { type NodeFindings, readNxProject, readPackage } from './repository-node.ts'

/** A manifest and its profiles. */
export interface Signal {
  readonly path: string
  readonly system: string
  readonly profiles: readonly string[]
  readonly frameworks: readonly string[]
  /** Decides only if nothing else does. */
  readonly weak: boolean
}

/** A file with the rules of a profile. */
export interface Rulebook {
  readonly path: string
  readonly profile: string
}

/** Files of one folder that belong to different build systems. */
export interface Rivals {
  readonly folder: string
  readonly paths: readonly string[]
}

/** All evidence about the profile of a repository. */
export interface Signals {
  readonly signals: readonly Signal[]
  readonly rulebooks: readonly Rulebook[]
  readonly rivals: readonly Rivals[]
  /** Manifests that could not be read, and why; their names still count. */
  readonly unread: readonly { readonly path: string; readonly why: string }[]
}

/** Most manifests to read; the names of others still count. */
const MOST_READ = 5000

/** Collects the signals of a repository from all file names and the text of manifests, those of the scope first. */
export function gatherSignals(repository: Repository, scope: readonly string[] = []): Signals {
  const files = repository.files.filter(({ kind }) => kind === 'file')
  const manifests = files.flatMap(file => {
    const manifest = manifestOf(nameOf(file.path))
    return manifest ? [{ file, manifest }] : []
  })
  const isFirst = ({ file }: ManifestFile) => scope.some(folder => isWithin(file.path, folder))
  const inOrder = [...manifests.filter(isFirst), ...manifests.filter(m => !isFirst(m))]
  return {
    ...readManifests(repository, inOrder),
    rulebooks: files.flatMap(({ path }) => {
      const profile = profileOfRulebook(nameOf(path))
      return profile === undefined ? [] : [{ path, profile }]
    }),
    rivals: rivalsIn(files),
  }
}

interface ManifestFile {
  readonly file: Listed
  readonly manifest: Manifest
}

function readManifests(
  repository: Repository,
  manifests: readonly ManifestFile[],
): Pick<Signals, 'signals' | 'unread'> {
  const workspaces = manifests.filter(({ manifest }) => manifest.system === 'nx')
  const nx = new Set(workspaces.map(({ file }) => folderOf(file.path)))
  const signals: Signal[] = []
  const unread: { path: string; why: string }[] = []
  for (const [i, { file, manifest }] of manifests.entries()) {
    const read = i < MOST_READ ? repository.read(file) : TOO_MANY
    if ('absent' in read) continue
    if ('unread' in read) unread.push({ path: file.path, why: read.unread })
    const text = 'bytes' in read ? Buffer.from(read.bytes).toString() : ''
    signals.push(inWorkspace(signalOf(file.path, manifest, text), nx))
  }
  return { signals, unread }
}

const TOO_MANY = { unread: `there are more than ${MOST_READ} manifests` }
const RIVAL_NAMES = new Set(RIVALS.flat())

function signalOf(path: string, manifest: Manifest, text: string): Signal {
  const { system, profile, weak = false, frameworks = [] } = manifest
  if (system === 'npm') return nodeSignal(path, system, readPackage(text))
  if (system === 'nx-project') return nodeSignal(path, system, readNxProject(text))
  const found = frameworks.filter(({ words }) => words.some(word => text.includes(word)))
  const instead = found.find(framework => framework.profile !== undefined)?.profile ?? profile
  return {
    path,
    system,
    profiles: instead === undefined ? [] : [instead],
    frameworks: found.map(({ name }) => name),
    weak,
  }
}

/** Many repositories have a `package.json` only for tools. */
function nodeSignal(path: string, system: string, found: NodeFindings | undefined): Signal {
  const { profiles = [], frameworks = [], ships = false } = found ?? {}
  const plain = system === 'npm' && profiles.length === 0
  const spoken = plain ? ['backend-node'] : profiles
  return { path, system, profiles: spoken, frameworks, weak: plain && !ships }
}

/** Angular in an Nx workspace has its own profile. */
function inWorkspace(signal: Signal, workspaces: ReadonlySet<string>): Signal {
  if (!foldersAbove(signal.path).some(folder => workspaces.has(folder))) return signal
  const profiles = signal.profiles.map(profile =>
    profile === 'frontend-angular' ? 'frontend-angular-nx' : profile,
  )
  return { ...signal, profiles }
}

function rivalsIn(files: readonly Listed[]): Rivals[] {
  const folders = new Map<string, string[]>()
  for (const { path } of files) {
    const name = nameOf(path)
    if (!RIVAL_NAMES.has(name)) continue
    const folder = folderOf(path)
    folders.set(folder, [...(folders.get(folder) ?? []), name])
  }
  return [...folders].flatMap(([folder, names]) =>
    RIVALS.flatMap(row => {
      const found = row.filter(name => names.includes(name))
      if (found.length < 2) return []
      return [{ folder, paths: found.map(name => (folder ? `${folder}/${name}` : name)) }]
    }),
  )
}

/** A signal for display: its path and frameworks. */
export function evidenceOf({ path, frameworks }: Signal): string {
  const shown = spelled(path)
  return frameworks.length === 0 ? shown : `${shown} (${frameworks.join(', ')})`
}
