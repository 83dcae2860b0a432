import { foldersAbove, isWithin } from './repository-files.ts'
import type { Rulebook, Signal } from './repository-signals.ts'

/** A profile with its evidence in the repository. */
export interface Candidate {
  readonly profile: string
  /** Its evidence, strongest first. */
  readonly signals: readonly Signal[]
  readonly rulebooks: readonly string[]
}

/** Candidates, and whether their evidence is strong. */
export interface Candidates {
  readonly found: readonly Candidate[]
  readonly clear: boolean
}

/** Folders that do not show what the repository builds, such as tests and examples. */
const ASIDE: ReadonlySet<string> = new Set([
  ...['test', 'tests', '__tests__', 'testdata', 'fixtures', '__fixtures__', 'e2e', 'spec'],
  ...['example', 'examples', 'sample', 'samples', 'demo', 'demos', 'docs', 'doc', 'website'],
  ...['vendor', 'third_party', 'templates', 'dist', 'build', 'target', 'bench', 'benchmarks'],
])

/** Profiles that are part of another one. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'mobile-react-native': ['mobile-android', 'mobile-ios'],
  'mobile-flutter': ['mobile-android', 'mobile-ios'],
}

/** The profiles with strong signals, else those with weak ones, else those of examples and tests. */
export function candidatesOf(
  signals: readonly Signal[],
  rulebooks: readonly Rulebook[],
  within: readonly string[] = [''],
): Candidates {
  const speaking = signals.filter(({ profiles }) => profiles.length > 0)
  const aside = speaking.filter(({ path }) => liesAside(path, within))
  const central = speaking.filter(signal => !aside.includes(signal))
  const clear = central.filter(({ weak }) => !weak)
  const chosen = [clear, central, aside].find(group => group.length > 0) ?? []
  return { found: groupByProfile(chosen, rulebooks), clear: clear.length > 0 }
}

/** The signals of the nearest folders above a scope that have manifests with a profile. */
export function signalsAbove(signals: readonly Signal[], scope: readonly string[]): Signal[] {
  const byFolder = new Map<string, Signal[]>()
  for (const signal of signals) {
    if (signal.weak || signal.profiles.length === 0) continue
    const [folder = ''] = foldersAbove(signal.path)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), signal])
  }
  const nearest = scope.map(path => foldersAbove(path).find(folder => byFolder.has(folder)))
  const folders = new Set(nearest.filter(folder => folder !== undefined))
  return [...folders].flatMap(folder => byFolder.get(folder) ?? [])
}

/** Whether a path is in an example or test folder below the given folder. */
function liesAside(path: string, within: readonly string[]): boolean {
  const base = within.find(folder => isWithin(path, folder)) ?? ''
  const names = path.slice(base.length).split('/').slice(0, -1)
  return names.some(name => ASIDE.has(name.toLowerCase()))
}

function groupByProfile(signals: readonly Signal[], rulebooks: readonly Rulebook[]): Candidate[] {
  const groups = new Map<string, Signal[]>()
  for (const signal of signals) {
    for (const profile of signal.profiles) {
      const name = nameInRulebooks(profile, rulebooks)
      const group = groups.get(name)
      if (group) group.push(signal)
      else groups.set(name, [signal])
    }
  }
  const covered = new Set([...groups.keys()].flatMap(profile => PARTS[profile] ?? []))
  return [...groups]
    .filter(([profile]) => !covered.has(profile))
    .map(([profile, found]) => ({
      profile,
      signals: found.toSorted(nearestRoot),
      rulebooks: rulebooksOf(profile, rulebooks),
    }))
    .sort((a, b) => (a.profile < b.profile ? -1 : 1))
}

/** Rulebooks may cover a wider profile: `frontend-angular` for `frontend-angular-nx`. */
function nameInRulebooks(profile: string, rulebooks: readonly Rulebook[]): string {
  const wider = rulebooks.map(r => r.profile).filter(name => profile.startsWith(`${name}-`))
  const exact = rulebooks.some(rulebook => rulebook.profile === profile)
  return exact ? profile : (wider.toSorted((a, b) => b.length - a.length)[0] ?? profile)
}

/** The paths of the rulebooks of a profile, nearest to the root first. */
export function rulebooksOf(profile: string, rulebooks: readonly Rulebook[]): string[] {
  return rulebooks
    .filter(rulebook => rulebook.profile === profile)
    .toSorted(nearestRoot)
    .map(({ path }) => path)
}

function nearestRoot(a: { readonly path: string }, b: { readonly path: string }): number {
  return depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1)
}

const depthOf = (path: string) => path.split('/').length
