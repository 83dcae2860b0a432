import { quote } from '../../contract/index.ts'
import { agentsOf } from '../../contracts/index.ts'
import { findHiddenText } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { CONFIG_FILE, type Config } from '../../workspace/index.ts'
import { committedConfig } from '../handoff/committed-evidence.ts'
import { openGovernanceFiles } from '../handoff/governance-files.ts'
import { readTrust } from '../trust/trust.ts'
import { type Proof, proveStatement, verifyStatement } from './statement.ts'

/** What a person can do that counts: all but the first two need a proof unless the configuration takes a name. */
export type HumanAct = 'resume' | 'verify' | 'answer' | 'approve' | 'reject' | 'reconcile' | 'erase'

const TAKEN_ON_A_NAME: readonly HumanAct[] = ['resume', 'verify']

/** What a person says and by what it is shown. */
export interface PersonGiven {
  readonly act: HumanAct
  readonly by: string
  /** The statement. */
  readonly bytes: Uint8Array
  /** A signature that was made before. */
  readonly proof?: Proof | undefined
  /** The file of the key that is to sign now. */
  readonly keyFile?: string | undefined
}

/** The repository for which somebody states something. */
interface Where {
  readonly root: string
  readonly config: Config
}

/** Who stated something, and whether that is shown. */
export type PersonStanding =
  | { readonly standing: 'claimed'; readonly by: string }
  | {
      readonly standing: 'proved'
      readonly by: string
      readonly keyid: string
      readonly proof: Proof
    }

/**
 * Takes a statement of a person, or refuses it: a proof that is wrong is never taken for a mere name. Whose word counts is
 * asked of the configuration as it is, and of the one that was committed.
 *
 * @throws WaybillError `usage` when a proof is needed and there is none, or when it proves nothing.
 */
export async function requirePerson(
  { root, config }: Where,
  given: PersonGiven,
  at: number,
): Promise<PersonStanding> {
  const { by, bytes, keyFile } = given
  // With white space around it a name would be another one in every list.
  if (by.trim() === '' || by.trim() !== by || /\p{Cc}/u.test(by) || findHiddenText(by).length > 0)
    throw new WaybillError('usage', `${quote(by)} is no name of a person`, { hint: NAME_WHO })
  const proof =
    given.proof ?? (keyFile === undefined ? undefined : proveStatement({ by, bytes, keyFile }))
  const shown = { ...given, proof }
  const person = await personIn({ root, config }, shown, at)
  const committed = await committedConfig(root, config)
  if (committed) await mustCount({ root, config: committed }, shown, at)
  return person
}

async function mustCount(where: Where, given: PersonGiven, at: number): Promise<void> {
  try {
    await personIn(where, given, at)
  } catch (cause) {
    throw new WaybillError(
      'usage',
      `what ${given.by} states counts by ${CONFIG_FILE} as it is, and does not as it was committed`,
      { hint: `look at the change with git diff ${CONFIG_FILE}, and commit it`, cause },
    )
  }
}

async function personIn(
  { root, config }: Where,
  { act, by, bytes, proof, keyFile }: PersonGiven,
  at: number,
): Promise<PersonStanding> {
  if (proof) {
    const trust = readTrust(config)
    // Whatever time is given, who signs does so now: with a key that counts no more nobody goes back to when it did.
    const times = keyFile === undefined ? [at] : [at, Math.max(at, Date.now())]
    const verdict = times
      .map(time => verifyStatement({ ...proof, by }, bytes, trust, time))
      .reduce((one, later) => ('fault' in one ? one : later))
    if ('standing' in verdict) return { ...verdict, by, proof: { ...proof, by } }
    throw new WaybillError('usage', `nothing shows that ${by} states this: ${verdict.fault}`, {
      hint: `see the people under trust in ${CONFIG_FILE}: waybill key list`,
    })
  }
  if (config.people === 'claimed' || TAKEN_ON_A_NAME.includes(act)) {
    await mustBeNoAgent(by, { root, config })
    return { standing: 'claimed', by }
  }
  throw new WaybillError('usage', `to ${act}, ${by} has to sign: a name proves nothing`, {
    hint: `name a key that is listed for ${by} under trust, or write people: claimed into ${CONFIG_FILE}`,
  })
}

/** With a key a person may have the name of an agent; a mere name would let the agent speak for people. */
async function mustBeNoAgent(by: string, { root, config }: Where): Promise<void> {
  const { trust = [], unsigned = [] } = config
  const { manifest } = await openGovernanceFiles(root, config)()
  const listed = 'missing' in manifest ? [] : agentsOf(manifest.value).all
  const name = plainName(by)
  const ids = [...trust.map(({ agent }) => agent), ...unsigned, ...listed.map(({ id }) => id)]
  const agent =
    ids.find(id => id !== undefined && hasWord(name, plainName(id))) ??
    // What an agent is called may be a word that people have in their names as well.
    listed.map(one => one.name).find(called => plainName(called) === name)
  if (agent === undefined) return
  const which = plainName(agent) === name ? 'is an agent' : `names the agent ${quote(agent)}`
  throw new WaybillError('usage', `${quote(by)} ${which}, and no name of a person`, {
    hint: NAME_WHO,
  })
}

const NAME_WHO = 'name the person who says it, with no white space around: --by <who>'

const plainName = (name: string) => name.trim().toLowerCase()

/** Whether one name stands in another as a word: what is written around it does not make a person of an agent. */
function hasWord(name: string, word: string): boolean {
  if (word === '') return false
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    const around = `${name.slice(0, at).slice(-1)}${name.slice(at + word.length)[0] ?? ''}`
    if (!IN_A_WORD.test(around)) return true
  }
  return false
}

const IN_A_WORD = /[\p{L}\p{N}_-]/u
