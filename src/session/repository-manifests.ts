/** A file whose name alone says how something is built. */
export interface Manifest {
  readonly system: string
  /** The profile that it speaks for; absent where its text has to say so, or where it only frames the work. */
  readonly profile?: string
  /** It often stands beside other work, and speaks for a profile only where nothing else does. */
  readonly weak?: true
  /** What its text is searched for, the first that fits deciding: words, and what they stand for. */
  readonly frameworks?: readonly Framework[]
}

/** A framework by the words that give it away. */
export interface Framework {
  readonly name: string
  readonly words: readonly string[]
  /** The profile that it speaks for instead of that of its manifest. */
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

/** The manifest that a file is by its name, if it is one. */
export function manifestOf(name: string): Manifest | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  return ENDINGS.find(([ending]) => ending.test(name))?.[1]
}

/** Files that say how a repository is put together without speaking for a profile. */
const FRAMING =
  /^(?:Dockerfile|Containerfile|(?:docker-)?compose[^/]*\.ya?ml|Makefile|Taskfile\.ya?ml|Jenkinsfile|\.gitlab-ci\.ya?ml|\.gitmodules|CODEOWNERS|tsconfig[^/]*\.json|lerna\.json|turbo\.json|rush\.json|pnpm-workspace\.yaml|(?:openapi|asyncapi|swagger)[^/]*\.(?:ya?ml|json)|[^/]+\.(?:proto|graphqls?|avsc))$/

/** Whether what a file says shapes the repository: how it is built, checked and ruled, and what it offers. */
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

/** The profile that a rulebook is about, by its name: `rules.backend-java.md`, `profile.backend-java.md`. */
export function profileOfRulebook(name: string): string | undefined {
  return /^(?:rules|profile)\.([a-z0-9][a-z0-9-]{0,63})\.md$/.exec(name)?.[1]
}

/** Files of which a folder holds at most one in each row, unless two ways of building it are mixed. */
export const RIVALS: readonly (readonly string[])[] = [
  ['pom.xml', 'build.gradle', 'build.gradle.kts', 'build.sbt'],
  ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb'],
  ['poetry.lock', 'uv.lock', 'Pipfile.lock', 'pdm.lock'],
]
