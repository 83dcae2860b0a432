/** A file whose name shows how something is built. */
export interface Manifest {
  readonly system: string
  /** Its profile; absent if the text decides, or if it only configures the workspace. */
  readonly profile?: string
  /** Often supports other work: it counts only if nothing else does. */
  readonly weak?: true
  /** Frameworks to search its text for; the first match decides. */
  readonly frameworks?: readonly Framework[]
}

/** A framework and the words that identify it. */
export interface Framework {
  readonly name: string
  readonly words: readonly string[]
  /** Replaces the profile of the manifest. */
  readonly profile?: string
}

const JVM: readonly Framework[] = [
  { name: 'android', words: ['com.android', 'plugins.android'], profile: 'mobile-android' },
  { name: 'spring-boot', words: ['spring-boot', 'org.springframework.boot'] },
  { name: 'quarkus', words: ['quarkus'] },
  { name: 'micronaut', words: ['micronaut'] },
]
const PYTHON: readonly Framework[] = ['django', 'fastapi', 'flask'].map(name => ({
  name,
  words: [name, `${name[0]?.toUpperCase()}${name.slice(1)}`],
}))
const DOTNET: readonly Framework[] = [{ name: 'aspnet', words: ['Microsoft.NET.Sdk.Web'] }]

const NAMED: Readonly<Record<string, Manifest>> = {
  'pom.xml': { system: 'maven', profile: 'backend-java', frameworks: JVM },
  'build.gradle': { system: 'gradle', profile: 'backend-java', frameworks: JVM },
  'build.gradle.kts': { system: 'gradle', profile: 'backend-java', frameworks: JVM },
  'settings.gradle': { system: 'gradle' },
  'settings.gradle.kts': { system: 'gradle' },
  'build.sbt': { system: 'sbt', profile: 'backend-scala' },
  'package.json': { system: 'npm' },
  'project.json': { system: 'nx-project' },
  'angular.json': { system: 'angular-cli', profile: 'frontend-angular' },
  'nx.json': { system: 'nx' },
  'deno.json': { system: 'deno', profile: 'backend-node' },
  'deno.jsonc': { system: 'deno', profile: 'backend-node' },
  'pyproject.toml': { system: 'python', profile: 'backend-python', frameworks: PYTHON },
  'setup.py': { system: 'python', profile: 'backend-python' },
  Pipfile: { system: 'pipenv', profile: 'backend-python', frameworks: PYTHON },
  'requirements.txt': {
    system: 'pip',
    profile: 'backend-python',
    weak: true,
    frameworks: PYTHON,
  },
  'go.mod': { system: 'go', profile: 'backend-go' },
  'go.work': { system: 'go' },
  'Cargo.toml': { system: 'cargo', profile: 'backend-rust' },
  'composer.json': { system: 'composer', profile: 'backend-php' },
  Gemfile: { system: 'bundler', profile: 'backend-ruby', weak: true },
  'mix.exs': { system: 'mix', profile: 'backend-elixir' },
  'pubspec.yaml': { system: 'flutter', profile: 'mobile-flutter' },
  'Package.swift': { system: 'swift', profile: 'mobile-ios' },
  Podfile: { system: 'cocoapods', profile: 'mobile-ios' },
  'CMakeLists.txt': { system: 'cmake', profile: 'native-cpp', weak: true },
}

const ENDINGS: readonly (readonly [RegExp, Manifest])[] = [
  [/\.(?:cs|fs|vb)proj$/, { system: 'dotnet', profile: 'backend-dotnet', frameworks: DOTNET }],
  [/\.slnx?$/, { system: 'dotnet', profile: 'backend-dotnet' }],
  [/\.tf$/, { system: 'terraform', profile: 'infra-terraform', weak: true }],
]

/** The manifest of a file name, if any. */
export function manifestOf(name: string): Manifest | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  return ENDINGS.find(([ending]) => ending.test(name))?.[1]
}

/** Files that shape a repository but imply no profile. */
const FRAMING =
  /^(?:Dockerfile|Containerfile|(?:docker-)?compose[^/]*\.ya?ml|Makefile|Taskfile\.ya?ml|Jenkinsfile|\.gitlab-ci\.ya?ml|\.gitmodules|CODEOWNERS|tsconfig[^/]*\.json|lerna\.json|turbo\.json|rush\.json|pnpm-workspace\.yaml|(?:openapi|asyncapi|swagger)[^/]*\.(?:ya?ml|json)|[^/]+\.(?:proto|graphqls?|avsc))$/

/** Whether a file shapes the repository: its build, checks, rules or interfaces. */
export function isShaping(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    manifestOf(name) !== undefined ||
    FRAMING.test(name) ||
    /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/.test(path) ||
    profileOfRulebook(name) !== undefined ||
    name === 'rules.md' ||
    name === 'AGENTS.md'
  )
}

/** The profile in the name of a rulebook: `rules.backend-java.md`, `profile.backend-java.md`. */
export function profileOfRulebook(name: string): string | undefined {
  return /^(?:rules|profile)\.([a-z0-9][a-z0-9-]{0,63})\.md$/.exec(name)?.[1]
}

/** Alternatives: more than one file of a row in a folder means mixed build systems. */
export const RIVALS: readonly (readonly string[])[] = [
  ['pom.xml', 'build.gradle', 'build.gradle.kts', 'build.sbt'],
  ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
  ['poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock'],
]
