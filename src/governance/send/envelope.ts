import { randomBytes } from 'node:crypto'
import type { AgentHandoff } from '../../contracts/index.ts'
import { formatInstant } from '../../document/index.ts'
import {
  formatEnvelope,
  formatStatement,
  STATEMENT_PAYLOAD,
  signEnvelope,
} from '../../ledger/index.ts'
import { digestValue } from '../digest.ts'
import { SUBJECTS } from '../envelope/statement.ts'
import type { GovernanceFiles } from '../handoff/governance-files.ts'
import type { Signer } from '../keys/open-keys.ts'
import { HANDOFF_PREDICATE } from '../urn.ts'

/** How long an envelope is valid, in milliseconds; the most that a recipient accepts. */
const WINDOW = 600_000
const NONCE_BYTES = 16

/** The inputs of an envelope. */
export interface EnvelopeParts {
  readonly handoff: AgentHandoff
  readonly governanceFiles: GovernanceFiles
  readonly signer: Signer
  /** Gateway time, in milliseconds since the epoch. */
  readonly at: number
  /** Digest of the previous handoff in the conversation. */
  readonly previous: string | undefined
}

/** Returns the signed envelope of a handoff: one line of JSON. */
export function makeEnvelope({
  handoff,
  governanceFiles,
  signer,
  at,
  previous,
}: EnvelopeParts): string {
  const { manifest, lock } = governanceFiles
  const digest = digestValue(handoff)
  if ('missing' in manifest || 'missing' in lock || typeof digest !== 'string')
    throw new TypeError('only a fully checked handoff can be signed')
  const [ofHandoff, ofLock, ofManifest] = SUBJECTS
  const payload = formatStatement({
    subject: [
      { name: ofHandoff, digest: { sha256: digest } },
      { name: ofLock, digest: { sha256: lock.sha256 } },
      { name: ofManifest, digest: { sha256: manifest.sha256 } },
    ],
    predicateType: HANDOFF_PREDICATE,
    predicate: {
      aud: handoff.target_agent.agent_id,
      iat: formatInstant(at),
      exp: formatInstant(at + WINDOW),
      nonce: randomBytes(NONCE_BYTES).toString('hex'),
      prev: previous ?? null,
    },
  })
  if ('fault' in payload) throw new TypeError(payload.fault)
  return formatEnvelope(signEnvelope(STATEMENT_PAYLOAD, payload, [signer]))
}
