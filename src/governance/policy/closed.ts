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

/** Opens a repository's policies; an invalid or unloadable set denies every request. */
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

/** The digest of the current policies; `undefined` if the folder is unreadable. */
function digestNow(root: string, config: Config): string | undefined {
  try {
    return digestOf(readConfigured(root, config))
  } catch {
    return undefined
  }
}

const CHECK = 'waybill policy check lists the errors in the policies'

function denyingAll(fault: unknown, digest: string | undefined): Policies {
  const errors = [inWords(fault instanceof Error ? fault.message : String(fault))]
  const remedy = (fault instanceof WaybillError && fault.hint) || CHECK
  // Unread policies have no digest; use that of the error, which differs from every valid set.
  const setDigest = digest ?? sha256(errors.join())
  const decide: Policies['decide'] = request => failed(request, { errors, remedy, setDigest })
  return { setDigest, policies: [], decide, decideAside: async request => decide(request) }
}
