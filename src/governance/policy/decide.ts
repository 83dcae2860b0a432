import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { Response } from '@cedar-policy/cedar-wasm/nodejs'
import { counted, listed } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import { type Config, lookThrough } from '../../workspace/index.ts'
import { authorize, type Call } from './engine.ts'
import { type PolicyFolder, readPolicyFolder } from './files.ts'
import { type Inspected, inspectPolicies } from './inspect.ts'
import { POLICY_ACTIONS, type Policy, type PolicyAction, type PolicyWords } from './policy.ts'
import { inWords } from './read-policy.ts'
import { callOf, type PolicyRequest } from './request.ts'
import { setFor } from './sets.ts'
import type { PolicyThread } from './thread.ts'

/** A policy that determined a decision, or why none did. */
export interface Determining extends PolicyWords {
  /** The id of a policy, or `policy/failed` or `policy/no-permit`. */
  readonly id: string
  /** `none` if no policy decided. */
  readonly effect: 'permit' | 'forbid' | 'none'
  readonly reason: string
}

/** The decision of the policies on a request. */
export interface PolicyOutcome {
  readonly action: PolicyAction
  /** `needs-input` if only forbids with @needs deny the request. */
  readonly decision: 'allow' | 'deny' | 'needs-input'
  /** Sorted by id; never empty. */
  readonly determining: readonly Determining[]
  /** Errors, if any; the decision is then deny. */
  readonly errors: readonly string[]
  /** Hex SHA-256 over the schema and all policies. */
  readonly setDigest: string
}

/** The policies of a repository, ready to decide. */
export interface Policies {
  readonly setDigest: string
  readonly policies: readonly Policy[]
  /** Never throws: errors deny the request. */
  decide(request: PolicyRequest): PolicyOutcome
  /** Decides in a worker thread if there is one, so that other work continues. */
  decideAside(request: PolicyRequest): Promise<PolicyOutcome>
}

/** Options for opening policies. */
export interface PolicyOptions {
  /** Whether equal requests are answered from a cache (default: true; evaluation is pure). */
  readonly remember?: boolean
  /** Asks the engine when many requests come at once. */
  readonly thread?: PolicyThread | undefined
}

/**
 * Opens the built-in policies and those of the repository.
 *
 * @throws {WaybillError} 'configuration' when the engine is missing or a policy is invalid: a forbid might be lost.
 */
export function openPolicies(root: string, config: Config, options: PolicyOptions = {}): Policies {
  const inspected = inspectPolicies(readConfigured(root, config))
  const errors = inspected.faults.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const [first] = errors
    const place = first ? `${first.file}:${first.line}:${first.column} ${first.message}` : ''
    const message = `the policies have ${counted(errors.length, 'error')}: ${place}`
    throw new WaybillError('configuration', message, {
      hint: 'waybill policy check lists them all',
    })
  }
  return decideBy(inspected, options)
}

/** The policy folder that `waybill.yaml` names; without one only built-in policies apply. */
export function readConfigured(root: string, { policies }: Config): PolicyFolder {
  if (policies === undefined) return { files: [], faults: [] }
  const folder = resolve(root, policies)
  if (!lookThrough(folder, `policies: ${policies}`)?.isDirectory()) {
    throw new WaybillError('configuration', `policies: folder ${policies} does not exist`, {
      hint: 'correct policies in waybill.yaml, or create the folder',
    })
  }
  if (relative(realpathSync(root), realpathSync(folder)).split(sep)[0] === '..') {
    throw new WaybillError('configuration', `policies: ${policies} is not inside the repository`, {
      hint: 'set policies in waybill.yaml to a folder below the root',
    })
  }
  return readPolicyFolder(folder, root)
}

/** Limits on the number of cached answers and the length of their requests. */
const MOST_REMEMBERED = 1024
const LONGEST_REMEMBERED = 4096

/** Decides by parsed policies, even invalid ones: the caller decides whether that is allowed. */
export function decideBy(
  inspected: Inspected,
  { remember = true, thread }: PolicyOptions,
): Policies {
  const answers = new Map<string, PolicyOutcome>()
  const { digest: setDigest, policies } = inspected
  const keep = (key: string, outcome: PolicyOutcome): PolicyOutcome => {
    if (!remember || key.length > LONGEST_REMEMBERED) return outcome
    if (answers.size >= MOST_REMEMBERED) answers.clear()
    answers.set(key, outcome)
    return outcome
  }
  const refuse = (request: PolicyRequest, error: unknown): PolicyOutcome => {
    const message = error instanceof Error ? error.message : String(error)
    return failed(request, { errors: [inWords(message)], remedy: LOOK, setDigest })
  }
  const decide = (request: PolicyRequest): PolicyOutcome => {
    try {
      // A circular request cannot be serialized, and is refused.
      const key = JSON.stringify(request)
      return answers.get(key) ?? keep(key, evaluate(request, inspected))
    } catch (error) {
      return refuse(request, error)
    }
  }
  const decideAside = async (request: PolicyRequest): Promise<PolicyOutcome> => {
    if (!thread) return decide(request)
    try {
      const key = JSON.stringify(request)
      const known = answers.get(key)
      if (known) return known
      const outcome = await thread.ask(key, inspected)
      return outcome ? keep(key, outcome) : decide(request)
    } catch (error) {
      return refuse(request, error)
    }
  }
  return { setDigest, policies, decide, decideAside }
}

const LOOK = 'fix what the message names; every request is denied until the policies can decide'
const MEND =
  'fix the named policy: it fails on this handoff, which waybill policy check cannot detect'

interface Failure extends Pick<PolicyOutcome, 'errors' | 'setDigest'> {
  readonly remedy: string
}

/** The denial when evaluation fails. */
export function failed(
  request: PolicyRequest | undefined,
  { errors, remedy, setDigest }: Failure,
): PolicyOutcome {
  const reason = `the policies could not decide: ${listed(errors.slice(0, 3))}`
  return {
    action: POLICY_ACTIONS.find(name => name === request?.action) ?? 'handoff',
    decision: 'deny',
    determining: [{ id: 'policy/failed', effect: 'none', reason, remedy }],
    errors,
    setDigest,
  }
}

/** Most requests are allowed: evaluate each policy separately only if one denies. */
function evaluate(request: PolicyRequest, inspected: Inspected): PolicyOutcome {
  const call = callOf(request)
  return allowedAtOnce(request.action, call, inspected) ?? evaluateEach(request, inspected, call)
}

/** Returns the decision if it is to allow without errors: then no joined forbid applies. */
function allowedAtOnce(
  action: PolicyAction,
  call: Call,
  inspected: Inspected,
): PolicyOutcome | undefined {
  const { digest: setDigest, policies } = inspected
  let answer: ReturnType<typeof authorize>
  try {
    answer = authorize(setFor(action, inspected, 'joined'), call)
  } catch {
    return undefined
  }
  if (answer.type === 'failure') return undefined
  const { decision, diagnostics } = answer.response
  if (decision !== 'allow' || diagnostics.errors.length > 0) return undefined
  const determining = determiningIn(answer.response, policies)
  return { action, errors: [], setDigest, decision, determining }
}

/** Decides with each policy for the action evaluated separately. */
export function evaluateEach(
  request: PolicyRequest,
  inspected: Inspected,
  call: Call = callOf(request),
): PolicyOutcome {
  const { action } = request
  const { digest: setDigest, policies } = inspected
  const response = mustAnswer(authorize(setFor(action, inspected, 'all'), call))
  const errors = errorsIn(response, policies)
  if (errors.length > 0) return failed(request, { errors, remedy: MEND, setDigest })
  const determining = determiningIn(response, policies)
  const settled = { action, errors, setDigest }
  if (response.decision === 'allow') return { ...settled, decision: 'allow', determining }
  const mayStillBe = determining.length > 0 && determining.every(({ needs }) => needs !== undefined)
  // Input changes nothing unless a permit applies.
  const permitted = mayStillBe
    ? mustAnswer(authorize(setFor(action, inspected, 'permits'), call)).decision === 'allow'
    : determining.length > 0
  if (!permitted) determining.push(nobodyPermits(action))
  return { ...settled, decision: mayStillBe && permitted ? 'needs-input' : 'deny', determining }
}

function mustAnswer(answer: ReturnType<typeof authorize>): Response {
  if (answer.type === 'success') return answer.response
  throw new Error(answer.errors.map(({ message }) => message).join('; '))
}

/** The engine skips a policy that fails; a skipped forbid has not been evaluated. */
function errorsIn({ diagnostics }: Response, policies: readonly Policy[]): string[] {
  return diagnostics.errors
    .map(({ policyId, error }) => inWords(`${policies[Number(policyId)]?.id}: ${error.message}`))
    .sort()
}

function determiningIn({ diagnostics }: Response, policies: readonly Policy[]): Determining[] {
  return diagnostics.reason
    .map(number => determiningOf(policies[Number(number)]))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function determiningOf(policy: Policy | undefined): Determining {
  if (!policy) throw new Error('the engine returned an unknown policy')
  const { id, effect, reason, remedy, needs } = policy
  return {
    id,
    effect,
    reason: reason ?? `the policy ${effect === 'permit' ? 'permits' : 'forbids'} it`,
    ...(effect === 'forbid' && remedy !== undefined && { remedy }),
    ...(effect === 'forbid' && needs !== undefined && { needs }),
  }
}

const IN_SCOPE: Readonly<Record<PolicyAction, string>> = {
  handoff: 'handoffs whose facts are all verified',
  useTool: "tools that the agent's task allows",
  readData: 'data that is no more sensitive than the mission',
  writeBack: 'proposals approved by someone other than the producer',
}

const nobodyPermits = (action: PolicyAction): Determining => ({
  id: 'policy/no-permit',
  effect: 'none',
  reason: `no policy permits it; the built-in ones permit ${IN_SCOPE[action]}`,
})
