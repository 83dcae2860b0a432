import { quote } from '../../contract/index.ts'
import { agentsOf } from '../../contracts/index.ts'
import { findHiddenText } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import { CONFIG_FILE, type Config } from '../../workspace/index.ts'
import { committedConfig } from '../handoff/committed-evidence.ts'
import { openGovernanceFiles } from '../handoff/governance-files.ts'
import { readTrust } from '../trust/trust.ts'
import { type Proof, proveStatement, verifyStatement } from './statement.ts'

/** A person's actions: all but the first two need a proof unless the configuration accepts names. */
export type HumanAct = 'resume' | 'verify' | 'answer' | 'approve' | 'reject' | 'reconcile' | 'erase'

const TAKEN_ON_A_NAME: readonly HumanAct[] = ['resume', 'verify']

/** A person's statement and its proof. */
export interface PersonGiven {
  readonly act: HumanAct
  readonly by: string
  readonly bytes: Uint8Array
  /** A signature made before. */
  readonly proof?: Proof | undefined
  /** The file of the key to sign with now. */
  readonly keyFile?: string | undefined
}

/** The repository that a statement is for. */
interface Where {
  readonly root: string
  readonly config: Config
}

/** Who made a statement, and whether it is proved. */
export type PersonStanding =
  | { readonly standing: 'claimed'; readonly by: string }
  | {
      readonly standing: 'proved'
      readonly by: string
      readonly keyid: string
      readonly proof: Proof
    }

/**
 * Accepts a person's statement or refuses it; a wrong proof never counts as a bare name. Checks both the current and
 * the committed configuration.
 *
 * @throws {WaybillError} `usage` when a proof is required and missing, or is invalid.
 */
export async function requirePerson(
  { root, config }: Where,
  given: PersonGiven,
  at: number,
): Promise<PersonStanding> {
  const { by, bytes, keyFile } = given
  // Surrounding white space would make a different name in every list.
  if (by.trim() === '' || by.trim() !== by || /\p{Cc}/u.test(by) || findHiddenText(by).length > 0)
    throw new WaybillError('usage', `${quote(by)} is not a person's name`, { hint: NAME_WHO })
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
      `the statement of ${given.by} is valid under the current ${CONFIG_FILE}, but not under the committed one`,
      { hint: `review the change with git diff ${CONFIG_FILE} and commit it`, cause },
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
    // Signing happens now, whatever time is given: a key that ended cannot sign for the past.
    const times = keyFile === undefined ? [at] : [at, Math.max(at, Date.now())]
    const verdict = times
      .map(time => verifyStatement({ ...proof, by }, bytes, trust, time))
      .reduce((one, later) => ('fault' in one ? one : later))
    if ('standing' in verdict) return { ...verdict, by, proof: { ...proof, by } }
    throw new WaybillError('usage', `cannot verify that ${by} states this: ${verdict.fault}`, {
      hint: `check the people under trust in ${CONFIG_FILE}: waybill key list`,
    })
  }
  if (config.people === 'claimed' || TAKEN_ON_A_NAME.includes(act)) {
    await mustBeNoAgent(by, { root, config })
    return { standing: 'claimed', by }
  }
  throw new WaybillError('usage', `to ${act}, ${by} has to sign: a name is not a proof`, {
    hint: `pass a key listed for ${by} under trust, or set people: claimed in ${CONFIG_FILE}`,
  })
}

/** With a key a person may share the name of an agent; a bare name would let the agent speak for people. */
async function mustBeNoAgent(by: string, { root, config }: Where): Promise<void> {
  const { trust = [], unsigned = [] } = config
  const { manifest } = await openGovernanceFiles(root, config)()
  const listed = 'missing' in manifest ? [] : agentsOf(manifest.value).all
  const name = plainName(by)
  const ids = [...trust.map(({ agent }) => agent), ...unsigned, ...listed.map(({ id }) => id)]
  const agent =
    ids.find(id => id !== undefined && hasWord(name, plainName(id))) ??
    // An agent's name may also be a word in people's names.
    listed.map(one => one.name).find(called => plainName(called) === name)
  if (agent === undefined) return
  const which = plainName(agent) === name ? 'is an agent' : `names the agent ${quote(agent)}`
  throw new WaybillError('usage', `${quote(by)} ${which}, not a person`, {
    hint: NAME_WHO,
  })
}

const NAME_WHO = 'name the person, without surrounding white space: --by <who>'

const plainName = (name: string) => name.trim().toLowerCase()

/** Whether a name contains another as a whole word: extra characters do not make an agent a person. */
function hasWord(name: string, word: string): boolean {
  if (word === '') return false
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    const around = `${name.slice(0, at).slice(-1)}${name.slice(at + word.length)[0] ?? ''}`
    if (!IN_A_WORD.test(around)) return true
  }
  return false
}

const IN_A_WORD = /[\p{L}\p{N}_-]/u
