import { listed, quote, type Rules } from '../../../contract/index.ts'
import { formatInstant, parseInstant } from '../../../document/index.ts'
import { CLOCK_SKEW } from '../../times.ts'
import { parseNext } from '../next.ts'
import { hasReached, orderOf, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'

/** The rules about cache, fast path and compression. */
export const shortcutRules = {
  'valid-cache-matches': {
    severity: 'error',
    summary: 'A valid cache matches the current commit or signature.',
    why: 'Otherwise it describes another state of the repository.',
    reads: ['/RepoCacheFile'],
    *check({ RepoCacheFile = {} }) {
      const { Valid, GitHeadMatch, RepoSignatureMatch } = RepoCacheFile
      if (Valid !== true || GitHeadMatch === true || RepoSignatureMatch === true) return
      yield {
        path: ['RepoCacheFile', 'Valid'],
        message: 'the cache is marked valid, but neither its commit nor its signature matches',
        hint: 'compare them and write GitHeadMatch or RepoSignatureMatch: true, or Valid: false',
      }
    },
  },
  'cache-reason-fits': {
    severity: 'warning',
    summary: 'A valid cache has no reason for being invalid.',
    why: 'Which of the two is true decides whether discovery may be skipped.',
    reads: ['/RepoCacheFile'],
    *check({ RepoCacheFile = {} }) {
      const { Valid, InvalidationReason } = RepoCacheFile
      if (Valid !== true || !InvalidationReason) return
      yield {
        path: ['RepoCacheFile', 'InvalidationReason'],
        message: `the cache is marked valid, but has the InvalidationReason ${quote(InvalidationReason)}`,
        hint: 'write an empty text, or Valid: false',
      }
    },
  },
  'invalid-cache-means-discovery': {
    severity: 'error',
    summary: 'With an invalid cache, discovery is complete.',
    why: 'An invalid cache describes another state of the repository.',
    reads: ['/RepoCacheFile/Valid', '/FastPath', '/FastPathEvaluation/Applied', '/Phase', '/Next'],
    *check(state) {
      if (state.RepoCacheFile?.Valid !== false) return
      for (const path of shortenings(state)) {
        yield {
          path,
          message: 'the cache is invalid, but discovery is shortened',
          hint: 'complete the discovery of phase 2 without the fast path',
        }
      }
    },
  },
  'invalid-cache-regenerated': {
    severity: 'error',
    summary: 'After phase 2, an invalid cache has been rewritten, or a write is requested.',
    why: 'The next session would find the same invalid cache.',
    reads: ['/Phase', '/RepoCacheFile'],
    *check(state) {
      const { Valid, FileStatus } = state.RepoCacheFile ?? {}
      if (Valid !== false || FileStatus !== 'not-applicable' || !hasReached(state, '2.1')) return
      yield {
        path: ['RepoCacheFile', 'FileStatus'],
        message: 'the cache is invalid and discovery is over, but the cache was not rewritten',
        hint: 'write the cache, or request it: write-requested',
      }
    },
  },
  'no-future-times': {
    severity: 'error',
    summary: 'The date on which the cache was written is not in the future.',
    why: 'A future date comes from a wrong clock or a manual edit.',
    reads: ['/RepoCacheFile/LastUpdated'],
    *check({ RepoCacheFile = {} }, { now }) {
      const day = RepoCacheFile.LastUpdated
      // The day begins first in the easternmost time zone.
      const start = parseInstant(`${day}T00:00:00+14:00`)
      if (start === undefined || start <= now + CLOCK_SKEW) return
      yield {
        path: ['RepoCacheFile', 'LastUpdated'],
        message: `${day} is after now (${formatInstant(now)})`,
        hint: 'write the day on which the cache was written, or unknown',
      }
    },
  },
  'fast-path-eligible': {
    severity: 'error',
    summary: 'The fast path is used only if it was found eligible and marked as applied.',
    why: 'It saves work, but its safety must still be evaluated.',
    reads: ['/FastPath', '/FastPathEvaluation'],
    *check({ FastPath, FastPathEvaluation = {} }) {
      const { Eligible, Applied } = FastPathEvaluation
      const missing = [...(Eligible ? [] : ['Eligible']), ...(Applied ? [] : ['Applied'])]
      if (FastPath === true && missing.length > 0) {
        yield {
          path: ['FastPath'],
          message: `the fast path is used without ${listed(missing)} in FastPathEvaluation`,
          hint: 'evaluate it and write Eligible: true and Applied: true, or FastPath: false',
        }
      } else if (Applied && !Eligible) {
        yield {
          path: ['FastPathEvaluation', 'Applied'],
          message: 'the fast path is applied, but not eligible',
          hint: 'write Eligible: true with the evidence, or Applied: false',
        }
      }
    },
  },
  'fast-path-consistent': {
    severity: 'warning',
    summary: 'Deny reasons and reduced scope of the fast path match the decision.',
    why: 'Otherwise it is unclear which of two statements is outdated.',
    reads: ['/FastPathEvaluation'],
    *check({ FastPathEvaluation = {} }) {
      const { Eligible, Applied, DenyReasons = [], ReducedDiscoveryScope } = FastPathEvaluation
      if (Eligible === true && DenyReasons.length > 0) {
        yield {
          path: ['FastPathEvaluation', 'DenyReasons'],
          message: 'the fast path is eligible, but has deny reasons',
          hint: 'empty the list, or write Eligible: false',
        }
      }
      if (Applied !== true && ReducedDiscoveryScope !== undefined) {
        yield {
          path: ['FastPathEvaluation', 'ReducedDiscoveryScope'],
          atKey: true,
          message: 'the fast path was not applied, but discovery has a reduced scope',
          hint: 'remove the scope, or write Applied: true',
        }
      }
    },
  },
  'fast-path-recorded': {
    severity: 'warning',
    summary: 'A considered fast path is recorded in `FastPathEvaluation`.',
    why: 'The older keys record the decision but not its basis.',
    reads: ['/FastPathReason'],
    *check({ FastPathReason, FastPathEvaluation }) {
      if (!FastPathReason || FastPathEvaluation !== undefined) return
      yield {
        path: ['FastPathReason'],
        message: 'the fast path was considered, but FastPathEvaluation is missing',
        hint: 'add it with Evaluated, Eligible, Applied, Reason and Preconditions',
      }
    },
  },
  'preserved-keys-exist': {
    severity: 'warning',
    summary: 'Every part that compression lists as preserved exists.',
    why: 'A decision lost in compression cannot be recovered.',
    reads: ['/StateCompression'],
    *check(state) {
      const { Applied, Compressed = [] } = state.StateCompression ?? {}
      if (Applied === false) return
      for (const [i, { Preserved = [] }] of Compressed.entries()) {
        for (const [j, key] of Preserved.entries()) {
          // `RepoMapDigest.Modules` names a part of a key.
          if (Object.hasOwn(state, key.split('.', 1)[0] ?? '')) continue
          yield {
            path: ['StateCompression', 'Compressed', i, 'Preserved', j],
            message: `${quote(key)} is listed as preserved, but the state does not have it`,
            hint: 'restore it, or remove it from the list',
          }
        }
      }
    },
  },
} satisfies Rules<SessionState>

/** Where a state says that discovery is shortened. */
function* shortenings(state: SessionState): Generator<readonly string[]> {
  if (state.FastPath === true) yield ['FastPath']
  else if (state.FastPathEvaluation?.Applied === true) yield ['FastPathEvaluation', 'Applied']
  const from = phaseOf(state)
  const pointer = state.Next === undefined ? undefined : parseNext(state.Next)
  if (!from || pointer?.kind !== 'phase') return
  const before = orderOf(from.id) < orderOf('2')
  if (before && orderOf(pointer.phase.id) > orderOf('2')) yield ['Next']
}
