import { WaybillError } from '../../error.ts'
import { type Config, sha256 } from '../../workspace/index.ts'
import { failed, openPolicies, type Policies } from './decide.ts'
import { inWords } from './read-policy.ts'

/** Opens the policies of a repository; a set that is at fault or cannot be loaded denies whatever is asked of it. */
export function openPoliciesClosed(root: string, config: Config): Policies {
  try {
    return openPolicies(root, config)
  } catch (error) {
    return denyingAll(error)
  }
}

const CHECK = 'waybill policy check says what is wrong with the policies'

function denyingAll(fault: unknown): Policies {
  const errors = [inWords(fault instanceof Error ? fault.message : String(fault))]
  const remedy = (fault instanceof WaybillError && fault.hint) || CHECK
  // Of what was not read nobody knows the digest; that of the fault tells it from every sound set.
  const setDigest = sha256(errors.join())
  const decide: Policies['decide'] = request => failed(request, { errors, remedy, setDigest })
  return { setDigest, policies: [], decide }
}
