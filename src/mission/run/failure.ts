import { type ErrorCode, WaybillError } from '../../error.ts'
import { isRefusedValue } from '../../store/index.ts'
import type { Usage } from '../runner.ts'
import { type Ending, NOTHING } from './endings.ts'
import type { FAILURE_CODES } from './failure-codes.ts'
import { toldOf } from './problem.ts'

type Failed = Extract<Ending, { is: 'failed' }>

/** Converts an error around an attempt to its ending. */
export function failureOf(error: unknown): Failed {
  if (!(error instanceof WaybillError)) {
    const reason = { code: 'mission/internal', message: toldOf(error) }
    return { is: 'failed', reason, mayRetry: false, usage: NOTHING }
  }
  const { message, hint } = error
  const first = { code: FAILURES[error.code], message }
  const reason =
    hint === undefined ? first : { ...first, diagnostics: [{ ...first, path: '', hint }] }
  return { is: 'failed', reason, mayRetry: RETRIED.has(error.code), usage: NOTHING }
}

/** The failure code of a task for each error code. */
const FAILURES: Readonly<Record<ErrorCode, keyof typeof FAILURE_CODES | 'mission/internal'>> = {
  configuration: 'mission/configuration',
  'not-found': 'mission/not-found',
  exists: 'mission/exists',
  conflict: 'mission/conflict',
  'input-output': 'mission/input-output',
  'ledger-tampered': 'mission/ledger-tampered',
  // A prompt of a planned task requires a value that the mission lacks.
  usage: 'mission/configuration',
  // Running a task should never cause these.
  'not-approved': 'mission/internal',
  'store-unavailable': 'mission/internal',
  interrupted: 'mission/internal',
  internal: 'mission/internal',
}

const RETRIED = new Set(['input-output', 'conflict'])

/**
 * The ending of an attempt whose own ending could not be stored: a refusal by the database counts as an invalid
 * artifact.
 */
export function notTaken(error: unknown, usage: Usage): Failed {
  const isRefusal = error instanceof WaybillError && REFUSALS.has(error.code)
  if (!isRefusal && !isRefusedValue(error)) return { ...failureOf(error), usage }
  const reason = { code: 'mission/artifact-refused', message: toldOf(error) }
  return { is: 'failed', reason, mayRetry: false, usage }
}

const REFUSALS = new Set(['conflict', 'usage', 'not-found'])
