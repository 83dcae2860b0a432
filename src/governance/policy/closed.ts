import { WaybillError } from '../../error.ts'
import { type Config, sha256 } from '../../workspace/index.ts'
import {
  failed,
  openPolicies,
  type Policies,
  type PolicyOptions,
  readConfigured,
} from './decide.ts'
import { digestOf } from './inspect.ts'
import { inWords } from './read-policy.ts'

/** Opens the policies of a repository; a set that is at fault or cannot be loaded denies whatever is asked of it. */
export function openPoliciesClosed(
  root: string,
  config: Config,
  options: PolicyOptions = {},
): Policies {
  try {
    return openPolicies(root, config, options)
  } catch (error) {
    return denyingAll(error, digestNow(root, config))
  }
}

/** The digest of the policies as they are; `undefined` where their folder cannot be read. */
function digestNow(root: string, config: Config): string | undefined {
  try {
    return digestOf(readConfigured(root, config))
  } catch {
    return undefined
  }
}

const CHECK = 'waybill policy check says what is wrong with the policies'

function denyingAll(fault: unknown, digest: string | undefined): Policies {
  const errors = [inWords(fault instanceof Error ? fault.message : String(fault))]
  const remedy = (fault instanceof WaybillError && fault.hint) || CHECK
  // Of what was not read nobody knows the digest; that of the fault tells it from every sound set.
  const setDigest = digest ?? sha256(errors.join())
  const decide: Policies['decide'] = request => failed(request, { errors, remedy, setDigest })
  return { setDigest, policies: [], decide, decideAside: async request => decide(request) }
}
