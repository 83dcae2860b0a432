import { quote } from '../../contract/index.ts'
import { formatInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { decideProposal, examineProposal } from '../../mission/index.ts'
import { listProposals, type Store, type WhichProposal } from '../../store/index.ts'
import { loadConfig } from '../../workspace/index.ts'
import { withGateway } from '../gateway/open.ts'
import { statedIn } from '../gateway/stated.ts'
import type { ProposalDecisionParts } from '../mission-approve/output.ts'
import type { App } from '../operation.ts'
import { TENANT_INPUT, tenantOf, theRun, withStore } from './open.ts'

/** The inputs with which a person decides on a write-back proposal. */
export const DECIDING = {
  proposal: {
    type: 'string',
    positional: true,
    placeholder: 'proposal',
    description: 'The proposal id; waybill mission status lists the pending ones.',
  },
  mission: {
    type: 'string',
    placeholder: 'mission',
    description: 'The mission of the proposal; needed when several use the same proposal id.',
  },
  by: { type: 'string', placeholder: 'person', description: 'The person who decides.' },
  why: { type: 'string', placeholder: 'reason', description: 'The reason for the decision.' },
  key: {
    type: 'string',
    path: true,
    placeholder: 'file',
    description: 'The key of that person: an SSH key or a P-256 key, listed under trust.',
  },
  digest: {
    type: 'string',
    placeholder: 'sha256',
    description: 'The digest that the person was shown; a proposal with another digest is refused.',
  },
  dryRun: {
    type: 'boolean',
    description: 'Show the proposal and whether it can be decided; record nothing.',
  },
  tenant: TENANT_INPUT,
} as const

/** A person's decision on a proposal. */
export interface Deciding {
  readonly decision: 'approved' | 'rejected'
  readonly proposal: string
  readonly mission?: string | undefined
  readonly by?: string | undefined
  readonly why?: string | undefined
  readonly key?: string | undefined
  readonly digest?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly tenant?: string | undefined
  /** How long an approval is valid, in milliseconds. */
  readonly life?: number | undefined
}

/** Records a person's decision on a proposal; with `dryRun`, only shows it. */
export async function decide(given: Deciding, app: App): Promise<ProposalDecisionParts> {
  const { decision, dryRun = false, digest: shown } = given
  const tenant = tenantOf(given)
  const { by, why } = dryRun ? { by: given.by ?? '', why: '' } : statedIn(stated(given), LACKING)
  return withStore(app, async store => {
    const which = { tenant, ...(await find(store, tenant, given)) }
    if (dryRun) {
      const person = by === '' ? {} : { by, keyFile: given.key }
      const config = await loadConfig(app.root)
      const found = await withGateway(app, config, gateway =>
        examineProposal(store, gateway, { ...which, decision, shown, ...person }),
      )
      return { outcome: 'would-record', decision, tenant, ...decisionFields(found), ...NOTHING }
    }
    const config = await loadConfig(app.root)
    const decided = await withGateway(app, config, gateway =>
      decideProposal(store, gateway, {
        ...which,
        ...{ decision, by, why, shown, keyFile: given.key, life: given.life },
      }),
    )
    const { standing, expiresAt, entry } = decided.decision
    return {
      ...{ outcome: 'recorded', decision, tenant, ...decisionFields(decided.proposal), by },
      standing: standing === 'proved' ? 'proved' : 'claimed',
      ...{ keyid: decided.keyid, entry },
      expires: expiresAt && formatInstant(expiresAt.getTime()),
    }
  })
}

const LACKING = {
  message: 'a decision needs --by <who> and --why <reason>',
  hint: 'name the person and the reason; --dry-run shows the proposal first',
}

const NOTHING = { by: null, standing: null, keyid: null, entry: null, expires: null }

function stated({ by, why }: Deciding) {
  return { ...(by !== undefined && { by }), ...(why !== undefined && { why }) }
}

type About = Awaited<ReturnType<typeof examineProposal>>

function decisionFields({
  mission,
  proposal,
  digest,
  payload,
  agents,
}: Omit<About, 'payload'> & { readonly payload: About['payload'] | null }) {
  return { mission, proposal, digest, payload, agents: [...agents] }
}

/** Finds the one proposal with this id. */
async function find(
  store: Store,
  tenant: string,
  { proposal, mission }: Deciding,
): Promise<WhichProposal> {
  if (mission !== undefined) {
    const run = await store.tenant(tenant, tx => theRun(tx, mission))
    return { mission: run.mission, proposal }
  }
  const found = await store.tenant(tenant, tx => listProposals(tx, { proposal, limit: 2 }))
  const [one, another] = found
  if (!one)
    throw new WaybillError('not-found', `there is no write-back proposal ${quote(proposal)}`, {
      hint: 'waybill mission status <mission> lists the proposals of a mission',
    })
  if (!another) return { mission: one.mission, proposal }
  throw new WaybillError('conflict', `several missions have a proposal ${quote(proposal)}`, {
    hint: `name the mission: --mission ${one.mission}`,
  })
}
