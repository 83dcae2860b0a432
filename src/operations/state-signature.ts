import { formatInstant } from '../document/index.ts'
import { compareCache, openRepository, type Signature, signatureOf } from '../session/index.ts'
import { type App, defineOperation, type TypeOf } from './operation.ts'
import { cachePart } from './state/cache-part.ts'
import { asPart, listingOf, openCache, ownPaths, shown, stateAt } from './state/ground.ts'
import { FILE } from './state/report.ts'
import type { StateSignatureOutput } from './state-signature/output.ts'

/** The maximum length of lists in the output. */
const MOST_SHOWN = 200

const input = {
  type: 'object',
  properties: {
    cache: {
      type: 'string',
      path: true,
      placeholder: 'file',
      description: 'The cache (default: that of the state, or repo-cache.yaml at the root).',
    },
    file: FILE,
  },
} as const

/** Computes the signature of a repository and compares a cache with it. */
export default defineOperation({
  name: 'state signature',
  summary: 'Compute the repository signature and check the cache against it',
  description:
    'The signature is a SHA-256 over the folders with files and the text of build files, pipelines, interface descriptions ' +
    'and rulebooks, with LF line ends. It is the same in every clone and changes when the repository map may change. ' +
    'Links, handoffs, state files and caches do not count. A cache is valid when its signature, or without one its commit, ' +
    'is the current one.',
  examples: [
    { command: 'waybill state signature', does: 'check repo-cache.yaml' },
    { command: 'waybill state signature --cache .cache/repo.yaml', does: 'check another cache' },
    { command: 'waybill state signature --quiet', does: 'print only the YAML to paste' },
  ],
  actor: 'any',
  effect: 'read',
  input,
  run: (given, app) => signature(given, app),
})

async function signature(
  { cache: named, file }: TypeOf<typeof input>,
  app: App,
): Promise<StateSignatureOutput> {
  const state = await stateAt(app, file)
  const cache = await openCache(app, named, state)
  const repository = openRepository(app.root, ownPaths(app, file, cache))
  const found = signatureOf(repository)
  const listing = listingOf(repository)
  const part = cachePart(cache, compareCache(cache.read, repository, found))
  return {
    state: state ? shown(state.path) : null,
    listing,
    folders: found.folders,
    shaping: found.shaping.slice(0, MOST_SHOWN).map(shown),
    whyNoSignature: whyNone(found),
    current: {
      GitHead: listing.gitHead,
      RepoSignature: 'digest' in found ? found.digest : 'unknown',
      LastUpdated: formatInstant(app.now).slice(0, 10),
    },
    cache: shown(cache.path),
    RepoCacheFile: part,
    yaml: asPart({ RepoCacheFile: part }, state),
  }
}

function whyNone(signature: Signature): string | null {
  if ('digest' in signature) return null
  return [...signature.at.map(shown), signature.unknown].join(' ')
}
