import { listed, quote, type Rules } from '../../../contract/index.ts'
import { formatInstant, parseInstant } from '../../../document/index.ts'
import { parseNext } from '../next.ts'
import { hasReached, orderOf, phaseOf } from '../phases.ts'
import type { SessionState } from '../schema.ts'

const CLOCK_SKEW = 5 * 60 * 1000

/** That a cache, the fast path and compression shorten the work without shortening the proof. */
export const shortcutRules = {
  'valid-cache-matches': {
    severity: 'error',
    summary: 'A cache is valid only when its commit or its signature is the current one.',
    why: 'Otherwise it describes another repository than the one that is worked on.',
    reads: ['/RepoCacheFile'],
    *check({ RepoCacheFile = {} }) {
      const { Valid, GitHeadMatch, RepoSignatureMatch } = RepoCacheFile
      if (Valid !== true || GitHeadMatch === true || RepoSignatureMatch === true) return
      yield {
        path: ['RepoCacheFile', 'Valid'],
        message: 'the cache is valid, and neither its commit nor its signature is said to match',
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
        message: `the cache is valid, and ${quote(InvalidationReason)} says why it is not`,
        hint: 'write an empty text, or Valid: false',
      }
    },
  },
  'invalid-cache-means-discovery': {
    severity: 'error',
    summary: 'With an invalid cache discovery is done in full.',
    why: 'What the cache says was found out about another state of the repository.',
    reads: ['/RepoCacheFile/Valid', '/FastPath', '/FastPathEvaluation/Applied', '/Phase', '/Next'],
    *check(state) {
      if (state.RepoCacheFile?.Valid !== false) return
      for (const path of shortenings(state)) {
        yield {
          path,
          message: 'the cache is invalid, and discovery is cut short',
          hint: 'do the discovery of phase 2, and take no fast path',
        }
      }
    },
  },
  'invalid-cache-regenerated': {
    severity: 'error',
    summary: 'After phase 2 an invalid cache was written anew, or that was asked for.',
    why: 'The next session would find the same invalid cache.',
    reads: ['/Phase', '/RepoCacheFile'],
    *check(state) {
      const { Valid, FileStatus } = state.RepoCacheFile ?? {}
      if (Valid !== false || FileStatus !== 'not-applicable' || !hasReached(state, '2.1')) return
      yield {
        path: ['RepoCacheFile', 'FileStatus'],
        message: 'the cache is invalid, discovery is over, and the cache was not written anew',
        hint: 'write the cache, or ask for it: write-requested',
      }
    },
  },
  'no-future-times': {
    severity: 'error',
    summary: 'The day on which the cache was written does not lie in the future.',
    why: 'A day that has nowhere begun was dated by a wrong clock or by hand.',
    reads: ['/RepoCacheFile/LastUpdated'],
    *check({ RepoCacheFile = {} }, { now }) {
      const day = RepoCacheFile.LastUpdated
      // The day begins first where clocks are furthest ahead.
      const start = parseInstant(`${day}T00:00:00+14:00`)
      if (start === undefined || start <= now + CLOCK_SKEW) return
      yield {
        path: ['RepoCacheFile', 'LastUpdated'],
        message: `${day} lies after now (${formatInstant(now)})`,
        hint: 'write the day on which the cache was written, or unknown',
      }
    },
  },
  'fast-path-eligible': {
    severity: 'error',
    summary: 'The fast path is taken only where it was found safe, and then said to be applied.',
    why: 'It saves work; it must not save the answer to whether it may.',
    reads: ['/FastPath', '/FastPathEvaluation'],
    *check({ FastPath, FastPathEvaluation = {} }) {
      const { Eligible, Applied } = FastPathEvaluation
      const missing = [...(Eligible ? [] : ['Eligible']), ...(Applied ? [] : ['Applied'])]
      if (FastPath === true && missing.length > 0) {
        yield {
          path: ['FastPath'],
          message: `the fast path is taken without ${listed(missing)} in FastPathEvaluation`,
          hint: 'evaluate it and write Eligible: true and Applied: true, or FastPath: false',
        }
      } else if (Applied && !Eligible) {
        yield {
          path: ['FastPathEvaluation', 'Applied'],
          message: 'the fast path is applied, and not found safe',
          hint: 'write Eligible: true with the evidence, or Applied: false',
        }
      }
    },
  },
  'fast-path-consistent': {
    severity: 'warning',
    summary: 'Reasons against the fast path and its reduced scope fit what was decided.',
    why: 'A reader cannot tell which of the two statements is left over.',
    reads: ['/FastPathEvaluation'],
    *check({ FastPathEvaluation = {} }) {
      const { Eligible, Applied, DenyReasons = [], ReducedDiscoveryScope } = FastPathEvaluation
      if (Eligible === true && DenyReasons.length > 0) {
        yield {
          path: ['FastPathEvaluation', 'DenyReasons'],
          message: 'the fast path is safe, and there are reasons against it',
          hint: 'empty the list, or write Eligible: false',
        }
      }
      if (Applied !== true && ReducedDiscoveryScope !== undefined) {
        yield {
          path: ['FastPathEvaluation', 'ReducedDiscoveryScope'],
          atKey: true,
          message: 'the fast path was not applied, and discovery has a reduced scope',
          hint: 'remove the scope, or write Applied: true',
        }
      }
    },
  },
  'fast-path-recorded': {
    severity: 'warning',
    summary: 'A fast path that was considered is recorded in `FastPathEvaluation`.',
    why: 'The older keys say what was decided and not on what ground.',
    reads: ['/FastPathReason'],
    *check({ FastPathReason, FastPathEvaluation }) {
      if (!FastPathReason || FastPathEvaluation !== undefined) return
      yield {
        path: ['FastPathReason'],
        message: 'the fast path was considered, and FastPathEvaluation is missing',
        hint: 'add it with Evaluated, Eligible, Applied, Reason and Preconditions',
      }
    },
  },
  'preserved-keys-exist': {
    severity: 'warning',
    summary: 'What compression says it preserved is there.',
    why: 'A decision that went with the summary cannot be found again.',
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
            message: `${quote(key)} is said to be preserved, and the state does not hold it`,
            hint: 'add it again, or take it from the list',
          }
        }
      }
    },
  },
} satisfies Rules<SessionState>

/** Where a state says that discovery is cut short. */
function* shortenings(state: SessionState): Generator<readonly string[]> {
  if (state.FastPath === true) yield ['FastPath']
  else if (state.FastPathEvaluation?.Applied === true) yield ['FastPathEvaluation', 'Applied']
  const from = phaseOf(state)
  const pointer = state.Next === undefined ? undefined : parseNext(state.Next)
  if (!from || pointer?.kind !== 'phase') return
  const before = orderOf(from.id) < orderOf('2')
  if (before && orderOf(pointer.phase.id) > orderOf('2')) yield ['Next']
}
