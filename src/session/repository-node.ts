/** The profiles and frameworks of a `package.json` or an Nx `project.json`. */
export interface NodeFindings {
  readonly profiles: readonly string[]
  readonly frameworks: readonly string[]
  /** Without a known framework: whether it is more than a list of tools. */
  readonly ships?: boolean
}

/** Frontend frameworks; the first match wins, since each builds on later ones. */
const FRONTENDS: readonly (readonly [dependency: string, framework: string, profile: string])[] = [
  ['@angular/core', 'angular', 'frontend-angular'],
  ['next', 'next', 'frontend-nextjs'],
  ['nuxt', 'nuxt', 'frontend-nuxt'],
  ['react-native', 'react-native', 'mobile-react-native'],
  ['expo', 'expo', 'mobile-react-native'],
  ['@sveltejs/kit', 'sveltekit', 'frontend-svelte'],
  ['svelte', 'svelte', 'frontend-svelte'],
  ['vue', 'vue', 'frontend-vue'],
  ['react', 'react', 'frontend-react'],
]

/** Next to a frontend, only these server frameworks count as a separate backend. */
const WHOLE_SERVERS: readonly string[] = ['@nestjs/core', '@adonisjs/core']
const SERVERS: readonly string[] = ['express', 'fastify', 'koa', '@hapi/hapi', 'hono']

/** Reads the text of a `package.json`; undefined if invalid. */
export function readPackage(text: string): NodeFindings | undefined {
  const value = parse(text)
  if (value === undefined) return undefined
  const names = new Set(
    ['dependencies', 'devDependencies', 'peerDependencies'].flatMap(key => keysOf(value, key)),
  )
  const frontend = FRONTENDS.find(([dependency]) => names.has(dependency))
  const servers = [...WHOLE_SERVERS, ...(frontend ? [] : SERVERS)].filter(name => names.has(name))
  return {
    profiles: [...(frontend ? [frontend[2]] : []), ...(servers.length > 0 ? ['backend-node'] : [])],
    frameworks: [...(frontend ? [frontend[1]] : []), ...servers],
    ships: shipsSomething(value),
  }
}

/** A package with dependencies or exports is a project; one with only tools or workspaces is not. */
function shipsSomething(value: Readonly<Record<string, unknown>>): boolean {
  const has = (key: string) => Object.hasOwn(value, key)
  if (has('workspaces')) return false
  const offers = ['bin', 'exports', 'module'].some(has) || (has('main') && value.private !== true)
  return offers || keysOf(value, 'dependencies').length > 0
}

/** Profiles of the Nx plugins. */
const PLUGINS: readonly (readonly [plugin: RegExp, framework: string, profile: string])[] = [
  [/^@(?:(?:nx|nrwl)\/angular|angular-devkit\/|angular\/build)/, 'angular', 'frontend-angular'],
  [/^@(?:nx|nrwl)\/next/, 'next', 'frontend-nextjs'],
  [/^@(?:nx|nrwl)\/nuxt/, 'nuxt', 'frontend-nuxt'],
  [/^@(?:nx|nrwl)\/(?:react-native|expo)/, 'react-native', 'mobile-react-native'],
  [/^@(?:nx|nrwl)\/vue/, 'vue', 'frontend-vue'],
  [/^@(?:nx|nrwl)\/react/, 'react', 'frontend-react'],
  [/^@(?:nx|nrwl)\/(?:nest|node|express)/, 'node', 'backend-node'],
]

/** Reads the executors of an Nx `project.json`; undefined if invalid. */
export function readNxProject(text: string): NodeFindings | undefined {
  const targets = fieldsOf(parse(text)?.targets)
  if (!targets) return undefined
  const executors = Object.values(targets).map(target => String(fieldsOf(target)?.executor ?? ''))
  const found = PLUGINS.find(([plugin]) => executors.some(executor => plugin.test(executor)))
  return found ? { profiles: [found[2]], frameworks: [found[1]] } : { profiles: [], frameworks: [] }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return fieldsOf(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

function keysOf(value: Readonly<Record<string, unknown>>, key: string): string[] {
  return Object.hasOwn(value, key) ? Object.keys(fieldsOf(value[key]) ?? {}) : []
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const is = typeof value === 'object' && value !== null && !Array.isArray(value)
  return is ? (value as Readonly<Record<string, unknown>>) : undefined
}
